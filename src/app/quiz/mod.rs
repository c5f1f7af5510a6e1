//! The quiz at the side. Nothing outside of this folder draws any of it, and the rest of
//! the page knows [`Quiz`] alone.

mod answer;
mod ask;
mod feedback;
mod keep;
mod rounds;

use crate::app::handle::LabHandle;
use crate::app::later::later;
use crate::host::focus;
use crate::lab::Lab;
use crate::lab::later::Stands;
use crate::lab::quiz::{Outline, Side};
use crate::learn::later::Later;
use yew::prelude::*;

/// The id of the question that is asked.
pub const QUESTION: &str = "quiz-question";

/// The id of what is said to its answer.
pub const FEEDBACK: &str = "quiz-feedback";

/// The lab, to be looked at and to be told.
#[derive(Clone, PartialEq, Properties)]
pub struct QuizProps {
    /// The lab.
    pub lab: LabHandle,
}

/// What is shown of the quiz. Each begins at an element that can have the focus.
#[derive(Clone, Copy, PartialEq)]
enum Stage {
    /// The questions are not there.
    Wait,
    Start,
    Asked {
        round: u32,
        nth: usize,
    },
    Met {
        round: u32,
        nth: usize,
    },
    End,
}

impl Stage {
    fn of(lab: &Lab) -> Stage {
        let quiz = lab.quiz();
        let round = quiz.progress().rounds();
        match (quiz.round(), quiz.asked()) {
            (None, _) if quiz.questions().is_empty() => Stage::Wait,
            (None, _) => Stage::Start,
            (Some(_), None) => Stage::End,
            (Some(now), Some((_, _, asking))) => {
                let nth = now.done.len();
                match asking.checked {
                    None => Stage::Asked { round, nth },
                    Some(_) => Stage::Met { round, nth },
                }
            }
        }
    }

    /// The id of the element that gets the focus when it is come to.
    fn begins(self) -> &'static str {
        match self {
            Stage::Wait | Stage::Start => "quiz-start",
            Stage::Asked { .. } => QUESTION,
            Stage::Met { .. } => FEEDBACK,
            Stage::End => "quiz-end",
        }
    }
}

/// The quiz.
pub struct Quiz {
    outline: Outline,
    stage: Stage,
    /// Whether the questions could not be had: they come only when the reader asks again.
    failed: bool,
}

impl Component for Quiz {
    type Message = ();
    type Properties = QuizProps;

    fn create(ctx: &Context<Quiz>) -> Quiz {
        let handle = &ctx.props().lab;
        let lab = handle.lab();
        Quiz { outline: lab.quiz_outline(), stage: Stage::of(&lab), failed: false }
    }

    /// Drawn anew only when it stands otherwise.
    fn changed(&mut self, ctx: &Context<Quiz>, _old: &QuizProps) -> bool {
        let outline = ctx.props().lab.lab().quiz_outline();
        let is_other = outline != self.outline;
        self.outline = outline;
        is_other
    }

    fn view(&self, ctx: &Context<Quiz>) -> Html {
        let handle = &ctx.props().lab;
        let lab = handle.lab();
        let quiz = lab.quiz();
        let shown = match (quiz.round(), quiz.asked()) {
            (None, _) if quiz.questions().is_empty() => later(handle, Later::Quiz),
            (None, _) => rounds::start(handle, quiz),
            (Some(round), None) => rounds::end(handle, quiz, round),
            (Some(round), Some((topic, question, asking))) => {
                let head = ask::head(round, topic, asking);
                let rest = match &asking.checked {
                    None => ask::question(handle, &lab, question, asking),
                    Some(checked) => feedback::met(handle, question, asking, checked, round),
                };
                html! { <>{ head }{ rest }</> }
            }
        };
        html! { <div class="quiz-side">{ shown }</div> }
    }

    /// Keys and screen readers go on where something new has begun.
    fn rendered(&mut self, ctx: &Context<Quiz>, first: bool) {
        let handle = &ctx.props().lab;
        let (stage, side, has_failed) = {
            let lab = handle.lab();
            let has_failed = matches!(lab.stands(Later::Quiz), Stands::Failed(_));
            (Stage::of(&lab), lab.quiz().side(), has_failed)
        };
        self.failed |= has_failed;
        let before = std::mem::replace(&mut self.stage, stage);
        // What comes by itself takes the focus from nowhere: the reader may be elsewhere, and
        // so may the page that holds this one in a frame. What was asked for again does.
        let is_asked = before != Stage::Wait || self.failed;
        if stage != before && is_asked && !first && side == Side::Quiz {
            focus::on(stage.begins());
        }
    }
}
