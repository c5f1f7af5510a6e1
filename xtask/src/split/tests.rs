//! Programs in two parts, run: both compute what the whole one does.

use wasmi::{Caller, Engine, Extern, Instance, Linker, Module, Store, Val};

use super::names::Later;
use super::{ENTRIES, FIRST, Linked, Names, Parts, THERE, split};

const LATER: Later = Later { paths: &["fencepost::rare"], but: &["fencepost::rare::kept"] };

/// Adds 1, with the rest twice that and what memory holds: through a direct call, a table, a
/// global and a helper that none but the rest uses.
const PROGRAM: &str = r#"
(module
  (import "host" "__wbg_rest_1" (func $rest (param i32)))
  (memory (export "memory") 1)
  (table 2 funcref)
  (elem (i32.const 0) $often $"fencepost[0a]::rare::pointed_to")
  (global $calls (mut i32) (i32.const 0))
  (data (i32.const 8) "\2aknown here alone, beside")
  (type $one (func (param i32) (result i32)))
  (func $often (type $one) (i32.add (local.get 0) (i32.const 1)))
  (func $helper (type $one)
    (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
    (i32.mul (local.get 0) (i32.const 2))
    LONG)
  (func $"fencepost[0a]::rare::called" (type $one)
    (i32.add (i32.load8_u (i32.const 8)) (call $helper (call $often (local.get 0))))
    LONG)
  (func $"fencepost[0a]::rare::pointed_to" (type $one)
    (call_indirect (type $one) (local.get 0) (i32.const 0))
    LONG)
  (func $"fencepost[0a]::rare::kept" (type $one)
    (i32.sub (local.get 0) (i32.const 1))
    LONG)
  (func (export "often") (type $one) (call $"fencepost[0a]::rare::kept" (call $often (local.get 0))))
  (func (export "rarely") (type $one) (call $"fencepost[0a]::rare::called" (local.get 0)))
  (func (export "by_table") (type $one) (call_indirect (type $one) (local.get 0) (i32.const 1)))
  (func (export "calls") (result i32) (global.get $calls)))
"#;

/// Functions that are worth moving.
fn long(program: &str) -> String {
    program.replace("LONG", &"(drop (i32.const 1))".repeat(24))
}

fn parts(program: &str) -> Parts {
    parts_of(program, &Linked::default())
}

fn parts_of(program: &str, linked: &Linked) -> Parts {
    let program = wat::parse_str(long(program)).expect("a program");
    split(&program, linked, &LATER, Names::Dropped).expect("it can be cut")
}

/// The rest, and how often it was fetched.
struct Site {
    rest: Vec<u8>,
    fetched: usize,
}

struct Running {
    store: Store<Site>,
    instance: Instance,
}

/// Does what static/start.js does when the rest is needed at once.
fn fetch(mut caller: Caller<'_, Site>, at_once: i32) {
    assert_eq!(at_once, 1, "a stub cannot go on without");
    caller.data_mut().fetched += 1;
    let module = Module::new(caller.engine(), &caller.data().rest).expect("a module");
    let mut linker = Linker::new(caller.engine());
    for import in module.imports() {
        assert_eq!(import.module(), FIRST);
        let given = caller.get_export(import.name()).expect("the first part hands it over");
        linker.define(FIRST, import.name(), given).expect("once");
    }
    linker.instantiate_and_start(&mut caller, &module).expect("it fits");
    let there = caller.get_export(THERE).and_then(Extern::into_global).expect("a global");
    there.set(&mut caller, Val::I32(1)).expect("it can be set");
}

impl Running {
    fn new(parts: &Parts) -> Running {
        let engine = Engine::default();
        let mut store = Store::new(&engine, Site { rest: parts.rest.clone(), fetched: 0 });
        let module = Module::new(&engine, &parts.first).expect("a module");
        let mut linker = Linker::new(&engine);
        linker.func_wrap("host", "__wbg_rest_1", fetch).expect("once");
        let instance = linker.instantiate_and_start(&mut store, &module).expect("it starts");
        Running { store, instance }
    }

    fn call(&mut self, name: &str, argument: i32) -> i32 {
        let function = self.instance.get_typed_func::<i32, i32>(&self.store, name).expect(name);
        function.call(&mut self.store, argument).expect("it returns")
    }
}

#[test]
fn a_program_in_two_parts_computes_what_it_did_and_fetches_its_rest_once() {
    let mut running = Running::new(&parts(PROGRAM));
    assert_eq!(running.call("often", 20), 20, "what stays needs no rest");
    assert_eq!(running.store.data().fetched, 0);
    assert_eq!(running.call("by_table", 6), 7, "through the table");
    assert_eq!(running.call("rarely", 3), 50, "42 in memory and twice four");
    assert_eq!(running.call("rarely", 4), 52);
    assert_eq!(running.store.data().fetched, 1);
    let calls = running.instance.get_typed_func::<(), i32>(&running.store, "calls").expect("there");
    assert_eq!(calls.call(&mut running.store, ()).expect("it returns"), 2, "one global for both");
}

#[test]
fn what_only_the_rest_uses_goes_with_it_and_needs_no_stub() {
    let parts = parts(PROGRAM);
    assert_eq!((parts.moved, parts.stubs), (3, 2), "two by name, and their helper");
}

#[test]
fn a_path_of_the_list_that_is_nowhere_is_told() {
    let program = wat::parse_str(long(&PROGRAM.replace("rare::kept", "rare::renamed")));
    let parts = split(&program.expect("a program"), &Linked::default(), &LATER, Names::Dropped)
        .expect("cut");
    assert_eq!(parts.unmatched, ["fencepost::rare::kept"]);
}

/// Two data of which the second lies behind the first and is pointed to by it alone.
fn linked(users_of_first: &[&str], users_of_second: &[&str]) -> Linked {
    let mut linked = Linked {
        places: [(0, 8..25), (1, 25..33)].into(),
        pointed_to: [(0, [1].into())].into(),
        ..Linked::default()
    };
    for (symbol, users) in [(0, users_of_first), (1, users_of_second)] {
        for user in users {
            linked.used_by.entry((*user).to_owned()).or_default().insert(symbol);
        }
    }
    linked
}

/// What of the data is in either part.
fn check_data(linked: &Linked, in_first: &[&str], in_rest: &[&str]) {
    let parts = parts_of(PROGRAM, linked);
    let words = ["known here alone", "beside"];
    let found = |part: &[u8]| {
        let text = String::from_utf8_lossy(part).into_owned();
        words.into_iter().filter(|word| text.contains(word)).collect::<Vec<_>>()
    };
    assert_eq!((found(&parts.first), found(&parts.rest)), (in_first.to_vec(), in_rest.to_vec()));
    let mut running = Running::new(&parts);
    assert_eq!(running.call("rarely", 3), 50, "it finds its 42");
}

const RARE: &str = "fencepost[0a]::rare::called";

#[test]
fn data_that_only_the_rest_uses_come_with_it() {
    check_data(&linked(&[RARE], &[]), &[], &["known here alone", "beside"]);
}

#[test]
fn data_that_the_first_part_uses_stay_with_what_they_point_to() {
    check_data(&linked(&[RARE, "often"], &[]), &["known here alone", "beside"], &[]);
}

#[test]
fn data_that_the_program_writes_stay_wherever_they_are_used() {
    let mut linked = linked(&[RARE], &[]);
    linked.written = [0].into();
    check_data(&linked, &["known here alone", "beside"], &[]);
}

#[test]
fn of_data_that_lie_together_each_goes_where_it_is_used() {
    check_data(&linked(&[RARE], &["often"]), &["beside"], &["known here alone"]);
}

#[test]
fn a_linked_program_that_does_not_tell_what_uses_what_is_refused() {
    let program = wat::parse_str("(module)").expect("a program");
    let error = Linked::read(&program).expect_err("nothing is told");
    assert!(error.to_string().contains("which datum"), "{error}");
}

#[test]
fn a_segment_that_a_function_copies_into_a_table_is_refused() {
    let program = PROGRAM.replace("(elem (i32", "(elem func $often) (elem (i32");
    let program = wat::parse_str(long(&program)).expect("a program");
    let parts = split(&program, &Linked::default(), &LATER, Names::Dropped);
    assert!(parts.is_err_and(|error| error.to_string().contains("table")));
}

#[test]
fn names_are_left_out_of_both_parts() {
    let parts = parts(PROGRAM);
    for part in [&parts.first, &parts.rest] {
        let text = String::from_utf8_lossy(part);
        assert!(!text.contains("fencepost") && text.contains(ENTRIES), "{text}");
    }
}

#[test]
fn a_program_that_cannot_fetch_its_rest_is_not_cut() {
    let program = wat::parse_str("(module)").expect("a program");
    let Err(error) = split(&program, &Linked::default(), &LATER, Names::Dropped) else {
        panic!("it was cut")
    };
    assert!(error.to_string().contains("host::rest::opened"), "{error}");
}

#[test]
fn a_program_without_names_is_not_cut() {
    let nameless = long(&PROGRAM.replace("rare", "other"));
    let program = wat::parse_str(nameless).expect("a program");
    let Err(error) = split(&program, &Linked::default(), &LATER, Names::Dropped) else {
        panic!("it was cut")
    };
    assert!(error.to_string().contains("names"), "{error}");
}
