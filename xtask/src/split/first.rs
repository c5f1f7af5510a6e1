//! The first part: all but the moved functions, with stubs for those that are entered.

use walrus::{
    ExportItem, FunctionBuilder, FunctionId, FunctionKind, GlobalId, LocalFunction, Module,
    RefType, TableId, ValType, passes,
};

use super::data::{self, Piece};
use super::plan::{Place, Plan};
use super::rest::{Thing, Wanted};
use super::{ENTRIES, THERE, functions};
use crate::error::{Error, Result};

pub(super) fn cut(
    mut module: Module,
    (plan, data): (&Plan, &[Piece]),
    wanted: &Wanted,
    loader: Place,
) -> Result<Vec<u8>> {
    let all = functions(&module);
    data::clear(&mut module, data);
    hand_over(&mut module, &all, wanted)?;
    let there = module.globals.add_local(
        ValType::I32,
        true,
        false,
        walrus::ConstExpr::Value(walrus::ir::Value::I32(0)),
    );
    module.exports.add(THERE, there);
    let length = plan.entries.len() as u64;
    let entries = module.tables.add_local(false, length, Some(length), RefType::FUNCREF);
    module.exports.add(ENTRIES, entries);
    let ensure = ensure(&mut module, there, all[loader]);
    for (slot, place) in plan.entries.iter().enumerate() {
        let stub = stub(&mut module, all[*place], ensure, entries, slot);
        module.funcs.get_mut(all[*place]).kind = FunctionKind::Local(stub);
    }
    passes::gc::run(&mut module);
    Ok(module.emit_wasm())
}

fn hand_over(module: &mut Module, all: &[FunctionId], wanted: &Wanted) -> Result<()> {
    let globals: Vec<_> = module.globals.iter().map(walrus::Global::id).collect();
    let memories: Vec<_> = module.memories.iter().map(walrus::Memory::id).collect();
    let tables: Vec<_> = module.tables.iter().map(walrus::Table::id).collect();
    for (thing, name) in wanted {
        let item = match thing {
            Thing::Function(place) => ExportItem::Function(all[*place]),
            Thing::Global(place) => ExportItem::Global(globals[*place]),
            Thing::Memory(place) => ExportItem::Memory(memories[*place]),
            Thing::Table(place) => ExportItem::Table(tables[*place]),
        };
        if module.exports.iter().any(|export| export.name == *name) {
            return Err(Error::Rule(format!("the program exports `{name}` already")));
        }
        module.exports.add(name, item);
    }
    Ok(())
}

/// Has the rest fetched, now, unless it is there.
fn ensure(module: &mut Module, there: GlobalId, loader: FunctionId) -> FunctionId {
    let mut builder = FunctionBuilder::new(&mut module.types, &[], &[]);
    builder.func_body().global_get(there).if_else(
        None,
        |_| {},
        |missing| {
            // The argument of `host::rest`: at once.
            missing.i32_const(1).call(loader);
        },
    );
    builder.finish(Vec::new(), &mut module.funcs)
}

fn stub(
    module: &mut Module,
    of: FunctionId,
    ensure: FunctionId,
    entries: TableId,
    slot: usize,
) -> LocalFunction {
    let ty = module.funcs.get(of).ty();
    let (params, results) = {
        let ty = module.types.get(ty);
        (ty.params().to_vec(), ty.results().to_vec())
    };
    let arguments: Vec<_> = params.iter().map(|ty| module.locals.add(*ty)).collect();
    let mut builder = FunctionBuilder::new(&mut module.types, &params, &results);
    let mut body = builder.func_body();
    body.call(ensure);
    for argument in &arguments {
        body.local_get(*argument);
    }
    body.i32_const(i32::try_from(slot).expect("fewer entries than functions"))
        .call_indirect(ty, entries);
    builder.local_func(arguments)
}
