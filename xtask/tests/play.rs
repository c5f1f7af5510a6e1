//! `play` as it is run by a person: exit code, standard output and standard error.

use std::process::{Command, Output, Stdio};

fn play(arguments: &[&str]) -> Output {
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    xtask.arg("play").args(arguments).output().expect("xtask can be started")
}

/// What is wrong costs exit code 2 and one sentence on standard error.
#[track_caller]
fn check_refused(arguments: &[&str], sentence: &str) {
    let output = play(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    assert_eq!(String::from_utf8_lossy(&output.stderr), format!("xtask: {sentence}\n"));
}

#[test]
fn a_run_is_told_on_standard_output() {
    let output = play(&["refund", "--variant", "refund-id"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("PUT 43 refused, 412: that job is done"), "{text}");
    assert!(text.contains("kept    No work done twice                promised"), "{text}");
}

#[test]
fn a_reader_that_has_gone_ends_a_run_quietly() {
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    xtask.args(["play", "reconcile", "--json"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = xtask.spawn().expect("xtask can be started");
    // Before it has run: nobody will read what it prints.
    drop(running.stdout.take());
    let output = running.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

/// Linux has a device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn an_output_that_takes_nothing_is_said_in_a_sentence() {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("it is there");
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    let output = xtask.args(["play", "reconcile"]).stdout(full).output().expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("xtask: standard output could not be written ("), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn what_is_wrong_with_an_id_a_file_or_a_setting_is_said_and_ends_with_2() {
    check_refused(
        &["nowhere/run.toml"],
        "nowhere/run.toml could not be read (No such file or directory (os error 2))",
    );
    check_refused(
        &["reconcile", "--set", "store.rule=strict"],
        "store, rule: there is no `strict` to choose here; there are none, at-least, \
         owner-and-sequence, compare-and-set, dedupe-key, same-transaction, strictly-greater, \
         last-seen, check-then-put, check-at-start, \
         term-and-key.",
    );
    check_refused(
        &["reconcile", "--variant", "fast"],
        "there is no variant `fast`; there are stop-work, check-before-write, \
         create-if-absent.",
    );
}

#[test]
fn a_run_without_an_end_is_given_up_in_a_sentence() {
    let set = ["worker.W1.start_over=yes", "worker.W2.start_over=yes", "store.rule=last-seen"];
    let mut arguments = vec!["reconcile", "--set", "limit_ms=86400000"];
    arguments.extend(set.iter().flat_map(|setting| ["--set", setting]));
    let output = play(&arguments);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("xtask: the run: at "), "{said}");
    assert!(said.ends_with(" over and over.\n") && said.lines().count() == 1, "{said}");
}

#[test]
fn a_scenario_file_is_a_run() {
    let folder = std::env::temp_dir().join(format!("fencepost-play-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("mine.toml");
    let text = "extends = \"reconcile\"\nid = \"mine\"\n\
                [[click]]\nat_us = 1_000_000\ndo.crash = { node = \"W1\" }\n";
    std::fs::write(&file, text).expect("written");
    let name = file.to_string_lossy();
    let told = play(&[&name]);
    assert_eq!(told.status.code(), Some(0), "{}", String::from_utf8_lossy(&told.stderr));
    assert!(String::from_utf8_lossy(&told.stdout).contains("Click: crash W1"));
    std::fs::write(&file, text.replace("W1", "W9")).expect("written");
    check_refused(
        &[&name],
        &format!(
            "{name}, click 1: `node` names `W9`, which is no machine here; there are etcd, M1, \
             M2, M3, W1, W2, store."
        ),
    );
    std::fs::remove_dir_all(&folder).expect("removed");
}
