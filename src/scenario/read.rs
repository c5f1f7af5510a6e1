//! From text to a [`Spec`]: the file itself, the scenario it builds on, settings by
//! path. Every mistake is located.

use crate::content::{At, Read, Table, Tree, Value, add};
use crate::scenario::error::{Problem, ScenarioError};
use crate::scenario::library;
use crate::scenario::spec::{FORMAT, Spec};

/// A setting: a path, as in `store.rule` or `worker.W1.compute_ms`, and a value as
/// TOML writes it; what is no TOML value is taken as text.
pub type Setting = (String, String);

/// Reads the text of a scenario into a tree in which nothing is left to look up.
///
/// # Errors
/// When it is no TOML, or builds on a scenario that is not there.
pub fn tree(text: &str) -> Result<Tree, ScenarioError> {
    let mut own = Tree::from_toml(text)?;
    // Before all else: of another format, nothing more can be said.
    check_format(&own)?;
    let Some(table) = own.table_mut() else { return Ok(own) };
    let Some(base) = table.remove("extends") else { return Ok(own) };
    let at = At::TOP.field("extends");
    let id = base.text().ok_or_else(|| at.wrong_kind(&base, "the id of a built-in scenario"))?;
    let found = library::text(id)
        .map_err(|error| ScenarioError::new(at.place(&base).to_string(), error.problem))?;
    // Its lines are those of another file.
    let mut built = self::tree(found)?.without_lines();
    let set = table.remove("set");
    let into = built.table_mut().expect("a built-in scenario is a table");
    add(into, std::mem::take(table).into_iter());
    if let Some(set) = set {
        apply(&mut built, &Table::read(&set, &At::TOP.field("set"))?)?;
    }
    Ok(built)
}

fn check_format(tree: &Tree) -> Result<(), ScenarioError> {
    match tree.field("format").map(|format| &format.value) {
        Some(Value::Whole(found)) if *found != i64::from(FORMAT) => {
            Err(ScenarioError::new("format", Problem::Format { found: *found, known: FORMAT }))
        }
        _ => Ok(()),
    }
}

/// Makes a [`Spec`] of a tree.
///
/// # Errors
/// When a field is missing, unknown or of the wrong type, or the format is not ours.
pub fn spec(tree: &Tree) -> Result<Spec, ScenarioError> {
    check_format(tree)?;
    Ok(Spec::read(tree, &At::TOP)?)
}

/// Applies settings by path.
///
/// # Errors
/// When a path leads nowhere.
pub fn apply(tree: &mut Tree, settings: &Table) -> Result<(), ScenarioError> {
    for (path, value) in settings {
        set(tree, path, value.clone())?;
    }
    Ok(())
}

/// The value that a path leads to, if one stands there.
pub fn get<'a>(tree: &'a Tree, path: &str) -> Option<&'a Tree> {
    path.split('.').try_fold(tree, |place, name| match &place.value {
        Value::List(list) => {
            list.iter().find(|item| item.field("name").and_then(Tree::text) == Some(name))
        }
        _ => place.field(name),
    })
}

/// Sets one value by its path, or takes it away where it is [`Value::Nothing`]. A table that is not there is made when it stands at the
/// top, where all of its fields have defaults.
///
/// # Errors
/// When the path leads nowhere.
pub fn set(tree: &mut Tree, path: &str, value: Tree) -> Result<(), ScenarioError> {
    let missing =
        || ScenarioError::new("settings", Problem::NoSuchSetting { path: path.to_owned() });
    let mut names = path.split('.');
    let last = names.next_back().filter(|_| !path.is_empty()).ok_or_else(missing)?;
    let mut place = tree;
    for (depth, name) in names.enumerate() {
        place = match &mut place.value {
            Value::List(list) => {
                let named =
                    |item: &&mut Tree| item.field("name").and_then(Tree::text) == Some(name);
                list.iter_mut().find(named).ok_or_else(missing)?
            }
            Value::Table(table) => {
                if depth == 0 && !table.contains_key(name) {
                    table.insert(name.to_owned(), Tree::new(Value::Table(Table::new())));
                }
                table.get_mut(name).ok_or_else(missing)?
            }
            _ => return Err(missing()),
        };
    }
    let table = place.table_mut().ok_or_else(missing)?;
    if value.value == Value::Nothing {
        table.remove(last);
    } else {
        table.insert(last.to_owned(), value);
    }
    Ok(())
}

/// The clicks of a variant as the tree holds them, if it has its own.
pub(super) fn variant_clicks(tree: &Tree, id: &str) -> Option<Tree> {
    let variants = tree.field("variant")?.list()?;
    let of_that_id = |v: &&Tree| v.field("id").and_then(Tree::text) == Some(id);
    variants.iter().find(of_that_id)?.field("click").cloned()
}
