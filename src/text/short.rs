//! English, short: the words that stand in the diagram. Whole sentences for the same
//! events are in [`crate::text::en`].

use crate::actors::etcd::api::Revision;
use crate::actors::store::api::Token;
use crate::scenario::names::{Names, Service};
use crate::sim::event::Loss;
use crate::sim::time::Span;
use crate::text::amounts::span;
use crate::text::service::{numbered, numbered_of};

/// How a write that was accepted stands to the grants of its lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Its grant was the newest.
    InTime,
    /// A later grant existed, and nothing of it had reached the store.
    Late,
    /// The store had accepted a claim or write of a later grant.
    Stale,
}

/// Why a machine stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Still {
    /// Its process is paused.
    Paused,
    /// It is suspended.
    Suspended,
    /// Its process crashed.
    Crashed,
    /// Its process ended itself.
    Exited,
}

/// How much of what links two machines is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// Every link between them, both ways.
    Whole,
    /// Some.
    Part,
}

/// Several marks at one place, and the words of one of them, if it has some.
pub fn many(words: &str, count: usize) -> String {
    if words.is_empty() {
        format!("{count} events")
    } else {
        format!("{words}, and {} more", count - 1)
    }
}

/// The first of a mark's words, where there is no room for all of them: none that would
/// say something else without the rest.
pub fn begins(words: &str) -> Option<String> {
    const FIRST: usize = 2;
    if let Some((what, _)) = words.split_once(" refused, ") {
        return Some(format!("{what} refused"));
    }
    let (end, _) = words.match_indices(' ').nth(FIRST - 1)?;
    Some(format!("{} …", &words[..end]))
}

/// Several of the same after each other, too narrow to be told apart.
pub fn times(count: usize) -> String {
    format!("{count} times")
}

/// A claim accepted.
pub fn claim(token: Token, object: &str) -> String {
    numbered_of("claim", token, object)
}

/// A claim refused.
pub fn claim_refused(token: Token, object: &str, status: &str) -> String {
    format!("{} refused, {status}", numbered_of("claim", token, object))
}

/// A write accepted.
pub fn put(token: Token, object: &str, standing: Standing) -> String {
    let put = numbered_of("PUT", token, object);
    match standing {
        Standing::InTime => format!("{put} accepted"),
        Standing::Late => format!("{put} accepted, late"),
        Standing::Stale => format!("{put} accepted, stale"),
    }
}

/// A write refused.
pub fn put_refused(token: Token, object: &str, status: &str) -> String {
    format!("{} refused, {status}", numbered_of("PUT", token, object))
}

/// A write answered again.
pub fn put_repeated(token: Token, object: &str) -> String {
    format!("{} repeated", numbered_of("PUT", token, object))
}

/// A slow write begun.
pub fn put_begun(token: Token, object: &str) -> String {
    format!("{} begins", numbered_of("slow PUT", token, object))
}

/// A slow write undone.
pub fn put_rolled_back(token: Token, object: &str) -> String {
    format!("{} rolled back", numbered_of("PUT", token, object))
}

/// A claim or write that waits for the row.
pub fn waits_for_row(token: Token) -> String {
    match token {
        0 => "waits for the row".to_owned(),
        _ => format!("{} waits for the row", crate::text::service::token(token)),
    }
}

/// Why a message is lost.
pub(super) fn loss(why: Loss) -> &'static str {
    match why {
        Loss::Cut => "the link is cut",
        Loss::Chance => "the link loses some",
        Loss::Dropped => "it was dropped",
        Loss::Suspended => "the machine is suspended",
        Loss::Crashed => "the process has ended",
    }
}

/// The store lost its mark.
pub const MARK_LOST: &str = "mark lost";

/// A number taken from the separate counter.
pub fn number(token: Token) -> String {
    format!("number {token}")
}

/// What keeps a lock for its holder.
fn kept_by(service: Service) -> &'static str {
    match service {
        Service::Etcd | Service::Redis | Service::Redlock => "lease",
        Service::ZooKeeper => "znode",
        Service::Postgres | Service::Consul | Service::Objects => "lock",
    }
}

/// A lease that ended by itself.
pub fn lease_ends(service: Service, revision: Revision) -> String {
    format!("{} ends", numbered(kept_by(service), revision))
}

/// A key whose time is over: it expires by itself.
pub fn key_ends(token: Token) -> String {
    format!("{} expires", numbered("key", token))
}

/// A lease in an object that was over when another took the lock.
pub fn lease_over(token: Token) -> String {
    format!("{} is over", numbered("lease", token))
}

/// A grant that ended with what held it: a session or a transaction.
pub fn ends_with(token: Token, held_by: &str) -> String {
    format!("{} ends with its {held_by}", numbered("lock", token))
}

