//! What the types cannot say: bounds, names, programs.

mod services;

pub(super) use services::{is_set, says_nothing_of};

use crate::actors::consul::config::{MAX_TTL_S, MIN_TTL_S};
use crate::actors::etcd::api::{DATA, Text};
use crate::actors::store::api::{MarkScope, Rule};
use crate::actors::worker::config::Step;
use crate::content::Choice;
use crate::properties::PropertyId;
use crate::scenario::actions::{any_span, rate, span, span_of};
use crate::scenario::error::{Problem, ScenarioError};
use crate::scenario::names::{ORCHESTRATOR, PARTNER, RELAYS, STORE, Service};
use crate::scenario::spec::{Books, Spec, StoreKind, WorkerSpec};
use services::{consul, etcd, postgres, redis, redlock, zookeeper};

/// So many steps may a program have: more than anybody reads.
const MAX_STEPS: usize = 50;

/// The most workers a scenario can have.
pub const MAX_WORKERS: usize = 8;

/// Whether a name is another's already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taken {
    No,
    ByAnother,
}

impl Taken {
    fn among<'a>(name: &str, mut others: impl Iterator<Item = &'a String>) -> Taken {
        if others.any(|other| other == name) { Taken::ByAnother } else { Taken::No }
    }
}

/// Checks all that the types leave open.
pub(super) fn check(spec: &Spec) -> Result<(), ScenarioError> {
    at("the scenario", whole(spec))?;
    at("lock", lock(spec))?;
    at("etcd", etcd(spec))?;
    at("redis", redis(spec))?;
    at("redlock", redlock(spec))?;
    at("zookeeper", zookeeper(spec))?;
    at("postgres", postgres(spec))?;
    at("consul", consul(spec))?;
    at("store", store(spec))?;
    at("partner", partner(spec))?;
    at("network", network(spec))?;
    at("load", load(spec))?;
    if let Some(orchestrator) = &spec.orchestrator {
        at("orchestrator", span("restart_after_ms", orchestrator.restart_after_ms).map(drop))?;
    }
    for (place, worker) in spec.workers.iter().enumerate() {
        let others = spec.workers[..place].iter().map(|other| &other.name);
        let taken = Taken::among(&worker.name, others);
        let service = spec.lock.service;
        let checked = name(&worker.name, service, taken).and_then(|()| self::worker(spec, worker));
        at(&format!("worker {}", place + 1), checked)?;
    }
    for (place, variant) in spec.variants.iter().enumerate() {
        let others = spec.variants[..place].iter().map(|other| &other.id);
        let taken = Taken::among(&variant.id, others);
        let checked = id(&variant.id, taken).and_then(|()| line("title", &variant.title));
        at(&format!("variant {}", place + 1), checked)?;
    }
    Ok(())
}

fn at(place: &str, checked: Result<(), Problem>) -> Result<(), ScenarioError> {
    checked.map_err(|problem| ScenarioError::new(place, problem))
}

fn bounds(
    field: &'static str,
    value: i64,
    least: i64,
    most: i64,
    bounds: &'static str,
) -> Result<(), Problem> {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(Problem::Bounds { field, value, bounds })
    }
}

/// What names something to people.
fn named(field: &'static str, text: &str) -> Result<(), Problem> {
    if text.trim().is_empty() {
        return Err(Problem::Empty { field });
    }
    line(field, text)
}

/// What is shown as one line, among others.
fn line(field: &'static str, text: &str) -> Result<(), Problem> {
    if text.contains(char::is_control) {
        return Err(Problem::NotOneLine { field });
    }
    Ok(())
}

fn promises(promises: &[PropertyId]) -> Result<(), Problem> {
    for (place, promised) in promises.iter().enumerate() {
        if promises[..place].contains(promised) {
            return Err(Problem::Twice { field: "promises", name: promised.name() });
        }
    }
    Ok(())
}

/// What names a scenario or a variant in links, commands and files.
fn id(id: &str, taken: Taken) -> Result<(), Problem> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let why = if id.is_empty() || !id.chars().all(plain) {
        "it is made of lower-case letters, digits and hyphens"
    } else if taken == Taken::ByAnother {
        "another variant has it"
    } else {
        return Ok(());
    };
    Err(Problem::BadName { name: id.to_owned(), why })
}

