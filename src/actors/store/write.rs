//! Writes on their way into the store: in one call or two, checked when they begin
//! or, as is right, in the step that stores them.

use super::api::{Refusal, Rule, StoreOp, StoreReply, Write};
use super::rule::{CheckTime, Checked};
use super::{Done, Pending, Progress, Row, Store, StoreTimer, WriteId, answer, note};
use crate::actors::fact::Fact;
use crate::actors::note::StoreNote;
use crate::actors::{Actor, Timer};
use crate::sim::process::{Now, Out};
use crate::sim::time::Span;

impl Store {
    /// A write in one call. Under a rule that checks on arrival, a write that takes
    /// its time is checked now and stored later.
    pub(super) fn put(&mut self, pending: Pending, write: &Write, now: Now, out: &mut Out<Actor>) {
        if self.rule.checks_put() == CheckTime::Storing || self.write == Span::ZERO {
            return self.start_storing(pending, Progress::Unchecked, now, out);
        }
        let because = self.check_rests_on(&pending, write.owner, &write.object);
        match self.rule.check_write(self.mark_of(&write.object), &self.data, write) {
            Checked::Passes => {
                self.note_begun(&pending, write, because, out);
                self.start_storing(pending, Progress::Passed, now, out);
            }
            told => self.turn_away(&pending, write, told, because, out),
        }
    }

    /// The beginning of a slow write. Most rules only open it here.
    pub(super) fn begin(&mut self, pending: &Pending, write: &Write, out: &mut Out<Actor>) {
        if self.open.begun.contains_key(&id_of(write)) {
            return answer(pending, Ok(StoreReply::Begun), out);
        }
        let (checked, progress) = if self.data.was_stored_last(write) {
            (Checked::Repeats(self.data.version_of(&write.object)), Progress::Unchecked)
        } else if self.rule.checks_slow() == CheckTime::Storing {
            (Checked::Passes, Progress::Unchecked)
        } else {
            let checked = self.rule.check_write(self.mark_of(&write.object), &self.data, write);
            (checked, Progress::Passed)
        };
        let because = self.check_rests_on(pending, write.owner, &write.object);
        if checked != Checked::Passes {
            return self.turn_away(pending, write, checked, because, out);
        }
        // A transaction ends with its client's connection, even before it has begun.
        if self.rule == Rule::SameTransaction && self.has_gone(pending) {
            return;
        }
        self.open.begun.insert(id_of(write), progress);
        self.note_begun(pending, write, because, out);
        answer(pending, Ok(StoreReply::Begun), out);
    }

    /// Notes that a write has begun, and takes what its check gives it: the row in
    /// a transaction, else the mark. Without a check it takes nothing.
    fn note_begun(
        &mut self,
        pending: &Pending,
        write: &Write,
        because: Vec<Fact>,
        out: &mut Out<Actor>,
    ) {
        let Write { token, owner, .. } = *write;
        let mut sets = vec![Fact::Begun(owner)];
        if self.rule == Rule::SameTransaction {
            let (client, request) = (pending.from, pending.request.id);
            let object = write.object.clone();
            self.open.row = Some(Row { write: id_of(write), token, client, request, object });
        } else if self.rule.checks_slow() == CheckTime::Arrival {
            sets.extend(self.raise_mark(token, owner, &write.object));
        }
        let object = write.object.clone();
        note(out, StoreNote::Begun { token, owner, object }, sets, because);
    }

    /// Stores a write after the time that takes.
    pub(super) fn start_storing(
        &mut self,
        pending: Pending,
        progress: Progress,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        if self.write == Span::ZERO {
            return self.store(pending, progress, now, out);
        }
        let storing = &mut self.open.storing;
        let mut ticket = 0;
        while storing.iter().any(|(number, ..)| *number == ticket) {
            ticket += 1;
        }
        storing.push((ticket, progress, pending));
        out.set_timer(Timer::Store(StoreTimer::Stored { ticket }), now.mono + self.write);
    }

