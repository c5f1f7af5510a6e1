//! Carrying out clicks, and what they schedule.

use super::{Ending, Scheduled, Sink, Status, WAKE_GAP, Wake, WakeFirst, Work, World};
use crate::sim::click::{Action, Click, WallOnWake};
use crate::sim::event::{EventId, Loss, MessageRef, Missed, What};
use crate::sim::network::{Leg, LinkState};
use crate::sim::process::{Hearing, Input, NodeId, Process};
use crate::sim::time::Span;

impl<P: Process> Action<P> {
    /// The machine it is done to; of a message or a link, the sender.
    pub fn node(&self) -> NodeId {
        match self {
            Action::Pause { node, .. }
            | Action::Resume { node }
            | Action::Suspend { node, .. }
            | Action::Wake { node }
            | Action::Crash { node, .. }
            | Action::Restart { node }
            | Action::StepWall { node, .. }
            | Action::SetWall { node, .. }
            | Action::SetRate { node, .. }
            | Action::Set { node, .. } => *node,
            Action::Cut { from, .. } | Action::Heal { from, .. } => *from,
            Action::Hold { message, .. }
            | Action::Release { message }
            | Action::Drop { message }
            | Action::Delay { message, .. }
            | Action::Duplicate { message, .. } => message.from,
        }
    }

    /// The message it is done to, if it is done to one.
    pub fn message(&self) -> Option<&MessageRef> {
        match self {
            Action::Hold { message, .. }
            | Action::Release { message }
            | Action::Drop { message }
            | Action::Delay { message, .. }
            | Action::Duplicate { message, .. } => Some(message),
            _ => None,
        }
    }
}

impl<P: Process> World<P> {
    pub(super) fn click(&mut self, sink: &mut impl Sink<P>) {
        let (index, Click { action, .. }) =
            self.clicks.pop_front().expect("a click is due, so there is one");
        let root = vec![EventId(0)];
        if let Some(why) = self.why_not(&action) {
            let node = action.node();
            self.emit(sink, node, What::ClickMissed { click: index, action, why }, root);
            return;
        }
        let what = What::Clicked { click: index, action: action.clone() };
        let cause = self.emit(sink, action.node(), what, root);
        self.act(action, cause, sink);
    }

    /// Why a click cannot be carried out now, if it cannot.
    pub fn why_not(&self, action: &Action<P>) -> Option<Missed> {
        let status = self.node(action.node()).status;
        let unless = |holds: bool, why: Missed| (!holds).then_some(why);
        match action {
            Action::Pause { .. } | Action::Suspend { .. } => {
                unless(status == Status::Running, Missed::NotRunning)
            }
            Action::Resume { .. } => unless(status == Status::Paused, Missed::NotPaused),
            Action::Wake { .. } => {
                unless(matches!(status, Status::Suspended { .. }), Missed::NotSuspended)
            }
            Action::Crash { .. } | Action::Set { .. } => {
                unless(status != Status::Down, Missed::NotRunning)
            }
            Action::Restart { .. } => unless(status == Status::Down, Missed::RunsAlready),
            Action::StepWall { .. } | Action::SetWall { .. } | Action::SetRate { .. } => None,
            Action::Cut { from, to, .. } => {
                unless(self.link(*from, *to).state == LinkState::Up, Missed::CutAlready)
            }
            Action::Heal { from, to } => {
                unless(self.link(*from, *to).state == LinkState::Cut, Missed::NotCut)
            }
            Action::Release { message } => {
                unless(self.find(message, |leg| leg == Leg::Held).is_some(), Missed::NotHeld)
            }
            Action::Hold { message, .. }
            | Action::Drop { message }
            | Action::Delay { message, .. }
            | Action::Duplicate { message, .. } => {
                let there = self.find(message, |leg| matches!(leg, Leg::Out { .. } | Leg::Held));
                unless(there.is_some(), Missed::NoSuchMessage)
            }
        }
    }

    fn find(&self, name: &MessageRef, at: impl Fn(Leg) -> bool) -> Option<usize> {
        self.flights.iter().position(|f| f.name == *name && at(f.leg))
    }

