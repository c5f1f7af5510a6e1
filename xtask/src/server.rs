//! A small server of static files on 127.0.0.1, for `serve` and for the tests.
//!
//! One thread and one request a connection: a browser opens several connections at once,
//! keeps some of them unused, and none of that may hold up another.

mod files;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::error::{Error, Result};
use files::Found;

/// What is served, and how.
#[derive(Clone, Debug)]
pub struct Site {
    /// The folder that is served.
    pub folder: PathBuf,
    /// The path it is served under: `/`, or one like `/a/b/` that ends in a slash.
    pub prefix: String,
    /// Pages of any origin may read the files, as a sandboxed frame needs.
    pub open_to_all_origins: bool,
    /// Whether a browser has to ask again for what it has kept.
    pub keeping: Keeping,
}

/// What a browser may do with a file that it has kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// Ask each time whether it is still the same.
    Asks,
    /// Take it for what is there, for an hour, as many sites have it.
    ForAnHour,
}

impl Keeping {
    fn header(self) -> &'static str {
        match self {
            Self::Asks => "no-cache",
            Self::ForAnHour => "max-age=3600",
        }
    }
}

impl Site {
    pub fn at_root(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            prefix: "/".to_owned(),
            open_to_all_origins: false,
            keeping: Keeping::Asks,
        }
    }
}

/// Serves until it is dropped.
pub struct Server {
    address: SocketAddr,
    prefix: String,
    ending: Arc<AtomicBool>,
    accepting: Option<JoinHandle<()>>,
}

impl Server {
    /// Listens on this port of 127.0.0.1, or on any free one for 0.
    pub fn start(site: Site, port: u16) -> Result<Self> {
        let unusable = |error: io::Error| Error::Port(error.to_string());
        let listener = TcpListener::bind(("127.0.0.1", port)).map_err(unusable)?;
        let address = listener.local_addr().map_err(unusable)?;
        let prefix = site.prefix.clone();
        let ending = Arc::new(AtomicBool::new(false));
        let accepting = {
            let ending = Arc::clone(&ending);
            thread::spawn(move || accept_all(&listener, &Arc::new(site), &ending))
        };
        Ok(Self { address, prefix, ending, accepting: Some(accepting) })
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, self.prefix)
    }

    /// Serves for as long as the process lives.
    pub fn wait(mut self) {
        if let Some(accepting) = self.accepting.take() {
            // It ends only with this, or by a panic that it has printed.
            let _ = accepting.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ending.store(true, Ordering::Relaxed);
        // Wakes the thread that waits for connections.
        if TcpStream::connect(self.address).is_ok()
            && let Some(accepting) = self.accepting.take()
        {
            let _ = accepting.join();
        }
    }
}

fn accept_all(listener: &TcpListener, site: &Arc<Site>, ending: &AtomicBool) {
    for connection in listener.incoming() {
        if ending.load(Ordering::Relaxed) {
            return;
        }
        let (Ok(connection), site) = (connection, Arc::clone(site)) else {
            continue;
        };
        // The browser may leave at any time: there is no one to tell.
        thread::spawn(move || answer(&connection, &site).ok());
    }
}

/// What a request may be long before it is read no further, and how long it may take.
const REQUEST_BYTES: u64 = 64 * 1024;
const PATIENCE: Duration = Duration::from_secs(30);

fn answer(mut connection: &TcpStream, site: &Site) -> io::Result<()> {
    connection.set_read_timeout(Some(PATIENCE))?;
    let (method, url) = read_request(connection)?;
    let response = respond(&method, &url, site);
    let head = response.head();
    connection.write_all(head.as_bytes())?;
    if method != "HEAD" {
        connection.write_all(&response.body)?;
    }
    connection.flush()
}

/// Reads a request to the end of its head; answers with its method and what it asks for.
fn read_request(connection: &TcpStream) -> io::Result<(String, String)> {
    let mut lines = BufReader::new(connection.take(REQUEST_BYTES)).lines();
    let first = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let mut words = first.split(' ').map(str::to_owned);
    Ok((words.next().unwrap_or_default(), words.next().unwrap_or_default()))
}

