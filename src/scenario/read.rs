//! From text to a [`Spec`]: the file itself, the scenario it builds on, settings by
//! path. Every mistake is located.

use crate::scenario::error::{Problem, ScenarioError};
use crate::scenario::library;
use crate::scenario::plain::plain;
use crate::scenario::spec::{FORMAT, Spec};
use serde::Deserialize;
use toml::{Table, Value};

/// A setting: a path, as in `store.rule` or `worker.W1.compute_ms`, and a value as
/// TOML writes it; what is no TOML value is taken as text.
pub type Setting = (String, String);

/// Reads the text of a scenario into a table in which nothing is left to look up.
///
/// # Errors
/// When it is no TOML, or builds on a scenario that is not there.
pub fn table(text: &str) -> Result<Table, ScenarioError> {
    let mut table: Table = toml::from_str(text).map_err(|error| located(text, &error, ""))?;
    // Before all else: of another format, nothing more can be said.
    check_format(&table)?;
    let Some(base) = table.remove("extends") else {
        // Read once more in full, for this way a mistake is located by its line.
        whole(text)?;
        return Ok(table);
    };
    let in_extends = |problem| ScenarioError::new("extends", problem);
    let base = base.as_str().ok_or_else(|| {
        in_extends(Problem::Syntax("this has to be the id of a built-in scenario".to_owned()))
    })?;
    let base = library::text(base).map_err(|error| in_extends(error.problem))?;
    let mut built = self::table(base)?;
    let set = table.remove("set");
    for (key, value) in table {
        built.insert(key, value);
    }
    if let Some(set) = set {
        let set = set.as_table().cloned().ok_or_else(|| {
            ScenarioError::new("set", Problem::Syntax("this has to be a table".to_owned()))
        })?;
        apply(&mut built, &set)?;
    }
    Ok(built)
}

fn check_format(table: &Table) -> Result<(), ScenarioError> {
    match table.get("format").and_then(Value::as_integer) {
        Some(found) if found != i64::from(FORMAT) => {
            Err(ScenarioError::new("format", Problem::Format { found, known: FORMAT }))
        }
        _ => Ok(()),
    }
}

fn whole(text: &str) -> Result<Spec, ScenarioError> {
    let parsed = toml::Deserializer::parse(text).map_err(|error| located(text, &error, ""))?;
    serde_path_to_error::deserialize(parsed)
        .map_err(|error| located(text, error.inner(), &error.path().to_string()))
}

/// Makes a [`Spec`] of a table.
///
/// # Errors
/// When a field is missing, unknown or of the wrong type, or the format is not ours.
pub fn spec(table: &Table) -> Result<Spec, ScenarioError> {
    check_format(table)?;
    serde_path_to_error::deserialize(Value::Table(table.clone())).map_err(|error| {
        let problem = Problem::Syntax(plain(error.inner().message()));
        ScenarioError::new(place(None, &error.path().to_string()), problem)
    })
}

/// Applies settings by path.
///
/// # Errors
/// When a path leads nowhere.
pub fn apply(table: &mut Table, settings: &Table) -> Result<(), ScenarioError> {
    for (path, value) in settings {
        set(table, path, value.clone())?;
    }
    Ok(())
}

/// Sets one value by its path.
///
/// # Errors
/// When the path leads nowhere.
pub fn set(table: &mut Table, path: &str, value: Value) -> Result<(), ScenarioError> {
    let missing =
        || ScenarioError::new("settings", Problem::NoSuchSetting { path: path.to_owned() });
    let Some((way, last)) = path.rsplit_once('.') else {
        if path.is_empty() {
            return Err(missing());
        }
        table.insert(path.to_owned(), value);
        return Ok(());
    };
    let mut names = way.split('.');
    let first = names.next().ok_or_else(missing)?;
    let mut place = table.entry(first).or_insert_with(|| Value::Table(Table::new()));
    for name in names {
        place = match place {
            Value::Array(list) => list
                .iter_mut()
                .find(|item| item.get("name").and_then(Value::as_str) == Some(name))
                .ok_or_else(missing)?,
            Value::Table(table) => table.get_mut(name).ok_or_else(missing)?,
            _ => return Err(missing()),
        };
    }
    place.as_table_mut().ok_or_else(missing)?.insert(last.to_owned(), value);
    Ok(())
}

/// The clicks of a variant as the table holds them, if it has its own.
pub(super) fn variant_clicks(table: &Table, id: &str) -> Option<Value> {
    let variants = table.get("variant")?.as_array()?;
    let variant = variants.iter().find(|v| v.get("id").and_then(Value::as_str) == Some(id))?;
    variant.get("click").cloned()
}

/// A setting's value, as TOML writes it or as plain text.
pub fn value(text: &str) -> Value {
    #[derive(Deserialize)]
    struct One {
        v: Value,
    }
    match toml::from_str::<One>(&format!("v = {text}")) {
        Ok(one) => one.v,
        Err(_) => Value::String(text.to_owned()),
    }
}

fn located(text: &str, error: &toml::de::Error, path: &str) -> ScenarioError {
    let line = error.span().map(|span| 1 + text[..span.start].matches('\n').count());
    // What is missing from the whole is missing nowhere in particular.
    let is_whole = path.trim_matches('.').is_empty() && error.message().starts_with("missing");
    let line = line.filter(|_| !is_whole);
    ScenarioError::new(place(line, path), Problem::Syntax(plain(error.message())))
}

/// "line 12, worker 2, compute_ms": lists are counted from 1, as people count.
fn place(line: Option<usize>, path: &str) -> String {
    let mut parts: Vec<String> = line.map(|line| format!("line {line}")).into_iter().collect();
    let fields = path.split('.').filter(|field| !field.is_empty() && *field != ".");
    for field in fields {
        parts.push(match field.trim_end_matches(']').split_once('[') {
            Some((name, index)) => match index.parse::<usize>() {
                Ok(index) => format!("{name} {}", index + 1),
                Err(_) => field.to_owned(),
            },
            None => field.to_owned(),
        });
    }
    if parts.is_empty() { "the scenario".to_owned() } else { parts.join(", ") }
}