    /// The step that stores, and that checks unless the rule trusts a check made
    /// before.
    pub(super) fn store(
        &mut self,
        pending: Pending,
        progress: Progress,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        let (write, check_time, progress) = match &pending.request.op {
            StoreOp::Put(write) => (write, self.rule.checks_put(), Some(progress)),
            StoreOp::Complete(write) => {
                (write, self.rule.checks_slow(), self.open.begun.get(&id_of(write)).copied())
            }
            op => unreachable!("a {} stores nothing", op.kind()),
        };
        let id = id_of(write);
        let trusted = progress == Some(Progress::Passed) && check_time == CheckTime::Arrival;
        let mut because = self.check_rests_on(&pending, write.owner, &write.object);
        if trusted {
            because.retain(|fact| !matches!(fact, Fact::Mark | Fact::MarkOf(_)));
        }
        if trusted || self.open.begun.contains_key(&id) {
            because.push(Fact::Begun(write.owner));
        }
        match if trusted { Checked::Passes } else { self.check_now(write, progress) } {
            Checked::Passes => self.accept(&pending, write, because, out),
            told => self.turn_away(&pending, write, told, because, out),
        }
        self.open.begun.remove(&id);
        if self.open.row.as_ref().is_some_and(|row| row.write == id) {
            self.open.row = None;
            self.serve_waiting(now, out);
        }
    }

    /// Checks a write in the step that stores it. The completion of a slow write
    /// has no progress when its beginning is unknown, or done with.
    fn check_now(&self, write: &Write, progress: Option<Progress>) -> Checked {
        let checked = self.rule.check_write(self.mark_of(&write.object), &self.data, write);
        match progress {
            Some(_) => checked,
            None if self.data.was_stored_last(write) => {
                Checked::Repeats(self.data.version_of(&write.object))
            }
            None if checked == Checked::Passes => Checked::Fails(Refusal::NotBegun),
            None => checked,
        }
    }

    /// Stores a write; the partner books it in the same step, or a row stands for that.
    fn accept(
        &mut self,
        pending: &Pending,
        write: &Write,
        mut because: Vec<Fact>,
        out: &mut Out<Actor>,
    ) {
        if self.rule == Rule::CompareAndSet {
            because.push(Fact::Version);
        }
        self.data.version += 1;
        let Write { token, owner, sequence, .. } = *write;
        let amount = if self.effects.are_in_step() { write.amount } else { 0 };
        self.data.booked += amount;
        let made = self.data.version;
        self.data.objects.insert(write.object.clone(), made);
        self.data.done.insert(write.key(), Done { owner, sequence, made });
        let mut sets = vec![Fact::Version, Fact::Job(write.key())];
        sets.extend(self.raise_mark(token, owner, &write.object));
        self.remember_write(write, made);
        let booked = self.data.booked;
        note(out, StoreNote::accepted(write, made, amount, booked), sets, because);
        self.add_row(write, made, out);
        answer(pending, Ok(StoreReply::Accepted { version: made }), out);
    }

    /// Answers a write, or a beginning, that leads to nothing: a repeat as it was
    /// answered first.
    fn turn_away(
        &mut self,
        pending: &Pending,
        write: &Write,
        told: Checked,
        mut because: Vec<Fact>,
        out: &mut Out<Actor>,
    ) {
        let Write { token, owner, sequence, .. } = *write;
        match told {
            Checked::Passes => unreachable!("a write that passes is not turned away"),
            Checked::Repeats(version) => {
                because.push(Fact::Job(write.key()));
                let object = write.object.clone();
                let repeated = StoreNote::Repeated { token, owner, sequence, object };
                note(out, repeated, Vec::new(), because);
                let reply = match pending.request.op {
                    StoreOp::Begin(_) => StoreReply::Begun,
                    _ => StoreReply::Accepted { version },
                };
                answer(pending, Ok(reply), out);
            }
            Checked::Fails(refusal) => {
                self.refused += 1;
                match refusal {
                    Refusal::Version { .. } => because.push(Fact::Version),
                    Refusal::JobDone => because.push(Fact::Job(write.key())),
                    Refusal::Token { .. }
                    | Refusal::NotBegun
                    | Refusal::Condition(_)
                    | Refusal::Compare => {}
                }
                note(out, StoreNote::refused(write, refusal), Vec::new(), because);
                answer(pending, Err(refusal), out);
            }
        }
    }
}

/// A write's name: its owner and the owner's count.
pub(super) fn id_of(write: &Write) -> WriteId {
    (write.owner, write.sequence)
}
