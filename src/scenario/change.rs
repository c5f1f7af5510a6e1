//! One setting changed: what people ask "and if...?" about.

use crate::actors::consul::config::MIN_TTL_S;
use crate::actors::store::api::{MarkScope, Rule};
use crate::actors::worker::config::{
    ConsulToken, Guard, LeaseUntil, ObjectRelease, OnRenewalFailure, PgToken, Puts, Recipe,
    ReleaseCheck, Settle, Step, StopsAt, TokenFrom,
};
use crate::content::{Choice, Tree, Value};
use crate::scenario::error::ScenarioError;
use crate::scenario::names::Service;
use crate::scenario::run::Scenario;
use crate::scenario::spec::{Spec, StoreKind, WorkerSpec};

/// Whether a new holder says under which grant it works before it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstCall {
    /// It claims: the store hears of its token when it reads.
    Claims,
    /// It reads: the store first hears of its token when it writes.
    Reads,
}

impl FirstCall {
    /// The step that gives way, and the one that takes its place.
    fn steps(self) -> (Step, Step) {
        match self {
            FirstCall::Claims => (Step::Read, Step::Claim),
            FirstCall::Reads => (Step::Claim, Step::Read),
        }
    }
}

/// One setting, as it is to be. What concerns workers concerns all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// What the store checks.
    Rule(Rule),
    /// Whether workers claim first.
    FirstCall(FirstCall),
    /// How the lock is taken.
    Recipe(Recipe),
    /// What a worker does when it cannot renew.
    OnRenewalFailure(OnRenewalFailure),
    /// Whether a release makes sure that the lock is the worker's own.
    Release(ReleaseCheck),
    /// The lease's TTL, in whole seconds.
    TtlS(i64),
    /// What a worker takes for its token, where the service is ZooKeeper.
    Token(TokenFrom),
    /// At which state of its connection a worker stops, where the service is ZooKeeper.
    StopsAt(StopsAt),
    /// How workers put into an object store.
    Puts(Puts),
    /// What number is drawn once the lock is held, where the service is PostgreSQL.
    PgToken(PgToken),
    /// What a worker takes for its token, where the service is Consul.
    ConsulToken(ConsulToken),
    /// What workers ask of etcd when they write, where the data is kept there.
    Guard(Guard),
    /// For what the store keeps one mark, where workers say on what they work.
    Scope(MarkScope),
    /// How many Consul servers there are.
    ConsulServers(u8),
    /// How long nobody can acquire a key in Consul whose session was invalidated, in seconds.
    LockDelayS(i64),
    /// When another's lease is over, where the lock is an object.
    LeaseUntil(LeaseUntil),
    /// What a release makes of the lock's object.
    ObjectRelease(ObjectRelease),
    /// What a worker makes of a 412 to its own put of the lock's object.
    Settle(Settle),
}

/// TTLs worth a try, in seconds.
const TTLS_S: [i64; 7] = [5, 10, 20, 30, 60, 120, 300];

/// Lock-delays worth a try, in seconds: Consul takes up to 60.
const LOCK_DELAYS_S: [i64; 4] = [0, 15, 30, 60];

