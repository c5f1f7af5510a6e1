//! What a program saw that cannot be, for whoever mends it.

use std::fmt;

/// Says what it holds as `Debug` does while one develops, and no more than that there was
/// something on the page as it is published: nobody reads it there, and the code that
/// says it is made for every type that is in it.
pub struct InFull<'a, T>(pub &'a T);

impl<T: fmt::Debug> fmt::Display for InFull<'_, T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if cfg!(debug_assertions) { write!(out, "{:?}", self.0) } else { out.write_str("…") }
    }
}
