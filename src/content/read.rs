//! From trees to typed values.

use super::mistake::{Mistake, Place, Wrong};
use super::tree::{Table, Tree, Value};

/// What can stand in a file.
pub trait Read: Sized {
    /// Makes one of a tree.
    ///
    /// # Errors
    /// When the tree is of another kind, or something in it is wrong.
    fn read(tree: &Tree, at: &At) -> Result<Self, Mistake>;
}

/// One of several things, by name.
pub trait Choice: Copy + 'static {
    /// All of them, in the order in which they are told.
    const ALL: &'static [Self];
    /// Their names, in the same order.
    const NAMES: &'static [&'static str];

    /// Its name.
    fn name(self) -> &'static str;

    /// The one of that name.
    fn named(name: &str) -> Option<Self> {
        let place = Self::NAMES.iter().position(|other| *other == name)?;
        Some(Self::ALL[place])
    }
}

/// The way from the top of a file to a value in it.
#[derive(Clone, Copy)]
pub struct At<'a>(Option<(&'a At<'a>, Part<'a>)>);

#[derive(Clone, Copy)]
enum Part<'a> {
    Field(&'a str),
    Item(usize),
}

impl At<'_> {
    /// The top.
    pub const TOP: At<'static> = At(None);

    /// A field further down.
    pub fn field<'a>(&'a self, name: &'a str) -> At<'a> {
        At(Some((self, Part::Field(name))))
    }

    /// An item of a list.
    pub fn item(&self, index: usize) -> At<'_> {
        At(Some((self, Part::Item(index))))
    }

    /// "worker 2, compute_ms": lists are counted from 1, as people count.
    fn path(&self) -> String {
        match self.0 {
            None => String::new(),
            Some((above, part)) => {
                let above = above.path();
                match part {
                    Part::Field(name) if above.is_empty() => name.to_owned(),
                    Part::Field(name) => format!("{above}, {name}"),
                    Part::Item(index) => format!("{above} {}", index + 1),
                }
            }
        }
    }

    /// Something wrong with the value here.
    pub fn mistake(&self, tree: &Tree, wrong: Wrong) -> Mistake {
        Mistake { place: self.place(tree), wrong }
    }

    /// Where a value stands that was found here.
    pub fn place(&self, tree: &Tree) -> Place {
        Place { line: tree.line, path: self.path() }
    }

    /// The value here is of the wrong kind.
    pub fn wrong_kind(&self, tree: &Tree, wanted: &'static str) -> Mistake {
        self.mistake(tree, Wrong::WrongKind { found: tree.said(), wanted })
    }
}

/// The fields of a table whose names are all known.
pub struct Fields<'a> {
    tree: &'a Tree,
    table: &'a Table,
    at: &'a At<'a>,
}

impl<'a> Fields<'a> {
    /// Makes sure that there are no others than these.
    ///
    /// # Errors
    /// When it is no table, or one with other fields.
    pub fn of(
        tree: &'a Tree,
        at: &'a At<'a>,
        there: &'static [&'static str],
    ) -> Result<Fields<'a>, Mistake> {
        let table = tree.table().ok_or_else(|| at.wrong_kind(tree, "a table"))?;
        let unknown = table.iter().filter(|(name, _)| !there.contains(&name.as_str()));
        // As they stand in the file, not by name.
        if let Some((name, value)) = unknown.min_by_key(|(_, value)| value.line) {
            let wrong = Wrong::NoSuchField { field: name.clone(), there };
            return Err(at.field(name).mistake(value, wrong));
        }
        Ok(Fields { tree, table, at })
    }

    /// A field that may be there.
    ///
    /// # Errors
    /// When something in it is wrong.
    pub fn may<T: Read>(&self, name: &'static str) -> Result<Option<T>, Mistake> {
        match self.table.get(name) {
            Some(tree) => T::read(tree, &self.at.field(name)).map(Some),
            None => Ok(None),
        }
    }

    /// A field that has to be there.
    ///
    /// # Errors
    /// When it is not, or something in it is wrong.
    pub fn need<T: Read>(&self, name: &'static str) -> Result<T, Mistake> {
        self.may(name)?.ok_or_else(|| self.at.mistake(self.tree, Wrong::Missing { field: name }))
    }
}