    fn act(&mut self, action: Action<P>, cause: EventId, sink: &mut impl Sink<P>) {
        match action {
            Action::Pause { node, lasting } => {
                self.stop_work(node);
                self.nodes[node.index()].status = Status::Paused;
                let paused = self.emit(sink, node, What::Paused, vec![cause]);
                self.schedule(lasting, Ending::Resume(node), None, paused);
                self.tell_hearing(paused, sink);
            }
            Action::Resume { node } => self.resume(node, cause, sink),
            Action::Suspend { node, lasting, wall } => {
                self.suspend(node, lasting, wall, cause, sink);
            }
            Action::Wake { node } => self.wake(node, cause, sink),
            Action::Crash { node, restart_after } => {
                self.restore_clock(node);
                let crashed = self.emit(sink, node, What::Crashed, vec![cause]);
                self.unschedule(node);
                self.end_process(node, sink);
                self.schedule(restart_after, Ending::Start(node), None, crashed);
            }
            Action::Restart { node } => {
                self.unschedule(node);
                self.start(node, cause, sink);
            }
            Action::StepWall { node, by } => self.nodes[node.index()].clock.step_wall(by),
            Action::SetWall { node, ahead } => {
                let is = self.clocks(node).wall - self.right_wall();
                self.nodes[node.index()].clock.step_wall(ahead - is);
            }
            Action::SetRate { node, rate_ppm } => self.set_rate(node, rate_ppm),
            Action::Cut { from, to, lasting } => {
                self.link_mut(from, to).state = LinkState::Cut;
                let cut = self.emit(sink, from, What::LinkCut { to }, vec![cause]);
                self.schedule(lasting, Ending::Heal(from, to), None, cut);
                self.tell_hearing(cut, sink);
            }
            Action::Heal { from, to } => {
                self.scheduled.retain(|s| s.ending != Ending::Heal(from, to));
                self.heal(from, to, cause, sink);
            }
            Action::Set { node, setting } => self.give(node, Input::Set(setting), cause, sink),
            Action::Release { message } => {
                self.scheduled.retain(|s| s.message.as_ref() != Some(&message));
                self.release(&message, cause, sink);
            }
            Action::Hold { .. }
            | Action::Drop { .. }
            | Action::Delay { .. }
            | Action::Duplicate { .. } => self.act_on_message(action, cause, sink),
        }
    }

    fn act_on_message(&mut self, action: Action<P>, cause: EventId, sink: &mut impl Sink<P>) {
        let message = action.message().expect("done to a message").clone();
        // Of two copies with one name the one that is on its way.
        let on_its_way = self.find(&message, |leg| matches!(leg, Leg::Out { .. }));
        let place = on_its_way.or_else(|| self.find(&message, |leg| leg == Leg::Held));
        let place = place.expect("checked before");
        let due = self.flights[place].leg.due().unwrap_or(self.now);
        // What was to let it go belongs to the hold that ends here.
        if on_its_way.is_none() && !matches!(action, Action::Duplicate { .. }) {
            let release = |s: &Scheduled| s.message.as_ref() == Some(&message);
            if let Some(place) = self.scheduled.iter().position(release) {
                self.scheduled.remove(place);
            }
        }
        match action {
            Action::Drop { .. } => self.lose(place, Loss::Dropped, Some(cause), sink),
            Action::Hold { lasting, .. } => {
                self.put_on(place, Leg::Held, [cause]);
                self.schedule(lasting, Ending::Release, Some(message), cause);
            }
            Action::Delay { by, .. } => self.put_on(place, Leg::Out { due: due + by }, [cause]),
            Action::Duplicate { after, .. } => {
                let mut copy = self.flights[place].clone();
                copy.leg = Leg::Out { due: due + after };
                copy.causes.push(cause);
                self.put(copy);
            }
            _ => unreachable!("only what is done to a message in flight comes here"),
        }
    }

    fn schedule(
        &mut self,
        after: Option<Span>,
        ending: Ending,
        message: Option<MessageRef>,
        cause: EventId,
    ) {
        if let Some(after) = after {
            self.scheduled.push(Scheduled { at: self.now + after, ending, message, cause });
        }
    }

    /// Forgets what was to happen to a machine by itself.
    fn unschedule(&mut self, node: NodeId) {
        let ours = [Ending::Start(node), Ending::Resume(node), Ending::Wake(node)];
        self.scheduled.retain(|s| !ours.contains(&s.ending));
    }

    fn stop_work(&mut self, node: NodeId) {
        let now = self.now;
        let node = &mut self.nodes[node.index()];
        node.wake = None;
        if let Some(Work::Running { done, cause }) = node.work {
            node.work = Some(Work::Stopped { left: done - now, cause });
        }
    }

    pub(super) fn resume(&mut self, id: NodeId, cause: EventId, sink: &mut impl Sink<P>) {
        self.unschedule(id);
        let event = self.emit(sink, id, What::Resumed, vec![cause]);
        self.run_again(id, event, sink);
    }

    /// What a woken process does first has no delay; the rest comes after it.
    fn run_again(&mut self, id: NodeId, event: EventId, sink: &mut impl Sink<P>) {
        let first = self.now;
        let (second, third) = (first + WAKE_GAP, first + WAKE_GAP + WAKE_GAP);
        let node = &mut self.nodes[id.index()];
        let (work_at, timers_at, messages_at) = match node.wake_first {
            WakeFirst::Work => (first, second, third),
            WakeFirst::Timers => (third, first, second),
            WakeFirst::Messages => (third, second, first),
        };
        node.status = Status::Running;
        node.wake = Some(Wake { timers_at, messages_at });
        if let Some(Work::Stopped { left, cause }) = node.work {
            node.work = Some(Work::Running { done: work_at + left, cause });
        }
        self.hear_again(id, event, sink);
        self.tell_hearing(event, sink);
    }

