//! The session of the etcd client: a lease, the loop that renews it, and the loop
//! that looks at the client's own deadline. Both are computed instants.
//!
//! The behaviour is that of etcd's Go client (`client/v3/lease.go`): a keepalive
//! falls due so long after the last answer, is sent when the send loop next wakes,
//! and is sent again at each wake-up until an answer comes. The deadline is looked
//! at once a second. Until the first answer, the deadline is the timeout of the
//! first keepalive and not the TTL.

use super::config::{DeadlineFrom, RenewWithoutProgress};
use super::ending::Failure;
use super::program::Doing;
use super::watchdog::Key;
use super::zookeeper::Zk;
use super::{
    Heartbeat, Outbox, SessionState, SessionView, Worker, WorkerTimer, cancel_timer, set_timer,
};
use crate::actors::Message;
use crate::actors::etcd::api::{Body, LeaseId, Op, Reply, Request, RequestId, Response};
use crate::actors::fact::Fact;
use crate::actors::note::{SessionEnd, WorkerNote};
use crate::actors::zookeeper::client::Standing;
use crate::sim::in_full::InFull;
use crate::sim::process::NodeId;
use crate::sim::time::{Mono, Phase, Span};
use serde::Serialize;

/// How long a client waits before it connects again, and the period of its send
/// loop (`retryConnWait`).
pub const RECONNECT: Span = Span::from_ms(500);

/// The period of the loop that looks at the deadline.
const LOOK_PERIOD: Span = Span::from_s(1);

/// How long the first keepalive may go unanswered, without a dial timeout
/// (`defaultTTL` of the client).
const FIRST_KEEPALIVE: Span = Span::from_s(5);

/// A member that has left keepalives unanswered so long is given up for the next.
const MEMBER_SILENT: Span = Span::from_s(3);

/// A client's session.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) enum Session {
    None,
    Open(Open),
    Closed {
        lease: LeaseId,
        why: SessionEnd,
    },
    /// A client of Redis has no session, but a value in a key.
    Key(Key),
    /// A client of ZooKeeper, with a session once it has been connected.
    Zk(Zk),
}

/// A session that is open as far as the client knows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Open {
    pub lease: LeaseId,
    /// The wake-ups of the send loop.
    pub wakes: Phase,
    /// The wake-ups of the loop that looks at the deadline.
    pub looks: Phase,
    pub deadline: Mono,
    pub renewal: Renewal,
    /// Keepalives whose answers can still count, oldest first.
    sent: Vec<Sent>,
}

/// How the next renewal stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) enum Renewal {
    /// It falls due then.
    Due(Mono),
    /// It is due and was tried.
    Tried(Tried),
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Tried {
    pub due: Mono,
    /// When it was first tried: a wake-up of the loop, or later after a pause.
    pub since: Mono,
    /// The member that was asked first.
    pub first: NodeId,
    /// Since when the member in use has been asked.
    asked_since: Mono,
}

/// How a member was left.
#[derive(Clone, Copy)]
enum Left {
    /// It does not run: nothing can be told to it.
    Gone,
    /// It runs, maybe.
    Silent,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Sent {
    id: RequestId,
    at: Mono,
}

impl Session {
    /// The lease it has or had.
    pub(super) fn lease(&self) -> Option<LeaseId> {
        self.view().map(|view| view.lease)
    }

    pub(super) fn view(&self) -> Option<SessionView> {
        let (lease, deadline, state) = match self {
            Session::None => return None,
            Session::Open(open) => (open.lease, Some(open.deadline), SessionState::Open),
            Session::Closed { lease, why } => (*lease, None, SessionState::Closed(*why)),
            Session::Key(key) => {
                let state = match key.taken {
                    None => SessionState::Asked,
                    Some(_) => SessionState::Open,
                };
                (key.owner, key.deadline, state)
            }
            Session::Zk(zk) => {
                let state = match zk.client.standing() {
                    Standing::Connected => SessionState::Open,
                    Standing::Connecting | Standing::Off => SessionState::Suspended,
                };
                (zk.client.session()?, zk.client.gives_up(), state)
            }
        };
        Some(SessionView { lease, deadline, state })
    }

    pub(super) fn open(&self) -> Option<&Open> {
        match self {
            Session::Open(open) => Some(open),
            Session::None | Session::Closed { .. } | Session::Key(_) | Session::Zk(_) => None,
        }
    }

