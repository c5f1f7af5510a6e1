//! What is due next, and what happens then.

use super::{At, Ending, Node, Sink, Status, Work, World};
use crate::sim::event::{EventId, Loss, What};
use crate::sim::network::{Flight, Leg, LinkState};
use crate::sim::process::{Input, NodeId, Process};
use crate::sim::time::{Mono, Span, TrueTime};

/// A thing that is due, by its place in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Due {
    Timer(usize),
    Work(usize),
    Waiting(usize),
    Flight(usize),
    Scheduled(usize),
    Click,
}

impl Due {
    /// At one instant: timers and work, what waited, deliveries, endings, clicks.
    fn class(self) -> u8 {
        match self {
            Due::Timer(_) => 0,
            Due::Work(_) => 1,
            Due::Waiting(_) => 2,
            Due::Flight(_) => 3,
            Due::Scheduled(_) => 4,
            Due::Click => 5,
        }
    }
}

impl<P: Process> World<P> {
    /// When the next thing is due.
    pub fn next_due(&self) -> Option<TrueTime> {
        self.find_due().map(|(at, _)| at)
    }

    pub(super) fn find_due(&self) -> Option<(TrueTime, Due)> {
        let timers = self.timers.iter().enumerate().filter_map(|(i, timer)| {
            let node = self.node(timer.node);
            Some((node.timer_due(self.now, timer.at)?, Due::Timer(i)))
        });
        let work = self.nodes.iter().enumerate().filter_map(|(i, node)| match node.work {
            Some(Work::Running { done, .. }) => Some((done, Due::Work(i))),
            _ => None,
        });
        let flights = self.flights.iter().enumerate().filter_map(|(i, flight)| {
            let waits = matches!(flight.leg, Leg::Waiting { .. });
            let due = if waits { Due::Waiting(i) } else { Due::Flight(i) };
            Some((self.flight_due(flight)?, due))
        });
        let scheduled = self.scheduled.iter().enumerate().map(|(i, s)| (s.at, Due::Scheduled(i)));
        let click = self.clicks.front().map(|(_, click)| (click.at, Due::Click));
        timers
            .chain(work)
            .chain(flights)
            .chain(scheduled)
            .chain(click)
            .min_by_key(|(at, due)| (*at, due.class(), self.order(*due), *due))
    }

    /// When something is to be done about a message, if by itself.
    pub(super) fn flight_due(&self, flight: &Flight<P>) -> Option<TrueTime> {
        let receiver = self.node(flight.receiver());
        let due = match flight.leg {
            Leg::Waiting { .. } => (receiver.status == Status::Running).then_some(self.now)?,
            leg => leg.due()?,
        };
        Some(match receiver.wake {
            Some(wake) => due.max(wake.messages_at),
            // It was to be taken up by a process that had just woken, and that ended or
            // stopped again before.
            None => due.max(self.now),
        })
    }

    /// At one instant the timers of one machine fire in the order of their deadlines.
    fn order(&self, due: Due) -> (NodeId, Mono) {
        match due {
            Due::Timer(place) => {
                let timer = &self.timers[place];
                (timer.node, self.node(timer.node).mono_of(timer.at))
            }
            _ => (NodeId(0), Mono(0)),
        }
    }

    /// Once its second and third kind of things have been taken up, a woken process
    /// is as any other.
    pub(super) fn forget_wakes(&mut self) {
        let now = self.now;
        for node in &mut self.nodes {
            if node.wake.is_some_and(|wake| wake.timers_at.max(wake.messages_at) < now) {
                node.wake = None;
            }
        }
    }

    pub(super) fn happen(&mut self, due: Due, sink: &mut impl Sink<P>) {
        match due {
            Due::Timer(place) => self.fire_timer(place, sink),
            Due::Work(place) => self.finish_work(NodeId(place as u8), sink),
            Due::Waiting(place) => self.deliver(place, sink),
            Due::Flight(place) => self.arrive(place, sink),
            Due::Scheduled(place) => self.end(place, sink),
            Due::Click => self.click(sink),
        }
    }

    fn fire_timer(&mut self, place: usize, sink: &mut impl Sink<P>) {
        let timer = self.timers.remove(place);
        let node = self.node(timer.node);
        let right = node.clock.when(node.mono_of(timer.at)).unwrap_or(self.now);
        // The true instant is not known once the rate has changed since; then the
        // timer is on time as far as anybody can tell.
        let late = if node.wake.is_some() { self.now - right } else { Span::ZERO };
        let mut causes = vec![timer.cause];
        causes.extend(
            self.provenance.woke_after(timer.node, timer.cause).filter(|_| late > Span::ZERO),
        );
        let what = What::TimerFired { timer: timer.timer.clone(), late };
        let event = self.emit(sink, timer.node, what, causes);
        self.give(timer.node, Input::Timer(timer.timer), event, sink);
    }

