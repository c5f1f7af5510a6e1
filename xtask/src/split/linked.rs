//! Which function and which datum uses which datum: what the linker left in the program as it
//! was linked (`--emit-relocs`). After that only addresses are left, and they look like numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use rustc_demangle::demangle;
use wasmparser::{
    BinaryReaderError, CustomSectionReader, Data, DataKind, KnownCustom, Linking, Name, Operator,
    Parser, Payload, RelocAddendKind, RelocationEntry, SymbolInfo,
};

use crate::error::{Error, Result};

/// A symbol's place in the linker's table.
type Symbol = usize;

/// What is read of a linked program.
#[derive(Debug, Default)]
pub struct Linked {
    /// Where each datum lies in memory.
    pub(super) places: BTreeMap<Symbol, Range<usize>>,
    /// Those that the program writes: where they are taken from a second part, what was written
    /// before would be lost.
    pub(super) written: BTreeSet<Symbol>,
    /// What each function uses, by its name as wasm-bindgen writes it.
    pub(super) used_by: BTreeMap<String, BTreeSet<Symbol>>,
    /// What each datum points to.
    pub(super) pointed_to: BTreeMap<Symbol, BTreeSet<Symbol>>,
}

impl Linked {
    pub fn read(program: &[u8]) -> Result<Linked> {
        let sections = Sections::read(program).map_err(|error| {
            Error::Rule(format!("the linked program cannot be read as WebAssembly ({error})"))
        })?;
        if sections.symbols.is_empty() || sections.relocations.is_empty() {
            return Err(Error::Missing {
                what: "the linked program does not tell what uses which datum".to_owned(),
                next: "see whether it was linked with `--emit-relocs` (xtask/src/page.rs)"
                    .to_owned(),
            });
        }
        Ok(sections.resolve())
    }

    /// Where in memory there lies what only functions use that move. Sorted, and none touches
    /// the next.
    pub fn used_only_by(&self, moves: impl Fn(&str) -> bool) -> Vec<Range<usize>> {
        let uses_of = |of_moved: bool| {
            let users = self.used_by.iter().filter(|(name, _)| moves(name) == of_moved);
            self.reached(users.flat_map(|(_, used)| used.iter().copied()).collect())
        };
        let stays = joined(uses_of(false).iter().map(|symbol| self.places[symbol].clone()));
        let moved = uses_of(true).into_iter().filter(|symbol| !self.written.contains(symbol));
        let moved = joined(moved.map(|symbol| self.places[&symbol].clone()));
        // Symbols may share bytes: what is used here too stays.
        moved.into_iter().flat_map(|range| without(range, &stays)).collect()
    }

    fn reached(&self, from: BTreeSet<Symbol>) -> BTreeSet<Symbol> {
        let mut left: Vec<Symbol> = from.iter().copied().collect();
        let mut reached = from;
        while let Some(symbol) = left.pop() {
            let next = self.pointed_to.get(&symbol).into_iter().flatten();
            left.extend(next.filter(|symbol| reached.insert(**symbol)));
        }
        reached
    }
}