/// The one field of a table that holds one thing: its place among the names there are,
/// and what it holds.
///
/// # Errors
/// When it is no table, holds none or several, or has another name.
pub fn one_of<'a>(
    tree: &'a Tree,
    at: &At,
    there: &'static [&'static str],
) -> Result<(usize, &'a Tree), Mistake> {
    let table = tree.table().ok_or_else(|| at.wrong_kind(tree, "a table"))?;
    let mut fields = table.iter();
    let (Some((name, value)), None) = (fields.next(), fields.next()) else {
        return Err(at.mistake(tree, Wrong::NotOne { count: table.len() }));
    };
    match there.iter().position(|other| other == name) {
        Some(place) => Ok((place, value)),
        None => Err(at.mistake(value, Wrong::NoSuchChoice { choice: name.clone(), there })),
    }
}

/// The place of a name among those there are.
///
/// # Errors
/// When it is no text, or another one.
pub fn place_of(tree: &Tree, at: &At, there: &'static [&'static str]) -> Result<usize, Mistake> {
    let name = tree.text().ok_or_else(|| at.wrong_kind(tree, "a text in quotes"))?;
    there
        .iter()
        .position(|other| *other == name)
        .ok_or_else(|| at.mistake(tree, Wrong::NoSuchChoice { choice: name.to_owned(), there }))
}

fn whole<T: TryFrom<i64>>(tree: &Tree, at: &At, wanted: &'static str) -> Result<T, Mistake> {
    let number = match tree.value {
        Value::Whole(number) => T::try_from(number).ok(),
        _ => None,
    };
    number.ok_or_else(|| at.wrong_kind(tree, wanted))
}

impl Read for i64 {
    fn read(tree: &Tree, at: &At) -> Result<i64, Mistake> {
        whole(tree, at, "a whole number")
    }
}

impl Read for u64 {
    fn read(tree: &Tree, at: &At) -> Result<u64, Mistake> {
        whole(tree, at, "a whole number that is not negative")
    }
}

impl Read for u32 {
    fn read(tree: &Tree, at: &At) -> Result<u32, Mistake> {
        whole(tree, at, "a whole number from 0 to 4,294,967,295")
    }
}

impl Read for u8 {
    fn read(tree: &Tree, at: &At) -> Result<u8, Mistake> {
        whole(tree, at, "a whole number from 0 to 255")
    }
}

impl Read for String {
    fn read(tree: &Tree, at: &At) -> Result<String, Mistake> {
        tree.text().map(str::to_owned).ok_or_else(|| at.wrong_kind(tree, "a text in quotes"))
    }
}

impl Read for Table {
    fn read(tree: &Tree, at: &At) -> Result<Table, Mistake> {
        tree.table().cloned().ok_or_else(|| at.wrong_kind(tree, "a table"))
    }
}

impl<T: Read> Read for Option<T> {
    fn read(tree: &Tree, at: &At) -> Result<Option<T>, Mistake> {
        T::read(tree, at).map(Some)
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(tree: &Tree, at: &At) -> Result<Vec<T>, Mistake> {
        let list = tree.list().ok_or_else(|| at.wrong_kind(tree, "a list"))?;
        list.iter().enumerate().map(|(index, item)| T::read(item, &at.item(index))).collect()
    }
}

/// What an empty table stands for: every field at its default.
///
/// # Errors
/// When a field has none.
pub fn when_empty<T: Read>() -> Result<T, Mistake> {
    T::read(&Tree::new(Value::Table(Table::new())), &At::TOP)
}
