use super::*;
use crate::actors::store::api::Rule;
use crate::properties::{Judged, PropertyId, Verdict};
use crate::scenario::clicks::Do;
use crate::scenario::{Run, Scenario};
use crate::sim::time::TrueTime;
use litemap::LiteMap;

fn first() -> Lesson {
    chapters().expect("every chapter can be read").remove(0).lessons.remove(0)
}

fn lessons() -> Vec<Lesson> {
    let chapters = chapters().expect("every chapter can be read");
    chapters.into_iter().flat_map(|chapter| chapter.lessons).collect()
}

/// The first lesson's run under a rule.
fn run(rule: Rule) -> Run {
    let id = match rule {
        Rule::None => "reconcile-unfenced",
        _ => "reconcile",
    };
    Scenario::built_in(id).expect("built in").run()
}

#[test]
fn a_chapters_heading_names_its_lessons_and_no_id_is_there_twice() {
    let mut ids = Vec::new();
    let mut questions = Vec::new();
    for (place, chapter) in chapters().expect("every chapter can be read").iter().enumerate() {
        let lessons: Vec<&String> = chapter.lessons.iter().map(|lesson| &lesson.id).collect();
        assert_eq!(lessons, chapter.heading.lessons.iter().collect::<Vec<_>>());
        let plays = |lesson: &Lesson| {
            let mut ids: Vec<String> = Vec::new();
            for told in &lesson.runs {
                let id = &told.scenario().spec().id;
                if !ids.contains(id) {
                    ids.push(id.clone());
                }
            }
            ids
        };
        let plays: Vec<_> = chapter.lessons.iter().map(plays).collect();
        assert_eq!(plays, chapter.heading.plays);
        assert_eq!(chapter.heading.place as usize, place + 1);
        ids.push(chapter.heading.id.clone());
        ids.extend(chapter.heading.lessons.clone());
        let asked = chapter.lessons.iter().flat_map(|lesson| &lesson.questions);
        questions.extend(asked.map(|question| question.id.clone()));
    }
    assert_eq!(lesson::twice(ids.iter().map(String::as_str)), None);
    assert_eq!(lesson::twice(questions.iter().map(String::as_str)), None);
}

#[test]
fn every_lesson_can_be_read_and_names_runs_that_are_there() {
    for lesson in lessons() {
        for told in &lesson.runs {
            told::scenario(&told.name).unwrap_or_else(|error| panic!("{}: {error}", lesson.id));
        }
        for question in &lesson.questions {
            assert!((2..=4).contains(&question.options.len()), "{}", question.id);
        }
    }
}

/// One lesson's runs promise that never two believe that they hold the lock, and another's
/// do not: each says so where it comes to it.
#[test]
fn a_lesson_in_which_two_believe_says_whether_that_is_a_broken_promise_and_why() {
    let believe = PropertyId::TwoBelieve;
    let says = [
        ("late-report", "no broken promise here: etcd decides"),
        ("two-warnings", "a broken promise here, other than with etcd: ZooKeeper's recipe"),
        ("lock-delay", "a broken promise here too: to keep that from happening"),
    ];
    for (id, why) in says {
        let lesson = lessons().into_iter().find(|lesson| lesson.id == id).expect("it is there");
        let run = lesson.runs[0].scenario().run();
        let promises = run.scenario.spec().promises.contains(&believe);
        assert_eq!(promises, !why.starts_with("no "), "{id}");
        let judged = run.to_end().expect("it ends").moment().observer.clone();
        let verdict = judged.verdict(believe, Judged::AtTheEnd);
        assert!(matches!(verdict, Verdict::Broken { .. }), "{id}: two believe");
        let mut told = lesson.parts.iter().flat_map(|part| &part.text);
        assert!(told.any(|text| text.contains("believe") && text.contains(why)), "{id}");
    }
}

/// Which options of a question are right by a run, played to its end.
fn right(question: &Question, run: &str) -> Vec<String> {
    let run = told::scenario(run).expect("there").run();
    let measured = question.asks.take(&run.scenario, &run.to_end().expect("a run"));
    let right = question.options.iter().filter(|option| measured.is(&option.is));
    right.map(|option| option.id.clone()).collect()
}