    fn finish_work(&mut self, node: NodeId, sink: &mut impl Sink<P>) {
        let Some(Work::Running { cause, .. }) = self.nodes[node.index()].work.take() else {
            unreachable!("only running work is due");
        };
        let mut causes = vec![cause];
        causes.extend(self.provenance.woke_after(node, cause));
        let event = self.emit(sink, node, What::WorkDone, causes);
        self.give(node, Input::WorkDone, event, sink);
    }

    fn arrive(&mut self, place: usize, sink: &mut impl Sink<P>) {
        let flight = &self.flights[place];
        let receiver = flight.receiver();
        let sender = if receiver == flight.to { flight.from } else { flight.to };
        if self.link(sender, receiver).state == LinkState::Cut {
            let cut = self.provenance.cut(sender, receiver);
            return self.lose(place, Loss::Cut, cut, sink);
        }
        match self.node(receiver).status {
            Status::Running => self.deliver(place, sink),
            Status::Paused => {
                let (name, causes) = (flight.name.clone(), flight.causes.clone());
                self.put_on(place, Leg::Waiting { at: receiver }, None);
                self.emit(sink, receiver, What::Waits { message: name }, causes);
            }
            Status::Suspended { .. } => {
                let silenced = self.provenance.silenced(receiver);
                self.lose(place, Loss::Suspended, silenced, sink);
            }
            Status::Down => self.bounce(place, sink),
        }
    }

    /// Nothing runs there: the machine says so, and that takes its way back.
    fn bounce(&mut self, place: usize, sink: &mut impl Sink<P>) {
        let flight = &self.flights[place];
        if matches!(flight.leg, Leg::Back { .. }) {
            // The sender is gone too, and nobody is left to be told.
            let silenced = self.provenance.silenced(flight.from);
            return self.lose(place, Loss::Crashed, silenced, sink);
        }
        let latency = self.link(flight.to, flight.from).latency;
        let down = self.provenance.silenced(flight.to);
        self.put_on(place, Leg::Back { due: self.now + latency }, down);
    }

    fn deliver(&mut self, place: usize, sink: &mut impl Sink<P>) {
        let mut flight = self.flights.remove(place);
        let (sent, receiver) = (flight.causes[0], flight.receiver());
        let woke = self.provenance.woke_after(receiver, sent);
        if self.node(receiver).wake.is_some() {
            flight.causes.extend(woke);
        }
        if receiver != flight.to {
            let what = What::Returned { message: flight.name };
            let event = self.emit(sink, receiver, what, flight.causes);
            let input = Input::Unreachable { to: flight.to, message: flight.body };
            return self.give(receiver, input, event, sink);
        }
        let what = What::Delivered { message: flight.name, body: flight.body.clone() };
        let event = self.emit(sink, receiver, what, flight.causes);
        let input = Input::Message { from: flight.from, message: flight.body };
        self.give(receiver, input, event, sink);
    }

    pub(super) fn lose(
        &mut self,
        place: usize,
        why: Loss,
        because: Option<EventId>,
        sink: &mut impl Sink<P>,
    ) {
        let flight = self.flights.remove(place);
        let mut causes = flight.causes;
        causes.extend(because);
        self.emit(sink, flight.from, What::Lost { message: flight.name, why }, causes);
    }

    fn end(&mut self, place: usize, sink: &mut impl Sink<P>) {
        let scheduled = self.scheduled.remove(place);
        match scheduled.ending {
            Ending::Start(node) => self.start(node, scheduled.cause, sink),
            Ending::Resume(node) => self.resume(node, scheduled.cause, sink),
            Ending::Wake(node) => self.wake(node, scheduled.cause, sink),
            Ending::Heal(from, to) => self.heal(from, to, scheduled.cause, sink),
            Ending::Release => {
                let name = scheduled.message.expect("a release is of a message");
                self.release(&name, scheduled.cause, sink);
            }
        }
    }
}

impl<P: Process> Node<P> {
    /// What the monotonic clock shows when a timer is due.
    fn mono_of(&self, at: At) -> Mono {
        match at {
            At::Mono(at) => at,
            At::Wall(at) => self.clock.mono_at(at),
        }
    }

    /// When a timer set for `at` fires, if the process runs.
    pub(super) fn timer_due(&self, now: TrueTime, at: At) -> Option<TrueTime> {
        if self.status != Status::Running {
            return None;
        }
        let due = self.clock.when(self.mono_of(at))?.max(now);
        Some(match self.wake {
            Some(wake) => due.max(wake.timers_at),
            None => due,
        })
    }
}
