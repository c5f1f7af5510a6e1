//! Files that people write: TOML as a tree of values that know their lines, and typed
//! values made of it field by field. Every mistake is typed and located.
//!
//! A type that stands in a file is declared by `table!`, `record!`, `tagged!` or
//! `choices!`, and can be [`Read`](read::Read) from then on (and [written](write::Write),
//! but for a `table!`). This is not serde: its code for one
//! format through generic visitors came to almost half of the page's program.
//!
//! Knows nothing of what the files say.

pub(crate) mod declare;
pub mod mistake;
pub mod read;
#[cfg(test)]
mod tests;
pub mod tree;
pub mod write;

pub(crate) use declare::{choices, record, table, tagged};
pub use mistake::{Mistake, Place, Wrong};
pub use read::{At, Choice, Read};
pub use tree::{Table, Tree, Value, add, table_of};
pub use write::Write;
