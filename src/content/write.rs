//! From typed values back to trees: what is written is read as the same value.

use super::read::Choice;
use super::tree::{Table, Tree, Value, table_of};

/// What can be written.
pub trait Write {
    /// The tree, or nothing for a field that is left out.
    fn write(&self) -> Option<Tree>;
}

/// The table of those fields that are not left out.
pub fn table(fields: Vec<(&'static str, Option<Tree>)>) -> Tree {
    let there = |(name, tree): (&str, Option<Tree>)| Some((name.to_owned(), tree?));
    Tree::new(Value::Table(table_of(fields.into_iter().filter_map(there))))
}

impl Write for i64 {
    fn write(&self) -> Option<Tree> {
        Some(Tree::new(Value::Whole(*self)))
    }
}

impl Write for u8 {
    fn write(&self) -> Option<Tree> {
        i64::from(*self).write()
    }
}

/// What is read as one fits into 63 bits.
impl Write for u64 {
    fn write(&self) -> Option<Tree> {
        i64::try_from(*self).ok()?.write()
    }
}

impl Write for Table {
    fn write(&self) -> Option<Tree> {
        Some(Tree::new(Value::Table(self.clone())))
    }
}

impl<T: Write> Write for Vec<T> {
    fn write(&self) -> Option<Tree> {
        Some(Tree::new(Value::List(self.iter().filter_map(Write::write).collect())))
    }
}

impl Write for u32 {
    fn write(&self) -> Option<Tree> {
        i64::from(*self).write()
    }
}

impl Write for String {
    fn write(&self) -> Option<Tree> {
        Some(Tree::new(Value::Text(self.clone())))
    }
}

impl<T: Write> Write for Option<T> {
    fn write(&self) -> Option<Tree> {
        self.as_ref()?.write()
    }
}

/// A choice, by its name.
pub fn choice(choice: impl Choice) -> Option<Tree> {
    choice.name().to_owned().write()
}