fn joined(ranges: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut ranges: Vec<_> = ranges.filter(|range| !range.is_empty()).collect();
    ranges.sort_by_key(|range| range.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

/// What of a range lies in none of the others, which are sorted.
fn without(range: Range<usize>, others: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut left = Vec::new();
    let mut from = range.start;
    for other in others.iter().filter(|it| it.start < range.end && range.start < it.end) {
        left.push(from..other.start.max(from));
        from = other.end;
    }
    left.push(from..range.end.max(from));
    left.retain(|range| !range.is_empty());
    left
}

/// The parts of the file that matter, as they stand there.
#[derive(Default)]
struct Sections<'a> {
    imported: usize,
    code: usize,
    functions: Vec<Range<usize>>,
    names: BTreeMap<usize, &'a str>,
    /// Where each segment begins: in the section, and in memory.
    segments: Vec<(usize, usize)>,
    /// The name of each.
    segment_names: Vec<&'a str>,
    symbols: Vec<SymbolInfo<'a>>,
    /// With the section that each is in.
    relocations: Vec<(u32, RelocationEntry)>,
    code_section: u32,
    data_section: u32,
}

impl<'a> Sections<'a> {
    fn read(program: &'a [u8]) -> std::result::Result<Self, BinaryReaderError> {
        let mut sections = Self::default();
        let mut place = 0;
        for payload in Parser::new(0).parse_all(program) {
            let payload = payload?;
            match &payload {
                Payload::ImportSection(imports) => {
                    for import in imports.clone().into_imports() {
                        let is_function = matches!(import?.ty, wasmparser::TypeRef::Func(_));
                        sections.imported += usize::from(is_function);
                    }
                }
                Payload::CodeSectionStart { range, .. } => {
                    (sections.code, sections.code_section) = (range.start, place);
                }
                Payload::CodeSectionEntry(body) => sections.functions.push(body.range()),
                Payload::DataSection(segments) => {
                    sections.data_section = place;
                    for segment in segments.clone() {
                        let segment = segment?;
                        let begins = segment.range.end - segment.data.len();
                        let at = begins - segments.range().start;
                        sections.segments.push((at, address(&segment)?));
                    }
                }
                Payload::CustomSection(custom) => sections.read_custom(custom)?,
                _ => {}
            }
            let is_section = payload.as_section().is_some();
            place += u32::from(is_section && !matches!(payload, Payload::CodeSectionEntry(_)));
        }
        Ok(sections)
    }

    fn read_custom(
        &mut self,
        custom: &CustomSectionReader<'a>,
    ) -> std::result::Result<(), BinaryReaderError> {
        match custom.as_known() {
            KnownCustom::Name(names) => {
                for names in names {
                    let Name::Function(names) = names? else { continue };
                    for naming in names {
                        let naming = naming?;
                        self.names.insert(naming.index as usize, naming.name);
                    }
                }
            }
            KnownCustom::Linking(parts) => {
                for part in parts.subsections() {
                    match part? {
                        Linking::SymbolTable(symbols) => {
                            self.symbols =
                                symbols.into_iter().collect::<std::result::Result<_, _>>()?;
                        }
                        Linking::SegmentInfo(segments) => {
                            for segment in segments {
                                self.segment_names.push(segment?.name);
                            }
                        }
                        _ => {}
                    }
                }
            }
            KnownCustom::Reloc(relocations) => {
                for entry in relocations.entries() {
                    self.relocations.push((relocations.section_index(), entry?));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn resolve(&self) -> Linked {
        let mut linked = Linked::default();
        for (symbol, info) in self.symbols.iter().enumerate() {
            if let SymbolInfo::Data { symbol: Some(datum), .. } = info {
                let (_, address) = self.segments[datum.index as usize];
                let from = address + datum.offset as usize;
                linked.places.insert(symbol, from..from + datum.size as usize);
                let segment = self.segment_names.get(datum.index as usize);
                if !segment.is_some_and(|name| name.starts_with(".rodata")) {
                    linked.written.insert(symbol);
                }
            }
        }
        // By where they lie, for finding what holds a pointer. Some share a place.
        let mut in_order: Vec<(Range<usize>, Symbol)> =
            linked.places.iter().map(|(symbol, place)| (place.clone(), *symbol)).collect();
        in_order.sort_by_key(|(place, _)| (place.start, place.end));
        for (section, entry) in &self.relocations {
            let (at, to) = (entry.offset as usize, entry.index as Symbol);
            // Of another kind the number may be no symbol's.
            if entry.ty.addend_kind() == RelocAddendKind::None || !linked.places.contains_key(&to) {
                continue;
            }
            if *section == self.code_section {
                linked.used_by.entry(self.function_at(at)).or_default().insert(to);
            } else if *section == self.data_section {
                for from in holding(&in_order, self.address_of(at)) {
                    linked.pointed_to.entry(from).or_default().insert(to);
                }
            }
        }
        linked
    }

    /// The name of the function that holds a place of the code section.
    fn function_at(&self, at: usize) -> String {
        let at = at + self.code;
        let place = self.functions.partition_point(|body| body.end <= at);
        let name = self.names.get(&(place + self.imported)).copied().unwrap_or_default();
        demangle(name).to_string()
    }

    fn address_of(&self, at: usize) -> usize {
        let place = self.segments.partition_point(|(begins, _)| *begins <= at) - 1;
        let (begins, address) = self.segments[place];
        address + at - begins
    }
}

/// Where a segment begins in memory.
fn address(segment: &Data<'_>) -> std::result::Result<usize, BinaryReaderError> {
    let DataKind::Active { offset_expr, .. } = &segment.kind else { return Ok(0) };
    match offset_expr.get_operators_reader().read()? {
        Operator::I32Const { value } => Ok(value as u32 as usize),
        _ => Ok(0),
    }
}

fn holding(in_order: &[(Range<usize>, Symbol)], address: usize) -> impl Iterator<Item = Symbol> {
    let end = in_order.partition_point(|(place, _)| place.start <= address);
    let held = in_order[..end].iter().filter(move |(place, _)| place.contains(&address));
    held.map(|(_, symbol)| *symbol)
}
