//! Texts with code in them, and with terms that are explained where they stand.

use crate::learn::terms::{Piece, glossary, pieces};
use yew::prelude::*;

/// A term in a text.
#[derive(Clone, PartialEq, Properties)]
pub struct TermProps {
    /// Names it in the glossary.
    pub id: AttrValue,
    /// The words that stand for it.
    pub shown: AttrValue,
}

/// A term: pressed, it is explained right behind it, so that one reads on from there.
#[component]
pub fn Term(props: &TermProps) -> Html {
    let is_open = use_state(|| false);
    let onclick = {
        let is_open = is_open.clone();
        Callback::from(move |_: MouseEvent| is_open.set(!*is_open))
    };
    let meaning = || glossary().ok()?.find(&props.id).map(|term| term.text.clone());
    html! {
        <>
            <button
                type="button" class="term" {onclick}
                aria-expanded={if *is_open { "true" } else { "false" }}
            >
                { props.shown.clone() }
            </button>
            if *is_open {
                { " " }<span class="meaning" role="note">{ meaning() }</span>
            }
        </>
    }
}

/// A text with `code` between backticks, and with its terms.
pub fn with_code(text: &str) -> Html {
    let piece = |(at, piece): (usize, Piece)| match piece {
        Piece::Plain(words) => words.into(),
        Piece::Code(code) => html! { <code key={at}>{ code.to_owned() }</code> },
        Piece::Term { shown, id } => {
            html! { <Term key={at} id={id.to_owned()} shown={shown.to_owned()} /> }
        }
    };
    html! { <>{ for pieces(text).into_iter().enumerate().map(piece) }</> }
}