fn whole(spec: &Spec) -> Result<(), Problem> {
    id(&spec.id, Taken::No)?;
    line("title", &spec.title)?;
    promises(&spec.promises)?;
    bounds("limit_ms", spec.limit_ms, 1, 86_400_000, "from 1 to 86,400,000")?;
    if let Some(waits_at_ms) = spec.waits_at_ms {
        let limit_ms = spec.limit_ms;
        bounds("waits_at_ms", waits_at_ms, 0, 86_400_000, "from 0 to 86,400,000")?;
        if waits_at_ms > limit_ms {
            return Err(Problem::EndsBeforeItWaits { waits_at_ms, limit_ms });
        }
    }
    if !(1..=MAX_WORKERS).contains(&spec.workers.len()) {
        return Err(Problem::Workers { count: spec.workers.len() });
    }
    Ok(())
}

fn lock(spec: &Spec) -> Result<(), Problem> {
    named("key", &spec.lock.key)?;
    bounds("ttl_s", spec.lock.ttl_s, 1, 86_400, "from 1 to 86,400")?;
    bounds("retry_ms", spec.lock.retry_ms, 1, 86_400_000, "from 1 to 86,400,000")?;
    let (service, recipe) = (spec.lock.service, spec.lock.recipe);
    if Service::of(recipe) != service {
        return Err(Problem::RecipeOfOther { recipe: recipe.name(), service: service.name() });
    }
    if service == Service::Consul {
        let says = "from 10 to 86,400, as Consul has it";
        bounds("ttl_s", spec.lock.ttl_s, MIN_TTL_S, MAX_TTL_S, says)?;
    }
    apart(spec)?;
    let is_path = |lock: &Text| lock.split('/').skip(1).all(|name| !name.is_empty());
    let mut locks = spec.locks().into_iter().chain([spec.lock()]);
    match locks.find(|lock| service == Service::ZooKeeper && !is_path(lock)) {
        Some(lock) => {
            let why = "the path of a znode has a name after each slash";
            Err(Problem::BadName { name: lock.to_string(), why })
        }
        None => Ok(()),
    }
}

fn store(spec: &Spec) -> Result<(), Problem> {
    line("title", &spec.store.title)?;
    if spec.store.kind == StoreKind::Objects && spec.store.rule != Rule::None {
        return Err(Problem::Missing("an object store has no rule: `rule` has to be `none`"));
    }
    if spec.store.kind != StoreKind::Fenced && spec.store.scope != MarkScope::Store {
        let why = match spec.store.kind {
            StoreKind::Etcd => "etcd keeps no marks: `scope` has to be `store`",
            _ => "an object store keeps no marks: `scope` has to be `store`",
        };
        return Err(Problem::Missing(why));
    }
    kept_in_etcd(spec)?;
    span("write_ms", spec.store.write_ms)?;
    bounds("first_number", spec.store.first_number, 1, 1 << 40, "from 1 to 2^40")
}

/// What is under a lock's name is the lock's: keys of those who wait, and the counter of
/// tokens. So no other lock may have such a name.
fn apart(spec: &Spec) -> Result<(), Problem> {
    let locks = spec.locks();
    let is_under = |name: &str, lock: &Text| {
        name.strip_prefix(&**lock).is_some_and(|rest| rest.starts_with(['/', ':']))
    };
    match locks.iter().find(|lock| locks.iter().any(|other| is_under(lock, other))) {
        Some(lock) => {
            let why = "it lies under the name of another lock";
            Err(Problem::BadName { name: lock.to_string(), why })
        }
        None => Ok(()),
    }
}

/// Data in etcd is guarded by a lock of the same etcd.
fn kept_in_etcd(spec: &Spec) -> Result<(), Problem> {
    if spec.store.kind != StoreKind::Etcd {
        return Ok(());
    }
    if spec.lock.service != Service::Etcd {
        return Err(Problem::Missing("data is kept in etcd only where the lock is etcd’s too"));
    }
    if spec.store.rule != Rule::None {
        return Err(Problem::Missing("etcd has no rule: `rule` has to be `none`"));
    }
    match spec.locks().iter().chain([&spec.lock()]).any(|lock| &**lock == DATA) {
        true => Err(Problem::Missing("`report` is the key of the data, and no lock’s")),
        false => Ok(()),
    }
}

