//! What chromedriver can do beyond the standard protocol.

use fantoccini::wd::WebDriverCompatibleCommand;
use http::Method;
use serde_json::{Value, json};
use url::{ParseError, Url};

/// A request below the session's address.
#[derive(Debug)]
pub struct Extra {
    path: &'static str,
    body: Value,
}

impl Extra {
    /// A command of the browser's developer tools.
    pub fn developer_tools(name: &str, parameters: Value) -> Self {
        Self { path: "goog/cdp/execute", body: json!({ "cmd": name, "params": parameters }) }
    }

    /// What the page and the browser wrote to the console since the last time.
    pub fn console() -> Self {
        Self { path: "se/log", body: json!({ "type": "browser" }) }
    }

    /// What the browser has traced since the last time.
    pub fn trace() -> Self {
        Self { path: "se/log", body: json!({ "type": "performance" }) }
    }
}

impl WebDriverCompatibleCommand for Extra {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.body.to_string()))
    }
}
