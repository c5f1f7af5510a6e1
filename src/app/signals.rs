//! What an operator would see of the run: gauges, alarms, and both as JSON Lines. Closed,
//! it is a heading, and nothing is worked out.

use crate::app::handle::LabHandle;
use crate::app::share::Copied;
use crate::host::rest::LATER;
use crate::lab::signals::{Gauges, Readings};
use crate::lab::{Msg, Playing};
use crate::sim::event::EventId;
use crate::sim::time::{Span, TrueTime};
use crate::text::amounts;
use crate::text::ui::ui;
use yew::prelude::*;

/// The lab, to be looked at and to be told.
#[derive(Clone, PartialEq, Properties)]
pub struct SignalsProps {
    /// The lab.
    pub lab: LabHandle,
}

/// The signals, with the button that opens them.
#[component]
pub fn Signals(props: &SignalsProps) -> Html {
    let opened = use_state(|| false);
    let gauges = use_mut_ref(|| None::<Gauges>);
    let onclick = {
        let opened = opened.clone();
        Callback::from(move |_: MouseEvent| opened.set(!*opened))
    };
    let is_open = if *opened { "true" } else { "false" };
    html! {
        <div class="signals">
            <h2>
                <button type="button" id="signals-open" class="quiet" data-later={LATER} aria-expanded={is_open} {onclick}>
                    { ui().signals.title }
                </button>
            </h2>
            if *opened { { body(&props.lab, &mut gauges.borrow_mut()) } }
        </div>
    }
}

#[inline(never)]
fn body(handle: &LabHandle, gauges: &mut Option<Gauges>) -> Html {
    let text = &ui().signals;
    let lab = handle.lab();
    let open = lab.open();
    let gauges = gauges.get_or_insert_with(|| Gauges::of(open));
    gauges.keep(open);
    let readings = gauges.readings(open);
    // The text is long, and nobody copies it while it grows.
    let lines = (lab.playing() == Playing::No).then(|| gauges.json_lines(open));
    html! {
        <div class="signals-body">
            <p>{ text.about }</p>
            { self::gauges(&readings) }
            <h3>{ text.alarms }</h3>
            { alarms(handle, &readings) }
            if let Some(lines) = lines {
                <Copied id="signals-lines" label={text.lines} text={lines} />
                <p class="note">{ text.lines_about }</p>
            }
        </div>
    }
}

fn gauges(readings: &Readings) -> Html {
    let text = &ui().signals;
    let gauge = |name: &'static str, value: String, is_alarm: bool| {
        html! {
            <div key={name} class={is_alarm.then_some("bad")}>
                <dt>{ name }</dt>
                <dd>
                    if is_alarm { <span class="mark" aria-hidden="true">{ "✕" }</span> }
                    <b>{ value }</b>
                </dd>
            </div>
        }
    };
    let count = |name, count: usize, is_alarm| gauge(name, count.to_string(), is_alarm);
    let length = |name, length: Span| gauge(name, amounts::span(length), false);
    let believers = (text.of_most)(readings.believers, readings.most_believers);
    html! {
        <dl class="gauges">
            { length(text.longest_wait, readings.longest_wait) }
            { count(text.timeouts, readings.timeouts, readings.timeouts > 0) }
            { count(text.renewals_missed, readings.renewals_missed, readings.renewals_missed > 1) }
            { length(text.without_holder, readings.without_holder) }
            { gauge(text.believers, believers, readings.most_believers > 1) }
            { count(text.refusals, readings.refusals, false) }
            { count(text.out_of_order, readings.out_of_order, readings.out_of_order > 0) }
        </dl>
    }
}

fn alarms(handle: &LabHandle, readings: &Readings) -> Html {
    let text = &ui().signals;
    if readings.alarms.is_empty() {
        return html! { <p>{ text.no_alarms }</p> };
    }
    let (shown, all) = (readings.alarms.len(), readings.alarms_in_all);
    let alarm = |(at, says, event): &(TrueTime, String, Option<EventId>)| {
        let msg = event.map_or(Msg::Seek(*at), |event| Msg::Select(Some(event)));
        html! {
            <li key={format!("{}-{says}", at.0)}>
                <button type="button" class="quiet" onclick={handle.on(msg)}>
                    { amounts::moment(*at) }{ ": " }{ says }
                </button>
            </li>
        }
    };
    html! {
        <>
            <ol class="alarms" reversed=true>{ for readings.alarms.iter().map(alarm) }</ol>
            if shown < all { <p class="note">{ (text.of_all)(shown, all) }</p> }
        </>
    }
}
