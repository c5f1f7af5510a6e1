//! `cargo xtask serve`: builds the page and serves it until it is stopped.

use crate::error::{Error, Result};
use crate::page;
use crate::process::say;
use crate::server::{Server, Site};
use crate::split::Names;
use crate::workspace;

/// Where it listens unless told otherwise, and how many ports further on it tries.
const FIRST_PORT: u16 = 8080;
const PORTS: u16 = 20;

pub fn run(port: Option<u16>) -> Result<()> {
    page::build(Names::Dropped)?;
    let server = match port {
        Some(port) => listen(port)?,
        None => listen_on_the_first_free()?,
    };
    say("serving dist/ until stopped with Ctrl+C");
    println!("{}", server.url());
    server.wait();
    Ok(())
}

fn listen(port: u16) -> Result<Server> {
    Server::start(Site::at_root(workspace::dist()), port)
}

fn listen_on_the_first_free() -> Result<Server> {
    let mut last = Error::Port("none was tried".to_owned());
    for port in FIRST_PORT..FIRST_PORT + PORTS {
        match listen(port) {
            Ok(server) => return Ok(server),
            Err(error) => last = error,
        }
    }
    Err(last)
}
