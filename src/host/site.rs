//! Files of the page's own site.

use crate::learn::later::{Attempt, Failure, Later, Wanted, Why};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{RequestCache, RequestInit, Response};

/// What stands in files that come later, in their order.
///
/// # Errors
/// When one of them cannot be had.
pub async fn texts(what: Later, attempt: Attempt) -> Result<Vec<String>, Failure> {
    // All are asked for before the first is waited for.
    let asked: Vec<_> = what.files().iter().map(|file| (file, ask(file, attempt))).collect();
    let mut texts = Vec::new();
    for (file, answer) in asked {
        let text = match answer {
            Some(answer) => text(answer).await,
            None => Err(Why::Unreached),
        };
        texts.push(text.map_err(|why| Failure { file: file.name, why })?);
    }
    Ok(texts)
}

fn ask(file: &Wanted, attempt: Attempt) -> Option<JsFuture> {
    let how = RequestInit::new();
    if attempt == Attempt::Again {
        how.set_cache(RequestCache::Reload);
    }
    Some(JsFuture::from(web_sys::window()?.fetch_with_str_and_init(&file.url(), &how)))
}

async fn text(answer: JsFuture) -> Result<String, Why> {
    let answer = answer.await.map_err(|_| Why::Unreached)?;
    let answer: Response = answer.dyn_into().map_err(|_| Why::Unreached)?;
    if !answer.ok() {
        return Err(Why::Refused(answer.status()));
    }
    let text = answer.text().map_err(|_| Why::Unreached)?;
    let text = JsFuture::from(text).await.map_err(|_| Why::Unreached)?;
    text.as_string().ok_or(Why::Unreached)
}