impl Change {
    /// All that make another scenario of this one, by kind. Where nobody takes a lock, only
    /// what concerns the store.
    pub fn all(scenario: &Scenario) -> Vec<Change> {
        let kind = scenario.spec().store.kind;
        // An object store has no rule, and no other store is asked with conditions.
        let rules = Rule::ALL.iter().filter(|_| kind == StoreKind::Fenced);
        let rules = rules.copied().map(Change::Rule);
        let puts = Puts::ALL.iter().filter(|_| kind == StoreKind::Objects);
        let puts = puts.copied().map(Change::Puts);
        let guards = Guard::ALL.iter().filter(|_| kind == StoreKind::Etcd);
        // Where nobody says on what he works, there is one mark all the same.
        let has_objects = scenario.spec().workers.iter().any(|it| !it.objects.is_empty());
        let scopes = MarkScope::ALL.iter().filter(|_| kind == StoreKind::Fenced && has_objects);
        let scopes = scopes.copied().map(Change::Scope);
        let of_store = rules.chain(scopes).chain(puts).chain(guards.copied().map(Change::Guard));
        let takes_lock = |worker: &WorkerSpec| worker.program.contains(&Step::Acquire);
        if !scenario.spec().workers.iter().any(takes_lock) {
            return of_store.filter(|change| !change.is_so(scenario.spec())).collect();
        }
        let first = [FirstCall::Claims, FirstCall::Reads].map(Change::FirstCall);
        let (service, recipe) = (scenario.spec().lock.service, scenario.spec().lock.recipe);
        let recipes = Recipe::ALL.iter().copied();
        let recipes = recipes.filter(|it| Service::of(*it) == service).map(Change::Recipe);
        let failures = OnRenewalFailure::ALL.iter().copied().map(Change::OnRenewalFailure);
        // A node of ZooKeeper's is deleted by its path, which is its owner's alone, and of
        // PostgreSQL's locks only a row is set free by its name.
        let releases = ReleaseCheck::ALL.iter().copied().map(Change::Release);
        let by_name = service.releases_by_name() || recipe == Recipe::LockRow;
        let releases = releases.filter(|_| by_name);
        let is_granted =
            |ttl_s: &i64| recipe.has_end() && (!recipe.is_for_consul() || *ttl_s >= MIN_TTL_S);
        let ttls = TTLS_S.into_iter().filter(is_granted).map(Change::TtlS);
        let is_zookeeper = move |_: &Change| service == Service::ZooKeeper;
        let tokens = TokenFrom::ALL.iter().copied().map(Change::Token);
        let stops = StopsAt::ALL.iter().copied().map(Change::StopsAt);
        let own = tokens.chain(stops).filter(is_zookeeper);
        // A row has a token of its own.
        let draws = recipe.is_for_postgres() && !recipe.gives_token();
        let numbers = PgToken::ALL.iter().filter(|_| draws).copied().map(Change::PgToken);
        let all = of_store.chain(first).chain(recipes).chain(failures).chain(releases);
        let indexes = ConsulToken::ALL.iter().filter(|_| recipe.is_for_consul());
        let indexes = indexes.copied().map(Change::ConsulToken);
        let all = all.chain(ttls).chain(own).chain(numbers).chain(indexes);
        let servers = [1, 3, 5].map(Change::ConsulServers).into_iter();
        let of_consul = servers.chain(LOCK_DELAYS_S.map(Change::LockDelayS));
        let all = all.chain(of_consul.filter(|_| recipe.is_for_consul()));
        let is_object = move |_: &Change| recipe == Recipe::ObjectLease;
        let ends = LeaseUntil::ALL.iter().copied().map(Change::LeaseUntil);
        let frees = ObjectRelease::ALL.iter().copied().map(Change::ObjectRelease);
        let settles = Settle::ALL.iter().copied().map(Change::Settle);
        let settles = settles.filter(|_| recipe.is_for_objects());
        let of_object = ends.chain(frees).filter(is_object).chain(settles);
        let all = all.chain(of_object);
        all.filter(|change| !change.is_so(scenario.spec())).collect()
    }