    /// The own deadline, while there is one.
    pub(super) fn deadline(&self) -> Option<Mono> {
        self.view().and_then(|view| view.deadline)
    }

    fn open_mut(&mut self) -> Option<&mut Open> {
        match self {
            Session::Open(open) => Some(open),
            Session::None | Session::Closed { .. } | Session::Key(_) | Session::Zk(_) => None,
        }
    }
}

impl Worker {
    /// The lease is granted: the session opens, with a first keepalive at once.
    pub(super) fn open_session(&mut self, lease: LeaseId, now: Mono, out: &mut Outbox) {
        let looks = Phase::new(now, LOOK_PERIOD);
        let deadline = now + FIRST_KEEPALIVE;
        self.session = Session::Open(Open {
            lease,
            wakes: Phase::new(now, RECONNECT),
            looks,
            deadline,
            renewal: Renewal::Due(now),
            sent: Vec::new(),
        });
        out.note(WorkerNote::SessionOpened { lease }).sets(Fact::Session).sets(Fact::Call);
        set_timer(out, WorkerTimer::Deadline, looks.next(deadline));
        self.loop_wakes(now, out);
    }

    /// The member in use.
    pub(super) fn member_in_use(&self) -> NodeId {
        self.config.members[usize::from(self.member)]
    }

    /// Uses the next member instead of `from`, if that is still the one in use.
    pub(super) fn move_on(&mut self, from: NodeId, now: Mono) {
        if self.member_in_use() != from {
            return;
        }
        let next = (usize::from(self.member) + 1) % self.config.members.len();
        self.member = u8::try_from(next).expect("there are at most 255 members");
        if let Some(Open { renewal: Renewal::Tried(tried), .. }) = self.session.open_mut() {
            tried.asked_since = now;
        }
    }

    /// The send loop wakes: what is due is sent, and sent again until answered.
    /// While nothing may be sent the loop sets no timer; what changes that does.
    pub(super) fn loop_wakes(&mut self, now: Mono, out: &mut Outbox) {
        if self.main_thread_hangs(now) {
            return;
        }
        self.try_renewal(now, out);
        if self.heartbeat == Heartbeat::Blocked {
            return;
        }
        self.leave_silent_member(now, out);
        let (id, to) = (self.next_id(), self.member_in_use());
        let open = self.session.open_mut().expect("the loop ends with the session");
        let lease = open.lease;
        open.sent.push(Sent { id, at: now });
        let next = open.wakes.next(now + Span::from_us(1));
        out.send(to, Message::Etcd(Request { id, op: Op::LeaseKeepAlive { lease } }));
        set_timer(out, WorkerTimer::Keepalive, next);
    }

    /// From the first try on, the policy's time for an answer runs.
    fn try_renewal(&mut self, now: Mono, out: &mut Outbox) {
        let first = self.member_in_use();
        let allowed = self.config.policies.renewal_unanswered;
        let open = self.session.open_mut().expect("the loop ends with the session");
        if let Renewal::Due(due) = open.renewal {
            assert!(due <= now, "the loop wakes when a renewal is due");
            open.renewal = Renewal::Tried(Tried { due, since: now, first, asked_since: now });
            let fails = match allowed {
                Some(allowed) => now + allowed,
                None => open.looks.next(open.deadline),
            };
            set_timer(out, WorkerTimer::Unrenewed, fails);
        }
    }

    fn leave_silent_member(&mut self, now: Mono, out: &mut Outbox) {
        let open = self.session.open().expect("the loop ends with the session");
        if let Renewal::Tried(tried) = open.renewal
            && now - tried.asked_since >= MEMBER_SILENT
        {
            self.leave_member(self.member_in_use(), Left::Silent, now, out);
        }
    }

    /// Leaves a member for the next, and with it what was watched there.
    fn leave_member(&mut self, member: NodeId, left: Left, now: Mono, out: &mut Outbox) {
        if self.member_in_use() != member {
            return;
        }
        self.move_on(member, now);
        match (&self.program.doing, left) {
            (Doing::Waits(_), Left::Silent) => self.look_again(now, out),
            (Doing::Waits(_), Left::Gone) => self.read_again(now, out),
            _ => {}
        }
    }

