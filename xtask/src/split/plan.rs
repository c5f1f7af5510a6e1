//! Which functions go into the rest, and through which of them it is entered.

use std::collections::{BTreeMap, BTreeSet};

use walrus::ir::{self, Visitor};
use walrus::{
    ConstExpr, ElementItems, ExportItem, Function, FunctionId, FunctionKind, ImportKind,
    LocalFunction, Module,
};

use super::functions;
use super::names::Later;

/// A function's place among all of the program.
pub(super) type Place = usize;

/// Shorter ones stay, in instructions, unless they are listed themselves: moving them gains little,
/// and the compiler puts them here and there, now into their callers and now not.
const LEAST: u64 = 48;

#[derive(Debug)]
pub(super) struct Plan {
    pub later: BTreeSet<Place>,
    /// Those of them that the first part calls or points to, in the order of the table.
    pub entries: Vec<Place>,
}

impl Plan {
    pub fn of(module: &Module, later: &Later) -> Plan {
        let functions = functions(module);
        let places = functions.iter().enumerate().map(|(place, id)| (*id, place)).collect();
        let uses = uses(module, &functions, &places);
        let fixed = fixed(module, &places);
        let pointed_to = pointed_to(module, &places);
        let mut moved = named(module, &functions, later);
        moved.retain(|place| !fixed.contains(place));
        follow(&uses, &(&fixed | &pointed_to), &mut moved, |place| {
            matches!(module.funcs.get(functions[place]).kind, FunctionKind::Local(_))
        });
        let called = (uses.iter())
            .filter(|(user, _)| !moved.contains(user))
            .flat_map(|(_, used)| used.iter().copied());
        let entries: BTreeSet<Place> =
            called.chain(pointed_to).filter(|place| moved.contains(place)).collect();
        Plan { later: moved, entries: entries.into_iter().collect() }
    }
}

/// The import through which the rest is fetched.
pub(super) fn loader(module: &Module) -> Option<Place> {
    let functions = functions(module);
    let import = module.imports.iter().find(|import| import.name.starts_with("__wbg_rest_"))?;
    let ImportKind::Function(id) = import.kind else { return None };
    functions.iter().position(|function| *function == id)
}

fn named(module: &Module, functions: &[FunctionId], later: &Later) -> BTreeSet<Place> {
    let moves = |function: &Function| match (&function.kind, &function.name) {
        (FunctionKind::Local(local), Some(name)) => {
            later.holds(name) && (local.size() >= LEAST || later.is_itself(name))
        }
        _ => false,
    };
    let places = functions.iter().enumerate();
    places.filter(|(_, id)| moves(module.funcs.get(**id))).map(|(place, _)| place).collect()
}

/// What has no name of ours goes along if none but the rest uses it.
fn follow(
    uses: &BTreeMap<Place, BTreeSet<Place>>,
    stays: &BTreeSet<Place>,
    moved: &mut BTreeSet<Place>,
    is_ours: impl Fn(Place) -> bool,
) {
    let mut users: BTreeMap<Place, BTreeSet<Place>> = BTreeMap::new();
    for (user, used) in uses {
        for place in used {
            users.entry(*place).or_default().insert(*user);
        }
    }
    loop {
        let of_the_rest = |(place, users): (&Place, &BTreeSet<Place>)| {
            let mut others = users.iter().filter(|user| *user != place).peekable();
            let new = !stays.contains(place) && !moved.contains(place) && is_ours(*place);
            (new && others.peek().is_some() && others.all(|user| moved.contains(user)))
                .then_some(*place)
        };
        let more: Vec<Place> = users.iter().filter_map(of_the_rest).collect();
        if more.is_empty() {
            return;
        }
        moved.extend(more);
    }
}

/// What JavaScript calls by name, and what runs at the start.
fn fixed(module: &Module, places: &BTreeMap<FunctionId, Place>) -> BTreeSet<Place> {
    let exported = module.exports.iter().filter_map(|export| match export.item {
        ExportItem::Function(id) => Some(id),
        _ => None,
    });
    exported.chain(module.start).map(|id| places[&id]).collect()
}

/// What tables hold: closures and the methods of trait objects.
fn pointed_to(module: &Module, places: &BTreeMap<FunctionId, Place>) -> BTreeSet<Place> {
    let held = module.elements.iter().flat_map(|element| match &element.items {
        ElementItems::Functions(ids) => ids.clone(),
        ElementItems::Expressions(_, held) => held.iter().filter_map(function_in).collect(),
    });
    held.map(|id| places[&id]).collect()
}

fn function_in(held: &ConstExpr) -> Option<FunctionId> {
    match held {
        ConstExpr::RefFunc(id) => Some(*id),
        _ => None,
    }
}

fn uses(
    module: &Module,
    functions: &[FunctionId],
    places: &BTreeMap<FunctionId, Place>,
) -> BTreeMap<Place, BTreeSet<Place>> {
    let mut uses = BTreeMap::new();
    for (place, id) in functions.iter().enumerate() {
        if let FunctionKind::Local(local) = &module.funcs.get(*id).kind {
            uses.insert(place, used_by(local, places));
        }
    }
    uses
}

fn used_by(local: &LocalFunction, places: &BTreeMap<FunctionId, Place>) -> BTreeSet<Place> {
    struct Used<'a>(&'a BTreeMap<FunctionId, Place>, BTreeSet<Place>);
    impl<'instr> Visitor<'instr> for Used<'_> {
        fn visit_function_id(&mut self, id: &FunctionId) {
            self.1.insert(self.0[id]);
        }
    }
    let mut used = Used(places, BTreeSet::new());
    ir::dfs_in_order(&mut used, local, local.entry_block());
    used.1
}