    /// Whether it is so already. Looked up, and not made and compared: that would read the
    /// scenario anew for each of some thirty changes.
    fn is_so(self, spec: &Spec) -> bool {
        let all = |is: &dyn Fn(&WorkerSpec) -> bool| spec.workers.iter().all(is);
        match self {
            Change::Rule(rule) => spec.store.rule == rule,
            Change::Recipe(recipe) => spec.lock.recipe == recipe,
            Change::TtlS(ttl_s) => spec.lock.ttl_s == ttl_s,
            Change::Token(token) => spec.zookeeper.token == token,
            Change::StopsAt(state) => all(&|it| it.stops_at == state),
            Change::FirstCall(first) => all(&|it| !it.program.contains(&first.steps().0)),
            Change::OnRenewalFailure(policy) => all(&|it| it.on_renewal_failure == policy),
            Change::Release(check) => all(&|it| it.release == check),
            Change::PgToken(token) => spec.postgres.token == token,
            Change::ConsulToken(token) => spec.consul.token == token,
            Change::Puts(puts) => all(&|it| it.puts == puts),
            Change::Guard(guard) => all(&|it| it.guard == guard),
            Change::Scope(scope) => spec.store.scope == scope,
            Change::ConsulServers(servers) => spec.consul.servers == servers,
            Change::LockDelayS(delay_s) => spec.consul.lock_delay_ms == delay_s * 1_000,
            Change::LeaseUntil(until) => spec.objects.until == until,
            Change::ObjectRelease(release) => spec.objects.release == release,
            Change::Settle(settle) => spec.objects.settle == settle,
        }
    }

    /// The scenario with it.
    ///
    /// # Errors
    /// When it cannot be.
    pub fn made(self, scenario: &Scenario) -> Result<Scenario, ScenarioError> {
        scenario.with_values(&self.settings(scenario.spec()))
    }

    fn settings(self, spec: &Spec) -> Vec<(String, Tree)> {
        let of_workers = |name: &str, value: &dyn Fn(&[Step]) -> Tree| {
            let setting = |worker: &WorkerSpec| {
                (format!("worker.{}.{name}", worker.name), value(&worker.program))
            };
            spec.workers.iter().map(setting).collect()
        };
        match self {
            Change::Rule(rule) => vec![("store.rule".to_owned(), word(rule.name()))],
            Change::Recipe(recipe) => vec![("lock.recipe".to_owned(), word(recipe.name()))],
            Change::TtlS(ttl_s) => vec![("lock.ttl_s".to_owned(), whole(ttl_s))],
            Change::Scope(scope) => vec![("store.scope".to_owned(), word(scope.name()))],
            Change::ConsulServers(servers) => {
                vec![("consul.servers".to_owned(), whole(servers.into()))]
            }
            Change::LockDelayS(delay_s) => {
                vec![("consul.lock_delay_ms".to_owned(), whole(delay_s * 1_000))]
            }
            Change::FirstCall(first) => of_workers("program", &|program| with(program, first)),
            Change::OnRenewalFailure(policy) => {
                of_workers("on_renewal_failure", &|_| word(policy.name()))
            }
            Change::Release(check) => of_workers("release", &|_| word(check.name())),
            Change::Token(token) => vec![("zookeeper.token".to_owned(), word(token.name()))],
            Change::StopsAt(state) => of_workers("stops_at", &|_| word(state.name())),
            Change::ConsulToken(token) => {
                vec![("consul.token".to_owned(), word(token.name()))]
            }
            Change::PgToken(token) => vec![("postgres.token".to_owned(), word(token.name()))],
            Change::Puts(puts) => of_workers("puts", &|_| word(puts.name())),
            Change::Guard(guard) => of_workers("guard", &|_| word(guard.name())),
            Change::LeaseUntil(until) => vec![("objects.until".to_owned(), word(until.name()))],
            Change::ObjectRelease(release) => {
                vec![("objects.release".to_owned(), word(release.name()))]
            }
            Change::Settle(settle) => vec![("objects.settle".to_owned(), word(settle.name()))],
        }
    }
}

fn whole(number: i64) -> Tree {
    Tree::new(Value::Whole(number))
}

fn word(name: &str) -> Tree {
    Tree::new(Value::Text(name.to_owned()))
}

