//! axe-core, which looks for what keeps people from using the page: from npm where
//! there is one.

use std::path::PathBuf;

use super::environment::Environment;
use super::npm;
use crate::error::Result;
use crate::process::say;

/// The version whose rules the page is held to.
const VERSION: &str = "4.14.1";

/// The script, or none where it cannot be had, which is said.
pub fn provide(environment: &Environment) -> Result<Option<PathBuf>> {
    let script = npm::provide(environment, "axe-core", VERSION)?.join("axe-core/axe.min.js");
    if !script.exists() {
        say(
            "going without axe-core, so its rules on accessibility are not checked: install npm for it",
        );
        return Ok(None);
    }
    Ok(Some(script))
}
