//! What is open is there again when the page is loaded again.

use crate::host::again;
use crate::lab::Lab;
use crate::lab::arrival::Arrival;
use crate::scenario::ScenarioError;
use std::cell::RefCell;
use std::rc::Weak;

/// The lab with what was open before, or as the address and its link want it.
///
/// # Errors
/// When a built-in scenario is wrong, which a test excludes.
pub fn arrive(
    arrival: &Arrival,
    link: Option<&str>,
    before: Option<&str>,
) -> Result<Lab, ScenarioError> {
    if let Some(before) = before {
        let mut lab = Lab::arrive(arrival, None)?;
        match lab.open_again(before) {
            Ok(()) => return Ok(lab),
            Err(error) => again::warn(&format!("what was open cannot be opened again: {error}")),
        }
    }
    Lab::arrive(arrival, link)
}

/// What is open, when the page is left.
pub fn leave(lab: &Weak<RefCell<Lab>>) -> Option<String> {
    let lab = lab.upgrade()?;
    let (text, left_out) = lab.try_borrow().ok()?.kept_open()?;
    for error in left_out {
        again::warn(&format!("a run is not kept: {error}"));
    }
    Some(text)
}