/// A program in which what reads claims, or the other way round.
fn with(program: &[Step], first: FirstCall) -> Tree {
    let (from, to) = first.steps();
    let step = |step: &Step| word(if *step == from { to } else { *step }.name());
    Tree::new(Value::List(program.iter().map(step).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(id: &str) -> Vec<Change> {
        Change::all(&Scenario::built_in(id).expect("built in"))
    }

    fn some_worker_takes(scenario: &Scenario, steps: &[Step]) -> bool {
        let takes = |worker: &WorkerSpec| worker.program.iter().any(|step| steps.contains(step));
        scenario.spec().workers.iter().any(takes)
    }

    #[test]
    fn what_is_so_already_is_no_change() {
        let all = changes("reconcile");
        assert!(!all.contains(&Change::Rule(Rule::OwnerAndSequence)), "{all:?}");
        assert!(!all.contains(&Change::TtlS(30)), "{all:?}");
        assert!(!all.contains(&Change::FirstCall(FirstCall::Claims)), "{all:?}");
        assert!(all.contains(&Change::Rule(Rule::None)), "{all:?}");
        assert!(all.contains(&Change::FirstCall(FirstCall::Reads)), "{all:?}");
    }

    #[test]
    fn every_built_in_scenario_has_a_change_of_each_kind() {
        for (id, _) in crate::scenario::library::ALL {
            let all = changes(id);
            let has = |of: fn(&Change) -> bool| assert!(all.iter().any(of), "{id}: {all:?}");
            has(|change| matches!(change, Change::Rule(_) | Change::Puts(_) | Change::Guard(_)));
            let scenario = Scenario::built_in(id).expect("built in");
            if !some_worker_takes(&scenario, &[Step::Acquire]) {
                continue;
            }
            if some_worker_takes(&scenario, &[Step::Claim, Step::Read]) {
                has(|change| matches!(change, Change::FirstCall(_)));
            }
            has(|change| {
                matches!(change, Change::Recipe(_) | Change::Token(_) | Change::ConsulToken(_))
            });
            has(|change| matches!(change, Change::OnRenewalFailure(_)));
            has(|change| {
                matches!(change, Change::Release(_) | Change::StopsAt(_) | Change::PgToken(_))
            });
            if scenario.spec().lock.recipe.has_end() {
                has(|change| matches!(change, Change::TtlS(_)));
            }
        }
    }

    #[test]
    fn every_change_that_is_offered_makes_another_scenario_in_which_it_is_none() {
        for (id, run) in crate::scenario::library::runs().expect("built in") {
            let scenario = &run.scenario;
            let offered = Change::all(scenario);
            let has_lock = some_worker_takes(scenario, &[Step::Acquire]);
            let least = if has_lock { 15 } else { 3 };
            assert!(offered.len() > least, "{id}: {offered:?}");
            for change in &offered {
                let made = change.made(scenario).expect("it can be");
                assert_ne!(made.spec(), scenario.spec(), "{id}, {change:?}");
                let again = Change::all(&made);
                assert!(!again.contains(change), "{id}, {change:?}: it is so now");
            }
        }
    }

    /// Only what means something in the run is offered.
    #[track_caller]
    fn check_offered(id: &str, expected: &[Change]) {
        let is_it = |change: &Change| {
            matches!(change, Change::Scope(_) | Change::ConsulServers(_) | Change::LockDelayS(_))
        };
        let offered: Vec<Change> = changes(id).into_iter().filter(is_it).collect();
        assert_eq!(offered, expected, "{id}");
    }

    #[test]
    fn the_stores_marks_and_consuls_servers_are_offered_where_they_mean_something() {
        check_offered("reconcile", &[]);
        check_offered("mark-scopes", &[Change::Scope(MarkScope::Store)]);
        let [three, five] = [3, 5].map(Change::ConsulServers);
        let [none, longer, longest] = [0, 30, 60].map(Change::LockDelayS);
        check_offered("consul-lock-delay", &[three, five, none, longer, longest]);
    }

    #[test]
    fn a_change_of_the_first_call_concerns_all_workers() {
        let scenario = Scenario::built_in("reconcile").expect("built in");
        let made = Change::FirstCall(FirstCall::Reads).made(&scenario).expect("it can be");
        for worker in &made.spec().workers {
            assert!(worker.program.contains(&Step::Read), "{}", worker.name);
            assert!(!worker.program.contains(&Step::Claim), "{}", worker.name);
        }
    }
}
