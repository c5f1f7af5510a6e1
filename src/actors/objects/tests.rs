//! What S3 says of conditions, and what a put that takes its time is told.

use super::Objects;
use super::api::{
    Condition, ETag, GetIf, Means, Metadata, ObjectError, Op, Put, PutIf, Reply, Request,
};
use crate::actors::etcd::api::{LeaseId, RequestId};
use crate::actors::note::StoreNote;
use crate::actors::store::StoreTimer;
use crate::actors::store::api::Write;
use crate::actors::{Message, Note, Timer};
use crate::sim::process::{Command, Draws, Input, NodeId, Now, Out};
use crate::sim::time::{Mono, Span, Wall};

const CLIENT: NodeId = NodeId(1);

/// What a step was answered with, and what was noted of it.
#[derive(Debug, Default)]
struct Told {
    results: Vec<Result<Reply, ObjectError>>,
    notes: Vec<StoreNote>,
}

fn give(objects: &mut Objects, input: Input<crate::actors::Actor>) -> Told {
    let mut draws = Draws::new(1);
    let now = Now { mono: Mono(0), wall: Wall(0) };
    let mut out = Out::new(NodeId(9), now, &mut draws);
    objects.handle(input, now, &mut out);
    let mut told = Told::default();
    for command in out.into_commands() {
        match command {
            Command::Send { message: Message::ObjectsAnswer(response), .. } => {
                told.results.push(response.result);
            }
            Command::Note(noted) => match noted.note {
                Note::Store(note) => told.notes.push(note),
                note => panic!("not a store's: {note:?}"),
            },
            _ => {}
        }
    }
    told
}

fn ask(objects: &mut Objects, op: Op) -> Told {
    let request = Request { id: RequestId(1), op };
    give(objects, Input::Message { from: CLIENT, message: Message::Objects(request) })
}

fn put(body: &str, only: PutIf) -> Op {
    let metadata = Metadata::new();
    Op::Put(Put {
        key: "report".into(),
        body: body.into(),
        metadata,
        only,
        means: None,
        record: None,
    })
}

fn get() -> Op {
    Op::Get { key: "report".into(), only: GetIf::Always }
}

/// Carries out the operations in order; the status of each.
#[track_caller]
fn check(ops: &[Op], expected: &[u16]) -> Objects {
    let mut objects = Objects::new(Span::ZERO);
    let status = |told: Told| match told.results[..] {
        [Ok(Reply::Deleted)] => 204,
        [Ok(_)] => 200,
        [Err(error)] => error.status(),
        _ => panic!("one answer: {told:?}"),
    };
    let statuses: Vec<u16> = ops.iter().map(|op| status(ask(&mut objects, op.clone()))).collect();
    assert_eq!(statuses, expected);
    objects
}

#[test]
fn an_object_is_created_once_and_replaced_only_as_it_was_read() {
    let one = PutIf::Match(ETag::of("one"));
    check(&[put("one", PutIf::Absent), put("two", PutIf::Absent)], &[200, 412]);
    check(&[put("one", PutIf::Always), put("two", one), put("three", one)], &[200, 200, 412]);
    check(&[put("two", one)], &[404]);
    check(&[put("one", PutIf::Always), put("two", PutIf::Always)], &[200, 200]);
}

#[test]
fn equal_bodies_have_equal_etags_whatever_came_between_and_whatever_the_metadata() {
    let one = PutIf::Match(ETag::of("one"));
    let ops = [put("one", PutIf::Always), put("two", one), put("one", PutIf::Always)];
    let mut objects = check(&ops, &[200, 200, 200]);
    let mut metadata = Metadata::new();
    metadata.insert("fence-token".into(), "43".into());
    let same = Put {
        key: "report".into(),
        body: "one".into(),
        metadata,
        only: one,
        means: Some(Means::Claim { token: 43, owner: LeaseId(4) }),
        record: None,
    };
    ask(&mut objects, Op::Put(same));
    assert!(ask(&mut objects, put("late", one)).results[0].is_ok(), "the claim changed no ETag");
}

#[test]
fn a_delete_is_answered_204_whether_there_was_an_object_or_not() {
    let delete = |if_match| Op::Delete { key: "report".into(), if_match };
    check(&[delete(None), put("one", PutIf::Absent), delete(None), get()], &[204, 200, 204, 404]);
    let (one, two) = (Some(ETag::of("one")), Some(ETag::of("two")));
    check(&[put("one", PutIf::Always), delete(two), delete(one)], &[200, 412, 204]);
    check(&[delete(one)], &[404]);
}

/// A condition is looked at when all of the put is there: whoever comes to the end first
/// changes the key under the other.
#[test]
fn of_two_conditional_puts_under_way_the_second_is_told_of_a_conflict() {
    let mut objects = Objects::new(Span::from_ms(20));
    assert!(ask(&mut objects, put("one", PutIf::Absent)).results.is_empty());
    assert!(ask(&mut objects, put("two", PutIf::Absent)).results.is_empty());
    let stored = |ticket| Input::Timer(Timer::Store(StoreTimer::Stored { ticket }));
    assert!(give(&mut objects, stored(0)).results[0].is_ok());
    let second = give(&mut objects, stored(1)).results;
    assert_eq!(second, [Err(ObjectError::ConditionalRequestConflict)]);
    assert_eq!(objects.object("report").map(|object| &*object.body), Some("one"));
}

#[test]
fn a_delete_under_a_conditional_put_is_a_conflict_too() {
    let mut objects = check(&[put("one", PutIf::Always)], &[200]);
    objects.write = Span::from_ms(20);
    ask(&mut objects, put("two", PutIf::Match(ETag::of("one"))));
    ask(&mut objects, Op::Delete { key: "report".into(), if_match: None });
    let stored = Input::Timer(Timer::Store(StoreTimer::Stored { ticket: 0 }));
    let late = give(&mut objects, stored).results;
    assert_eq!(late, [Err(ObjectError::ConditionalRequestConflict)]);
}

#[test]
fn a_crash_loses_what_is_under_way_and_keeps_the_objects() {
    let mut objects = check(&[put("one", PutIf::Always)], &[200]);
    objects.write = Span::from_ms(20);
    ask(&mut objects, put("two", PutIf::Always));
    assert_eq!(objects.last_words(), [(CLIENT, Message::Closed)]);
    objects.crash();
    assert!(objects.last_words().is_empty());
    assert_eq!(objects.object("report").map(|object| &*object.body), Some("one"));
}

#[test]
fn a_report_that_is_stored_is_booked_and_one_that_is_refused_is_not() {
    let mut objects = Objects::new(Span::ZERO);
    let report = |only| {
        let (token, owner, job, object) = (42, LeaseId(4), "day".into(), "".into());
        let write = Write { token, owner, sequence: 1, read_version: 0, job, amount: 5, object };
        let (key, body, metadata) = ("report".into(), "day".into(), Metadata::new());
        Op::Put(Put { key, body, metadata, only, means: Some(Means::Report(write)), record: None })
    };
    let told = ask(&mut objects, report(PutIf::Absent));
    assert!(matches!(told.notes[..], [StoreNote::Accepted { version: 1, booked: 5, .. }]));
    let told = ask(&mut objects, report(PutIf::Absent));
    let refusal = ObjectError::PreconditionFailed(Condition::IfNoneMatch);
    assert_eq!(told.results, [Err(refusal)]);
    assert!(matches!(told.notes[..], [StoreNote::Refused { .. }]), "{told:?}");
    assert_eq!((objects.booked(), objects.accepted(), objects.refused()), (5, 1, 1));
}
