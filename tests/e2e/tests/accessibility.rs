//! axe-core, whose rules are a part of what WCAG asks for, over the page's states.

use std::{env, fs};

use e2e::{Page, in_chrome, serve};
use serde_json::Value;

/// axe-core itself, where `cargo xtask test` could have it.
fn axe() -> Option<String> {
    let Some(path) = env::var_os("AXE") else {
        println!("axe-core is not there: no state of the page was checked against its rules");
        return None;
    };
    Some(fs::read_to_string(path).expect("the script can be read"))
}

/// What axe-core finds in the page as it is now, a line each.
async fn found(page: &Page) -> Vec<String> {
    let found = page.promised("axe.run({ resultTypes: ['violations'] })").await;
    let violations = found["violations"].as_array().expect("axe tells").clone();
    let line = |violation: &Value| {
        let nodes = violation["nodes"].as_array().cloned().unwrap_or_default();
        let targets: Vec<String> = nodes.iter().map(|node| node["target"].to_string()).collect();
        format!("{}: {} {}", violation["id"], violation["help"], targets.join(" "))
    };
    violations.iter().map(line).collect()
}

/// A way to a state of the page: its name, and the buttons that lead there from the one
/// before, each pressed by a script.
type State = (&'static str, &'static [&'static str]);

const FIRST_LESSON: &[State] = &[
    ("as it opens", &[]),
    ("the keys' help", &["#keys"]),
    ("the dialog to share", &["dialog[open] .close", "#share"]),
];

async fn press(page: &Page, selector: &str) {
    page.find(selector).await;
    page.value(&format!("document.querySelector('{selector}').click()")).await;
}

async fn check(path: &str, states: &[State]) {
    let Some(axe) = axe() else { return };
    for theme in ["light", "dark"] {
        let server = serve(|_| {});
        let url = format!("{}?theme={theme}{path}", server.url());
        let (axe, states) = (axe.clone(), states.to_vec());
        in_chrome(async move |page| {
            page.open(&url).await;
            page.see("button.primary").await;
            page.run(&axe).await;
            for (name, ways) in states {
                for way in ways {
                    press(&page, way).await;
                }
                assert_eq!(found(&page).await, Vec::<String>::new(), "{name}, {theme}");
            }
        })
        .await;
    }
}

#[tokio::test]
async fn axe_finds_nothing_in_the_dialogs() {
    check("", FIRST_LESSON).await;
}
