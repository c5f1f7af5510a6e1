//! Playing, stepping and the scrubber over what has been run; and which of the open
//! runs one looks at.

use crate::app::handle::LabHandle;
use crate::app::keys;
use crate::app::list::{List, option};
use crate::lab::label::{label, short};
use crate::lab::scale::Turns;
use crate::lab::{Lab, Msg, Playing, Speed};
use crate::sim::time::TrueTime;
use crate::text::amounts;
use crate::text::ui::ui;
use yew::prelude::*;

/// The lab, to be looked at and to be told.
#[derive(Clone, PartialEq, Properties)]
pub struct TransportProps {
    /// The lab.
    pub lab: LabHandle,
    /// For the scale, which follows some frames later while a run plays: as it goes on,
    /// all that stands on the scale moves, and hardly.
    pub scale: LabHandle,
}

/// The transport.
#[component]
pub fn Transport(props: &TransportProps) -> Html {
    let handle = &props.lab;
    let lab = handle.lab();
    html! {
        <div class="transport-region">
            if lab.runs().len() > 1 { <Runs runs={tabs(&lab)} send={handle.sender()} /> }
            <div
                class="transport" role="group" aria-label={ui().transport.region}
                onkeydown={keys::in_transport(handle)}
            >
                <Buttons
                    at_start={lab.open().is_at_start()} at_end={lab.open().is_at_end()}
                    playing={lab.playing() != Playing::No} send={handle.sender()}
                />
                { clock(&lab) }
                { scrubber(handle, &lab, &props.scale) }
                <SpeedList speed={lab.speed()} send={handle.sender()} />
            </div>
        </div>
    }
}

/// What the buttons show.
#[derive(Clone, PartialEq, Properties)]
struct ButtonsProps {
    at_start: bool,
    at_end: bool,
    playing: bool,
    send: Callback<Msg>,
}

#[component]
fn Buttons(props: &ButtonsProps) -> Html {
    let text = &ui().transport;
    let ButtonsProps { at_start, at_end, playing, send } = props;
    let (play, play_msg, play_icon) = if *playing {
        (text.stop, Msg::Stop, "M3 3h10v10H3Z")
    } else {
        (text.play, Msg::Play, "M4 2l10 6-10 6Z")
    };
    let (at_start, at_end) = (*at_start, *at_end);
    html! {
        <div class="buttons">
            { button(send, "to-start", text.to_start, Msg::ToStart, "M3 3v10M13 3L6 8l7 5Z", at_start) }
            { button(send, "back", text.back, Msg::Back, "M12 3L4 8l8 5Z", at_start) }
            { button(send, "play", play, play_msg, play_icon, false) }
            { button(send, "step", text.step, Msg::Step, "M3 3l7 5-7 5ZM13 3v10", at_end) }
            { button(send, "to-end", text.to_end, Msg::ToEnd, "M2 3l6 5-6 5ZM8 3l6 5-6 5Z", at_end) }
        </div>
    }
}

fn button(
    send: &Callback<Msg>,
    id: &'static str,
    label: &'static str,
    msg: Msg,
    icon: &'static str,
    is_off: bool,
) -> Html {
    let onclick = match is_off {
        true => Callback::noop(),
        false => send.reform(move |_: MouseEvent| msg.clone()),
    };
    html! {
        <button
            type="button" id={id} key={id} class="icon" aria-label={label} title={label}
            aria-disabled={is_off.then_some("true")} {onclick}
        >
            <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true"><path d={icon} /></svg>
        </button>
    }
}

fn clock(lab: &Lab) -> Html {
    html! {
        <span class="clock">
            <span class="unseen">{ ui().transport.now }{ " " }</span>
            <b class="mono" id="now">{ amounts::exact_moment(lab.open().now()) }</b>
        </span>
    }
}

/// Over what has been run, in whole milliseconds.
fn scrubber(handle: &LabHandle, lab: &Lab, scale: &LabHandle) -> Html {
    let text = &ui().transport;
    let open = lab.open();
    let (now, seen) = (open.now(), open.seen_until());
    let whole_ms = |at: TrueTime| (at.0 + 999) / 1_000;
    let oninput = {
        let handle = handle.clone();
        Callback::from(move |event: InputEvent| {
            let input = event.target_dyn_into::<web_sys::HtmlInputElement>();
            if let Some(ms) = input.and_then(|input| input.value().parse::<i64>().ok()) {
                handle.send(Msg::Seek(TrueTime(ms * 1_000).min(seen)));
            }
        })
    };
    let said = (text.scrubber_at)(&amounts::moment(now), &amounts::moment(seen));
    html! {
        <div class="scrub">
        <input
            type="range" id="scrubber" min="0" max={whole_ms(seen).max(1).to_string()} step="1"
            value={whole_ms(now).to_string()} aria-label={text.scrubber} aria-valuetext={said}
            {oninput}
        />
        <Scale lab={scale.clone()} />
        </div>
    }
}

