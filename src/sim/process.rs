//! What a process is to the simulator: a state machine without input or output
//! of its own.
//!
//! ```text
//!   Input + own clocks  ──►  Process::handle  ──►  commands in Out
//! ```
//!
//! A process is handed one [`Input`] and its machine's two clocks, and answers by
//! writing commands into [`Out`]: send, set a timer, work, note, exit. It has no
//! other way to learn or to do anything.

use super::time::{Mono, Span, Wall};
use litemap::LiteMap;
use serde::Serialize;
use std::fmt::Debug;

/// A process and the machine it runs on, by their place in the scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct NodeId(pub u8);

impl NodeId {
    /// The place of this node in the world's list.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// What the simulator needs to know of a kind of process.
pub trait Process: Clone + Debug + PartialEq + Serialize {
    /// What processes send each other.
    type Message: Message;
    /// Names of timers. Setting a timer that is set moves it.
    type Timer: Clone + Debug + PartialEq + Serialize;
    /// A rule or policy that can be switched in the middle of a run.
    type Setting: Clone + Debug + PartialEq + Serialize;
    /// What a process says of its doings, for the trace and the properties.
    type Note: Clone + Debug + PartialEq + Serialize;
    /// Something a process knows, by name, so that a note can say which event
    /// taught it. Facts serve the causes in the trace and never influence a step.
    type Fact: Clone + Debug + Ord;

    /// Takes one input and answers with commands.
    fn handle(&mut self, input: Input<Self>, now: Now, out: &mut Out<Self>);

    /// Forgets all that does not survive the end of the process.
    fn crash(&mut self);

    /// What the machine sends for this process when it ends, as an operating system
    /// closes the connections of a process that is gone: to whom, and what. Asked for
    /// before [`Process::crash`].
    fn last_words(&self) -> Vec<(NodeId, Self::Message)> {
        Vec::new()
    }

    /// The peers whose silence this process notices (by heartbeats that are not
    /// simulated one by one): it gets [`Input::Hears`] when that changes.
    fn listens_to(&self) -> &[NodeId] {
        &[]
    }

    /// Whose facts this process's notes speak of: its own, or those of a group that
    /// replicates one state, under the name of one of its members.
    fn keeps_facts_as(&self, own: NodeId) -> NodeId {
        own
    }

    /// Whether a timer only serves renewals and scans. When nothing but such
    /// timers and messages is left, a run is over.
    fn is_routine_timer(_timer: &Self::Timer) -> bool {
        false
    }
}

/// What the simulator needs to know of a message.
pub trait Message: Clone + Debug + PartialEq + Serialize {
    /// The kind of message, as people name it in a click ("the 2nd `put`").
    fn kind(&self) -> &'static str;

    /// Whether it only serves renewals and scans.
    fn is_routine(&self) -> bool {
        false
    }
}

/// What a process can be given.
#[derive(Clone, Debug, PartialEq)]
pub enum Input<P: Process> {
    /// The process starts, for the first time or again after a crash.
    Start,
    /// A message arrived.
    Message {
        /// Who sent it.
        from: NodeId,
        /// What it says.
        message: P::Message,
    },
    /// A message could not be delivered: nothing runs there, and the machine said so.
    Unreachable {
        /// Where it was to go.
        to: NodeId,
        /// What it said.
        message: P::Message,
    },
    /// A timer fell due, by the machine's monotonic clock or by its wall clock, whichever
    /// it was set by.
    Timer(P::Timer),
    /// The work begun last is done.
    WorkDone,
    /// A peer that this process listens to fell silent or is heard again.
    Hears {
        /// The peer.
        peer: NodeId,
        /// What is heard of it now.
        hearing: Hearing,
    },
    /// Somebody switched a rule or a policy.
    Set(P::Setting),
}

/// Whether a peer's heartbeats arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Hearing {
    /// They arrive.
    Heard,
    /// They do not.
    Silent,
}

/// A machine's own clocks at the moment of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// The monotonic clock.
    pub mono: Mono,
    /// The wall clock.
    pub wall: Wall,
}

