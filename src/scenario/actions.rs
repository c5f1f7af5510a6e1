//! From clicks by name to the simulator's actions.

use crate::actors::postgres::Order;
use crate::actors::redis::Replication;
use crate::actors::{Actor, Setting};
use crate::content::Choice;
use crate::scenario::clicks::{ClickSpec, Do};
use crate::scenario::error::Problem;
use crate::scenario::names::{Names, Role};
use crate::sim::click::{Action, Click};
use crate::sim::clock::MAX_RATE_PPM;
use crate::sim::process::NodeId;
use crate::sim::time::{Span, TrueTime};

/// The longest time a file may name: a hundred years.
const MAX_MS: i64 = 100 * 366 * 24 * 3_600 * 1_000;

impl ClickSpec {
    /// The actions of this click, in order: "etcd" stands for several machines, and a
    /// link both ways is two.
    ///
    /// # Errors
    /// When it names a machine or a kind of message that is not there, or a time that
    /// cannot be.
    pub fn actions(&self, names: &Names) -> Result<Vec<Click<Actor>>, Problem> {
        if self.at_us > MAX_MS * 1_000 {
            return Err(Problem::TooLong { field: "at_us", ms: self.at_us / 1_000 });
        }
        let at = TrueTime(not_negative("at_us", self.at_us)?);
        let actions = self.r#do.actions(names)?;
        Ok(actions.into_iter().map(|action| Click { at, action }).collect())
    }
}

impl Do {
    fn actions(&self, names: &Names) -> Result<Vec<Action<Actor>>, Problem> {
        match self {
            Do::Cut { from, to, way, for_ms } => {
                let lasting = span_of("for_ms", *for_ms)?;
                let cut = |(from, to)| Action::Cut { from, to, lasting };
                Ok(names.links(from, to, *way)?.into_iter().map(cut).collect())
            }
            Do::Heal { from, to, way } => {
                let heal = |(from, to)| Action::Heal { from, to };
                Ok(names.links(from, to, *way)?.into_iter().map(heal).collect())
            }
            _ => match self.on_message(names)? {
                Some(action) => Ok(vec![action]),
                None => self.on_nodes(names),
            },
        }
    }

    fn on_message(&self, names: &Names) -> Result<Option<Action<Actor>>, Problem> {
        Ok(Some(match self {
            Do::Hold { message, for_ms } => {
                let (message, lasting) = (names.message(message)?, span_of("for_ms", *for_ms)?);
                Action::Hold { message, lasting }
            }
            Do::Release { message } => Action::Release { message: names.message(message)? },
            Do::Drop { message } => Action::Drop { message: names.message(message)? },
            Do::Delay { message, by_ms } => {
                Action::Delay { message: names.message(message)?, by: span("by_ms", *by_ms)? }
            }
            Do::Duplicate { message, after_ms } => {
                let (message, after) = (names.message(message)?, span("after_ms", *after_ms)?);
                Action::Duplicate { message, after }
            }
            _ => return Ok(None),
        }))
    }

    fn on_nodes(&self, names: &Names) -> Result<Vec<Action<Actor>>, Problem> {
        let name = self.node().expect("links and messages were dealt with before");
        let nodes = names.group("node", name)?;
        let service = names.service();
        let says_nothing = match self {
            Do::DeadlineFrom { .. } if !service.counts_deadline() => Some("deadline-from"),
            Do::ReleaseCheck { .. } if !service.releases_by_name() => Some("release-check"),
            _ => None,
        };
        if let Some(field) = says_nothing {
            return Err(Problem::OfOtherService { field, service: service.name() });
        }
        match self {
            Do::Heartbeat { .. }
            | Do::OnRenewalFailure { .. }
            | Do::DeadlineFrom { .. }
            | Do::ReleaseCheck { .. } => names.only(Role::Worker, "node", name, "a worker")?,
            Do::Rule { .. } => names.only(Role::Store, "node", name, "the store")?,
            Do::Promote { .. } => drop(names.promotable(name)?),
            Do::Terminate { client, .. } => {
                let node = names.postgres_server("node", name)?;
                names.only(Role::Worker, "client", client, "a worker")?;
                let client = names.group("client", client)?[0];
                let setting = Setting::Postgres(Order::Terminate(client));
                return Ok(vec![Action::Set { node, setting }]);
            }
            Do::ShutDown { .. } => drop(names.postgres_server("node", name)?),
            Do::Follow { primary, .. } => {
                let (node, setting) = (names.redis_node("node", name)?, primary);
                let primary = names.redis_node("primary", setting)?;
                if primary == node {
                    return Err(Problem::LinkToItself { name: name.to_owned() });
                }
                let setting = Setting::Replication(Replication::Of(primary));
                return Ok(vec![Action::Set { node, setting }]);
            }
            _ => {}
        }
        nodes.into_iter().map(|node| self.on_one(node)).collect()
    }