/// The lab, to be looked at.
#[derive(Clone, PartialEq, Properties)]
struct ScaleProps {
    lab: LabHandle,
}

/// Moments and turns of events under the scrubber. To a screen reader the scrubber says
/// its moment itself.
#[component]
fn Scale(props: &ScaleProps) -> Html {
    let turns = use_mut_ref(Turns::default);
    let lab = props.lab.lab();
    let scale = turns.borrow_mut().scale(lab.open());
    let at = |place: i64| format!("{}.{}%", place / 10, place % 10);
    let moment = |(place, label): &(i64, String)| {
        html! {
            <text key={label.clone()} x={at(*place)} y="21" text-anchor="middle">{ label.clone() }</text>
        }
    };
    let turns: String = scale.turns.iter().map(|place| format!("M{place} 0v6")).collect();
    let moments: String = scale.moments.iter().map(|(place, _)| format!("M{place} 0v9")).collect();
    html! {
        <svg class="scale" aria-hidden="true" width="100%" height="24">
            <svg viewBox="0 0 1000 9" preserveAspectRatio="none" width="100%" height="9">
                <path class="turns" d={turns} />
                <path d={moments} />
            </svg>
            <g>{ for scale.moments.iter().map(moment) }</g>
        </svg>
    }
}

/// The speed, and whom to tell of another.
#[derive(Clone, PartialEq, Properties)]
struct SpeedProps {
    speed: Speed,
    send: Callback<Msg>,
}

#[component]
fn SpeedList(props: &SpeedProps) -> Html {
    let text = &ui().transport;
    let on = {
        let send = props.send.clone();
        Callback::from(move |value: String| {
            let place = value.parse::<usize>().ok();
            if let Some(speed) = place.and_then(|place| Speed::ALL.get(place)) {
                send.emit(Msg::SetSpeed(*speed));
            }
        })
    };
    let place = Speed::ALL.iter().position(|speed| *speed == props.speed);
    let chosen = place.unwrap_or_default().to_string();
    html! {
        <label class="field">
            <span>{ text.speed }</span>
            <List id="speed" {chosen} {on}>
                { for text.speeds.into_iter().enumerate().map(|(place, label)| {
                    option(place.to_string(), label)
                }) }
            </List>
        </label>
    }
}

/// One of the open runs.
#[derive(Clone, PartialEq)]
struct Tab {
    number: u32,
    /// In short, as it stands on the tab.
    name: String,
    /// In full, as it describes the tab.
    full: String,
    is_shown: bool,
}

fn tabs(lab: &Lab) -> Vec<Tab> {
    let tab = |(place, open): (usize, &crate::lab::Open)| {
        let (name, full) = (short(lab, open), label(lab, open));
        Tab { number: open.number(), name, full, is_shown: place == lab.active() }
    };
    lab.runs().iter().enumerate().map(tab).collect()
}

/// The open runs, and whom to tell which is to be shown or closed.
#[derive(Clone, PartialEq, Properties)]
struct RunsProps {
    runs: Vec<Tab>,
    send: Callback<Msg>,
}

/// The open runs, beside each other; any but the last can be closed.
#[component]
fn Runs(props: &RunsProps) -> Html {
    let text = &ui().transport;
    let on = |msg: Msg| props.send.reform(move |_: MouseEvent| msg.clone());
    let tab = |(place, tab): (usize, &Tab)| {
        let close = (text.close)(tab.number);
        html! {
            <li key={tab.number}>
                <button
                    type="button" id={format!("run-{}", tab.number)} class="name"
                    title={tab.full.clone()}
                    aria-current={tab.is_shown.then_some("true")}
                    onclick={on(Msg::Show { run: place })}
                >
                    { tab.name.clone() }
                </button>
                <button
                    type="button" class="icon quiet" aria-label={close.clone()}
                    title={close} onclick={on(Msg::Close { run: place })}
                >
                    <svg width="12" height="12" viewBox="0 0 16 16" aria-hidden="true">
                        <path d="M3 3l10 10M13 3L3 13" />
                    </svg>
                </button>
            </li>
        }
    };
    html! {
        <ul class="runs" aria-label={text.runs}>{ for props.runs.iter().enumerate().map(tab) }</ul>
    }
}
