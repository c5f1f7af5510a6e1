//! The canonical encoding: one sequence of bytes for one state, the same natively
//! and in every browser.
//!
//! It is a [`serde::Serializer`], so that whatever is part of a state only has to
//! derive `Serialize`. Every number has a fixed width, little end first. Points in
//! time are written relative to now, so that a run started later has equal states:
//! true times to the simulator's now, monotonic times to their own machine's, wall
//! times to the right time.

use super::time::{Mono, TrueTime, Wall};
use serde::ser::{self, Serialize};
use std::fmt;

/// What points in time are written relative to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame {
    /// Now, in true time.
    pub now: TrueTime,
    /// Now, on the monotonic clock of the machine whose state is written.
    pub mono: Mono,
    /// Now, by a clock that is right.
    pub wall: Wall,
}

/// Writes values one after the other.
pub struct Encoder {
    bytes: Vec<u8>,
    frame: Frame,
    meaning: Meaning,
    /// The period of the loop, or the bound of the age, that is written next.
    period: i64,
}

/// What the next 64-bit number stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Meaning {
    Number,
    TrueTime,
    Mono,
    Wall,
    PhasePeriod,
    PhaseOrigin,
    AgeBound,
    AgeSince,
}

impl Encoder {
    /// Nothing written yet.
    pub fn new(frame: Frame) -> Encoder {
        Encoder { bytes: Vec::with_capacity(1_024), frame, meaning: Meaning::Number, period: 1 }
    }

    /// Points in time that follow are relative to this.
    pub fn set_frame(&mut self, frame: Frame) {
        self.frame = frame;
    }

    /// Writes a value.
    ///
    /// # Panics
    /// When the value holds a floating-point number: no state may.
    pub fn put<T: Serialize + ?Sized>(&mut self, value: &T) {
        if let Err(error) = value.serialize(&mut *self) {
            panic!("a state can be encoded: {error}");
        }
    }

    /// What was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    fn number(&mut self, value: i64) {
        let meaning = std::mem::replace(&mut self.meaning, Meaning::Number);
        let written = match meaning {
            Meaning::Number => value,
            Meaning::TrueTime => value - self.frame.now.0,
            Meaning::Mono => value.saturating_sub(self.frame.mono.0),
            Meaning::Wall => value - self.frame.wall.0,
            Meaning::PhasePeriod | Meaning::AgeBound => {
                self.period = value;
                value
            }
            Meaning::PhaseOrigin => (self.frame.mono.0 - value).rem_euclid(self.period),
            Meaning::AgeSince => (self.frame.mono.0 - value).min(self.period),
        };
        self.bytes.extend_from_slice(&written.to_le_bytes());
    }

    fn length(&mut self, length: usize) {
        self.bytes.extend_from_slice(&(length as u64).to_le_bytes());
    }
}

/// A 128-bit hash of an encoding.
pub fn hash(bytes: &[u8]) -> u128 {
    xxhash_rust::xxh3::xxh3_128(bytes)
}

/// A value that no state may hold.
#[derive(Debug)]
pub struct NotEncodable(String);

impl fmt::Display for NotEncodable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotEncodable {}

impl ser::Error for NotEncodable {
    fn custom<T: fmt::Display>(message: T) -> NotEncodable {
        NotEncodable(message.to_string())
    }
}

type Done = Result<(), NotEncodable>;

fn no_length() -> NotEncodable {
    NotEncodable("a sequence has to know its length".to_owned())
}

macro_rules! fixed_width {
    ($($method:ident: $type:ty),*) => {
        $(fn $method(self, value: $type) -> Done {
            self.bytes.extend_from_slice(&value.to_le_bytes());
            Ok(())
        })*
    };
}

impl ser::Serializer for &mut Encoder {
    type Ok = ();
    type Error = NotEncodable;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    fixed_width! {
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i128: i128,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
        serialize_u128: u128
    }

    fn serialize_bool(self, value: bool) -> Done {
        self.bytes.push(u8::from(value));
        Ok(())
    }

    fn serialize_i64(self, value: i64) -> Done {
        self.number(value);
        Ok(())
    }

    fn serialize_f32(self, _value: f32) -> Done {
        Err(NotEncodable("no state holds a floating-point number".to_owned()))
    }

    fn serialize_f64(self, _value: f64) -> Done {
        Err(NotEncodable("no state holds a floating-point number".to_owned()))
    }

    fn serialize_char(self, value: char) -> Done {
        self.serialize_u32(u32::from(value))
    }

    fn serialize_str(self, value: &str) -> Done {
        self.serialize_bytes(value.as_bytes())
    }

    fn serialize_bytes(self, value: &[u8]) -> Done {
        self.length(value.len());
        self.bytes.extend_from_slice(value);
        Ok(())
    }