    /// A process that wakes has heard nothing meanwhile, and its own clock tells it so:
    /// whom it hears now it hears again.
    fn hear_again(&mut self, listener: NodeId, cause: EventId, sink: &mut impl Sink<P>) {
        for peer in self.node(listener).process.listens_to().to_vec() {
            if self.hears(listener, peer) {
                self.told(listener, peer, Hearing::Heard);
                self.tell(listener, peer, Hearing::Heard, cause, sink);
            }
        }
    }

    fn suspend(
        &mut self,
        id: NodeId,
        lasting: Option<Span>,
        wall: WallOnWake,
        cause: EventId,
        sink: &mut impl Sink<P>,
    ) {
        self.stop_work(id);
        let now = self.now;
        let node = &mut self.nodes[id.index()];
        let rate_ppm = node.clock.rate_ppm();
        node.status = Status::Suspended { since: now, wall, rate_ppm };
        node.clock.set_rate(now, 0);
        let suspended = self.emit(sink, id, What::Suspended, vec![cause]);
        self.schedule(lasting, Ending::Wake(id), None, suspended);
        self.tell_hearing(suspended, sink);
    }

    pub(super) fn wake(&mut self, id: NodeId, cause: EventId, sink: &mut impl Sink<P>) {
        self.unschedule(id);
        self.restore_clock(id);
        let event = self.emit(sink, id, What::Woke, vec![cause]);
        self.run_again(id, event, sink);
    }

    /// The monotonic clock of a suspended machine goes on where it stood; its wall
    /// clock is right again or stays behind.
    fn restore_clock(&mut self, id: NodeId) {
        let now = self.now;
        let node = &mut self.nodes[id.index()];
        if let Status::Suspended { since, wall, rate_ppm } = node.status {
            node.clock.set_rate(now, rate_ppm);
            if wall == WallOnWake::Right {
                node.clock.step_wall(now - since);
            }
        }
    }

    pub(super) fn start(&mut self, id: NodeId, cause: EventId, sink: &mut impl Sink<P>) {
        self.nodes[id.index()].status = Status::Running;
        let event = self.emit(sink, id, What::Started, vec![cause]);
        self.give(id, Input::Start, event, sink);
        self.tell_hearing(event, sink);
    }

    pub(super) fn heal(
        &mut self,
        from: NodeId,
        to: NodeId,
        cause: EventId,
        sink: &mut impl Sink<P>,
    ) {
        self.link_mut(from, to).state = LinkState::Up;
        let healed = self.emit(sink, from, What::LinkHealed { to }, vec![cause]);
        self.tell_hearing(healed, sink);
    }

    pub(super) fn release(&mut self, name: &MessageRef, cause: EventId, sink: &mut impl Sink<P>) {
        let Some(place) = self.find(name, |leg| leg == Leg::Held) else { return };
        let event =
            self.emit(sink, name.from, What::Released { message: name.clone() }, vec![cause]);
        self.put_on(place, Leg::Out { due: self.now }, [event]);
    }

    fn set_rate(&mut self, id: NodeId, rate: i64) {
        let now = self.now;
        let node = &mut self.nodes[id.index()];
        match &mut node.status {
            Status::Suspended { rate_ppm, .. } => *rate_ppm = rate,
            _ => node.clock.set_rate(now, rate),
        }
    }

    /// Tells every process that runs what it hears of its peers, where that has
    /// changed. A process that has just started is told of the silent ones.
    pub(super) fn tell_hearing(&mut self, cause: EventId, sink: &mut impl Sink<P>) {
        for listener in (0..self.nodes.len() as u8).map(NodeId) {
            if !self.runs(listener) {
                continue;
            }
            for peer in self.node(listener).process.listens_to().to_vec() {
                let heard = self.hears(listener, peer);
                let hearing = if heard { Hearing::Heard } else { Hearing::Silent };
                if !self.told(listener, peer, hearing) {
                    self.tell(listener, peer, hearing, cause, sink);
                }
            }
        }
    }

    fn hears(&self, listener: NodeId, peer: NodeId) -> bool {
        self.runs(peer) && self.link(peer, listener).state == LinkState::Up
    }

    fn tell(
        &mut self,
        listener: NodeId,
        peer: NodeId,
        hearing: Hearing,
        cause: EventId,
        sink: &mut impl Sink<P>,
    ) {
        let event = self.emit(sink, listener, What::Hears { peer, hearing }, vec![cause]);
        self.give(listener, Input::Hears { peer, hearing }, event, sink);
    }

    /// Notes what a listener is told of a peer; true when it was told so before.
    fn told(&mut self, listener: NodeId, peer: NodeId, hearing: Hearing) -> bool {
        let told = &mut self.nodes[listener.index()].told;
        match told.iter_mut().find(|(of, _)| *of == peer) {
            Some((_, last)) => std::mem::replace(last, hearing) == hearing,
            None => {
                told.push((peer, hearing));
                hearing == Hearing::Heard
            }
        }
    }
}
