//! The lesson at the side: what is told, what is to be done, what is asked. Nothing
//! here is needed to go on: a prediction can be left open.

mod question;

use crate::app::handle::LabHandle;
use crate::lab::Msg;
use crate::lab::lesson::{Lesson as Stands, Outline};
use crate::learn::{Course, Progress, Step};
use crate::text::ui::ui;
use yew::prelude::*;

/// The lab, to be looked at and to be told.
#[derive(Clone, PartialEq, Properties)]
pub struct LessonProps {
    /// The lab.
    pub lab: LabHandle,
}

/// The lesson.
pub struct Lesson {
    outline: Outline,
}

impl Component for Lesson {
    type Message = ();
    type Properties = LessonProps;

    fn create(ctx: &Context<Lesson>) -> Lesson {
        Lesson { outline: ctx.props().lab.lab().lesson().outline() }
    }

    /// Drawn anew only when it stands otherwise.
    fn changed(&mut self, ctx: &Context<Lesson>, _old: &LessonProps) -> bool {
        let outline = ctx.props().lab.lab().lesson().outline();
        let is_other = outline != self.outline;
        self.outline = outline;
        is_other
    }

    fn view(&self, ctx: &Context<Lesson>) -> Html {
        lesson(&ctx.props().lab)
    }
}

fn lesson(handle: &LabHandle) -> Html {
    let text = &ui().lesson;
    let lab = handle.lab();
    let lesson = lab.lesson();
    let Stands { chapter, part, .. } = &lesson;
    html! {
        <div class="lesson">
            <span class="eyebrow">{ (text.chapter)(chapter.place, &chapter.title) }</span>
            <h2 id="lesson-title">{ part.title.clone() }</h2>
            { for part.text.iter().enumerate().map(|(at, text)| html! {
                <p key={at}>{ with_code(text) }</p>
            }) }
            <ol class="steps" aria-label={text.steps}>
                { for lesson.steps.iter().enumerate().map(|(at, step)| self::step(at, step)) }
            </ol>
            if lesson.course != Course::On { <p class="off-course">{ text.off_course }</p> }
            { for lesson.questions.iter().map(|(question, asked)| {
                question::question(handle, question, *asked)
            }) }
            if lesson.is_begun() { { anew(handle) } }
        </div>
    }
}

/// The way back to the beginning, once there is one.
fn anew(handle: &LabHandle) -> Html {
    html! {
        <button type="button" class="quiet" id="lesson-anew" onclick={handle.on(Msg::Anew)}>
            { ui().lesson.anew }
        </button>
    }
}

fn step(at: usize, (step, progress): &(&Step, Progress)) -> Html {
    let text = &ui().lesson;
    let (class, said) = match progress {
        Progress::Done => ("done", Some(text.done)),
        Progress::Now => ("now", Some(text.now)),
        Progress::Later => ("later", None),
    };
    let current = (*progress == Progress::Now).then_some("step");
    html! {
        <li key={at} {class} aria-current={current}>
            <span>
                if let Some(said) = said { <span class="unseen">{ said }{ " " }</span> }
                { with_code(&step.text) }
            </span>
        </li>
    }
}

/// A text with `code` between backticks.
pub fn with_code(text: &str) -> Html {
    let piece = |(at, piece): (usize, &str)| {
        if at % 2 == 1 {
            html! { <code key={at}>{ piece.to_owned() }</code> }
        } else {
            piece.into()
        }
    };
    html! { <>{ for text.split('`').enumerate().map(piece) }</> }
}
