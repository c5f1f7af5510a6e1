//! Where one is in the chapter, and the way to its other lessons.

use crate::app::handle::LabHandle;
use crate::host::rest::LATER;
use crate::lab::{Lab, Msg};
use crate::learn::Lesson;
use crate::learn::chapter::Heading;
use crate::text::ui::ui;
use yew::prelude::*;

/// The chapter above its lesson.
pub fn chapter(handle: &LabHandle, lab: &Lab, place: usize) -> Html {
    let text = &ui().lesson;
    let chapter = lab.chapter();
    let all = chapter.lessons.len();
    let is_done = |lesson: &Lesson| lab.lessons_done().contains(&lesson.id);
    let done = chapter.lessons.iter().filter(|lesson| is_done(lesson)).count();
    let own = &chapter.heading;
    let title = (text.chapter)(own.place, lab.headings().len(), &own.title);
    let to = |place: usize, at: Option<usize>| at.filter(|at| *at < all).unwrap_or(place);
    html! {
        <nav class="chapter" aria-label={title.clone()}>
            <span class="eyebrow">{ title }</span>
            <div class="lesson-bar">
                { step(handle, "lesson-before", text.before, "‹", place, to(place, place.checked_sub(1))) }
                <p><span>{ (text.place)(place + 1, all) }</span>{ " " }<b>{ chapter.lessons[place].title.clone() }</b></p>
                { step(handle, "lesson-after", text.after, "›", place, to(place, Some(place + 1))) }
            </div>
            <details>
                <summary>{ (text.all)(done, all) }</summary>
                <ol>
                    { for chapter.lessons.iter().enumerate().map(|(at, lesson)| {
                        entry(handle, at, lesson, at == place, is_done(lesson))
                    }) }
                </ol>
                <p class="eyebrow">{ text.chapters }</p>
                { headings(handle, lab) }
            </details>
        </nav>
    }
}

/// All chapters, where one is in none.
pub fn all(handle: &LabHandle, lab: &Lab) -> Html {
    let text = &ui().lesson;
    html! {
        <nav class="chapter" aria-label={text.chapters}>
            <details>
                <summary>{ text.chapters }</summary>
                { headings(handle, lab) }
            </details>
        </nav>
    }
}

fn headings(handle: &LabHandle, lab: &Lab) -> Html {
    html! { <ol data-later={LATER}>{ for lab.headings().iter().enumerate().map(|at| heading(handle, lab, at)) }</ol> }
}

/// To the lesson before or after; where there is none it does nothing and says so.
fn step(
    handle: &LabHandle,
    id: &'static str,
    name: &'static str,
    sign: &'static str,
    from: usize,
    to: usize,
) -> Html {
    html! {
        <button
            type="button" {id} aria-label={name}
            aria-disabled={(from == to).then_some("true")}
            onclick={handle.on(Msg::Lesson { place: to })}
        >
            { sign }
        </button>
    }
}

/// A chapter in the list of all.
fn heading(handle: &LabHandle, lab: &Lab, (at, heading): (usize, &Heading)) -> Html {
    let done = heading.lessons.iter().filter(|id| lab.lessons_done().contains(*id)).count();
    let is_here = lab.is_lesson_begun() && lab.lesson().chapter == at;
    html! {
        <li key={at}>
            <button
                type="button" class="quiet" aria-current={is_here.then_some("true")}
                onclick={handle.on(Msg::Chapter { place: at })}
            >
                { heading.title.clone() }
                <span class={(done > 0).then_some("mark")}>
                    { " · " }{ (ui().lesson.of_chapter)(done, heading.lessons.len()) }
                </span>
            </button>
        </li>
    }
}

fn entry(handle: &LabHandle, at: usize, lesson: &Lesson, is_here: bool, is_done: bool) -> Html {
    let text = &ui().lesson;
    html! {
        <li key={at} class={is_done.then_some("done")}>
            <button
                type="button" class="quiet" aria-current={is_here.then_some("true")}
                onclick={handle.on(Msg::Lesson { place: at })}
            >
                { lesson.title.clone() }
                if is_done { <span class="mark">{ " · " }{ text.is_done }</span> }
            </button>
        </li>
    }
}
