//! The rest: the moved functions, all else imported from the first part.

use std::collections::BTreeMap;

use walrus::{
    ConstExpr, ElementItems, ElementKind, FunctionId, FunctionKind, GlobalKind, ImportId,
    ImportKind, ImportedFunction, Module, RefType, ir::Value, passes,
};

use super::data::{self, Piece};
use super::plan::Plan;
use super::{ENTRIES, FIRST, functions};
use crate::error::{Error, Result};

/// What the first part hands over: a thing of a kind, by its place among those of that kind.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Thing {
    Function(usize),
    Global(usize),
    Memory(usize),
    Table(usize),
}

/// What the rest wants, with the names that it knows it by.
pub(super) type Wanted = BTreeMap<Thing, String>;

pub(super) fn cut(mut module: Module, plan: &Plan, data: &[Piece]) -> Result<(Vec<u8>, Wanted)> {
    let all = functions(&module);
    forget_what_is_done_at_the_start(&mut module);
    let mut imports = import_functions(&mut module, plan, &all);
    import_places(&mut module, &mut imports);
    fill_the_entries(&mut module, plan.entries.iter().map(|place| all[*place]).collect());
    passes::gc::run(&mut module);
    // Without an owner now, so nothing but what a moved function itself copies.
    if module.data.iter().next().is_some() {
        return Err(Error::Rule("a function that comes later copies data of its own".to_owned()));
    }
    data::add(&mut module, data)?;
    let wanted = name(&mut module, &imports);
    Ok((module.emit_wasm(), wanted))
}

/// The table through which the first part enters the rest.
fn fill_the_entries(module: &mut Module, entries: Vec<FunctionId>) {
    let length = entries.len() as u64;
    let (table, _) =
        module.add_import_table(FIRST, ENTRIES, false, length, Some(length), RefType::FUNCREF);
    let kind = ElementKind::Active { table, offset: ConstExpr::Value(Value::I32(0)) };
    let element = module.elements.add(kind, ElementItems::Functions(entries));
    module.tables.get_mut(table).elem_segments.insert(element);
}

fn import_functions(
    module: &mut Module,
    plan: &Plan,
    all: &[FunctionId],
) -> BTreeMap<ImportId, Thing> {
    let mut imports = BTreeMap::new();
    for (place, id) in all.iter().enumerate().filter(|(place, _)| !plan.later.contains(place)) {
        let function = module.funcs.get_mut(*id);
        let import = match &function.kind {
            FunctionKind::Import(imported) => imported.import,
            _ => {
                let ty = function.ty();
                let import = module.imports.add(FIRST, "", ImportKind::Function(*id));
                module.funcs.get_mut(*id).kind =
                    FunctionKind::Import(ImportedFunction { import, ty });
                import
            }
        };
        imports.insert(import, Thing::Function(place));
    }
    imports
}

/// Globals, memories and tables.
fn import_places(module: &mut Module, imports: &mut BTreeMap<ImportId, Thing>) {
    let ids: Vec<_> = module.globals.iter().map(walrus::Global::id).collect();
    for (place, id) in ids.into_iter().enumerate() {
        let import = module.imports.add(FIRST, "", ImportKind::Global(id));
        module.globals.get_mut(id).kind = GlobalKind::Import(import);
        imports.insert(import, Thing::Global(place));
    }
    let ids: Vec<_> = module.memories.iter().map(walrus::Memory::id).collect();
    for (place, id) in ids.into_iter().enumerate() {
        let import = module.imports.add(FIRST, "", ImportKind::Memory(id));
        module.memories.get_mut(id).import = Some(import);
        imports.insert(import, Thing::Memory(place));
    }
    let ids: Vec<_> = module.tables.iter().map(walrus::Table::id).collect();
    for (place, id) in ids.into_iter().enumerate() {
        let import = module.imports.add(FIRST, "", ImportKind::Table(id));
        module.tables.get_mut(id).import = Some(import);
        imports.insert(import, Thing::Table(place));
    }
}

/// Names what is left after what is not used has gone: short ones, for there are many.
fn name(module: &mut Module, imports: &BTreeMap<ImportId, Thing>) -> Wanted {
    let mut wanted = Wanted::new();
    for import in module.imports.iter_mut() {
        if let Some(thing) = imports.get(&import.id()) {
            FIRST.clone_into(&mut import.module);
            import.name = format!("{:x}", wanted.len());
            wanted.insert(*thing, import.name.clone());
        }
    }
    wanted
}

/// Data, tables and exports are the first part's. The section that tells which features are
/// in use stays, for wasm-opt.
fn forget_what_is_done_at_the_start(module: &mut Module) {
    module.start = None;
    for id in module.exports.iter().map(walrus::Export::id).collect::<Vec<_>>() {
        module.exports.delete(id);
    }
    for id in module.elements.iter().map(walrus::Element::id).collect::<Vec<_>>() {
        module.elements.delete(id);
    }
    for table in module.tables.iter_mut() {
        table.elem_segments.clear();
    }
    let active = |data: &&walrus::Data| !data.is_passive();
    for id in module.data.iter().filter(active).map(walrus::Data::id).collect::<Vec<_>>() {
        module.data.delete(id);
    }
    for memory in module.memories.iter_mut() {
        memory.data_segments.clear();
    }
}