/// The run of the lesson that a question is about: of those of another kind of click the
/// one that the lesson tells of.
fn asked_of<'a>(lesson: &'a Lesson, question: &'a Question) -> &'a str {
    let own = lesson.run(&question.about.run).expect("there");
    let setup = own.scenario().run();
    let is_meant = |told: &&told::Told| {
        let run = told.scenario().run();
        told.has_setup(&setup) && question.about.clicks.are_in(&run, own)
    };
    &lesson.runs.iter().find(is_meant).expect("the lesson tells of it").name
}

/// What is right of each question, and what is in a changed run: question, right option,
/// the changed run, and the option that is right there.
const RIGHT: &[[&str; 4]] = &[
    ["late-report-unchecked", "accepted", "reconcile", "refused"],
    ["late-report-checked", "refused", "plain-read", "accepted"],
    ["unclaimed-late-report", "accepted", "reconcile", "refused"],
    ["claimed-booked", "once", "plain-read", "twice"],
    ["when-granted", "at-end", "renewal-fails.heartbeat-blocked", "at-once"],
    ["token-after-revoke", "gap", "renewal-fails", "next"],
    ["stored-first", "w1", "check-then-put.one-step", "w2"],
    ["one-step-safe", "kept", "check-then-put", "broken"],
    ["slow-look", "refused", "slow-clock.wall-clock", "accepted"],
    ["wall-step-holder", "w1", "slow-clock", "w2"],
    ["whose-key", "nobody", "batch-incident.watchdog", "w2"],
    ["watchdog-booked", "twice", "batch-incident.etcd-tokens", "once"],
    ["token-after-failover", "same", "batch-incident.counter", "next"],
    ["counter-late-upload", "refused", "redis-failover", "accepted"],
    ["second-majority", "at-once", "redlock.restart-with-a-file", "on-release"],
    ["paused-majority", "twice", "redlock.pause-before-counting", "once"],
    ["after-lost", "accepted", "zookeeper-pause.czxid", "refused"],
    ["stops-at-lost", "accepted", "zookeeper-pause.partition-suspended", "not-sent"],
    ["granted-after-delay", "after-delay", "consul-lock-delay.no-lock-delay", "at-end"],
    ["shorter-than-delay", "kept", "consul-lock-delay.no-lock-delay", "broken"],
    ["closed-session", "accepted", "schema-migrations.fence-column", "refused"],
    ["drawn-in-one-transaction", "w1", "schema-migrations.sequence", "w2"],
    ["put-beside-the-lock", "accepted", "guarded-write", "refused"],
    ["read-then-put", "accepted", "guarded-write", "refused"],
    ["first-put-wins", "w1", "conditional-puts", "w2"],
    ["token-in-metadata", "w1", "conditional-puts", "w2"],
    ["mark-for-each", "accepted", "mark-scopes.one-mark", "refused"],
    ["claims-both", "refused", "mark-scopes", "accepted"],
    ["no-lock-write", "accepted", "no-lock", "refused"],
    ["how-often-written", "twice", "no-lock.no-check", "once"],
    ["append-by-key", "accepted", "leader-log", "refused"],
    ["sent-twice", "twice", "leader-log.sent-twice", "once-each"],
    ["booked-beside", "twice", "outbox.outbox", "once"],
    ["relay-sends-again", "twice", "outbox.relay-crash-key", "once"],
];

#[test]
fn each_question_has_exactly_one_right_option_and_another_one_in_a_changed_run() {
    let mut left = RIGHT.to_vec();
    for lesson in lessons() {
        for question in &lesson.questions {
            let [id, own, changed, other] = left.remove(0);
            assert_eq!(question.id, id);
            assert_eq!(right(question, asked_of(&lesson, question)), [own], "{id}");
            assert_eq!(right(question, changed), [other], "{id}, changed");
        }
    }
    assert_eq!(left, [[""; 4]; 0]);
}

/// Whatever is set of its lock service: nothing that a lesson tells is true of it then.
#[test]
fn a_run_with_another_setting_is_none_of_the_lessons() {
    let lessons = lessons();
    for (name, path, value) in [
        ("redlock", "redlock.check", "none"),
        ("redlock", "redis.persistence", "aof"),
        ("zookeeper-pause", "zookeeper.token", "suffix"),
        ("consul-lock-delay", "consul.lock_delay_ms", "0"),
        ("schema-migrations", "postgres.pool", "5"),
        ("reconcile", "etcd.members", "5"),
    ] {
        let told = lessons.iter().find_map(|lesson| lesson.run(name)).expect("a lesson has it");
        let mut run = told.scenario().run();
        assert!(told.has_setup(&run), "{name}");
        let setting = [(path.to_owned(), value.to_owned())];
        run.scenario = run.scenario.with(&setting).expect("a setting");
        assert!(!told.has_setup(&run), "{name} with {path} = {value}");
    }
}

