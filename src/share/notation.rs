//! How values stand in a link: numbers, words, quoted texts, lists and tables.
//!
//! ```text
//!   value = number / word / quoted / list / table
//!   list  = "(" [ value *( "," value ) ] ")"
//!   table = "(=)" / "(" field *( "," field ) ")"
//!   field = word "=" value
//! ```

use crate::content::{Table, Tree, Value};
use thiserror::Error;

/// So deep may lists and tables stand in each other: deeper than any scenario needs,
/// and shallow enough for any stack.
const DEPTH: u8 = 16;

/// What can be wrong with a value in a link.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what} at character {at}")]
pub struct Unread {
    /// Counted from 1, in the text after percent-decoding.
    pub at: usize,
    /// What.
    pub what: What,
}

/// See [`Unread`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum What {
    /// Something else has to stand there.
    #[error("{0} is expected")]
    Expected(&'static str),
    /// A number of more than 64 bits.
    #[error("the number is too large")]
    TooLarge,
    /// A field that stands there already.
    #[error("the field is there twice")]
    Twice,
    /// Lists in lists in lists.
    #[error("too many brackets stand in each other")]
    TooDeep,
}

/// Writes a value.
pub fn write(tree: &Tree, to: &mut String) {
    match &tree.value {
        Value::Whole(number) => to.push_str(&number.to_string()),
        Value::Text(text) | Value::Other(text) if is_word(text) => to.push_str(text),
        Value::Text(text) | Value::Other(text) => {
            to.push('\'');
            to.push_str(&text.replace('\'', "''"));
            to.push('\'');
        }
        Value::List(list) => {
            to.push('(');
            for (index, item) in list.iter().enumerate() {
                to.push_str(if index > 0 { "," } else { "" });
                write(item, to);
            }
            to.push(')');
        }
        Value::Nothing => {}
        Value::Table(table) if table.is_empty() => to.push_str("(=)"),
        Value::Table(table) => {
            to.push('(');
            for (index, (name, value)) in table.iter().enumerate() {
                to.push_str(if index > 0 { "," } else { "" });
                to.push_str(name);
                to.push('=');
                write(value, to);
            }
            to.push(')');
        }
    }
}

/// Whether a text needs no quotes.
pub fn is_word(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '/')
        && letters.all(is_of_word)
}

fn is_of_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | '/')
}

/// Reads a text from its start on.
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: u8,
}

impl<'a> Reader<'a> {
    /// At the start of a text.
    pub fn new(text: &'a str) -> Reader<'a> {
        Reader { text, at: 0, depth: 0 }
    }

    fn ahead(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Whether nothing is left.
    pub fn is_at_end(&self) -> bool {
        self.ahead().is_empty()
    }

    /// Takes all that is left.
    pub fn rest(&mut self) -> &'a str {
        let rest = self.ahead();
        self.at = self.text.len();
        rest
    }

    fn unread(&self, what: What) -> Unread {
        Unread { at: self.text[..self.at].chars().count() + 1, what }
    }

    fn expected(&self, what: &'static str) -> Unread {
        self.unread(What::Expected(what))
    }

    /// Takes a sign if it stands there.
    pub fn takes(&mut self, sign: char) -> bool {
        let there = self.ahead().starts_with(sign);
        if there {
            self.at += sign.len_utf8();
        }
        there
    }

    /// Takes a sign that has to stand there.
    ///
    /// # Errors
    /// When it does not.
    pub fn sign(&mut self, sign: char, name: &'static str) -> Result<(), Unread> {
        if self.takes(sign) { Ok(()) } else { Err(self.expected(name)) }
    }

    /// Makes sure that nothing is left.
    ///
    /// # Errors
    /// When something is.
    pub fn end(&self) -> Result<(), Unread> {
        if self.is_at_end() { Ok(()) } else { Err(self.expected("the end")) }
    }

    fn run_of(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.ahead();
        let end = rest.find(|letter| !belongs(letter)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Takes a word.
    ///
    /// # Errors
    /// When none stands there.
    pub fn word(&mut self) -> Result<&'a str, Unread> {
        let from = self.at;
        let word = self.run_of(is_of_word);
        if is_word(word) {
            return Ok(word);
        }
        self.at = from;
        Err(self.expected("a word"))
    }

    /// Takes a whole number.
    ///
    /// # Errors
    /// When none stands there, or one of more than 64 bits.
    pub fn number(&mut self) -> Result<i64, Unread> {
        let from = self.at;
        self.takes('-');
        let digits = self.run_of(|letter| letter.is_ascii_digit()).len();
        let written = &self.text[from..self.at];
        let number = written.parse();
        if number.is_err() {
            self.at = from;
        }
        // One way only to write a number.
        let is_padded = digits > 1 && written.trim_start_matches('-').starts_with('0');
        match number {
            Ok(number) if !is_padded && written != "-0" => Ok(number),
            Err(_) if digits > 0 => Err(self.unread(What::TooLarge)),
            _ => {
                self.at = from;
                Err(self.expected("a whole number"))
            }
        }
    }

    /// Takes a value.
    ///
    /// # Errors
    /// When none stands there.
    pub fn value(&mut self) -> Result<Tree, Unread> {
        let value = match self.ahead().chars().next() {
            Some('\'') => Value::Text(self.quoted()?),
            Some('(') => {
                if self.depth == DEPTH {
                    return Err(self.unread(What::TooDeep));
                }
                self.depth += 1;
                let value = self.brackets()?;
                self.depth -= 1;
                value
            }
            Some(first) if first == '-' || first.is_ascii_digit() => Value::Whole(self.number()?),
            Some(_) => Value::Text(self.word().map_err(|_| self.expected("a value"))?.to_owned()),
            None => return Err(self.expected("a value")),
        };
        Ok(Tree::new(value))
    }

    fn quoted(&mut self) -> Result<String, Unread> {
        let mut text = String::new();
        self.takes('\'');
        loop {
            text.push_str(self.run_of(|letter| letter != '\''));
            self.sign('\'', "a closing quote")?;
            if !self.takes('\'') {
                return Ok(text);
            }
            text.push('\'');
        }
    }

    fn brackets(&mut self) -> Result<Value, Unread> {
        self.takes('(');
        if self.takes(')') {
            return Ok(Value::List(Vec::new()));
        }
        if self.takes('=') {
            self.sign(')', "a closing bracket")?;
            return Ok(Value::Table(Table::new()));
        }
        let from = self.at;
        let is_table = self.word().is_ok() && self.takes('=');
        self.at = from;
        if is_table { self.fields() } else { self.items() }
    }

    fn items(&mut self) -> Result<Value, Unread> {
        let mut list = Vec::new();
        loop {
            list.push(self.value()?);
            if !self.takes(',') {
                self.sign(')', "a comma or a closing bracket")?;
                return Ok(Value::List(list));
            }
        }
    }

    fn fields(&mut self) -> Result<Value, Unread> {
        let mut table = Table::new();
        loop {
            let name = self.word()?;
            if table.contains_key(name) {
                self.at -= name.len();
                return Err(self.unread(What::Twice));
            }
            self.sign('=', "an equals sign")?;
            table.insert(name.to_owned(), self.value()?);
            if !self.takes(',') {
                self.sign(')', "a comma or a closing bracket")?;
                return Ok(Value::Table(table));
            }
        }
    }
}
