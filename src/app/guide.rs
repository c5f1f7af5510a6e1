//! The goal in a sentence and the one thing to do next.

use crate::app::handle::LabHandle;
use crate::app::stage::{STAGE, pause_id};
use crate::app::timeline;
use crate::host::focus;
use crate::host::rest::LATER;
use crate::lab::arrival::AtSide;
use crate::lab::bench::clicks::says;
use crate::lab::guide::{self, Made, Next};
use crate::lab::label::title;
use crate::lab::quiz::{QuizMsg, Side};
use crate::lab::{Lab, Msg, own};
use crate::scenario::clicks::{ClickSpec, Do};
use crate::sim::time::TrueTime;
use crate::text::ui::ui;
use crate::text::{amounts, en};
use yew::prelude::*;

/// The id of the sentence that says what to do next: it describes the marked control.
pub const WHY: &str = "next-why";

/// The id of the button of what to do next.
const NEXT: &str = "next";

/// The lab, and what can stand at the side.
#[derive(Clone, PartialEq, Properties)]
pub struct GoalProps {
    /// The lab.
    pub lab: LabHandle,
    /// Whether the quiz can be there.
    pub there: AtSide,
}

/// The goal and what to do next. That has its button here, unless it is done on a
/// thing of the stage, which has it then.
#[component]
pub fn Guide(props: &GoalProps) -> Html {
    let handle = &props.lab;
    let lab = handle.lab();
    let next = guide::next(&lab);
    html! {
        <div class="guide">
            <div class="goal">
                <span class="eyebrow">{ title(lab.open()) }</span>
                <h2>{ own::headline(&lab) }</h2>
            </div>
            <div class={classes!("next", (next == Next::Stop).then_some("is-playing"))}>
                { for button(&lab, &next).map(|(label, msg)| html! {
                    // Another thing to do is another button: it gets the focus from the
                    // one before, and a screen reader says what it is.
                    <button
                        type="button" id={NEXT} key={label.clone()} class="primary"
                        data-later={matches!(msg, Msg::Chapter { .. }).then_some(LATER)}
                        aria-describedby={WHY} onclick={handle.on(msg)}
                    >
                        { label }
                    </button>
                }) }
                <p id={WHY}>{ sentence(&lab, &next) }</p>
                { there(handle, &next, props.there) }
                { skip(&next) }
            </div>
        </div>
    }
}

/// Where what to do next is done on a thing of the stage: the way to it, since on a
/// small screen it can be out of sight. And the way back from a run of one's own.
fn there(handle: &LabHandle, next: &Next, at_side: AtSide) -> Html {
    let text = &ui().guide;
    match next {
        Next::Do(Do::Pause { node, .. }) => {
            let id = pause_id(node);
            html! {
                <button type="button" class="quiet" onclick={move |_: MouseEvent| focus::on(&id)}>
                    { (text.show)(node) }
                </button>
            }
        }
        Next::Stop => html! {
            <button
                type="button" class="quiet" id="guide-diagram"
                onclick={|_: MouseEvent| focus::on(timeline::BOX)}
            >
                { text.to_diagram }
            </button>
        },
        Next::JustRun(Made::AtAnotherMoment | Made::Other) if !looks_for(handle) => {
            let lab = handle.lab();
            if lab.is_of_quiz(lab.open()) {
                return html! {};
            }
            html! {
                <button
                    type="button" class="quiet" id="guide-anew" onclick={handle.on(guide::anew(&lab))}
                >
                    { text.anew }
                </button>
            }
        }
        Next::PlayAgain | Next::Chapter { .. }
            if at_side == AtSide::Both && is_last(&handle.lab()) =>
        {
            html! {
                <button
                    type="button" class="quiet" id="guide-quiz" data-later={LATER}
                    onclick={handle.on(Msg::Quiz(QuizMsg::Show(Side::Quiz)))}
                >
                    { text.to_quiz }
                </button>
            }
        }
        _ => html! {},
    }
}

/// By keys the lesson lies between what to do next and the machines.
fn skip(next: &Next) -> Html {
    if matches!(next, Next::Do(Do::Pause { .. })) {
        return html! {};
    }
    html! {
        <button
            type="button" class="quiet skip" id="to-stage"
            onclick={|_: MouseEvent| focus::on(STAGE)}
        >
            { ui().guide.to_stage }
        </button>
    }
}

fn looks_for(handle: &LabHandle) -> bool {
    guide::own_run(&handle.lab()).is_some()
}

/// The lab, and what the button is called by.
#[derive(Clone, PartialEq, Properties)]
pub struct ToNextProps {
    /// The lab.
    pub lab: LabHandle,
    /// The id of the button.
    #[prop_or("to-next".into())]
    pub id: AttrValue,
}