/// What a process asks of the simulator.
#[derive(Clone, Debug, PartialEq)]
pub enum Command<P: Process> {
    /// Send a message.
    Send {
        /// To whom.
        to: NodeId,
        /// What.
        message: P::Message,
    },
    /// Set or move a timer to an instant of the own monotonic clock.
    SetTimer {
        /// Which.
        timer: P::Timer,
        /// When; a moment that has passed means at once.
        at: Mono,
    },
    /// Set or move a timer to an instant of the own wall clock: a step of that clock moves
    /// when it fires.
    SetWallTimer {
        /// Which.
        timer: P::Timer,
        /// When; a moment that has passed means at once.
        at: Wall,
    },
    /// Cancel a timer, if it is set.
    CancelTimer(P::Timer),
    /// Work for a span of running time; any earlier work is given up.
    Work(Span),
    /// Give up the work begun.
    StopWork,
    /// Say what happened.
    Note(Noted<P>),
    /// End this process. Nothing restarts it unless somebody does.
    Exit,
}

/// A note with the facts that tie it to its causes.
#[derive(Clone, Debug, PartialEq)]
pub struct Noted<P: Process> {
    /// What is said.
    pub note: P::Note,
    /// Facts that from now on were taught by this event.
    pub sets: Vec<P::Fact>,
    /// Facts that this event rests on; what taught them are further causes.
    pub because: Vec<P::Fact>,
    /// Peers whose silence this event rests on: what silenced them is a cause.
    pub silence_of: Vec<NodeId>,
    /// The fact since which their silence counts, where it is not the last that this event
    /// rests on.
    pub silent_since: Option<P::Fact>,
    /// Machines by whose wall clocks this event came about: what set one is a cause, however
    /// long ago it was.
    pub wall_of: Vec<NodeId>,
    /// Machines the rate of whose clocks this event rests on: what made one wrong is a cause.
    pub rate_of: Vec<NodeId>,
    /// Said by whoever comes first to this place of a replicated log, and only once.
    pub once: Option<LogPlace>,
}

/// A place in a replicated log, and which of the notes on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct LogPlace {
    /// The entry's index.
    pub index: u64,
    /// Counts the notes on the entry.
    pub note: u32,
}

/// Where a process writes its commands, in order. The events of a send, a timer
/// or work have the last note before them in the same step as their cause, or
/// else the input itself.
#[derive(Debug)]
pub struct Out<'a, P: Process> {
    commands: Vec<Command<P>>,
    draws: &'a mut Draws,
    node: NodeId,
    clocks: Now,
    once: Option<LogPlace>,
}

impl<'a, P: Process> Out<'a, P> {
    /// An empty list of commands for one step of `node`, whose clocks show this.
    pub fn new(node: NodeId, clocks: Now, draws: &'a mut Draws) -> Out<'a, P> {
        Out { commands: Vec::new(), draws, node, clocks, once: None }
    }

    /// The node that is taking this step.
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// What its clocks show: what the step was handed.
    pub fn clocks(&self) -> Now {
        self.clocks
    }

    /// Sends a message.
    pub fn send(&mut self, to: NodeId, message: impl Into<P::Message>) {
        self.commands.push(Command::Send { to, message: message.into() });
    }

    /// Sets or moves a timer to `at` on the own monotonic clock.
    pub fn set_timer(&mut self, timer: P::Timer, at: Mono) {
        self.commands.push(Command::SetTimer { timer, at });
    }

    /// Sets or moves a timer to `at` on the own wall clock.
    pub fn set_wall_timer(&mut self, timer: P::Timer, at: Wall) {
        self.commands.push(Command::SetWallTimer { timer, at });
    }

    /// Cancels a timer, if it is set.
    pub fn cancel_timer(&mut self, timer: P::Timer) {
        self.commands.push(Command::CancelTimer(timer));
    }

    /// Begins work that needs `span` of running time, then [`Input::WorkDone`].
    pub fn work(&mut self, span: Span) {
        self.commands.push(Command::Work(span));
    }

    /// Gives up the work begun.
    pub fn stop_work(&mut self) {
        self.commands.push(Command::StopWork);
    }

    /// Says what happened. The result adds facts:
    /// `out.note(n).sets(f).because(g)`.
    pub fn note(&mut self, note: impl Into<P::Note>) -> NoteBuilder<'_, P> {
        let once = self.once;
        if let Some(place) = &mut self.once {
            place.note += 1;
        }
        self.commands.push(Command::Note(Noted {
            note: note.into(),
            sets: Vec::new(),
            because: Vec::new(),
            silence_of: Vec::new(),
            wall_of: Vec::new(),
            rate_of: Vec::new(),
            silent_since: None,
            once,
        }));
        match self.commands.last_mut() {
            Some(Command::Note(noted)) => NoteBuilder { noted },
            _ => unreachable!("a note was pushed just above"),
        }
    }