/// A grant that its holder gave back.
pub fn released(revision: Revision) -> String {
    format!("{} released", numbered("lock", revision))
}

/// A grant that somebody else ended.
pub fn taken_away(revision: Revision, by: &str) -> String {
    format!("{} taken away by {by}", numbered("lock", revision))
}

/// A replica that takes writes from now on.
pub fn promoted(node: &str) -> String {
    format!("{node} promoted")
}

/// The holder's lease and, where it is another number, its token.
pub fn holds(service: Service, revision: Revision, token: Token) -> String {
    let what = if revision == token { kept_by(service) } else { "token" };
    numbered(what, token)
}

/// A belief that is true no longer.
pub fn still_believes(token: Token) -> String {
    numbered("still believes", token)
}

/// A grant of which its holder knows nothing.
pub fn unaware(revision: Revision) -> String {
    format!("{}, does not know", numbered("granted", revision))
}

/// A waiter; revision 0 is one without a key of its own.
pub fn queued(service: Service, revision: Revision) -> String {
    match revision {
        0 => "waits for the lock".to_owned(),
        _ if service == Service::ZooKeeper => numbered("queued, czxid", revision),
        _ => format!("queued, revision {revision}"),
    }
}

/// For so long nobody can acquire the lock.
pub fn lock_delay(lasts: Span) -> String {
    format!("lock-delay {}", span(lasts))
}

/// A session that has not been renewed for its TTL.
pub const MAY_END: &str = "session may end";

/// The same where there is less room.
pub const MAY_END_SHORT: &str = "may end";

/// A machine stands still, for how long if that is known.
pub fn still(why: Still, lasted: Option<Span>) -> String {
    let word = match why {
        Still::Paused => "paused",
        Still::Suspended => "suspended",
        Still::Crashed => "down",
        Still::Exited => "ended",
    };
    match lasted {
        Some(lasted) => format!("{word} {}", span(lasted)),
        None => word.to_owned(),
    }
}

/// A link is cut.
pub fn cut(other: &str, extent: Extent) -> String {
    match extent {
        Extent::Whole => format!("cut off from {other}"),
        Extent::Part => format!("partly cut off from {other}"),
    }
}

/// Members of the lock service are cut from each other.
pub const MEMBERS_CUT: &str = "members cut from each other";

/// What a machine or process does at a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It crashes.
    Crashes,
    /// It ends itself.
    Exits,
    /// It starts again.
    Starts,
    /// It is paused or suspended.
    StandsStill,
    /// It goes on.
    GoesOn,
    /// It leads the lock service.
    Leads,
    /// It no longer does.
    LeadsNoMore,
}

/// What happens to a machine, by its name; none where the lane names it.
pub fn turn(turn: Turn, name: Option<&str>) -> String {
    let word = match turn {
        Turn::Crashes => "crashes",
        Turn::Exits => "exits",
        Turn::Starts => "starts again",
        Turn::StandsStill => "stands still",
        Turn::GoesOn => "goes on",
        Turn::Leads => "leads",
        Turn::LeadsNoMore => "leads no more",
    };
    match name {
        Some(name) => format!("{name} {word}"),
        None => word.to_owned(),
    }
}

/// A worker's program came to its end.
pub const FINISHED: &str = "finished";

/// A worker's program stopped before its end.
pub const STOPS: &str = "stops";

/// The lane of all members of the lock service: one alone is called by its name too.
pub fn lock_service(names: &Names) -> String {
    let service = "Lock service";
    match names.find(names.all_nodes()) {
        Some(only) => format!("{service} {}", names.of(only)),
        None => service.to_owned(),
    }
}

/// A moment on the axis, `decimals` places after the point.
pub fn tick(us: i64, decimals: usize) -> String {
    let scale = 10_i64.pow(6 - decimals as u32);
    let parts = us / scale;
    let whole = 10_i64.pow(decimals as u32);
    match decimals {
        0 => format!("{parts} s"),
        _ => format!("{}.{:0decimals$} s", parts / whole, parts % whole),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_and_a_token_are_one_number_or_two() {
        assert_eq!(holds(Service::Etcd, 42, 42), "lease 42");
        assert_eq!(holds(Service::Etcd, 42, 101), "token 101");
        assert_eq!(holds(Service::ZooKeeper, 4, 4), "znode 4");
        assert_eq!(holds(Service::ZooKeeper, 1 << 32, 1 << 32), "znode 0x100000000");
    }

    #[test]
    fn the_axis_shows_as_many_decimals_as_its_steps_need() {
        assert_eq!(tick(20_000_000, 0), "20 s");
        assert_eq!(tick(51_500_000, 1), "51.5 s");
        assert_eq!(tick(51_050_000, 2), "51.05 s");
    }
}
