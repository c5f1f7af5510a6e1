//! `cargo xtask fidelity`: traces of real servers, replayed against the engine's own by
//! the same drivers that the native tests use.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::error::{Error, Result};
use crate::traces::outcome::{Replayed, Weight};
use crate::traces::{etcd, postgres, redis, s3, zookeeper};
use crate::{output, workspace};

/// The traces that belong to the repository.
const OWN: &str = "tests/native/traces";

/// What came of the traces of one system.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    traces: usize,
    operations: usize,
    agreeing: usize,
    outside: usize,
}

/// What is told of a folder of traces.
#[derive(Debug, Default)]
struct Told {
    systems: BTreeMap<String, Tally>,
    lines: Vec<String>,
    differences: usize,
}

/// Replays every trace under a folder, or under that of the repository.
///
/// # Errors
/// When a file is no trace, there is none, or something differs.
pub fn run(folder: Option<&str>) -> Result<()> {
    let folder = folder.map_or_else(|| workspace::root().join(OWN), PathBuf::from);
    let mut files = Vec::new();
    find(&folder, &mut files)?;
    files.sort();
    let mut told = Told::default();
    for file in &files {
        told.take(file)?;
    }
    output::print(&told.text())?;
    match (files.len(), told.differences) {
        (0, _) => Err(Error::Input(format!("there is no trace under {}", folder.display()))),
        (_, 0) => Ok(()),
        (_, count) => Err(Error::Rule(format!("{count} operations differ"))),
    }
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let wrong = |error| Error::Input(format!("{} cannot be read: {error}", folder.display()));
    for entry in fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    Ok(())
}

impl Told {
    fn take(&mut self, file: &Path) -> Result<()> {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let wrong = |what: String| Error::Input(format!("{}: {what}", file.display()));
        let text = fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
        let trace: Value = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        let system = trace["system"].as_str().unwrap_or("no system named").to_owned();
        let replayed = match system.as_str() {
            "etcd" => etcd::replay(&trace).map_err(wrong)?,
            "redis" => redis::replay(&trace).map_err(wrong)?,
            "zookeeper" => zookeeper::replay(&trace).map_err(wrong)?,
            "s3" => s3::replay(&trace).map_err(wrong)?,
            "postgres" => postgres::replay(&trace).map_err(wrong)?,
            _ => Replayed::Outside {
                step: Value::from(0),
                operation: "the model has no such system".to_owned(),
            },
        };
        self.add(&system, &name, replayed);
        Ok(())
    }

    fn add(&mut self, system: &str, name: &str, replayed: Replayed) {
        let tally = self.systems.entry(system.to_owned()).or_default();
        let compared = match replayed {
            Replayed::Outside { step, operation } => {
                tally.outside += 1;
                return self.lines.push(format!("outside  {name}, step {step}: {operation}"));
            }
            Replayed::Compared(compared) => compared,
        };
        tally.traces += 1;
        tally.operations += compared.operations;
        tally.agreeing += compared.operations;
        for difference in compared.differences {
            let word = match difference.weight {
                Weight::Wording => "wording ",
                Weight::Matters => {
                    tally.agreeing -= 1;
                    self.differences += 1;
                    "DIFFERS "
                }
            };
            let (step, what) = (difference.step, difference.what);
            self.lines.push(format!("{word} {name}, step {step}: {what}"));
        }
    }

    fn text(&self) -> String {
        let system = |(name, tally): (&String, &Tally)| {
            let Tally { traces, operations, agreeing, outside } = tally;
            format!(
                "{name}: {operations} operations compared in {traces} traces, {agreeing} agree; \
                 {outside} traces outside the model\n"
            )
        };
        let lines: String = self.lines.iter().map(|line| format!("{line}\n")).collect();
        lines + &self.systems.iter().map(system).collect::<String>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traces::outcome::{Compared, Difference};

    #[test]
    fn the_traces_of_the_repository_agree_and_those_outside_are_named() {
        let mut files = Vec::new();
        find(&workspace::root().join(OWN), &mut files).expect("there are traces");
        let mut told = Told::default();
        for file in &files {
            told.take(file).expect("a trace");
        }
        assert_eq!(told.differences, 0, "{}", told.text());
        assert_eq!(told.systems["etcd"].agreeing, told.systems["etcd"].operations);
        assert_eq!((told.systems["etcd"].traces, told.systems["etcd"].outside), (10, 0));
        assert!(told.systems["redis"].operations > 100, "{}", told.text());
        assert_eq!(told.systems["s3"].outside, 2, "{}", told.text());
        assert!(told.text().contains("outside  redis-16, step 2: `WATCH`\n"), "{}", told.text());
    }

    #[test]
    fn a_difference_is_named_and_counted_and_one_of_wording_is_only_named() {
        let mut told = Told::default();
        let one =
            |weight, what: &str| Difference { step: Value::from(3), what: what.to_owned(), weight };
        let differences = vec![one(Weight::Matters, "a"), one(Weight::Wording, "b")];
        let compared = Compared { operations: 5, differences };
        told.add("redis", "mine", Replayed::Compared(compared));
        let text = "DIFFERS  mine, step 3: a\nwording  mine, step 3: b\n\
                    redis: 5 operations compared in 1 traces, 4 agree; 0 traces outside the model\n";
        assert_eq!((told.text().as_str(), told.differences), (text, 1));
    }
}
