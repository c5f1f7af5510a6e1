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

/// A state of the page: its name, and what is pressed to come there from the one before.
type State = (&'static str, &'static [&'static str]);

/// A run at its end, by its link.
const AT_THE_END: &str =
    "#v=1&scenario=reconcile-unfenced&click=25000000:pause(for_ms=45000,node=W1)&at=79640000";

async fn press(page: &Page, selector: &str) {
    page.find(selector).await;
    page.value(&format!("document.querySelector('{selector}').click()")).await;
}

/// Looks at the page of an address, in both themes: as it opens and in each state.
async fn check(path: &str, states: &'static [State]) {
    let Some(axe) = axe() else { return };
    for theme in ["light", "dark"] {
        let server = serve(|_| {});
        let url = format!("{}?theme={theme}{path}", server.url());
        let axe = axe.clone();
        in_chrome(async move |page| {
            page.open(&url).await;
            page.see("main").await;
            page.run(&axe).await;
            assert_eq!(found(&page).await, Vec::<String>::new(), "as it opens, {theme}");
            for (name, ways) in states {
                for way in *ways {
                    press(&page, way).await;
                }
                assert_eq!(found(&page).await, Vec::<String>::new(), "{name}, {theme}");
            }
        })
        .await;
    }
}

#[tokio::test]
async fn axe_finds_nothing_on_the_page_as_it_opens_and_in_its_dialogs() {
    let states: &[State] = &[
        ("the keys' help", &["#keys"]),
        ("the dialog to share", &["dialog[open] > button", "#share"]),
        ("faults of a worker", &["dialog[open] > button", "[aria-label*=\"More faults\"]"]),
    ];
    check("", states).await;
}

#[tokio::test]
async fn axe_finds_nothing_at_the_end_of_a_run() {
    let states: &[State] = &[
        ("an event selected", &[".events .event-line"]),
        ("nearer to it", &["#zoom-in"]),
        ("the bench", &["#bench-open"]),
        ("the signals", &["#signals-open"]),
    ];
    check(AT_THE_END, states).await;
}

#[tokio::test]
async fn axe_finds_nothing_in_the_quiz() {
    let states: &[State] = &[
        ("where a round is chosen", &["#show-quiz"]),
        ("a question", &[".quiz-side button"]),
        ("an empty answer", &["#quiz-check"]),
        ("what is said to an answer", &["#quiz-question input", "#quiz-check"]),
        ("the end of a round", &["#quiz-leave"]),
    ];
    check("", states).await;
}

#[tokio::test]
async fn axe_finds_nothing_in_a_frame() {
    check("&embed=1&question=second-token", &[]).await;
    check("&embed=1&chapter=leases-and-pauses", &[]).await;
    check("&embed=1&scenario=refund", &[]).await;
}
