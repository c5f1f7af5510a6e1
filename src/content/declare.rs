//! Types that stand in files, declared together with how they are read.

/// A table with a field for each of the struct's. `as "name"` gives the name in the file
/// where it is another one, and `= value` what holds when the field is not there.
macro_rules! table {
    (
        $(#[$about:meta])*
        $vis:vis struct $name:ident {
            $($(#[$what:meta])*
            $fvis:vis $field:ident $(as $key:literal)? : $type:ty $(= $default:expr)?),* $(,)?
        }
    ) => {
        $(#[$about])*
        $vis struct $name {
            $($(#[$what])* $fvis $field: $type,)*
        }

        impl $name {
            /// The names of its fields in a file, in the order of the declaration.
            pub const FIELDS: &'static [&'static str] =
                &[$($crate::content::declare::key!($field $($key)?)),*];
        }

        impl $crate::content::Read for $name {
            fn read(
                tree: &$crate::content::Tree,
                at: &$crate::content::At,
            ) -> Result<Self, Box<$crate::content::Mistake>> {
                let fields = $crate::content::read::Fields::of(tree, at, Self::FIELDS)?;
                Ok(Self {
                    $($field: $crate::content::declare::field!(
                        fields, $crate::content::declare::key!($field $($key)?) $(, $default)?
                    ),)*
                })
            }
        }
    };
}

/// A [`table!`] that can be written too.
macro_rules! record {
    (
        $(#[$about:meta])*
        $vis:vis struct $name:ident {
            $($(#[$what:meta])*
            $fvis:vis $field:ident $(as $key:literal)? : $type:ty $(= $default:expr)?),* $(,)?
        }
    ) => {
        $crate::content::declare::table! {
            $(#[$about])*
            $vis struct $name {
                $($(#[$what])* $fvis $field $(as $key)? : $type $(= $default)?,)*
            }
        }

        impl $crate::content::Write for $name {
            fn write(&self) -> Option<$crate::content::Tree> {
                Some($crate::content::write::table(vec![$((
                    $crate::content::declare::key!($field $($key)?),
                    $crate::content::Write::write(&self.$field),
                )),*]))
            }
        }
    };
}

/// A table with one field, whose name says which of the enum's it is and whose value is
/// a table with a field for each of its own.
macro_rules! tagged {
    (
        $(#[$about:meta])*
        $vis:vis enum $name:ident {
            $($(#[$which:meta])*
            $variant:ident as $tag:literal {
                $($(#[$what:meta])* $field:ident : $type:ty $(= $default:expr)?),* $(,)?
            }),* $(,)?
        }
    ) => {
        $(#[$about])*
        $vis enum $name {
            $($(#[$which])* $variant { $($(#[$what])* $field: $type,)* },)*
        }

        impl $name {
            /// The names in the order of the declaration.
            pub const NAMES: &'static [&'static str] = &[$($tag),*];

            /// Its name in a file.
            pub fn name(&self) -> &'static str {
                match self {
                    $($name::$variant { .. } => $tag,)*
                }
            }
        }

        impl $crate::content::Read for $name {
            fn read(
                tree: &$crate::content::Tree,
                at: &$crate::content::At,
            ) -> Result<Self, Box<$crate::content::Mistake>> {
                use $crate::content::read::{Fields, one_of};
                let (place, tree) = one_of(tree, at, Self::NAMES)?;
                let at = &at.field(Self::NAMES[place]);
                match Self::NAMES[place] {
                    $($tag => {
                        let _fields = Fields::of(tree, at, &[$(stringify!($field)),*])?;
                        Ok($name::$variant {
                            $($field: $crate::content::declare::field!(
                                _fields, stringify!($field) $(, $default)?
                            ),)*
                        })
                    })*
                    _ => unreachable!("the place is one of these"),
                }
            }
        }

        impl $crate::content::Write for $name {
            fn write(&self) -> Option<$crate::content::Tree> {
                use $crate::content::write::table;
                let fields = match self {
                    $($name::$variant { $($field),* } => {
                        table(vec![$((stringify!($field), $crate::content::Write::write($field))),*])
                    })*
                };
                Some(table(vec![(self.name(), Some(fields))]))
            }
        }
    };
}

/// The names of an enum's values in files.
macro_rules! choices {
    ($($name:ty { $($variant:ident = $said:literal),* $(,)? })*) => {
        $(impl $crate::content::Choice for $name {
            const ALL: &'static [Self] = &[$(<$name>::$variant),*];
            const NAMES: &'static [&'static str] = &[$($said),*];

            fn name(self) -> &'static str {
                match self {
                    $(<$name>::$variant => $said,)*
                }
            }
        }

        impl $crate::content::Read for $name {
            fn read(
                tree: &$crate::content::Tree,
                at: &$crate::content::At,
            ) -> Result<Self, Box<$crate::content::Mistake>> {
                use $crate::content::Choice;
                let place = $crate::content::read::place_of(tree, at, Self::NAMES)?;
                Ok(<Self as Choice>::ALL[place])
            }
        }

        impl $crate::content::Write for $name {
            fn write(&self) -> Option<$crate::content::Tree> {
                $crate::content::write::choice(*self)
            }
        })*
    };
}

/// The name of a field in a file.
macro_rules! key {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $key:literal) => {
        $key
    };
}

/// The value of a field.
macro_rules! field {
    ($fields:ident, $key:expr) => {
        $fields.need($key)?
    };
    ($fields:ident, $key:expr, $default:expr) => {
        match $fields.may($key)? {
            Some(value) => value,
            None => $default,
        }
    };
}

pub(crate) use {choices, field, key, record, table, tagged};
