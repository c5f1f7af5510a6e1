//! The native half of `cargo xtask bench`, in a program of its own so that it is built
//! for speed.

use std::process::ExitCode;
use std::sync::LazyLock;
use std::time::Instant;

use bench::Place;

static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

fn main() -> ExitCode {
    let place = Place { name: "native", now_ms: || BEGAN.elapsed().as_secs_f64() * 1_000.0 };
    for measurement in bench::ALL {
        match measurement(&place) {
            Ok(line) => println!("{line}"),
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
