//! The disclosure on each thing, with forms for all that can be done to it.

use super::fault::FaultForm;
use super::{REGION, Tools};
use crate::host::place;
use crate::lab::faults::Fault;
use crate::text::ui::ui;
use std::rc::Rc;
use yew::prelude::*;

/// Faults that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What they are.
    pub legend: AttrValue,
    /// The faults.
    pub faults: Vec<Fault>,
}

impl Group {
    /// A group.
    pub fn new(legend: impl Into<AttrValue>, faults: Vec<Fault>) -> Group {
        Group { legend: legend.into(), faults }
    }
}

/// The groups of a list of faults, if it is open.
pub type Opened = Option<Rc<Vec<Group>>>;

/// Where the list of faults that is open stands, beside what was pressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum At {
    /// Below its button, and from its left end on.
    #[default]
    Right,
    /// Below its button, and as far as its right end: there is little room beyond.
    Left,
    /// In the picture, so many tenths down.
    Picture(u8),
}

impl At {
    /// Below a button that was pressed.
    fn button(event: &MouseEvent) -> At {
        match place::of_control(event, REGION) {
            Some((across, _)) if across > 0.5 => At::Left,
            _ => At::Right,
        }
    }

    /// Where the picture was pressed.
    pub fn picture(event: &MouseEvent) -> At {
        let place = place::of_pointer(event, REGION);
        place.map_or(At::Right, |(_, down)| At::Picture((down * 10.0) as u8))
    }

    /// The class of what holds the list.
    fn class(self) -> Classes {
        match self {
            At::Right => classes!(),
            At::Left => classes!("to-left"),
            At::Picture(tenths) => classes!("in-picture", format!("at-{}", tenths.min(9))),
        }
    }
}

/// The id of the button that opens a list of faults.
pub fn button_id(id: &str) -> String {
    format!("{id}-more")
}

/// The button, and the list if it is open. `thing` is what it is done to.
pub fn more(id: &str, thing: &str, opened: &Opened, tools: &Tools) -> Html {
    let text = &ui().faults;
    let label = (text.more_on)(thing);
    disclosure(
        id,
        thing,
        Face { label: Some(label), ..Face::of(html! { text.more }) },
        opened.as_ref().map(|groups| {
            html! { { for groups.iter().map(|group| fieldset(id, thing, group, tools)) } }
        }),
        tools,
    )
}

/// The id of what such a button opens.
pub fn panel_id(id: &str) -> String {
    format!("{id}-faults")
}

/// A button as it is seen and said.
pub struct Face {
    /// What stands on it.
    pub content: Html,
    /// What is said in place of that.
    pub label: Option<String>,
    /// How it looks.
    pub class: Option<&'static str>,
}

impl Face {
    /// One that says what stands on it.
    pub fn of(content: Html) -> Face {
        Face { content, label: None, class: None }
    }
}

/// A button that opens `content` below it, where there is some.
pub fn disclosure(id: &str, thing: &str, face: Face, content: Option<Html>, tools: &Tools) -> Html {
    let own = AttrValue::from(id.to_owned());
    let onclick = tools.toggle.reform(move |event: MouseEvent| (own.clone(), At::button(&event)));
    let panel_id = panel_id(id);
    let (is_open, open) = match content {
        Some(_) => ("true", classes!("is-open", tools.at.class())),
        None => ("false", classes!()),
    };
    html! {
        <div class={classes!("more", open)} key={id.to_owned()}>
            <button
                type="button" id={button_id(id)} class={face.class} aria-expanded={is_open}
                aria-controls={panel_id.clone()} aria-label={face.label} onclick={onclick.clone()}
            >
                { face.content }
            </button>
            if let Some(content) = content {
                <div class="faults" id={panel_id} role="group" aria-label={thing.to_owned()}>
                    { content }
                    <button type="button" class="quiet" {onclick}>{ ui().faults.close }</button>
                </div>
            }
        </div>
    }
}

/// A group of forms.
pub fn fieldset(id: &str, thing: &str, group: &Group, tools: &Tools) -> Html {
    let form = |fault: &Fault| {
        let id = format!("{id}-{:?}", fault.slot).to_ascii_lowercase();
        html! {
            <FaultForm
                key={fault.slot as usize} {id} thing={thing.to_owned()} fault={fault.clone()}
                send={tools.send.clone()}
            />
        }
    };
    html! {
        <fieldset key={group.legend.to_string()}>
            <legend>{ group.legend.clone() }</legend>
            { for group.faults.iter().map(form) }
        </fieldset>
    }
}
