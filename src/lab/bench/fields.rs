//! All that can be set in a scenario, as a table: path and kind. The page draws a control
//! for each, and what is typed into it is read here.

use crate::actors::consul::api::{Behavior, Reads};
use crate::actors::partner::Keys;
use crate::actors::redis::Persistence;
use crate::actors::store::api::{MarkKept, MarkScope, Rule};
use crate::actors::worker::config::{
    ConsulToken, DeadlineFrom, Guard, LeaseUntil, ObjectRelease, OnRenewalFailure, PgToken, Puts,
    Recipe, ReleaseCheck, RenewWithoutProgress, RenewalCheck, RowClock, Settle, StartOver, Step,
    StopsAt, TokenFrom, ValidityCheck, ValidityClock,
};
use crate::content::{Choice, Tree, Value};
use crate::properties::PropertyId;
use crate::scenario::names::Service;
use crate::scenario::spec::{Books, StoreKind};
use crate::sim::world::WakeFirst;
use crate::text::entry;
use crate::text::ui::ui;

/// The path of what stands for the orchestrator as a whole.
pub const ORCHESTRATOR: &str = "orchestrator.restart_after_ms";

/// What is typed or chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A length of time in whole milliseconds, typed in seconds.
    Time,
    /// The same, or nothing.
    MaybeTime,
    /// A length of time in whole milliseconds, typed as such.
    Millis,
    /// A whole number.
    Whole,
    /// Parts per million, typed in per cent.
    Percent,
    /// Parts per million, typed as a factor.
    Factor,
    /// A line of text.
    Text,
    /// A list of words.
    Words,
    /// One of several, by name.
    One(&'static [&'static str]),
    /// Several of several, by name, in the order of those.
    Some(&'static [&'static str]),
    /// A list of such names in an order of its own.
    Steps(&'static [&'static str]),
    /// What keys random draws: of the run and not of its scenario.
    Seed,
}

/// One thing that can be set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// The way to it: from the top, or from the worker.
    pub path: &'static str,
    /// What it takes.
    pub kind: Kind,
}

/// Fields that belong together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Group {
    /// Names it.
    pub id: &'static str,
    /// The fields.
    pub fields: &'static [Field],
}

const fn field(path: &'static str, kind: Kind) -> Field {
    Field { path, kind }
}

/// What is set for all.
pub const GROUPS: &[Group] = &[
    Group {
        id: "lock",
        fields: &[
            field("lock.service", Kind::One(Service::NAMES)),
            field("lock.recipe", Kind::One(Recipe::NAMES)),
            field("lock.ttl_s", Kind::Whole),
            field("lock.retry_ms", Kind::Time),
            field("lock.key", Kind::Text),
        ],
    },
    Group {
        id: "etcd",
        fields: &[
            field("etcd.members", Kind::Whole),
            field("etcd.revision", Kind::Whole),
            field("etcd.election_timeout_ms", Kind::Millis),
            field("etcd.heartbeat_ms", Kind::Millis),
        ],
    },
    Group {
        id: "redis",
        fields: &[
            field("redis.replicas", Kind::Whole),
            field("redis.persistence", Kind::One(Persistence::NAMES)),
            field("redis.promote_after_ms", Kind::MaybeTime),
            field("redis.wait_ms", Kind::MaybeTime),
        ],
    },
    Group {
        id: "redlock",
        fields: &[
            field("redlock.nodes", Kind::Whole),
            field("redlock.node_timeout_ms", Kind::Millis),
            field("redlock.clock", Kind::One(ValidityClock::NAMES)),
            field("redlock.check", Kind::One(ValidityCheck::NAMES)),
        ],
    },
    Group {
        id: "zookeeper",
        fields: &[
            field("zookeeper.servers", Kind::Whole),
            field("zookeeper.token", Kind::One(TokenFrom::NAMES)),
            field("zookeeper.tick_ms", Kind::Millis),
            field("zookeeper.container_check_ms", Kind::Time),
        ],
    },
    Group {
        id: "postgres",
        fields: &[
            field("postgres.standbys", Kind::Whole),
            field("postgres.pool", Kind::Whole),
            field("postgres.token", Kind::One(PgToken::NAMES)),
            field("postgres.clock", Kind::One(RowClock::NAMES)),
            field("postgres.lock_timeout_ms", Kind::MaybeTime),
            field("postgres.idle_in_transaction_ms", Kind::MaybeTime),
            field("postgres.idle_session_ms", Kind::MaybeTime),
        ],
    },
    Group {
        id: "consul",
        fields: &[
            field("consul.servers", Kind::Whole),
            field("consul.token", Kind::One(ConsulToken::NAMES)),
            field("consul.lock_delay_ms", Kind::Time),
            field("consul.behavior", Kind::One(Behavior::NAMES)),
            field("consul.election_timeout_ms", Kind::Time),
            field("consul.reads", Kind::One(Reads::NAMES)),
        ],
    },
    Group {
        id: "objects",
        fields: &[
            field("objects.until", Kind::One(LeaseUntil::NAMES)),
            field("objects.release", Kind::One(ObjectRelease::NAMES)),
            field("objects.settle", Kind::One(Settle::NAMES)),
        ],
    },
    Group {
        id: "store",
        fields: &[
            field("store.kind", Kind::One(StoreKind::NAMES)),
            field("store.rule", Kind::One(Rule::NAMES)),
            field("store.mark", Kind::One(MarkKept::NAMES)),
            field("store.scope", Kind::One(MarkScope::NAMES)),
            field("store.write_ms", Kind::Millis),
            field("store.first_number", Kind::Whole),
            field("store.title", Kind::Text),
        ],
    },
    Group {
        id: "partner",
        fields: &[
            field("partner.books", Kind::One(Books::NAMES)),
            field("partner.keys", Kind::One(Keys::NAMES)),
            field("partner.relays", Kind::Whole),
            field("partner.relay_ms", Kind::Time),
        ],
    },
    Group {
        id: "network",
        fields: &[
            field("network.latency_ms", Kind::Millis),
            field("network.member_latency_ms", Kind::Millis),
            field("network.jitter_ms", Kind::Millis),
            field("network.loss_ppm", Kind::Percent),
            field("network.duplicate_ppm", Kind::Percent),
        ],
    },
    Group {
        id: "run",
        fields: &[
            field("limit_ms", Kind::Time),
            field("waits_at_ms", Kind::MaybeTime),
            field(ORCHESTRATOR, Kind::MaybeTime),
            field("seed", Kind::Seed),
            field("promises", Kind::Some(PropertyId::NAMES)),
            field("title", Kind::Text),
            field("goal", Kind::Text),
        ],
    },
];