    /// Takes the answer to a keepalive; false when it is none.
    pub(super) fn keepalive_answered(
        &mut self,
        from: NodeId,
        response: &Response,
        now: Mono,
        out: &mut Outbox,
    ) -> bool {
        let Some(sent_at) = self.take_sent(response.id) else { return false };
        match &response.result {
            Ok(Reply { body: Body::Lease { ttl_s: ..=0, .. }, .. }) => {
                self.lease_gone(out);
                self.apply_policy(Failure::Session, now, out);
            }
            Ok(Reply { body: Body::Lease { ttl_s, .. }, .. }) => {
                self.renewed(sent_at, Span::from_s(*ttl_s), now, out);
            }
            Ok(Reply { body, .. }) => unreachable!("no answer to a keepalive: {}", InFull(&body)),
            Err(_) => self.leave_member(from, Left::Silent, now, out),
        }
        true
    }

    /// Takes a keepalive that came back; false when it is none.
    pub(super) fn keepalive_failed(
        &mut self,
        to: NodeId,
        id: RequestId,
        now: Mono,
        out: &mut Outbox,
    ) -> bool {
        let was_keepalive = self.take_sent(id).is_some();
        if was_keepalive {
            self.leave_member(to, Left::Gone, now, out);
        }
        was_keepalive
    }

    /// When this keepalive was sent, if its answer can still count.
    fn take_sent(&mut self, id: RequestId) -> Option<Mono> {
        let open = self.session.open_mut()?;
        let place = open.sent.iter().position(|sent| sent.id == id)?;
        Some(open.sent.remove(place).at)
    }

    fn renewed(&mut self, sent_at: Mono, ttl: Span, now: Mono, out: &mut Outbox) {
        let policies = &self.config.policies;
        let interval = policies.interval(ttl);
        let counted_from = match policies.deadline_from {
            DeadlineFrom::BeforeRequest => sent_at,
            DeadlineFrom::Answer => now,
        };
        let open = self.session.open_mut().expect("only an open session is renewed");
        // A stream gives its answers in order: older ones do not come any more.
        let sent_again = !open.sent.is_empty();
        open.sent.retain(|sent| sent.at > sent_at);
        open.deadline = counted_from + ttl;
        open.renewal = Renewal::Due(now + interval);
        let (wake, look) = (open.wakes.next(now + interval), open.looks.next(open.deadline));
        out.note(WorkerNote::Renewed { lease: open.lease }).sets(Fact::Session);
        cancel_timer(out, WorkerTimer::Unrenewed);
        set_timer(out, WorkerTimer::Keepalive, wake);
        set_timer(out, WorkerTimer::Deadline, look);
        // What silenced the member for a while may have swallowed an event too.
        if sent_again && matches!(self.program.doing, Doing::Waits(_)) {
            self.look_again(now, out);
        }
    }

    /// The heartbeat was blocked or runs again.
    pub(super) fn heartbeat_set(&mut self, now: Mono, out: &mut Outbox) {
        match self.session {
            Session::Key(_) => return self.watchdog_goes_on(now, out),
            Session::Zk(_) => return self.zk_mind_wakes(out),
            _ => {}
        }
        if self.heartbeat == Heartbeat::Runs {
            if let Some(Open { renewal: Renewal::Tried(tried), .. }) = self.session.open_mut() {
                tried.asked_since = now;
            }
            self.loop_goes_on(now, out);
        }
    }

    /// The main thread does something else than wait for the same answer.
    pub(super) fn main_thread_moves(&mut self, now: Mono, out: &mut Outbox) {
        let policy = self.config.policies.renew_without_progress;
        if policy == RenewWithoutProgress::No && self.heartbeat == Heartbeat::Runs {
            self.loop_goes_on(now, out);
        }
    }

    /// A loop that was not to send wakes again; for one that goes on, nothing changes.
    fn loop_goes_on(&mut self, now: Mono, out: &mut Outbox) {
        if let Session::Key(_) = self.session {
            return self.watchdog_goes_on(now, out);
        }
        let Some(open) = self.session.open() else { return };
        let wake = match open.renewal {
            Renewal::Due(due) => open.wakes.next(due.max(now)),
            Renewal::Tried(_) if open.sent.iter().any(|sent| sent.at == now) => return,
            Renewal::Tried(_) => open.wakes.next(now),
        };
        set_timer(out, WorkerTimer::Keepalive, wake);
    }

    /// Whether renewing waits for the main thread. Waiting for one's turn is no
    /// waiting for an answer.
    pub(super) fn main_thread_hangs(&self, now: Mono) -> bool {
        let policies = &self.config.policies;
        policies.renew_without_progress == RenewWithoutProgress::No
            && self.waits_since().is_some_and(|since| now - since > policies.progress)
    }
}