fn partner(spec: &Spec) -> Result<(), Problem> {
    let partner = &spec.partner;
    bounds("relays", i64::from(partner.relays), 0, 2, "0, 1 or 2")?;
    bounds("relay_ms", partner.relay_ms, 1, 86_400_000, "from 1 to 86,400,000")?;
    let is_asked = partner.books == Books::WhenAsked;
    if partner.relays > 0 && !is_asked {
        return Err(Problem::Missing("relays need `books` to be `when-asked`"));
    }
    match (is_asked, spec.store.kind) {
        (true, StoreKind::Objects) => {
            Err(Problem::Missing("beside an object store `books` has to be `with-store`"))
        }
        (true, StoreKind::Etcd) => {
            Err(Problem::Missing("beside data in etcd `books` has to be `with-store`"))
        }
        _ => Ok(()),
    }
}

fn load(spec: &Spec) -> Result<(), Problem> {
    let Some(load) = &spec.load else { return Ok(()) };
    bounds("step_ms", load.step_ms, 100, 600_000, "from 100 to 600,000")?;
    let steps = load.rates.len() as i64;
    bounds("rates", steps, 1, 20, "a list of 1 to 20 rates")?;
    let each = |rate: &u32| bounds("rates", i64::from(*rate), 1, 1_000, "from 1 to 1,000");
    load.rates.iter().try_for_each(each)
}

fn network(spec: &Spec) -> Result<(), Problem> {
    let network = &spec.network;
    let most = "from 1 to 60,000";
    bounds("latency_ms", network.latency_ms, 1, 60_000, most)?;
    bounds("member_latency_ms", network.member_latency_ms, 1, 60_000, most)?;
    bounds("jitter_ms", network.jitter_ms, 0, 60_000, "from 0 to 60,000")?;
    let million = "from 0 to 1,000,000";
    bounds("loss_ppm", i64::from(network.loss_ppm), 0, 1_000_000, million)?;
    bounds("duplicate_ppm", i64::from(network.duplicate_ppm), 0, 1_000_000, million)
}

fn name(name: &str, service: Service, taken: Taken) -> Result<(), Problem> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let of = |letter| name.strip_prefix(letter).is_some_and(|n| n.parse::<u8>().is_ok());
    // "M1" has always been another's; what "R1" is depends on the service.
    let member = of(Service::Etcd.letter()) || of(service.letter());
    let groups = [Service::Etcd.group(), service.group(), STORE, ORCHESTRATOR, PARTNER];
    let why = if name.is_empty() || name.len() > 20 || !name.chars().all(plain) {
        "it is made of 1 to 20 letters, digits, hyphens and underscores"
    } else if member || groups.contains(&name) || RELAYS.contains(&name) {
        "it stands for another machine"
    } else if taken == Taken::ByAnother {
        "another worker has it"
    } else {
        return Ok(());
    };
    Err(Problem::BadName { name: name.to_owned(), why })
}