/// What is set for each worker.
pub const WORKER: &[Group] = &[
    Group {
        id: "program",
        fields: &[
            field("program", Kind::Steps(Step::NAMES)),
            field("starts_ms", Kind::MaybeTime),
            field("compute_ms", Kind::Time),
            field("check_ms", Kind::Time),
            field("upload_ms", Kind::Time),
            field("job", Kind::Text),
            field("amount", Kind::Whole),
            field("objects", Kind::Words),
            field("lock", Kind::Text),
            field("start_over", Kind::One(StartOver::NAMES)),
        ],
    },
    Group {
        id: "renewing",
        fields: &[
            field("renew_ms", Kind::MaybeTime),
            field("renewal", Kind::One(RenewalCheck::NAMES)),
            field("on_renewal_failure", Kind::One(OnRenewalFailure::NAMES)),
            field("stops_at", Kind::One(StopsAt::NAMES)),
            field("renewal_unanswered_ms", Kind::MaybeTime),
            field("renew_without_progress", Kind::One(RenewWithoutProgress::NAMES)),
            field("progress_ms", Kind::Time),
            field("deadline_from", Kind::One(DeadlineFrom::NAMES)),
        ],
    },
    Group {
        id: "calls",
        fields: &[
            field("release", Kind::One(ReleaseCheck::NAMES)),
            field("retries", Kind::Whole),
            field("request_timeout_ms", Kind::Time),
            field("puts", Kind::One(Puts::NAMES)),
            field("guard", Kind::One(Guard::NAMES)),
        ],
    },
    Group {
        id: "clocks",
        fields: &[
            field("wake_first", Kind::One(WakeFirst::NAMES)),
            field("wall_ahead_ms", Kind::Time),
            field("rate_ppm", Kind::Factor),
        ],
    },
];

/// Hundredths of a per cent of a hundredth: digits after the point of a per cent in ppm.
const PERCENT_DIGITS: usize = 4;

impl Kind {
    /// What stands in its control for a value.
    pub fn typed(self, value: Option<&Tree>) -> String {
        match (self, value.map(|tree| &tree.value)) {
            (_, None) => String::new(),
            (Kind::Time | Kind::MaybeTime, Some(Value::Whole(ms))) => entry::from_ms(*ms),
            (Kind::Percent, Some(Value::Whole(ppm))) => entry::typed(*ppm, PERCENT_DIGITS),
            (Kind::Factor, Some(Value::Whole(ppm))) => entry::from_ppm(*ppm),
            (_, Some(Value::Whole(number))) => number.to_string(),
            (_, Some(Value::Text(text))) => text.clone(),
            (_, Some(Value::List(list))) => {
                list.iter().filter_map(Tree::text).collect::<Vec<_>>().join(" ")
            }
            (_, Some(Value::Table(_) | Value::Other(_) | Value::Nothing)) => String::new(),
        }
    }

    /// The value of what was typed or chosen.
    ///
    /// # Errors
    /// When it is none: what it has to be.
    pub fn value(self, typed: &str) -> Result<Tree, &'static str> {
        let text = &ui().bench;
        let whole = |number: Option<i64>, problem| number.map(Value::Whole).ok_or(problem);
        let value = match self {
            Kind::MaybeTime if typed.trim().is_empty() => Value::Nothing,
            Kind::Time | Kind::MaybeTime => whole(entry::seconds(typed), text.no_time)?,
            Kind::Percent => whole(entry::decimal(typed, PERCENT_DIGITS), text.no_percent)?,
            Kind::Factor => whole(entry::rate_ppm(typed), text.no_factor)?,
            Kind::Whole | Kind::Millis | Kind::Seed => {
                whole(typed.trim().parse().ok(), text.no_whole)?
            }
            Kind::Text | Kind::One(_) => Value::Text(typed.to_owned()),
            Kind::Some(_) | Kind::Steps(_) | Kind::Words => {
                let name = |name: &str| Tree::new(Value::Text(name.to_owned()));
                Value::List(typed.split_whitespace().map(name).collect())
            }
        };
        Ok(Tree::new(value))
    }
}