    fn on_one(&self, node: NodeId) -> Result<Action<Actor>, Problem> {
        Ok(match self {
            Do::Pause { for_ms, .. } => {
                Action::Pause { node, lasting: span_of("for_ms", *for_ms)? }
            }
            Do::Resume { .. } => Action::Resume { node },
            Do::Suspend { for_ms, wall, .. } => {
                Action::Suspend { node, lasting: span_of("for_ms", *for_ms)?, wall: *wall }
            }
            Do::Wake { .. } => Action::Wake { node },
            Do::Crash { restart_after_ms, .. } => {
                let restart_after = span_of("restart_after_ms", *restart_after_ms)?;
                Action::Crash { node, restart_after }
            }
            Do::Restart { .. } => Action::Restart { node },
            Do::StepWall { by_ms, .. } => Action::StepWall { node, by: any_span("by_ms", *by_ms)? },
            Do::SetWall { ahead_ms, .. } => {
                Action::SetWall { node, ahead: any_span("ahead_ms", *ahead_ms)? }
            }
            Do::SetRate { rate_ppm, .. } => Action::SetRate { node, rate_ppm: rate(*rate_ppm)? },
            _ => Action::Set { node, setting: self.setting().expect("all others were named") },
        })
    }

    fn setting(&self) -> Option<Setting> {
        Some(match self {
            Do::Heartbeat { is, .. } => Setting::Heartbeat(*is),
            Do::Rule { is, .. } => Setting::Rule(*is),
            Do::OnRenewalFailure { is, .. } => Setting::OnRenewalFailure(*is),
            Do::DeadlineFrom { is, .. } => Setting::DeadlineFrom(*is),
            Do::ReleaseCheck { is, .. } => Setting::Release(*is),
            Do::Promote { .. } => Setting::Replication(Replication::Primary),
            Do::ShutDown { .. } => Setting::Postgres(Order::ShutDown),
            _ => return None,
        })
    }
}

/// A length of time that is not negative.
pub(super) fn span(field: &'static str, ms: i64) -> Result<Span, Problem> {
    any_span(field, not_negative(field, ms)?)
}

pub(super) fn span_of(field: &'static str, ms: Option<i64>) -> Result<Option<Span>, Problem> {
    ms.map(|ms| span(field, ms)).transpose()
}

/// A length of time in either direction.
pub(super) fn any_span(field: &'static str, ms: i64) -> Result<Span, Problem> {
    if !(-MAX_MS..=MAX_MS).contains(&ms) {
        return Err(Problem::TooLong { field, ms });
    }
    Ok(Span::from_ms(ms))
}

/// A clock's rate.
pub(super) fn rate(rate_ppm: i64) -> Result<i64, Problem> {
    if !(1..=MAX_RATE_PPM).contains(&rate_ppm) {
        return Err(Problem::Rate { rate_ppm });
    }
    Ok(rate_ppm)
}

fn not_negative(field: &'static str, value: i64) -> Result<i64, Problem> {
    if value < 0 { Err(Problem::Negative { field, value }) } else { Ok(value) }
}
