//! The clicks of the run in the order of time: when, what, on whom, how long.

use super::add::AddClick;
use super::{Commit, now, typed};
use crate::app::handle::LabHandle;
use crate::host::focus;
use crate::lab::bench::Edit;
use crate::lab::bench::clicks::{Row, STEP, amount_text, moment, moment_text, with_text};
use crate::lab::faults::Amount;
use crate::sim::time::TrueTime;
use crate::text::ui::ui;
use std::rc::Rc;
use yew::prelude::*;

/// The clicks, and what makes edits.
#[derive(Clone, PartialEq, Properties)]
pub struct ClicksProps {
    /// The clicks.
    pub rows: Rc<Vec<Row>>,
    /// Whether the scenario tells of others.
    pub has_own: bool,
    /// Those of which it tells that cannot be made in the run.
    pub lost: Rc<Vec<String>>,
    /// The moment one looks at.
    pub lab: LabHandle,
    /// Makes edits.
    pub commit: Commit,
}

/// The list, and the form that adds to it.
#[component]
pub fn Clicks(props: &ClicksProps) -> Html {
    let text = &ui().bench;
    // The problem with a click, by its place; and what is to have the focus afterwards,
    // since a row that moves loses it.
    let problem = use_state(|| None::<(usize, String)>);
    let focused = use_mut_ref(|| None::<String>);
    {
        let focused = focused.clone();
        use_effect(move || {
            if let Some(id) = focused.borrow_mut().take() {
                focus::on(&id);
            }
        });
    }
    let make = {
        let (commit, problem) = (props.commit.clone(), problem.setter());
        Callback::from(move |(click, id, edit): Made| {
            *focused.borrow_mut() = id;
            let said = match edit {
                Ok(edit) => commit.emit(edit),
                Err(said) => Some(said.to_owned()),
            };
            problem.set(said.map(|said| (click, said)));
        })
    };
    let own = {
        let commit = props.commit.clone();
        Callback::from(move |_: MouseEvent| drop(commit.emit(Edit::OwnClicks)))
    };
    let row = |row: &Row| {
        let problem = problem.as_ref().filter(|(click, _)| *click == row.click);
        self::row(row, problem.map(|(_, said)| said.clone()), &props.lab, &make)
    };
    html! {
        <section class="bench-clicks" aria-label={text.clicks} tabindex="-1">
            <h3>{ text.clicks }</h3>
            if props.rows.is_empty() { <p class="note">{ text.no_clicks }</p> }
            <ol>{ for props.rows.iter().map(row) }</ol>
            if !props.lost.is_empty() {
                <p class="note lost" role="status">{ (text.lost_clicks)(&props.lost) }</p>
            }
            if props.has_own {
                <button type="button" id="bench-own" onclick={own}>{ text.own_clicks }</button>
            }
            <AddClick lab={props.lab.clone()} commit={props.commit.clone()} />
            <p class="note">{ text.on_messages }</p>
        </section>
    }
}

/// What is done to which click, or why it cannot be; and what has the focus afterwards.
type Made = (usize, Option<String>, Result<Edit, &'static str>);

type Make = Callback<Made>;

fn row(row: &Row, problem: Option<String>, lab: &LabHandle, make: &Make) -> Html {
    let text = &ui().bench;
    let (click, says) = (row.click, row.says.as_str());
    let id = format!("bench-click-{click}");
    let moved = |at: TrueTime| Edit::MoveClick { click, at };
    let button = |kind: &str, says: String, mark: &'static str, edit: Edit| {
        let own = format!("{id}-{kind}");
        let after = Some(own.clone());
        let onclick = make.reform(move |_: MouseEvent| (click, after.clone(), Ok(edit.clone())));
        html! {
            <button type="button" id={own} class="icon" aria-label={says.clone()} title={says} {onclick}>
                { mark }
            </button>
        }
    };
    let here = {
        let (lab, after) = (lab.clone(), format!("{id}-here"));
        make.reform(move |_: MouseEvent| {
            (click, Some(after.clone()), Ok(Edit::MoveClick { click, at: now(&lab) }))
        })
    };
    let on_moment = make.reform(move |event: Event| {
        (click, None, moment(&typed(&event)).map(|at| Edit::MoveClick { click, at }))
    });
    let delete = make.reform(move |_: MouseEvent| (click, None, Ok(Edit::DeleteClick { click })));
    html! {
        <li key={click} class="bench-click">
            <b>{ says }</b>
            { amount(row, make) }
            <label class="field">
                <span class="unseen">{ (text.moment_of)(says) }{ " " }</span>
                <span aria-hidden="true">{ text.moment }</span>
                <input
                    type="text" class="narrow" inputmode="decimal" onchange={on_moment}
                    value={moment_text(row.at)}
                />
                <span>{ ui().faults.seconds }</span>
            </label>
            { button("earlier", (text.earlier)(says), "←", moved(TrueTime(row.at.0 - STEP.us()))) }
            { button("later", (text.later)(says), "→", moved(row.at + STEP)) }
            <button type="button" id={format!("{id}-here")} aria-label={(text.here)(says)} onclick={here}>
                { text.here_short }
            </button>
            { delete_button(&id, (text.delete)(says), delete) }
            if let Some(problem) = problem { <span class="note" role="alert">{ problem }</span> }
        </li>
    }
}

fn delete_button(id: &str, says: String, onclick: Callback<MouseEvent>) -> Html {
    html! {
        <button
            type="button" id={format!("{id}-delete")} class="icon" aria-label={says.clone()}
            title={says} {onclick}
        >
            { "✕" }
        </button>
    }
}

/// The unit of an amount, and what an empty field stands for.
pub fn unit(amount: Amount) -> &'static str {
    match amount {
        Amount::Rate(_) => ui().faults.times,
        _ => ui().faults.seconds,
    }
}

fn amount(row: &Row, make: &Make) -> Html {
    let text = &ui().bench;
    let Some(amount) = row.amount else { return html! {} };
    let (click, action) = (row.click, row.action.clone());
    let onchange = make.reform(move |event: Event| {
        let action = with_text(&action, &typed(&event));
        (click, None, action.map(|action| Edit::ChangeClick { click, action }))
    });
    let is_lasting = matches!(amount, Amount::Lasting(_));
    html! {
        <label class="field">
            <span class="unseen">{ (text.amount_of)(&row.says) }{ " " }</span>
            <input
                type="text" class="narrow" inputmode="decimal" value={amount_text(amount)}
                placeholder={is_lasting.then_some("∞")} {onchange}
                title={is_lasting.then_some(text.until_undone)}
            />
            <span>{ unit(amount) }</span>
        </label>
    }
}
