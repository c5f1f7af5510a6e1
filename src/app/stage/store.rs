//! The store's card: what it checks, what it has seen, what the partner has booked.

use super::Tools;
use super::cards::{self, Looks, Tone, fact, machine_tag, tag};
use super::more::{Opened, more};
use crate::actors::store::api::Rule;
use crate::app::identity::Identity;
use crate::host::rest::LATER;
use crate::lab::Msg;
use crate::lab::facts::StoreFacts;
use crate::lab::filter::Place;
use crate::scenario::clicks::Do;
use crate::scenario::spec::{Books, StoreKind};
use crate::text::ui::ui;
use crate::text::{amounts, objects, service};
use yew::prelude::*;

/// Names the card on the page.
pub const ID: &str = "store";

/// The store and what can be done to it.
#[derive(Clone, PartialEq, Properties)]
pub struct StoreProps {
    /// How it stands.
    pub facts: StoreFacts,
    /// What people call it.
    pub title: AttrValue,
    /// What a click calls it.
    pub node: AttrValue,
    /// Whether this run began with nothing checked.
    pub began_unchecked: bool,
    /// Whether the event selected happened there.
    pub is_selected: bool,
    /// All else that can be done to it, if that is shown.
    pub opened: Opened,
    /// To act.
    pub tools: Tools,
}

/// The card.
#[component]
pub fn StoreCard(props: &StoreProps) -> Html {
    let StoreProps { facts, title, opened, tools, is_selected, .. } = props;
    let text = &ui().stage;
    let kind = match (facts.etag, facts.data) {
        (None, None) => StoreKind::Fenced,
        (Some(_), _) => StoreKind::Objects,
        (None, Some(_)) => StoreKind::Etcd,
    };
    let mark = match facts.marks.is_empty() {
        true => facts.mark.map_or(text.none.to_owned(), service::token),
        false => service::marks(&facts.marks),
    };
    let booked = (text.booked_of)(&amounts::money(facts.booked), &amounts::money(facts.owed));
    let looks = Looks { is_selected: *is_selected, is_open: opened.is_some() };
    html! {
        <article class={cards::class("of-store", looks)} aria-labelledby="store-name">
            <h3>
                { Identity::Store.shape() }
                <span id="store-name">{ title }</span>
                { tag(Tone::Plain, objects::store_does(facts.rule, kind)) }
                { machine_tag(facts.machine) }
                { cards::selected_here(*is_selected) }
            </h3>
            <p class="facts">
                if let Some(etag) = facts.etag {
                    { fact("ETag", etag.map_or(text.none.to_owned(), |etag| etag.to_string())) }
                }
                if let Some(data) = facts.data {
                    { fact(text.data_at, data.map_or(text.none.to_owned(), text.version_at)) }
                } else {
                    { fact(if facts.etag.is_some() { text.token_beside } else { text.highest_seen }, mark) }
                }
                { fact(text.accepted, facts.accepted.to_string()) }
                { fact(text.refused, facts.refused.to_string()) }
                if facts.books == Books::WithStore {
                    { fact(text.booked, booked) }
                }
                if let Some(rows) = facts.rows {
                    { fact(text.rows, rows.to_string()) }
                }
                if let Some(sql) = facts.sql {
                    { fact(text.as_sql, sql.to_owned()) }
                }
            </p>
            <div class="acts">
                if kind == StoreKind::Fenced {
                    { token_check(props) }
                }
                if kind == StoreKind::Etcd {
                    { cards::its_events(Place::Service, title, tools) }
                } else {
                    { more(ID, title, opened, tools) }
                    { cards::its_events(Place::Machine(facts.id), title, tools) }
                }
            </div>
        </article>
    }
}

/// The token check has two buttons: from here on, and the whole run again.
fn token_check(props: &StoreProps) -> Html {
    let text = &ui().faults;
    let other = |is_off| if is_off { Rule::OwnerAndSequence } else { Rule::None };
    let is_off = props.facts.rule == Rule::None;
    let node = props.node.to_string();
    let switch = Msg::Click(Do::Rule { node, is: other(is_off) });
    let again = Msg::RunAgain(other(props.began_unchecked));
    html! {
        <>
            <button type="button" id="store-check" onclick={on(props, switch)}>
                { if is_off { text.check_on } else { text.check_off } }
            </button>
            <button type="button" id="store-again" data-later={LATER} onclick={on(props, again)}>
                { if props.began_unchecked { text.again_on } else { text.again_off } }
            </button>
        </>
    }
}

fn on(props: &StoreProps, msg: Msg) -> Callback<MouseEvent> {
    props.tools.send.reform(move |_| msg.clone())
}