    /// Writes notes about an entry of a replicated log: of several processes that come
    /// to it, the first is heard and the others are not.
    pub fn about_entry(&mut self, index: u64, write: impl FnOnce(&mut Out<'a, P>)) {
        self.once = Some(LogPlace { index, note: 0 });
        write(self);
        self.once = None;
    }

    /// Ends this process.
    pub fn exit(&mut self) {
        self.commands.push(Command::Exit);
    }

    /// A number below `below`, drawn by (seed, this node, `purpose`, count).
    pub fn draw(&mut self, purpose: &'static str, below: u64) -> u64 {
        self.draws.draw(Stream::Node(self.node), purpose, below)
    }

    /// The commands written so far.
    pub fn into_commands(self) -> Vec<Command<P>> {
        self.commands
    }
}

/// Adds facts to the note just written.
pub struct NoteBuilder<'a, P: Process> {
    noted: &'a mut Noted<P>,
}

impl<P: Process> NoteBuilder<'_, P> {
    /// From now on this event is what taught `fact`.
    pub fn sets(self, fact: P::Fact) -> Self {
        self.noted.sets.push(fact);
        self
    }

    /// What taught `fact` is a cause of this event.
    pub fn because(self, fact: P::Fact) -> Self {
        self.noted.because.push(fact);
        self
    }

    /// What silenced `peer` (a pause, a cut, a lost message, a slow clock) is a cause of this
    /// event. So is what made the own clock run at a wrong rate, as silence is measured by it;
    /// and where `peer` is the process itself, what set its wall clock.
    pub fn silence_of(self, peer: NodeId) -> Self {
        self.noted.silence_of.push(peer);
        self
    }

    /// What set the wall clock of `machine`, or its rate, is a cause of this event.
    pub fn wall_of(self, machine: NodeId) -> Self {
        self.noted.wall_of.push(machine);
        self.rate_of(machine)
    }

    /// What made the clock of `machine` run at a wrong rate, which it still does, is a cause
    /// of this event.
    pub fn rate_of(self, machine: NodeId) -> Self {
        self.noted.rate_of.push(machine);
        self
    }

    /// Silence counts from what taught `fact` on: others may have been heard meanwhile.
    pub fn since(self, fact: P::Fact) -> Self {
        self.noted.silent_since = Some(fact);
        self
    }
}

/// Whose random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Stream {
    /// A process's.
    Node(NodeId),
    /// A one-way link's.
    Link(NodeId, NodeId),
}

/// Random numbers keyed by (seed, stream, purpose, count), so that one more draw
/// here changes nothing there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Draws {
    seed: u64,
    counts: LiteMap<(Stream, &'static str), u64>,
}

impl Draws {
    /// No number drawn yet.
    pub fn new(seed: u64) -> Draws {
        Draws { seed, counts: LiteMap::new() }
    }

    /// The next number below `below` of this stream and purpose.
    ///
    /// # Panics
    /// When `below` is 0.
    pub fn draw(&mut self, stream: Stream, purpose: &'static str, below: u64) -> u64 {
        assert!(below > 0, "no number is below 0");
        let count = self.counts.entry((stream, purpose)).or_insert(0);
        *count += 1;
        let (kind, a, b) = match stream {
            Stream::Node(node) => (0u8, node.0, 0),
            Stream::Link(from, to) => (1u8, from.0, to.0),
        };
        let mut key = Vec::with_capacity(32);
        key.extend_from_slice(&self.seed.to_le_bytes());
        key.extend_from_slice(&[kind, a, b]);
        key.extend_from_slice(purpose.as_bytes());
        key.extend_from_slice(&count.to_le_bytes());
        xxhash_rust::xxh3::xxh3_64(&key) % below
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_more_draw_here_changes_nothing_there() {
        let link = Stream::Link(NodeId(0), NodeId(1));
        let node = Stream::Node(NodeId(0));
        let mut plain = Draws::new(7);
        let expected: Vec<u64> = (0..5).map(|_| plain.draw(link, "jitter", 1_000)).collect();
        let mut mixed = Draws::new(7);
        let drawn: Vec<u64> = (0..5)
            .map(|_| {
                mixed.draw(node, "election", 10);
                mixed.draw(link, "loss", 10);
                mixed.draw(link, "jitter", 1_000)
            })
            .collect();
        assert_eq!(drawn, expected);
        assert!(expected.windows(2).any(|pair| pair[0] != pair[1]));
    }
}
