//! Transfers that arrive, whatever the worker does: an inbox, from which its program takes
//! one after the other.
//!
//! They arrive at a rate that changes from step to step. How far two lie apart is drawn, so
//! that they come in no beat. The inbox is kept elsewhere: a crash loses none, and one that
//! was taken and not settled is taken again.

use super::config::Step;
use super::program::Doing;
use super::{Outbox, Worker, WorkerTimer, set_timer};
use crate::actors::etcd::api::Text;
use crate::actors::fact::Fact;
use crate::actors::note::WorkerNote;
use crate::sim::time::{Mono, Span};
use serde::Serialize;
use std::rc::Rc;

/// An average distance between two, in parts.
const MILLION: i64 = 1_000_000;

/// At what rate transfers arrive at a worker.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Arrivals {
    /// How long each rate lasts.
    pub step: Span,
    /// How far two transfers lie apart on average, step by step.
    pub apart: Vec<Span>,
}

/// What has arrived and what is still to come.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Inbox {
    /// When the first step began; none before the program did.
    begun: Option<Mono>,
    /// When the next one arrives; none after the last.
    next: Option<Mono>,
    /// Those not yet taken, in order.
    waiting: Vec<Transfer>,
    /// The one that is taken and not settled.
    taken: Option<Transfer>,
    /// How many have arrived.
    count: u32,
}

/// A transfer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Transfer {
    number: u32,
    arrived: Mono,
}

impl Worker {
    /// Takes the next transfer, waits for it, or ends the program after the last.
    pub(super) fn take_transfer(&mut self, now: Mono, out: &mut Outbox) {
        self.let_arrive(now, out);
        let inbox = &mut self.inbox;
        if inbox.taken.is_none() && !inbox.waiting.is_empty() {
            inbox.taken = Some(inbox.waiting.remove(0));
        }
        if let Some(Transfer { number, arrived }) = inbox.taken {
            let waited = now - arrived;
            out.note(WorkerNote::TookTransfer { number, waited }).sets(Fact::Data);
            if !self.config.program.contains(&Step::Acquire) {
                self.name_attempt(out);
            }
            return self.advance(now, out);
        }
        match inbox.next {
            Some(at) => {
                self.program.doing = Doing::Idles;
                set_timer(out, WorkerTimer::Arrival, at);
            }
            None => self.past_all_transfers(now, out),
        }
    }

    /// What has arrived by now. The first step begins with the program.
    pub(super) fn let_arrive(&mut self, now: Mono, out: &mut Outbox) {
        let config = Rc::clone(&self.config);
        let Some(arrivals) = &config.arrivals else { return };
        if self.inbox.begun.is_none() {
            self.inbox.begun = Some(now);
            self.inbox.next = self.draw_next(arrivals, now, out);
        }
        while let Some(arrived) = self.inbox.next.filter(|next| *next <= now) {
            self.inbox.count += 1;
            let number = self.inbox.count;
            self.inbox.waiting.push(Transfer { number, arrived });
            self.inbox.next = self.draw_next(arrivals, arrived, out);
        }
    }

    /// When the next one arrives after another: from none to two average distances later,
    /// each part of it by the rate of its own step.
    fn draw_next(&self, arrivals: &Arrivals, after: Mono, out: &mut Outbox) -> Option<Mono> {
        let mut left = i64::try_from(out.draw("arrival", 2 * MILLION.unsigned_abs())).ok()?;
        let mut at = after - self.inbox.begun?;
        loop {
            let step = at.us() / arrivals.step.us();
            let apart = arrivals.apart.get(usize::try_from(step).ok()?)?.us();
            let to_end = (step + 1) * arrivals.step.us() - at.us();
            let needs = 1 + left * apart / MILLION;
            if needs < to_end {
                return Some(self.inbox.begun? + at + Span::from_us(needs));
            }
            left -= to_end * MILLION / apart;
            at = Span::from_us((step + 1) * arrivals.step.us());
            left = left.max(0);
        }
    }

    /// The transfer that is taken has come to its end.
    pub(super) fn settle_transfer(&mut self, now: Mono, out: &mut Outbox) {
        if let Some(Transfer { number, arrived }) = self.inbox.taken.take() {
            out.note(WorkerNote::SettledTransfer { number, took: now - arrived });
        }
    }

    /// Whether a transfer is taken and not settled.
    pub(super) fn has_transfer(&self) -> bool {
        self.inbox.taken.is_some()
    }

    /// Whether another transfer is there or to come: then the program goes on with it.
    pub(super) fn next_transfer(&self) -> Option<u8> {
        let inbox = &self.inbox;
        let more = inbox.taken.is_some() || !inbox.waiting.is_empty() || inbox.next.is_some();
        let place = self.config.program.iter().position(|step| *step == Step::Take)?;
        more.then(|| u8::try_from(place).expect("a program has at most 254 steps"))
    }

    /// The job it does now: each transfer is one.
    pub(super) fn job(&self) -> Text {
        match self.inbox.taken {
            None => self.config.job.clone(),
            Some(Transfer { number, .. }) => format!("{} {number}", self.config.job).into(),
        }
    }

    /// How many transfers have arrived.
    pub fn transfers_arrived(&self) -> u32 {
        self.inbox.count
    }
}
