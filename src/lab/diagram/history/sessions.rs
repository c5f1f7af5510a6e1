//! When the session of Consul's that holds the lock may be invalidated: its TTL after the
//! last renewal at the earliest, and twice that at the latest. No event says when the first
//! of these has come, so it is reckoned, by the clock of the server that counts it.

use super::{Drawn, Span, Stretch};
use crate::actors::etcd::api::LeaseId;
use crate::actors::note::{EtcdNote, LockNote};
use crate::actors::{Actor, Note};
use crate::lab::diagram::lanes::Lanes;
use crate::scenario::names::Service;
use crate::sim::click::Action;
use crate::sim::clock::RIGHT_RATE_PPM;
use crate::sim::event::{Event, EventId, What};
use crate::sim::process::NodeId;
use crate::sim::time::{self, TrueTime};
use litemap::LiteMap;

/// What is so at the end of what has been taken in.
#[derive(Debug, Default)]
pub struct Sessions {
    all: Vec<Session>,
    holds: Option<Holds>,
    /// Servers' clocks that do not run as they should.
    clocks: LiteMap<NodeId, Clock>,
}

/// The session that holds the lock.
#[derive(Clone, Copy, Debug)]
struct Holds {
    lease: LeaseId,
    /// The event of its grant, and when that was.
    granted: (EventId, TrueTime),
    /// The place of its stretch.
    place: Option<usize>,
}

/// A session, and how its time stands.
#[derive(Clone, Copy, Debug)]
struct Session {
    lease: LeaseId,
    ttl: time::Span,
    /// Its last renewal: the event with which its stretch begins.
    renewed: EventId,
    /// Who counts its time; nobody while nobody leads.
    by: Option<NodeId>,
    /// So much of its TTL was left, by that clock.
    left: time::Span,
    /// At this moment.
    at: TrueTime,
}

#[derive(Clone, Copy, Debug)]
struct Clock {
    rate_ppm: i64,
    /// A suspended machine's stands still.
    stands: bool,
}

impl Clock {
    const RIGHT: Clock = Clock { rate_ppm: RIGHT_RATE_PPM, stands: false };

    /// How far it goes in this much of true time.
    fn goes(self, passed: time::Span) -> time::Span {
        let rate_ppm = if self.stands { 0 } else { self.rate_ppm };
        scaled(passed, rate_ppm, RIGHT_RATE_PPM)
    }

    /// When it will have gone so far; never while it stands.
    fn reaches(self, left: time::Span, from: TrueTime) -> Option<TrueTime> {
        (!self.stands).then(|| from + scaled(left, RIGHT_RATE_PPM, self.rate_ppm))
    }
}

/// `span * times / per` without overflow.
fn scaled(span: time::Span, times: i64, per: i64) -> time::Span {
    time::Span((i128::from(span.us()) * i128::from(times) / i128::from(per)) as i64)
}

impl Sessions {
    pub(super) fn take(&mut self, event: &Event<Actor>, lanes: &Lanes, drawn: &mut Drawn) {
        if lanes.names().service() != Service::Consul {
            return;
        }
        match &event.what {
            What::Note(Note::Etcd(note)) => self.service_says(note, event),
            What::Note(Note::Lock(LockNote::Granted { lease, .. })) => {
                self.close(event.at, drawn);
                let granted = (event.id, event.at);
                self.holds = Some(Holds { lease: *lease, granted, place: None });
            }
            What::Note(Note::Lock(LockNote::Ended { lease, .. })) => {
                if self.holds.is_some_and(|holds| holds.lease == *lease) {
                    self.close(event.at, drawn);
                    self.holds = None;
                }
            }
            What::Crashed | What::Exited => self.stop(event.node),
            What::Suspended => self.set_clock(event.node, event.at, |clock| clock.stands = true),
            What::Woke => self.set_clock(event.node, event.at, |clock| clock.stands = false),
            What::Clicked { action: Action::SetRate { node, rate_ppm }, .. } => {
                self.set_clock(*node, event.at, |clock| clock.rate_ppm = *rate_ppm);
            }
            _ => return,
        }
        self.show(event.at, lanes, drawn);
    }

