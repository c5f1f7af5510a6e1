//! Carrying out what a process commands.

use super::{At, Sink, Status, Timer, Work, World};
use crate::sim::event::{EventId, Loss, MessageRef, What};
use crate::sim::network::{Flight, Leg, Link, LinkState};
use crate::sim::process::{Command, LogPlace, Message, NodeId, Noted, Process, Stream};
use crate::sim::time::Span;

impl<P: Process> World<P> {
    pub(super) fn carry_out(
        &mut self,
        node: NodeId,
        commands: Vec<Command<P>>,
        cause: EventId,
        sink: &mut impl Sink<P>,
    ) {
        let mut cause = cause;
        for command in commands {
            match command {
                Command::Note(noted) => {
                    if self.is_news(noted.once) {
                        cause = self.note(node, noted, cause, sink);
                    }
                }
                Command::Send { to, message } => self.send(node, to, message, cause, sink),
                Command::SetTimer { timer, at } => {
                    self.set_timer(node, timer, At::Mono(at), cause);
                }
                Command::SetWallTimer { timer, at } => {
                    self.set_timer(node, timer, At::Wall(at), cause);
                }
                Command::CancelTimer(timer) => {
                    self.timers.retain(|t| t.node != node || t.timer != timer);
                }
                Command::Work(span) => {
                    assert!(span >= Span::ZERO, "work takes no negative time");
                    let done = self.now + span;
                    self.nodes[node.index()].work = Some(Work::Running { done, cause });
                }
                Command::StopWork => self.nodes[node.index()].work = None,
                Command::Exit => {
                    self.emit(sink, node, What::Exited, vec![cause]);
                    self.end_process(node, sink);
                    return;
                }
            }
        }
    }

    /// Whether a note on an entry of a replicated log has not been heard yet.
    fn is_news(&mut self, place: Option<LogPlace>) -> bool {
        let Some(place) = place else { return true };
        let news = self.told.is_none_or(|told| told < place);
        if news {
            self.told = Some(place);
        }
        news
    }

    fn note(
        &mut self,
        node: NodeId,
        noted: Noted<P>,
        before: EventId,
        sink: &mut impl Sink<P>,
    ) -> EventId {
        let home = self.node(node).process.keeps_facts_as(node);
        let mut causes = vec![before];
        causes.extend(self.provenance.of(home, node, &noted));
        let event = self.emit(sink, node, What::Note(noted.note), causes);
        for fact in noted.sets {
            self.provenance.teach(home, fact, event);
        }
        event
    }

    fn set_timer(&mut self, node: NodeId, timer: P::Timer, at: At, cause: EventId) {
        self.timers.retain(|t| t.node != node || t.timer != timer);
        // In the order in which the state tells them: what is not in the state, as which
        // of two was set first, may decide nothing.
        let place = self.timers.partition_point(|t| (t.node, t.at) <= (node, at));
        self.timers.insert(place, Timer { node, timer, at, cause });
    }

    /// Puts a message in flight, or back where it now belongs: in the order in which
    /// messages are due, those that nothing is due about first. That is the order in
    /// which the state tells them, so that nothing else decides which of two comes first.
    pub(super) fn put(&mut self, flight: Flight<P>) {
        let due = flight.leg.due();
        let place = self.flights.partition_point(|other| other.leg.due() <= due);
        self.flights.insert(place, flight);
    }

    /// Changes where a message stands.
    pub(super) fn put_on(
        &mut self,
        place: usize,
        leg: Leg,
        because: impl IntoIterator<Item = EventId>,
    ) {
        let mut flight = self.flights.remove(place);
        flight.leg = leg;
        flight.causes.extend(because);
        self.put(flight);
    }

    fn send(
        &mut self,
        from: NodeId,
        to: NodeId,
        body: P::Message,
        cause: EventId,
        sink: &mut impl Sink<P>,
    ) {
        assert!(to.index() < self.nodes.len(), "messages go to machines that exist");
        let kind = body.kind();
        let sent = self.sent.entry((from, to, kind)).or_insert(0);
        *sent += 1;
        let name = MessageRef { from, to, kind, nth: *sent };
        let what = What::Sent { message: name.clone(), body: body.clone() };
        let event = self.emit(sink, from, what, vec![cause]);
        let link = self.link(from, to);
        if link.state == LinkState::Cut {
            let mut causes = vec![event];
            causes.extend(self.provenance.cut(from, to));
            self.emit(sink, from, What::Lost { message: name, why: Loss::Cut }, causes);
            return;
        }
        let stream = Stream::Link(from, to);
        if link.loss_ppm > 0 && self.chance(stream, "loss", link.loss_ppm) {
            let what = What::Lost { message: name, why: Loss::Chance };
            self.emit(sink, from, what, vec![event]);
            return;
        }
        let twice = link.duplicate_ppm > 0 && self.chance(stream, "duplicate", link.duplicate_ppm);
        for _ in 0..=usize::from(twice) {
            let leg = Leg::Out { due: self.now + self.latency(stream, link) };
            let (name, body, causes) = (name.clone(), body.clone(), vec![event]);
            self.put(Flight { name, from, to, leg, body, causes });
        }
    }

    fn chance(&mut self, stream: Stream, purpose: &'static str, ppm: u32) -> bool {
        self.draws.draw(stream, purpose, 1_000_000) < u64::from(ppm)
    }

    fn latency(&mut self, stream: Stream, link: Link) -> Span {
        if link.jitter <= Span::ZERO {
            return link.latency;
        }
        let more = self.draws.draw(stream, "jitter", link.jitter.0 as u64 + 1);
        link.latency + Span(more as i64)
    }

    /// Ends a process: its timers and its work are gone, and messages that waited
    /// for it are lost. Its machine says its last words.
    pub(super) fn end_process(&mut self, id: NodeId, sink: &mut impl Sink<P>) {
        let node = &mut self.nodes[id.index()];
        node.status = Status::Down;
        node.work = None;
        node.wake = None;
        node.told.clear();
        let last_words = node.process.last_words();
        node.process.crash();
        self.timers.retain(|t| t.node != id);
        let silenced = self.provenance.silenced(id);
        while let Some(place) =
            self.flights.iter().position(|flight| flight.leg == Leg::Waiting { at: id })
        {
            self.lose(place, Loss::Crashed, silenced, sink);
        }
        let cause = silenced.expect("the end of a process was just recorded");
        for (to, message) in last_words {
            self.send(id, to, message, cause, sink);
        }
        self.tell_hearing(cause, sink);
    }
}