struct Response {
    status: &'static str,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

impl Response {
    fn plain(status: &'static str) -> Self {
        let headers = vec![("Content-Type", "text/plain".to_owned())];
        Self { status, headers, body: status.as_bytes().to_vec() }
    }

    fn head(&self) -> String {
        let length = self.body.len();
        let mut head = format!("HTTP/1.1 {}\r\nContent-Length: {length}\r\n", self.status);
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        head + "Connection: close\r\n\r\n"
    }
}

fn respond(method: &str, url: &str, site: &Site) -> Response {
    if !matches!(method, "GET" | "HEAD") {
        return Response::plain("405 Method Not Allowed");
    }
    let path = match files::find(url, site) {
        Found::File(path) => path,
        Found::Elsewhere(path) => {
            let mut response = Response::plain("302 Found");
            response.headers.push(("Location", path));
            return response;
        }
        Found::Nothing => return Response::plain("404 Not Found"),
    };
    let Ok(body) = std::fs::read(&path) else {
        return Response::plain("404 Not Found");
    };
    let mut headers = vec![
        ("Content-Type", files::content_type(&path).to_owned()),
        ("Cache-Control", site.keeping.header().to_owned()),
        ("X-Content-Type-Options", "nosniff".to_owned()),
    ];
    if site.open_to_all_origins {
        headers.push(("Access-Control-Allow-Origin", "*".to_owned()));
    }
    Response { status: "200 OK", headers, body }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> Site {
        let mut site = Site::at_root(env!("CARGO_MANIFEST_DIR"));
        site.open_to_all_origins = true;
        site
    }

    fn ask(server: &Server, request: &str) -> String {
        let mut stream = TcpStream::connect(server.address).expect("connected");
        write!(stream, "{request} HTTP/1.1\r\nHost: here\r\n\r\n").expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("read");
        answer
    }

    #[test]
    fn a_file_is_answered_with_its_type_and_its_text() {
        let server = Server::start(site(), 0).expect("started");
        let answer = ask(&server, "GET /Cargo.toml?x=1");
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        assert!(answer.contains("Access-Control-Allow-Origin: *"), "{answer}");
        assert!(answer.contains("name = \"xtask\""), "{answer}");
    }

    #[test]
    fn a_browser_asks_again_for_what_it_has_kept_unless_it_is_told_otherwise() {
        for (keeping, header) in [(Keeping::Asks, "no-cache"), (Keeping::ForAnHour, "max-age=3600")]
        {
            let server = Server::start(Site { keeping, ..site() }, 0).expect("started");
            let answer = ask(&server, "GET /Cargo.toml");
            assert!(answer.contains(&format!("Cache-Control: {header}\r\n")), "{answer}");
        }
    }

    #[test]
    fn the_head_of_a_file_comes_without_its_text() {
        let server = Server::start(site(), 0).expect("started");
        let answer = ask(&server, "HEAD /Cargo.toml");
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        assert!(answer.ends_with("\r\n\r\n"), "{answer}");
    }

    #[test]
    fn what_is_not_there_or_not_allowed_is_refused() {
        let server = Server::start(site(), 0).expect("started");
        assert!(ask(&server, "GET /no-such-file").starts_with("HTTP/1.1 404 "));
        assert!(ask(&server, "POST /Cargo.toml").starts_with("HTTP/1.1 405 "));
    }

    #[test]
    fn connections_that_say_nothing_hold_up_no_other() {
        let server = Server::start(site(), 0).expect("started");
        let silent = [(); 32].map(|()| TcpStream::connect(server.address).expect("connected"));
        assert!(ask(&server, "GET /Cargo.toml").starts_with("HTTP/1.1 200 "));
        drop(silent);
    }

    #[test]
    fn a_dropped_server_frees_its_port() {
        let server = Server::start(site(), 0).expect("started");
        let address = server.address;
        drop(server);
        assert!(TcpStream::connect(address).is_err());
    }
}