    fn serialize_none(self) -> Done {
        self.serialize_bool(false)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        self.bytes.push(1);
        value.serialize(self)
    }

    fn serialize_unit(self) -> Done {
        Ok(())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Done {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, index: u32, _: &'static str) -> Done {
        self.serialize_u32(index)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Done {
        self.meaning = match name {
            "TrueTime" => Meaning::TrueTime,
            "Mono" => Meaning::Mono,
            "Wall" => Meaning::Wall,
            "PhasePeriod" => Meaning::PhasePeriod,
            "PhaseOrigin" => Meaning::PhaseOrigin,
            "AgeBound" => Meaning::AgeBound,
            "AgeSince" => Meaning::AgeSince,
            _ => Meaning::Number,
        };
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        index: u32,
        _variant: &'static str,
        value: &T,
    ) -> Done {
        self.bytes.extend_from_slice(&index.to_le_bytes());
        value.serialize(self)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Self, NotEncodable> {
        self.length(length.ok_or_else(no_length)?);
        Ok(self)
    }

    fn serialize_tuple(self, _length: usize) -> Result<Self, NotEncodable> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, NotEncodable> {
        Ok(self)
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        index: u32,
        _variant: &'static str,
        _length: usize,
    ) -> Result<Self, NotEncodable> {
        self.bytes.extend_from_slice(&index.to_le_bytes());
        Ok(self)
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Self, NotEncodable> {
        self.serialize_seq(length)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, NotEncodable> {
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Self, NotEncodable> {
        self.serialize_tuple_variant(name, index, variant, length)
    }
}

macro_rules! compound {
    ($($trait:ident: $method:ident),*) => {
        $(impl ser::$trait for &mut Encoder {
            type Ok = ();
            type Error = NotEncodable;
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
                value.serialize(&mut **self)
            }
            fn end(self) -> Done {
                Ok(())
            }
        })*
    };
}

compound! {
    SerializeSeq: serialize_element, SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field, SerializeTupleVariant: serialize_field
}

macro_rules! compound_with_names {
    ($($trait:ident),*) => {
        $(impl ser::$trait for &mut Encoder {
            type Ok = ();
            type Error = NotEncodable;
            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                _name: &'static str,
                value: &T,
            ) -> Done {
                value.serialize(&mut **self)
            }
            fn end(self) -> Done {
                Ok(())
            }
        })*
    };
}

compound_with_names! { SerializeStruct, SerializeStructVariant }

impl ser::SerializeMap for &mut Encoder {
    type Ok = ();
    type Error = NotEncodable;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Done {
        key.serialize(&mut **self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        value.serialize(&mut **self)
    }

    fn end(self) -> Done {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::time::{Age, Phase, Span};

    fn encode<T: Serialize>(frame: Frame, value: &T) -> Vec<u8> {
        let mut encoder = Encoder::new(frame);
        encoder.put(value);
        encoder.into_bytes()
    }

    #[test]
    fn points_in_time_are_relative_each_to_its_own_clock() {
        let frame = Frame { now: TrueTime(10), mono: Mono(200), wall: Wall(3_000) };
        let later = Frame { now: TrueTime(15), mono: Mono(205), wall: Wall(9_000) };
        let state = (TrueTime(12), Mono(190), Wall(3_001), Span(4), Some(7i64));
        let shifted = (TrueTime(17), Mono(195), Wall(9_001), Span(4), Some(7i64));
        assert_eq!(encode(frame, &state), encode(later, &shifted));
        assert_ne!(encode(frame, &state), encode(later, &state));
    }

    #[test]
    fn of_a_loop_only_the_phase_counts() {
        let frame = Frame { mono: Mono(7_100), ..Frame::default() };
        let at = |origin| encode(frame, &Phase::new(Mono(origin), Span(500)));
        assert_eq!(at(100), at(6_600));
        assert_ne!(at(100), at(101));
    }

    #[test]
    fn of_an_age_no_more_counts_than_its_bound() {
        let frame = Frame { mono: Mono(7_100), ..Frame::default() };
        let at = |since| encode(frame, &Age::new(Mono(since), Span(500)));
        assert_eq!(at(100), at(6_600));
        assert_ne!(at(6_600), at(6_601));
    }

    #[test]
    fn widths_do_not_depend_on_the_machine() {
        assert_eq!(encode(Frame::default(), &5usize).len(), 8);
        assert_eq!(encode(Frame::default(), &vec![1u8, 2]).len(), 8 + 2);
    }

    #[test]
    #[should_panic(expected = "floating-point")]
    fn no_state_holds_a_floating_point_number() {
        encode(Frame::default(), &1.5f64);
    }
}