/// A run that is not over yet says only what is decided in it.
#[test]
fn what_is_right_is_known_when_it_is_decided_and_not_before() {
    for lesson in lessons() {
        for question in &lesson.questions {
            let told = lesson.run(asked_of(&lesson, question)).expect("there");
            let run = told.scenario().run();
            let replay = run.to_end().expect("a run");
            let judge = &replay.moment().observer;
            let of = |events: usize, judge| {
                let seen = Seen { run: &run, trace: &replay.trace()[..events], judge };
                question.right(&seen).map(|(choice, event)| (choice.id.clone(), event))
            };
            let all = replay.trace().len();
            let (right, event) = of(all, Some(judge)).expect("it is decided");
            let before = of(event.index(), None);
            assert_eq!(before, None, "{} before it is decided", question.id);
            if let Some(decided) = of(event.index() + 1, None) {
                assert_eq!(decided, (right, event), "{}", question.id);
            }
        }
    }
}

#[test]
fn without_the_next_holders_claim_the_late_write_would_have_passed() {
    let program = "[\"acquire\", \"read\", \"compute\", \"write\", \"release\"]";
    let setting = ("worker.W2.program".to_owned(), program.to_owned());
    let mut run = run(Rule::OwnerAndSequence);
    run.scenario = run.scenario.with(&[setting]).expect("a setting");
    assert_eq!(outcome::foretell("W1", &run), Ok(Outcome::Accepted));
}

/// How the chapter stands when the runs have been run so far (seconds): the part told,
/// the steps (`x` done, `>` to do, `.` later) and the questions.
#[track_caller]
fn check(runs: &[(Run, i64)], answers: &[(&str, &str)], expected: &str) {
    let lesson = first();
    let replays: Vec<_> = runs
        .iter()
        .map(|(run, until_s)| {
            let mut replay = run.replay().expect("a run");
            replay.seek(TrueTime(until_s * 1_000_000));
            replay
        })
        .collect();
    let seen: Vec<Seen> = runs
        .iter()
        .zip(&replays)
        .map(|((run, _), replay)| {
            let judge = replay.is_over().then(|| &replay.moment().observer);
            Seen { run, trace: replay.trace(), judge }
        })
        .collect();
    let answers: LiteMap<String, String> =
        answers.iter().map(|(q, o)| ((*q).to_owned(), (*o).to_owned())).collect();
    let told = lesson.part(&seen, seen.last().expect("a run"));
    let part = lesson.parts.iter().position(|part| part == told).unwrap() + 1;
    let steps: String = lesson
        .progress(&seen)
        .iter()
        .map(|(_, progress)| match progress {
            Progress::Done => 'x',
            Progress::Now => '>',
            Progress::Later => '.',
        })
        .collect();
    let asked = lesson.questions.iter().map(|q| sketch(lesson.asked(q, &seen, &answers)));
    let found = format!("{part} {steps} {}", asked.collect::<Vec<_>>().join(" "));
    assert_eq!(found, expected);
}

fn sketch(asked: Asked) -> String {
    let id = |choice: Option<&Choice>| choice.map_or("-", |choice| &choice.id).to_owned();
    match asked {
        Asked::NotYet => "not-yet".to_owned(),
        Asked::Open(chosen) => format!("open({})", id(chosen)),
        Asked::Met(met) => format!("met({}/{}@{})", id(met.chosen), met.right.id, met.run),
    }
}

