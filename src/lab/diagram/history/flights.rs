//! Messages as arrows.

use super::{Arrow, ArrowEnd, ArrowKind, Drawn};
use crate::actors::etcd::api::Op as EtcdOp;
use crate::actors::etcd::api::RequestId;
use crate::actors::objects::api::Op;
use crate::actors::store::api::{StoreOp, StoreRequest};
use crate::actors::{Actor, Message};
use crate::lab::diagram::lanes::Lanes;
use crate::sim::event::{Event, MessageRef, What};
use crate::sim::process::{Message as _, NodeId};
use std::collections::BTreeMap;

/// Which arrow is whose.
#[derive(Debug, Default)]
pub struct Flights {
    /// Arrows by their message's name.
    named: BTreeMap<MessageRef, usize>,
    /// The last claim or write of a worker by its number: a refusal names it.
    asked: BTreeMap<(NodeId, RequestId), usize>,
}

impl Flights {
    pub(super) fn take(&mut self, event: &Event<Actor>, lanes: &Lanes, drawn: &mut Drawn) {
        match &event.what {
            What::Sent { message, body } => self.sent(event, message, body, lanes, drawn),
            What::Delivered { message, .. } => {
                self.ends(message, ArrowEnd::Taken(event.at), drawn);
            }
            What::Lost { message, .. } => self.ends(message, ArrowEnd::Lost(event.at), drawn),
            What::Returned { message } => {
                self.ends(message, ArrowEnd::Returned(event.at), drawn);
            }
            _ => {}
        }
    }

    fn sent(
        &mut self,
        event: &Event<Actor>,
        message: &MessageRef,
        body: &Message,
        lanes: &Lanes,
        drawn: &mut Drawn,
    ) {
        let (from, to) = (lanes.of(message.from), lanes.of(message.to));
        if from == to {
            return;
        }
        let place = drawn.arrows.len();
        let kind = match body {
            Message::Store(StoreRequest { id, op }) if is_claim(op) => {
                self.asked.insert((message.from, *id), place);
                ArrowKind::Claim
            }
            Message::Objects(request) if matches!(request.op, Op::Put(_)) => {
                self.asked.insert((message.from, request.id), place);
                ArrowKind::Claim
            }
            Message::Etcd(request) if matches!(request.op, EtcdOp::Data(_)) => {
                self.asked.insert((message.from, request.id), place);
                ArrowKind::Claim
            }
            Message::EtcdAnswer(response)
                if !response.was_carried_out()
                    && let Some(asked) = self.asked.get(&(message.to, response.id)) =>
            {
                refused(Some(asked), drawn)
            }
            Message::StoreAnswer(response) if response.result.is_err() => {
                refused(self.asked.get(&(message.to, response.id)), drawn)
            }
            Message::ObjectsAnswer(response) if response.result.is_err() => {
                refused(self.asked.get(&(message.to, response.id)), drawn)
            }
            body if body.is_routine() => ArrowKind::Routine,
            _ => ArrowKind::Plain,
        };
        self.named.insert(message.clone(), place);
        let (sent, event) = (event.at, event.id);
        drawn.arrows.push(Arrow { from, to, sent, end: ArrowEnd::Open, event, kind });
    }

    /// A message that was doubled ends twice: the second end gets an arrow of its own.
    fn ends(&mut self, message: &MessageRef, end: ArrowEnd, drawn: &mut Drawn) {
        let Some(&place) = self.named.get(message) else { return };
        if drawn.arrows[place].end == ArrowEnd::Open {
            drawn.arrows.change(place, |arrow| arrow.end = end);
        } else {
            let copy = Arrow { end, ..drawn.arrows[place].clone() };
            drawn.arrows.push(copy);
        }
    }
}

/// The answer that refuses, and the claim or write that it is for.
fn refused(asked: Option<&usize>, drawn: &mut Drawn) -> ArrowKind {
    if let Some(asked) = asked {
        drawn.arrows.change(*asked, |arrow: &mut Arrow| arrow.kind = ArrowKind::RefusedClaim);
    }
    ArrowKind::Refusal
}

/// Whether the store may refuse it.
fn is_claim(op: &StoreOp) -> bool {
    matches!(op, StoreOp::Claim { .. } | StoreOp::Put(_) | StoreOp::Begin(_) | StoreOp::Complete(_))
}
