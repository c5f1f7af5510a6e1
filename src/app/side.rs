//! What stands at the side: the lesson or the quiz. What is not shown stays as it is.

use crate::app::handle::LabHandle;
use crate::app::lesson::Lesson;
use crate::app::quiz::{self, Quiz};
use crate::host::focus;
use crate::host::rest::LATER;
use crate::lab::Msg;
use crate::lab::arrival::AtSide;
use crate::lab::later::Stands;
use crate::lab::quiz::{QuizMsg, Side};
use crate::learn::later::Later;
use crate::text::ui::ui;
use yew::prelude::*;

/// The lab, to be looked at and to be told.
#[derive(Clone, PartialEq, Properties)]
pub struct BesideProps {
    /// The lab.
    pub lab: LabHandle,
    /// What is to be there.
    pub there: AtSide,
}

/// The switch, and what it shows. The quiz is there once it was opened.
#[component]
pub fn Beside(props: &BesideProps) -> Html {
    let text = &ui().quiz;
    let handle = &props.lab;
    let lab = handle.lab();
    let shown = match props.there {
        AtSide::Both => lab.quiz().side(),
        AtSide::Quiz => Side::Quiz,
        AtSide::Lesson | AtSide::Nothing => Side::Lesson,
    };
    let button = |side, id: &'static str, name: &'static str| {
        let is_shown = shown == side;
        html! {
            <button
                type="button" {id} data-later={LATER} aria-pressed={if is_shown { "true" } else { "false" }}
                onclick={handle.on(Msg::Quiz(QuizMsg::Show(side)))}
            >
                { name }
            </button>
        }
    };
    // Each a section: a control that goes away hands the focus to nothing outside of it.
    html! {
        <>
            if props.there == AtSide::Both {
                <div class="side-switch" role="group" aria-label={text.side}>
                    { button(Side::Lesson, "show-lesson", text.lesson) }
                    { button(Side::Quiz, "show-quiz", text.quiz) }
                </div>
            }
            if props.there != AtSide::Quiz {
                <section hidden={shown != Side::Lesson}><Lesson lab={handle.clone()} /></section>
            }
            if *lab.stands(Later::Quiz) != Stands::NotAsked {
                <section hidden={shown != Side::Quiz}><Quiz lab={handle.clone()} /></section>
            }
        </>
    }
}

/// The lab, to be looked at.
#[derive(Clone, PartialEq, Properties)]
pub struct ToQuestionProps {
    /// The lab.
    pub lab: LabHandle,
}

/// The way from the diagram back to the question, which may be far up.
#[component]
pub fn ToQuestion(props: &ToQuestionProps) -> Html {
    let lab = props.lab.lab();
    let quiz = lab.quiz();
    let Some((_, _, asking)) = quiz.asked().filter(|_| quiz.side() == Side::Quiz) else {
        return html! {};
    };
    let id = if asking.checked.is_some() { quiz::FEEDBACK } else { quiz::QUESTION };
    html! {
        <button
            type="button" class="quiet" id="to-question"
            onclick={move |_: MouseEvent| focus::on(id)}
        >
            { ui().quiz.ask.back }
        </button>
    }
}
