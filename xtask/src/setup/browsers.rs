//! The browsers that the tests run in, and the drivers they are steered with.

use std::path::PathBuf;

use super::distribution;
use super::environment::Environment;
use super::tools;
use crate::error::Result;

/// A browser and its driver.
#[derive(Debug)]
pub struct Browser {
    /// Not known where the driver has to find the browser by itself.
    pub program: Option<PathBuf>,
    pub driver: PathBuf,
}

pub fn chrome(environment: &Environment) -> Result<Browser> {
    let what = "Chromium with chromedriver";
    if find_chrome(environment).is_none() {
        distribution::install(environment, what, distribution::CHROME)?;
    }
    find_chrome(environment).ok_or_else(|| not_found(what, "chromedriver"))
}

fn find_chrome(environment: &Environment) -> Option<Browser> {
    let program = environment.find(distribution::CHROME_NAMES);
    let driver = environment.find(&["chromedriver"])?;
    complete(program, driver)
}

pub fn firefox(environment: &mut Environment) -> Result<Browser> {
    tools::provide(&tools::geckodriver()?, environment)?;
    let what = "Firefox";
    if find_firefox(environment).is_none() {
        distribution::install(environment, what, distribution::FIREFOX)?;
    }
    find_firefox(environment).ok_or_else(|| not_found(what, "firefox"))
}

fn find_firefox(environment: &Environment) -> Option<Browser> {
    let program = environment.find(distribution::FIREFOX_NAMES);
    let driver = environment.find(&["geckodriver"])?;
    complete(program, driver)
}

/// Elsewhere than on Linux the browsers are not on the PATH, and the drivers know
/// where they are.
fn complete(program: Option<PathBuf>, driver: PathBuf) -> Option<Browser> {
    let enough = program.is_some() || !cfg!(target_os = "linux");
    enough.then_some(Browser { program, driver })
}

fn not_found(what: &str, program: &str) -> crate::error::Error {
    crate::error::Error::Missing {
        what: format!("{what} was installed but is not on the PATH"),
        next: format!("put the folder of `{program}` on it and run this again"),
    }
}