fn worker(spec: &Spec, worker: &WorkerSpec) -> Result<(), Problem> {
    named("job", &worker.job)?;
    span_of("starts_ms", worker.starts_ms)?;
    span("compute_ms", worker.compute_ms)?;
    span("check_ms", worker.check_ms)?;
    span("upload_ms", worker.upload_ms)?;
    span("progress_ms", worker.progress_ms)?;
    span_of("renewal_unanswered_ms", worker.renewal_unanswered_ms)?;
    any_span("wall_ahead_ms", worker.wall_ahead_ms)?;
    rate(worker.rate_ppm)?;
    if let Some(renew_ms) = worker.renew_ms {
        bounds("renew_ms", renew_ms, 1, 86_400_000, "from 1 to 86,400,000")?;
    }
    bounds("request_timeout_ms", worker.request_timeout_ms, 1, 86_400_000, "from 1 to 86,400,000")?;
    bounds("retries", i64::from(worker.retries), 0, 1_000, "from 0 to 1,000")?;
    bounds("amount", worker.amount, 0, 1 << 50, "from 0 to 2^50")?;
    if worker.starts_ms.is_none() && spec.orchestrator.is_none() {
        return Err(Problem::Missing(
            "without `starts_ms` a worker waits for an orchestrator, and there is none",
        ));
    }
    let service = spec.lock.service;
    let mut left_out = says_nothing_of(service).iter();
    if let Some(field) = left_out.find(|field| is_set(worker, service, field)) {
        return Err(Problem::OfOtherService { field, service: service.name() });
    }
    if spec.store.kind == StoreKind::Objects && worker.program.contains(&Step::DrawNumber) {
        return Err(Problem::BadProgram("an object store has no counter to draw from"));
    }
    let keeps_in_etcd = spec.store.kind == StoreKind::Etcd;
    let needs_store = |step: &Step| matches!(step, Step::DrawNumber | Step::Take);
    if keeps_in_etcd && worker.program.iter().any(needs_store) {
        return Err(Problem::BadProgram("data in etcd has neither a counter nor an inbox"));
    }
    if keeps_in_etcd && !worker.program.contains(&Step::Acquire) {
        return Err(Problem::BadProgram(
            "data in etcd is guarded by the lock: it has no `acquire`",
        ));
    }
    line("lock", &worker.lock)?;
    for object in &worker.objects {
        named("objects", object)?;
    }
    if spec.store.kind != StoreKind::Fenced && !worker.objects.is_empty() {
        return Err(Problem::Missing(match spec.store.kind {
            StoreKind::Etcd => "data in etcd is one key here, and `objects` none",
            _ => "an object store has one object here, and `objects` none",
        }));
    }
    if spec.partner.books == Books::WithStore && worker.program.contains(&Step::Book) {
        return Err(Problem::BadProgram("a `book` needs a partner that books `when-asked`"));
    }
    let takes = worker.program.contains(&Step::Take);
    if takes && spec.load.is_none() {
        return Err(Problem::BadProgram("it has a `take`, and there is no `load`"));
    }
    program(&worker.program)
}

fn program(steps: &[Step]) -> Result<(), Problem> {
    let place = |wanted: Step| steps.iter().position(|step| *step == wanted);
    let bad = |why| Err(Problem::BadProgram(why));
    if steps.len() > MAX_STEPS {
        return bad("it has more than 50 steps");
    }
    let Some(acquire) = place(Step::Acquire) else {
        return without_a_lock(steps);
    };
    if steps.iter().filter(|step| **step == Step::Acquire).count() > 1 {
        return bad("it has more than one `acquire`");
    }
    if steps[..acquire].iter().any(|step| !matches!(step, Step::DrawNumber | Step::Take)) {
        return bad("only `draw-number` can stand before `acquire`");
    }
    if steps[acquire..].contains(&Step::DrawNumber) {
        return bad("`draw-number` has to stand before `acquire`");
    }
    if place(Step::Release).is_some_and(|release| release + 1 < steps.len()) {
        return bad("`release` has to be its last step");
    }
    reads_before_it_writes(steps)
}

/// What has to do with a lock needs one.
fn without_a_lock(steps: &[Step]) -> Result<(), Problem> {
    let needs_lock =
        |step: &Step| matches!(step, Step::DrawNumber | Step::Claim | Step::Check | Step::Release);
    if steps.is_empty() || steps.iter().any(needs_lock) {
        return Err(Problem::BadProgram("it has no `acquire`"));
    }
    reads_before_it_writes(steps)
}

fn reads_before_it_writes(steps: &[Step]) -> Result<(), Problem> {
    let place = |wanted: Step| steps.iter().position(|step| *step == wanted);
    // A transfer can be appended without looking.
    if steps.contains(&Step::Take) {
        return Ok(());
    }
    let data = place(Step::Claim).into_iter().chain(place(Step::Read)).min();
    let writes = place(Step::Write).into_iter().chain(place(Step::SlowWrite)).min();
    match (data, writes) {
        (Some(data), Some(write)) if data < write => Ok(()),
        (_, None) => Ok(()),
        _ => Err(Problem::BadProgram("a write needs a `claim` or `read` before it")),
    }
}
