//! The lesson at the side: what is told, what is to be done, what is asked. Nothing
//! here is needed to go on: a prediction can be left open.

mod chapter;
mod question;
mod rich;

use crate::app::handle::LabHandle;
use crate::app::later::later;
use crate::lab::label::title;
use crate::lab::lesson::Outline;
use crate::lab::{Lab, Msg};
use crate::learn::later::Later;
use crate::learn::{Course, Part, Progress, Step};
use crate::text::ui::ui;
pub use rich::with_code;
use yew::prelude::*;

/// The lab, to be looked at and to be told.
#[derive(Clone, PartialEq, Properties)]
pub struct LessonProps {
    /// The lab.
    pub lab: LabHandle,
}

/// What asks for a prediction, as a selector.
pub const QUESTION: &str = ".lesson fieldset.quiz";

/// The lesson.
pub struct Lesson {
    outline: Outline,
}

impl Component for Lesson {
    type Message = ();
    type Properties = LessonProps;

    fn create(ctx: &Context<Lesson>) -> Lesson {
        Lesson { outline: ctx.props().lab.lab().lesson_outline() }
    }

    /// Drawn anew only when it stands otherwise.
    fn changed(&mut self, ctx: &Context<Lesson>, _old: &LessonProps) -> bool {
        let outline = ctx.props().lab.lab().lesson_outline();
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
    let is_told = matches!(lesson.course, Course::On | Course::Own);
    // Beside another case the lesson would tell of what is not to be seen.
    if !is_told && !lab.tells_of(lab.open()) {
        if !lab.is_lesson_begun() {
            return html! {
                <div class="lesson">
                    { awaited(handle, &lab) }
                    { chapter::all(handle, &lab) }
                    { no_lesson(&lab) }
                </div>
            };
        }
        return html! {
            <div class="lesson">
                { awaited(handle, &lab) }
                { chapter::chapter(handle, &lab, lesson.place) }
                { other_case(handle, &lab) }
                { anew(handle, (text.to_lesson)(&lesson.lesson.title)) }
            </div>
        };
    }
    html! {
        <div class="lesson">
            { awaited(handle, &lab) }
            { chapter::chapter(handle, &lab, lesson.place) }
            { told(lesson.part) }
            // Those of another lesson are other steps.
            <ol key={lesson.lesson.id.clone()} class="steps" aria-label={text.steps}>
                { for lesson.steps.iter().enumerate().map(|(at, step)| self::step(at, step)) }
            </ol>
            if let Some(back) = lab.back_to_lesson() {
                { edited(handle, back) }
            } else if !is_told {
                <p class="off-course">{ text.off_course }</p>
            }
            // One child, however many there are: what stands before it stays what it is, and a
            // list of lessons that is open stays open.
            <>
                { for lesson.questions.iter().map(|(question, asked)| {
                    question::question(handle, question, *asked)
                }) }
            </>
            if lesson.is_begun() { { anew(handle, text.anew.to_owned()) } }
        </div>
    }
}

/// What a scenario is about of which no lesson tells; while one is on its way, only that.
fn no_lesson(lab: &Lab) -> Html {
    let open = lab.open();
    html! {
        <div class="told">
            <h2 id="lesson-title">{ title(open) }</h2>
            if open.is_as_built_in() { <p>{ open.scenario().spec().goal.clone() }</p> }
            if lab.awaited_chapter().is_none() { <p class="off-course">{ ui().lesson.none }</p> }
        </div>
    }
}

/// What a scenario is about of which the lesson does not tell.
fn other_case(handle: &LabHandle, lab: &Lab) -> Html {
    let open = lab.open();
    html! {
        <div class="told">
            <h2 id="lesson-title">{ title(open) }</h2>
            if open.is_as_built_in() { <p>{ open.scenario().spec().goal.clone() }</p> }
            if let Some(back) = lab.back_to_lesson() {
                { edited(handle, back) }
            } else {
                <p class="off-course">{ ui().lesson.other_case }</p>
            }
        </div>
    }
}

/// That a run counts for no step, and the way back to one that does.
fn edited(handle: &LabHandle, back: Msg) -> Html {
    let text = &ui().lesson;
    html! {
        <div class="off-course">
            <p>{ text.edited }</p>
            <button type="button" id="lesson-back" onclick={handle.on(back)}>{ text.back }</button>
        </div>
    }
}

/// How it stands with a chapter that somebody wants to go to.
fn awaited(handle: &LabHandle, lab: &Lab) -> Html {
    let chapter = lab.awaited_chapter();
    chapter.map_or_else(Html::default, |place| later(handle, Later::Chapter(place)))
}

/// What is told. Another part's terms are other ones, so none stays open.
fn told(part: &Part) -> Html {
    html! {
        <div class="told" key={part.title.clone()}>
            <h2 id="lesson-title">{ part.title.clone() }</h2>
            { for part.text.iter().enumerate().map(|(at, text)| html! {
                <p key={at}>{ with_code(text) }</p>
            }) }
        </div>
    }
}

/// The way back to the beginning, once there is one.
fn anew(handle: &LabHandle, label: String) -> Html {
    html! {
        <button type="button" class="quiet" id="lesson-anew" onclick={handle.on(Msg::Anew)}>
            { label }
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
    let is_now = *progress == Progress::Now;
    let current = is_now.then_some("step");
    html! {
        <li key={at} {class} aria-current={current}>
            <span>
                if let Some(said) = said { <span class="unseen">{ said }{ " " }</span> }
                { with_code(&step.text) }
                if let Some(own) = step.own_run.as_ref().filter(|_| is_now) {
                    <details class="hint">
                        <summary>{ text.hint }</summary>
                        <p>{ with_code(&own.hint) }</p>
                    </details>
                }
            </span>
        </li>
    }
}
