//! The data that come with the rest: none but what moves uses them.

use std::collections::BTreeSet;

use walrus::ir::Value;
use walrus::{ConstExpr, DataKind, Module};

use super::functions;
use super::linked::Linked;
use super::plan::Plan;
use crate::error::{Error, Result};

/// A stretch of memory as it is at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub address: usize,
    pub bytes: Vec<u8>,
}

/// Shorter ones stay, in bytes: to say where they belong takes as much.
const LEAST: usize = 16;

pub(super) fn later(module: &Module, plan: &Plan, linked: &Linked) -> Result<Vec<Piece>> {
    let all = functions(module);
    let base = |place: usize| {
        let name = module.funcs.get(all[place]).name.as_deref().unwrap_or_default();
        without_number(name)
    };
    let (later, stays): (Vec<usize>, Vec<usize>) =
        (0..all.len()).partition(|place| plan.later.contains(place));
    let later: BTreeSet<&str> = later.into_iter().map(base).collect();
    let stays: BTreeSet<&str> = stays.into_iter().map(base).collect();
    let moves = |name: &str| later.contains(name) && !stays.contains(name);
    let places = linked.used_only_by(moves).into_iter().filter(|place| place.len() >= LEAST);
    let segments = segments(module);
    places
        .map(|place| {
            let held = segments.iter().find_map(|(address, bytes)| {
                bytes.get(place.start.checked_sub(*address)?..place.end.checked_sub(*address)?)
            });
            let bytes = held.ok_or_else(|| {
                Error::Rule(format!("the program has no data at {place:?}, as the linked one has"))
            })?;
            Ok(Piece { address: place.start, bytes: bytes.to_vec() })
        })
        .collect()
}

/// wasm-bindgen numbers functions whose names come out the same, as closures' do.
fn without_number(name: &str) -> &str {
    let numbered = name.strip_suffix(']').and_then(|name| name.rsplit_once('['));
    match numbered {
        Some((base, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => base,
        _ => name,
    }
}

/// Where each segment begins, and what it holds.
fn segments(module: &Module) -> Vec<(usize, &[u8])> {
    let active =
        module.data.iter().filter_map(|data| Some((address(&data.kind)?, &data.value[..])));
    active.collect()
}

fn address(kind: &DataKind) -> Option<usize> {
    match kind {
        DataKind::Active { offset: ConstExpr::Value(Value::I32(at)), .. } => {
            usize::try_from(*at).ok()
        }
        _ => None,
    }
}

/// In the first part they are zero, which takes no room.
pub(super) fn clear(module: &mut Module, pieces: &[Piece]) {
    let ids: Vec<_> = module.data.iter().map(walrus::Data::id).collect();
    for id in ids {
        let data = module.data.get_mut(id);
        let Some(begins) = address(&data.kind) else { continue };
        let ends = begins + data.value.len();
        for piece in pieces.iter().filter(|it| begins <= it.address && it.address < ends) {
            let from = piece.address - begins;
            data.value[from..from + piece.bytes.len()].fill(0);
        }
    }
}

/// The rest brings them along.
pub(super) fn add(module: &mut Module, pieces: &[Piece]) -> Result<()> {
    let memory = module.memories.iter().next().map(walrus::Memory::id);
    for piece in pieces {
        let memory =
            memory.ok_or_else(|| Error::Rule("the rest has data and uses no memory".to_owned()))?;
        let at = i32::try_from(piece.address)
            .map_err(|_| Error::Rule("data lie beyond 2 GiB".to_owned()))?;
        let kind = DataKind::Active { memory, offset: ConstExpr::Value(Value::I32(at)) };
        let data = module.data.add(kind, piece.bytes.clone());
        module.memories.get_mut(memory).data_segments.insert(data);
    }
    Ok(())
}