    fn service_says(&mut self, note: &EtcdNote, event: &Event<Actor>) {
        let begun = |lease, ttl| {
            let (renewed, by) = (event.id, Some(event.node));
            Session { lease, ttl, renewed, by, left: ttl, at: event.at }
        };
        let again = |session: &mut Session| *session = begun(session.lease, session.ttl);
        match note {
            EtcdNote::LeaseGranted { lease, ttl_s } if *ttl_s > 0 => {
                self.all.push(begun(*lease, time::Span::from_s(*ttl_s)));
            }
            EtcdNote::LeaseRenewed { lease } => {
                self.all.iter_mut().filter(|session| session.lease == *lease).for_each(again);
            }
            EtcdNote::LeaseEnded { lease, .. } => self.all.retain(|it| it.lease != *lease),
            // Nobody knows how much was left, so each has its whole time anew.
            EtcdNote::Leads { .. } => self.all.iter_mut().for_each(again),
            EtcdNote::SteppedDown { .. } => self.stop(event.node),
            _ => {}
        }
    }

    /// What a server counts is in its memory alone.
    fn stop(&mut self, server: NodeId) {
        let its = self.all.iter_mut().filter(|session| session.by == Some(server));
        its.for_each(|session| session.by = None);
    }

    /// A clock runs otherwise from now on.
    fn set_clock(&mut self, of: NodeId, now: TrueTime, change: impl FnOnce(&mut Clock)) {
        let mut clock = self.clock(of);
        for session in self.all.iter_mut().filter(|session| session.by == Some(of)) {
            let left = session.left - clock.goes(now - session.at);
            (session.left, session.at) = (left, now);
        }
        change(&mut clock);
        self.clocks.insert(of, clock);
    }

    fn clock(&self, node: NodeId) -> Clock {
        self.clocks.get(&node).copied().unwrap_or(Clock::RIGHT)
    }

    /// When the holder's session may end, as far as can be said now, with the event since
    /// which that is so, and who counts its time.
    fn over(&self, holds: &Holds) -> Option<(TrueTime, EventId, NodeId)> {
        let session = self.all.iter().find(|session| session.lease == holds.lease)?;
        let by = session.by?;
        let at = self.clock(by).reaches(session.left, session.at)?;
        let (granted, granted_at) = holds.granted;
        Some((at.max(granted_at), session.renewed.max(granted), by))
    }

    /// Puts the stretch of the holder's session where it begins. One that lies ahead moves
    /// with each renewal; one that has begun ends with the next.
    fn show(&mut self, now: TrueTime, lanes: &Lanes, drawn: &mut Drawn) {
        let Some(holds) = self.holds else { return };
        let is_ahead = |place: &usize| drawn.stretches[*place].from > now;
        match (self.over(&holds), holds.place.filter(is_ahead)) {
            (Some((from, event, _)), Some(place)) => {
                drawn.stretches.change(place, |it| (it.from, it.event) = (from, event));
            }
            (Some((from, event, _)), None) if is_shown(holds.place, drawn, from, event) => {}
            (Some((from, event, by)), None) => {
                self.close(now, drawn);
                let (lane, to, what) = (lanes.of(by), None, Span::MayEnd);
                self.holds = Some(Holds { place: Some(drawn.stretches.len()), ..holds });
                drawn.stretches.push(Stretch { lane, from, to, what, event });
            }
            (None, _) => self.close(now, drawn),
        }
    }

    /// Ends the stretch that is shown; one that lies ahead lasts no time.
    fn close(&mut self, now: TrueTime, drawn: &mut Drawn) {
        let Some(holds) = &mut self.holds else { return };
        if let Some(place) = holds.place.take() {
            drawn.stretches.change(place, |it| it.to = Some(it.from.max(now)));
        }
    }
}

/// Whether the stretch that is shown is this one.
fn is_shown(place: Option<usize>, drawn: &Drawn, from: TrueTime, event: EventId) -> bool {
    place.is_some_and(|place| {
        let shown = &drawn.stretches[place];
        (shown.from, shown.event) == (from, event)
    })
}
