//! Standard output that may end before we do.

use std::io::{self, ErrorKind, Write};

use crate::error::{Error, Result};

/// Prints a text. That nobody reads on, as behind `| head`, is no failure.
pub fn print(text: &str) -> Result<()> {
    write(&mut io::stdout().lock(), text)
}

fn write(to: &mut impl Write, text: &str) -> Result<()> {
    match to.write_all(text.as_bytes()).and_then(|()| to.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::Output(error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Refuses all that is written.
    struct Broken(ErrorKind);

    impl Write for Broken {
        fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(self.0.into())
        }
    }

    #[test]
    fn a_reader_that_has_gone_is_no_failure_and_a_full_disk_is_one() {
        assert!(write(&mut Broken(ErrorKind::BrokenPipe), "a").is_ok());
        let error = write(&mut Broken(ErrorKind::StorageFull), "a").expect_err("it cannot");
        assert!(error.to_string().starts_with("standard output could not be written"), "{error}");
    }

    #[test]
    fn what_is_printed_arrives_whole() {
        let mut written = Vec::new();
        write(&mut written, "a\nb\n").expect("it can");
        assert_eq!(written, b"a\nb\n");
    }
}
