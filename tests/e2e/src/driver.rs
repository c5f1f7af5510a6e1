//! chromedriver as a process of the test's own.

use std::env;
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;

/// A running chromedriver; it ends with this.
pub struct Driver {
    child: Child,
    port: u16,
}

impl Driver {
    /// # Panics
    ///
    /// If there is none, or it does not come up.
    pub fn start() -> Self {
        let program = env::var_os("CHROMEDRIVER").unwrap_or(OsString::from("chromedriver"));
        let mut child = Command::new(program)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver: `cargo xtask setup` brings it");
        let output = child.stdout.take().expect("its output was asked for");
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        let port = lines.find_map(|line| port_in(&line)).expect("chromedriver tells its port");
        // It would stop at a full pipe.
        thread::spawn(move || lines.for_each(drop));
        Self { child, port }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // It may have ended already; there is nothing to do about it then.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn port_in(line: &str) -> Option<u16> {
    let (_, rest) = line.split_once("started successfully on port ")?;
    rest.trim_end_matches('.').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_is_read_out_of_what_the_driver_says() {
        let line = "ChromeDriver was started successfully on port 41234.";
        assert_eq!(port_in(line), Some(41234));
        assert_eq!(port_in("Only local connections are allowed."), None);
    }
}
