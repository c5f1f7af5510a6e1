//! A file as a tree of values that know their lines.

use super::mistake::{Mistake, Place, Wrong};
use litemap::LiteMap;
use toml_span::ErrorKind;
use toml_span::value::ValueInner;

/// The fields of a table by name.
pub type Table = LiteMap<String, Tree>;

/// The table of fields, later ones in place of earlier. A map's own `collect` sorts, which
/// is compiled anew for each place.
pub fn table_of(fields: impl IntoIterator<Item = (String, Tree)>) -> Table {
    let mut table = Table::new();
    add(&mut table, fields.into_iter());
    table
}

/// Adds fields to a table, in place of those of the same names.
pub fn add(table: &mut Table, fields: impl Iterator<Item = (String, Tree)>) {
    fields.for_each(|(name, tree)| drop(table.insert(name, tree)));
}

/// A value, and the line it stands on. Equal values are equal wherever they stand.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Counted from 1; none for what stands in no file and for the file as a whole.
    pub line: Option<u32>,
    /// What it is.
    pub value: Value,
}

impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        self.value == other.value
    }
}

/// What a value can be.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A whole number.
    Whole(i64),
    /// What no file of ours has a use for (a fraction, a truth value), as it is written.
    Other(String),
    /// A list.
    List(Vec<Tree>),
    /// A table.
    Table(Table),
    /// Nothing, in the place of a value: of a setting that takes a field away. Stands in
    /// no file.
    Nothing,
}

impl Tree {
    /// A value that stands in no file.
    pub fn new(value: Value) -> Tree {
        Tree { line: None, value }
    }

    /// Reads TOML.
    ///
    /// # Errors
    /// When the text is no TOML.
    pub fn from_toml(text: &str) -> Result<Tree, Box<Mistake>> {
        let source = Source(text);
        let mut root = toml_span::parse(text).map_err(|error| {
            Box::new(Mistake {
                place: Place { line: Some(source.line(error.span.start)), path: String::new() },
                wrong: Wrong::NotToml(match error.kind {
                    // Said as a question otherwise.
                    ErrorKind::UnquotedString => "a text has to stand in quotes".to_owned(),
                    _ => error.to_string(),
                }),
            })
        })?;
        Ok(Tree { line: None, value: source.value(&mut root) })
    }

    /// A setting's value, as TOML writes it; what is no TOML is taken as text.
    pub fn from_setting(text: &str) -> Tree {
        let value = match Tree::from_toml(&format!("v = {text}")).map(|tree| tree.value) {
            Ok(Value::Table(mut table)) if table.len() == 1 => table.remove("v"),
            _ => None,
        };
        let text = || Tree::new(Value::Text(text.to_owned()));
        value.unwrap_or_else(text).without_lines()
    }

    /// The same, as if it stood in no file: for what is taken over from another one.
    #[must_use]
    pub fn without_lines(self) -> Tree {
        Tree::new(match self.value {
            Value::List(list) => Value::List(list.into_iter().map(Tree::without_lines).collect()),
            Value::Table(table) => {
                let bare = |(name, tree): (String, Tree)| (name, tree.without_lines());
                Value::Table(table_of(table.into_iter().map(bare)))
            }
            value => value,
        })
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The list, if it is one.
    pub fn list(&self) -> Option<&[Tree]> {
        match &self.value {
            Value::List(list) => Some(list),
            _ => None,
        }
    }

    /// The table, if it is one.
    pub fn table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The table, to be changed, if it is one.
    pub fn table_mut(&mut self) -> Option<&mut Table> {
        match &mut self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// A field of it, if it is a table that has it.
    pub fn field(&self, name: &str) -> Option<&Tree> {
        self.table()?.get(name)
    }

    /// What it is, as people say it: "a list", "the text "long"".
    pub fn said(&self) -> String {
        match &self.value {
            Value::Text(text) => format!("the text {text:?}"),
            Value::Whole(number) => number.to_string(),
            Value::Other(written) => written.clone(),
            Value::List(_) => "a list".to_owned(),
            Value::Table(_) => "a table".to_owned(),
            Value::Nothing => "nothing".to_owned(),
        }
    }
}

/// The text that is read, for the lines of what stands in it.
struct Source<'a>(&'a str);

impl Source<'_> {
    fn line(&self, at: usize) -> u32 {
        let before = &self.0.as_bytes()[..at.min(self.0.len())];
        1 + before.iter().filter(|byte| **byte == b'\n').count() as u32
    }

    fn value(&self, value: &mut toml_span::Value<'_>) -> Value {
        let (start, end) = (value.span.start, value.span.end);
        match value.take() {
            ValueInner::String(text) => Value::Text(text.into_owned()),
            ValueInner::Integer(number) => Value::Whole(number),
            ValueInner::Float(_) | ValueInner::Boolean(_) => {
                Value::Other(self.0.get(start..end).unwrap_or_default().to_owned())
            }
            ValueInner::Array(list) => Value::List(
                list.into_iter().map(|mut item| self.tree(item.span.start, &mut item)).collect(),
            ),
            ValueInner::Table(table) => {
                Value::Table(table_of(table.into_iter().map(|(key, mut item)| {
                    let tree = self.tree(key.span.start, &mut item);
                    (key.name.into_owned(), tree)
                })))
            }
        }
    }

    fn tree(&self, at: usize, value: &mut toml_span::Value<'_>) -> Tree {
        Tree { line: Some(self.line(at)), value: self.value(value) }
    }
}
