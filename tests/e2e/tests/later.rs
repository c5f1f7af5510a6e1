//! What is not open is no part of the program: its texts are fetched when it is opened.

use std::fs;
use std::path::PathBuf;

use e2e::{Copied, Page, Without, dist, in_chrome, serve};
use xtask::server::Keeping;

/// The addresses of the texts that were fetched so far.
const FETCHED: &str = "performance.getEntriesByType('resource').map((it) => it.name)\
                       .filter((it) => it.includes('/lessons/'))";

async fn fetched(page: &Page) -> Vec<String> {
    let all = page.value(FETCHED).await.as_array().cloned().unwrap_or_default();
    all.iter().filter_map(|it| it.as_str().map(str::to_owned)).collect()
}

async fn open_quiz(page: &Page) {
    page.find("#show-quiz").await;
    page.value("document.getElementById('show-quiz').click()").await;
}

/// The heading of the chapter that one is in.
const CHAPTER: &str = "document.querySelector('.chapter > .eyebrow')?.textContent ?? ''";
const SECOND: &str = "Chapter 2 of 5 · Locks in Redis";

async fn is_in(page: &Page, chapter: &str) {
    page.wait_until(&format!("({CHAPTER}) === '{chapter}'")).await;
}

/// Presses the second chapter in the list of all.
async fn open_second_chapter(page: &Page) {
    page.find(".chapter ol").await;
    page.value("[...document.querySelectorAll('.chapter ol')].at(-1).querySelectorAll('button')[1].click()")
        .await;
}

async fn try_again(page: &Page, side: &str) {
    page.value(&format!("document.querySelector('{side} .quiz-main').click()")).await;
}

async fn is_missing(page: &Page, told: &str) {
    let told = format!("document.getElementById('missing')?.textContent.includes('{told}')");
    page.wait_until(&told).await;
}

/// The files of the quiz below the folder that holds the lessons.
fn quiz() -> Vec<PathBuf> {
    files_in("lessons/en/quiz")
}

fn files_in(folder: &str) -> Vec<PathBuf> {
    let folder = dist().join(folder);
    let entries = fs::read_dir(folder).expect("the texts lie beside the page");
    entries.flatten().map(|entry| entry.path()).collect()
}

#[tokio::test]
async fn the_quiz_is_fetched_when_it_is_opened_also_under_a_path() {
    let server = serve(|site| "/some/where/".clone_into(&mut site.prefix));
    let url = server.url();
    in_chrome(async move |page| {
        page.open(&url).await;
        page.find("#show-quiz").await;
        assert_eq!(fetched(&page).await, Vec::<String>::new(), "on the first visit");
        open_quiz(&page).await;
        page.see(".quiz-rounds button").await;
        let all = fetched(&page).await;
        assert_eq!(all.len(), quiz().len(), "{all:?}");
        let is_versioned = |it: &String| {
            it.starts_with(&format!("{url}lessons/en/quiz/")) && it.contains(".toml?")
        };
        assert!(all.iter().all(is_versioned), "{all:?}");
        assert_eq!(page.errors().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn the_quiz_is_fetched_in_a_frame_that_has_no_origin() {
    let server = serve(|site| site.open_to_all_origins = true);
    let host = serve(|site| site.folder = e2e::pages());
    let (url, host) = (server.url(), host.url() + "host.html");
    in_chrome(async move |page| {
        page.open_in_sandbox(&host, &format!("{url}?embed=1&question=second-token")).await;
        page.see("#quiz-number").await;
        let focused = page.value("document.activeElement === document.body").await;
        assert_eq!(focused, true, "what comes by itself takes the focus from nobody");
        assert_eq!(page.errors().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn a_chapter_is_fetched_when_one_goes_to_it_also_under_a_path() {
    let server = serve(|site| "/some/where/".clone_into(&mut site.prefix));
    let url = server.url();
    in_chrome(async move |page| {
        page.open(&url).await;
        open_second_chapter(&page).await;
        is_in(&page, SECOND).await;
        let all = fetched(&page).await;
        // The program has its heading: what is fetched is its lessons.
        let lessons = files_in("lessons/en/chapter-2").len() - 1;
        assert_eq!(all.len(), lessons, "{all:?}");
        let is_its = |it: &String| it.starts_with(&format!("{url}lessons/en/chapter-2/"));
        assert!(all.iter().all(is_its), "{all:?}");
        assert_eq!(page.errors().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn a_chapter_that_did_not_come_is_fetched_when_one_tries_again() {
    let site = Without::new("lessons/en/chapter-2/02-failover.toml");
    in_chrome(async move |page| {
        page.open(&site.url).await;
        open_second_chapter(&page).await;
        is_missing(&page, "the server answered 404").await;
        is_in(&page, "Chapter 1 of 5 · Leases and pauses").await;
        site.put_back(b"");
        try_again(&page, ".lesson").await;
        is_in(&page, SECOND).await;
    })
    .await;
}

#[tokio::test]
async fn texts_that_did_not_come_are_fetched_when_one_tries_again() {
    let site = Without::new("lessons/en/quiz/leases.toml");
    in_chrome(async move |page| {
        page.open(&site.url).await;
        open_quiz(&page).await;
        is_missing(&page, "the server answered 404").await;
        site.put_back(b"\n");
        try_again(&page, ".quiz-side").await;
        is_missing(&page, "of another version").await;
        site.put_back(b"");
        try_again(&page, ".quiz-side").await;
        page.see(".quiz-rounds button").await;
    })
    .await;
}

#[tokio::test]
async fn what_a_browser_has_kept_of_another_version_is_not_the_answer_again() {
    let copy = Copied::new("kept");
    let file = copy.folder().join("lessons/en/quiz/leases.toml");
    let text = fs::read_to_string(&file).expect("it is there");
    fs::write(&file, format!("{text}\n")).expect("written");
    let folder = copy.folder();
    let server = serve(|site| (site.folder, site.keeping) = (folder, Keeping::ForAnHour));
    let url = server.url();
    in_chrome(async move |page| {
        page.open(&url).await;
        open_quiz(&page).await;
        is_missing(&page, "of another version").await;
        fs::write(&file, text).expect("written");
        try_again(&page, ".quiz-side").await;
        page.see(".quiz-rounds button").await;
    })
    .await;
    drop(copy);
}

#[test]
fn the_program_holds_no_text_of_the_quiz() {
    let entries = fs::read_dir(dist()).expect("read").flatten().map(|entry| entry.path());
    let wasm = entries.filter(|path| path.extension().is_some_and(|it| it == "wasm"));
    let parts: Vec<Vec<u8>> = wasm.map(|part| fs::read(part).expect("read")).collect();
    let holds = |text: &str| {
        let holds = |part: &Vec<u8>| part.windows(text.len()).any(|at| at == text.as_bytes());
        parts.iter().any(holds)
    };
    assert!(holds("Leases and pauses"), "what it does hold is found");
    for file in quiz() {
        let text = fs::read_to_string(&file).expect("read");
        let (_, question) = text.split_once("\ntext = \"").expect("a question");
        let question: String = question.chars().take(40).collect();
        assert!(!holds(&question), "{}: “{question}”", file.display());
    }
}