#[test]
fn a_prediction_is_asked_kept_and_met() {
    let plain = Run { clicks: Vec::new(), ..run(Rule::None) };
    check(&[(plain.clone(), -1)], &[], "1 >... not-yet not-yet");
    check(&[(plain, 25)], &[], "1 x>.. not-yet not-yet");
    check(&[(run(Rule::None), 25)], &[], "1 xx>. open(-) not-yet");
    let answer = ("late-report-unchecked", "refused");
    check(&[(run(Rule::None), 25)], &[answer], "1 xx>. open(refused) not-yet");
    check(&[(run(Rule::None), 74)], &[answer], "2 xxx> met(refused/accepted@0) open(-)");
    check(&[(run(Rule::None), 80)], &[answer], "2 xxx> met(refused/accepted@0) open(-)");
    check(&[(run(Rule::None), 80)], &[], "2 xxx> met(-/accepted@0) open(-)");
}

#[test]
fn the_second_run_meets_the_second_prediction() {
    let both = |until_s| [(run(Rule::None), 80), (run(Rule::OwnerAndSequence), until_s)];
    let answer = ("late-report-checked", "refused");
    let first = "met(-/accepted@0)";
    check(&both(60), &[answer], &format!("2 xxx> {first} open(refused)"));
    check(&both(74), &[answer], &format!("2 xxxx {first} met(refused/refused@1)"));
    check(&both(80), &[answer], &format!("3 xxxx {first} met(refused/refused@1)"));
}

/// Who leaves a run when W1's report is answered has seen what the steps ask for, and
/// is told no more than that: that the day was booked once is known at the end.
#[test]
fn a_run_that_is_left_before_its_end_has_shown_what_its_step_asks_for() {
    let both = [(run(Rule::None), 74), (run(Rule::OwnerAndSequence), 74)];
    let met = "met(-/accepted@0) met(-/refused@1)";
    check(&both, &[], &format!("2 xxxx {met}"));
    check(&[(run(Rule::None), 73)], &[], "1 xx>. open(-) not-yet");
}

#[test]
fn a_run_with_other_clicks_is_none_of_the_chapters() {
    let mut other = run(Rule::None);
    other.clicks[0].r#do = Do::Pause { node: "W2".to_owned(), for_ms: Some(45_000) };
    check(&[(other, 100)], &[], "1 x>.. not-yet not-yet");
}

/// Its numbers are other ones, so nothing that states them is asked.
#[test]
fn a_run_like_the_chapters_counts_once_the_same_has_happened() {
    let mut other = run(Rule::None);
    other.clicks[0].at_us += 1_000_000;
    check(&[(other.clone(), 40)], &[], "1 x>.. not-yet not-yet");
    check(&[(other, 100)], &[], "2 xxx> not-yet not-yet");
}

/// A lesson whose file is wrong is named so.
#[track_caller]
fn check_error(from: &str, to: &str, expected: &str) {
    let (heading, [lesson, ..]) = (HEADINGS[0], FIRST);
    let text = lesson.1.replacen(from, to, 1);
    assert_ne!(text, lesson.1, "nothing was replaced");
    let error = Chapter::from_files(heading, &[(lesson.0, &text)]).expect_err("a mistake");
    let error = error.to_string();
    assert!(error.starts_with("chapter-1/01-unfenced.toml: "), "{error}");
    assert!(error.contains(expected), "{error}");
}

#[test]
fn mistakes_in_a_file_are_named() {
    check_error("format = 1", "format = 9", "only format 1");
    check_error("title = \"The", "titel = \"The", "titel");
    check_error("id = \"refused\"", "id = \"not-sent\"", "`not-sent` is there twice");
    check_error("is = \"refused\"", "is = \"none\"", "the same outcome");
    check_error("done = \"begun\"", "done = \"begin\"", "line 35, step 1, done: ");
    check_error("runs = [\"reconcile-unfenced\", \"reconcile\"]", "runs = []", "no run");
    let other = "about = { run = \"refund\" }";
    check_error("about = { run = \"reconcile-unfenced\" }", other, "has no run `refund`");
    let clicks = "about = { run = \"reconcile\", clicks = \"paws\" }";
    check_error("about = { run = \"reconcile\" }", clicks, "no `paws` to choose");
}

#[test]
fn two_lessons_with_one_question_are_refused() {
    let (heading, [lesson, ..]) = (HEADINGS[0], FIRST);
    let other = lesson.1.replacen("id = \"late-report\"", "id = \"another\"", 1);
    let files = [lesson, ("another.toml", other.as_str())];
    let error = Chapter::from_files(heading, &files).expect_err("a mistake").to_string();
    assert_eq!(error, "`late-report-unchecked` is there twice");
}
