//! The beginning and the end of a round.

use super::keep::keep;
use crate::app::handle::LabHandle;
use crate::app::lesson::with_code;
use crate::content::Choice;
use crate::lab::Msg;
use crate::lab::quiz::{MIXED, QuizMsg, Round, State, Which};
use crate::learn::progress::Confidence;
use crate::learn::quiz::Topic;
use crate::text::ui::ui;
use yew::prelude::*;

/// Where a round is chosen.
pub fn start(handle: &LabHandle, quiz: &State) -> Html {
    let text = &ui().quiz.start;
    let all = quiz.questions().len();
    let missed = quiz.missed().len();
    let of = |topic: Topic| quiz.questions().iter().filter(|(own, _)| *own == topic).count();
    let mut rounds = Vec::new();
    if missed > 0 {
        rounds.push((Which::Missed, (text.missed)(missed)));
    }
    rounds.push((Which::Mixed, (text.mixed)(MIXED)));
    let topics = Topic::ALL.iter().map(|topic| (Which::Of(*topic), (text.of)(*topic, of(*topic))));
    rounds.extend(topics);
    rounds.push((Which::All, (text.all)(all)));
    let first = rounds[0].0;
    let round = |(which, name): (Which, String)| {
        let class = if which == first { "quiz-main" } else { "" };
        html! {
            <li key={name.clone()}>
                <button type="button" {class} onclick={begin(handle, which)}>{ name }</button>
            </li>
        }
    };
    html! {
        <>
            <h2 id="quiz-start" tabindex="-1">{ text.title }</h2>
            <p>{ (text.about)(all) }</p>
            <ul class="quiz-rounds" aria-label={text.rounds}>{ for rounds.into_iter().map(round) }</ul>
            if missed > 0 { <p class="hint">{ text.first }</p> }
            { keep(handle) }
        </>
    }
}

fn begin(handle: &LabHandle, which: Which) -> Callback<MouseEvent> {
    handle.on(Msg::Quiz(QuizMsg::Begin(which)))
}

/// The score, what was missed, and how sure one was.
pub fn end(handle: &LabHandle, quiz: &State, round: &Round) -> Html {
    let text = &ui().quiz.end;
    let missed = round.missed();
    let asked = |place: &usize| {
        let (_, question) = &quiz.questions()[*place];
        html! { <li key={question.id.clone()}>{ with_code(&question.text) }</li> }
    };
    let main = |is_main: bool| if is_main { "quiz-main" } else { "" };
    html! {
        <>
            <h2 id="quiz-end" tabindex="-1">{ text.title }</h2>
            <p class="quiz-score" id="quiz-score">{ (text.score)(round.right(), round.done.len()) }</p>
            { calibration(round) }
            if missed.is_empty() {
                <p>{ text.none_missed }</p>
            } else {
                <button
                    type="button" id="quiz-again" class={main(true)}
                    onclick={begin(handle, Which::Again)}
                >
                    { (text.again)(missed.len()) }
                </button>
            }
            <button
                type="button" id="quiz-other" class={main(missed.is_empty())}
                onclick={handle.on(Msg::Quiz(QuizMsg::Leave))}
            >
                { text.other }
            </button>
            // Below the buttons: the list can be long.
            if !missed.is_empty() {
                <h3>{ text.missed }</h3>
                <ul class="quiz-missed">{ for missed.iter().map(asked) }</ul>
            }
            { keep(handle) }
        </>
    }
}

/// A sentence for each sureness that was given.
fn calibration(round: &Round) -> Html {
    let text = &ui().quiz.end;
    let said = Confidence::ALL.iter().rev().filter_map(|confidence| {
        let (all, right) = round.calibration(*confidence);
        (all > 0).then(|| (text.sure)(*confidence, all, right))
    });
    let said: Vec<String> = said.collect();
    if said.is_empty() {
        return html! {};
    }
    html! {
        <>
            <h3>{ text.calibration }</h3>
            <ul id="quiz-calibration">
                { for said.into_iter().map(|said| html! { <li key={said.clone()}>{ said }</li> }) }
            </ul>
        </>
    }
}