/// The way from the diagram, or from a question, to what is marked as the next thing, which
/// may be far up.
#[component]
pub fn ToNext(props: &ToNextProps) -> Html {
    let lab = props.lab.lab();
    let marked = match guide::next(&lab) {
        Next::Stop => return html! {},
        Next::Do(Do::Pause { node, .. }) => pause_id(&node),
        _ => NEXT.to_owned(),
    };
    html! {
        <button
            type="button" class="quiet" id={props.id.clone()}
            onclick={move |_: MouseEvent| focus::on(&marked)}
        >
            { ui().guide.to_next }
        </button>
    }
}

fn button(lab: &Lab, next: &Next) -> Option<(String, Msg)> {
    let text = &ui().guide;
    let (label, msg) = match next {
        Next::Undo(action) => return Some((undo_label(action), Msg::Click(action.clone()))),
        Next::Do(Do::Pause { .. }) => return None,
        Next::Do(action) => {
            let label = (text.click)(action, lab.open().scenario().names());
            return Some((label, Msg::Click(action.clone())));
        }
        Next::SameClicks(again) => {
            return Some((again.label.clone(), Msg::SameClicksIn { scenario: again.run.clone() }));
        }
        Next::Lesson { place } => {
            let title = &lab.chapter().lessons[*place].title;
            return Some(((text.lesson)(title), Msg::Lesson { place: *place }));
        }
        Next::Chapter { place } => {
            let title = &lab.headings()[*place].title;
            return Some(((text.chapter)(title), Msg::Chapter { place: *place }));
        }
        Next::OwnRun { scenario } => (text.own_run, Msg::Load { scenario: scenario.clone() }),
        Next::Anew => (text.anew, guide::anew(lab)),
        Next::Start => (text.start, Msg::Play),
        Next::JustRun(_) => (text.just_run, Msg::Play),
        Next::Play => (text.play, Msg::Play),
        Next::Stop => (text.stop, Msg::Stop),
        Next::RunAgain(rule) => (text.run_again, Msg::RunAgain(*rule)),
        Next::PlayAgain => (text.play_again, Msg::Play),
    };
    Some((label.to_owned(), msg))
}

fn undo_label(action: &Do) -> String {
    let node = match action {
        Do::Resume { node } | Do::Wake { node } | Do::Restart { node } => node,
        _ => "",
    };
    (ui().faults.button_on)(action, node)
}

/// Whether the chapter's last lesson is done.
fn is_last(lab: &Lab) -> bool {
    let stands = lab.lesson();
    stands.is_done() && stands.place + 1 == lab.chapter().lessons.len()
}

fn sentence(lab: &Lab, next: &Next) -> String {
    let text = &ui().guide;
    let open = lab.open();
    let looks_for = || guide::own_run(lab).is_some();
    let ended = || [vec![ui().frame.ended.to_owned()], own::sentences(lab)].concat();
    if matches!(next, Next::JustRun(_) | Next::Play)
        && let Some((action, why)) = guide::impossible(open)
    {
        return (text.impossible)(&says(action), en::missed(why));
    }
    match next {
        Next::Start => match open.waits_at() {
            Some(at) => (text.start_waits)(&amounts::span(at - TrueTime(0))),
            None => text.start_plays.to_owned(),
        },
        Next::Do(action) if !matches!(action, Do::Pause { .. }) => text.click_why.to_owned(),
        Next::Do(action) => {
            let click = ClickSpec { at_us: 0, r#do: action.clone() };
            let actions = click.actions(open.scenario().names()).unwrap_or_default();
            let first = actions.first().map(|click| en::action(&click.action, open.who()));
            (text.do_there)(&first.unwrap_or_default())
        }
        Next::JustRun(_) if looks_for() => text.just_run_found.to_owned(),
        Next::JustRun(_) if lab.is_of_quiz(open) => text.play_why.to_owned(),
        Next::JustRun(Made::AsMarked) => text.just_run_why.to_owned(),
        Next::JustRun(Made::AtAnotherMoment) => text.just_run_moment.to_owned(),
        Next::JustRun(Made::Other) => text.just_run_own.to_owned(),
        Next::Play if looks_for() => text.look_for.to_owned(),
        Next::Play => text.play_why.to_owned(),
        Next::Stop => text.stop_why.to_owned(),
        Next::RunAgain(_) | Next::Undo(_) | Next::Anew => ended().join(" "),
        Next::SameClicks(_) | Next::OwnRun { .. } => ended().join(" "),
        Next::Lesson { .. } => format!("{} {}", ended().join(" "), text.lesson_why),
        Next::PlayAgain | Next::Chapter { .. } if is_last(lab) => {
            format!("{} {}", ended().join(" "), text.chapter_done)
        }
        Next::PlayAgain | Next::Chapter { .. } => {
            format!("{} {}", ended().join(" "), text.go_back)
        }
    }
}
