//! Where the regions stand: the goal and what to do next, the lesson at the side, the
//! stage, transport and timeline below it, causes and the event list under them; one
//! column where there is little width, in this order, which is the source's.

use crate::app::bench::Bench;
use crate::app::compare::Compare;
use crate::app::events::EventList;
use crate::app::guide::{Guide, ToNext};
use crate::app::handle::LabHandle;
use crate::app::keys::KeysHelp;
use crate::app::load::Load;
use crate::app::services::Services;
use crate::app::share::ShareRun;
use crate::app::side::{Beside, ToQuestion};
use crate::app::signals::Signals;
use crate::app::stage::{STAGE, Stage};
use crate::app::status::Status;
use crate::app::timeline::Timeline;
use crate::app::transport::Transport;
use crate::app::verdict::Verdict;
use crate::app::why::Why;
use crate::host::address;
use crate::lab::Msg;
use crate::lab::arrival::{AtSide, Place};
use crate::lab::shown::{PARTS, Part};
use crate::text::ui::ui;
use yew::prelude::*;

/// The id of what is brought into sight when a run goes on after a click.
pub const DIAGRAM: &str = "diagram";

/// What the one thing to do next stands in, with what says why.
pub const MARKED_IN: &str = ".guide, article";

/// Where a part is, as a selector; nothing for what follows even out of sight: it is
/// said to screen readers, sticks to the window's edge, or asks something of the reader.
fn region(part: Part) -> &'static str {
    match part {
        Part::Told => "",
        Part::Workers => ".top, .stage-region",
        Part::Machines => ".stage-region",
        Part::Scale => ".transport",
        Part::Causes => "#why",
        Part::Events => "#events",
        Part::SecondPair => ".workers .node:nth-child(n+3):nth-child(-n+4)",
        Part::ThirdPair => ".workers .node:nth-child(n+5):nth-child(-n+6)",
        Part::FourthPair => ".workers .node:nth-child(n+7)",
    }
}

/// Where all of them are, and after them the diagram.
pub fn regions() -> Vec<&'static str> {
    Part::ALL.into_iter().map(region).chain(["#diagram"]).collect()
}

/// The lab as what is drawn together shows it, at moments that may lie some frames apart.
pub struct Shows {
    /// The diagram.
    pub diagram: LabHandle,
    /// The clock and what is around it.
    pub controls: LabHandle,
    /// The rest, in the order of [`Part::ALL`].
    pub parts: [LabHandle; PARTS],
}

impl Shows {
    fn of(&self, part: Part) -> &LabHandle {
        &self.parts[part as usize]
    }
}

/// The whole page; `regions` is told what holds all of them.
pub fn page((place, there): (Place, AtSide), shows: &Shows, regions: &NodeRef) -> Html {
    let text = &ui().frame;
    let told = shows.of(Part::Told);
    // What to do next and the card it is done on change together.
    let (workers, machines) = (shows.of(Part::Workers), shows.of(Part::Machines));
    let pairs = [Part::SecondPair, Part::ThirdPair, Part::FourthPair];
    let more_workers = pairs.map(|pair| shows.of(pair).clone());
    let class = match (place, there) {
        (Place::Whole, _) => "",
        (Place::Embedded, AtSide::Nothing) => "embedded alone",
        (Place::Embedded, _) => "embedded",
    };
    html! {
        <>
            if place == Place::Whole {
                { header(told) }
            }
            <main class={classes!("regions", class)} ref={regions.clone()}>
                if place == Place::Embedded {
                    // The host's page has its own; this one is the frame's.
                    <h1 class="unseen">{ text.name }</h1>
                }
                <section class="panel top" aria-label={text.guide}>
                    { warning(workers) }
                    <Guide lab={workers.clone()} {there} />
                </section>
                if there != AtSide::Nothing {
                    <section class="panel side" aria-label={ui().quiz.side}>
                        <Beside lab={told.clone()} {there} />
                    </section>
                }
                <div class="lab">
                    <section id={STAGE} tabindex="-1" class="panel" aria-label={text.stage}>
                        // With the lesson begun anew, what was typed on its cards goes too.
                        <Stage key={told.lab().begun_with()} workers={workers.clone()} more_workers={more_workers} services={machines.clone()} wires={machines.clone()} />
                    </section>
                    <Verdict lab={told.clone()} />
                    <section class="panel" aria-label={text.timeline}>{ timeline(shows, told) }</section>
                    <Load lab={told.clone()} />
                    <section class="panel" aria-label={ui().signals.title}>
                        <Signals lab={told.clone()} />
                    </section>
                    <section class="panel" aria-label={text.bench}><Bench lab={told.clone()} /></section>
                    if place == Place::Whole {
                        <section class="panel" aria-label={ui().services.title}>
                            <Services send={told.sender()} />
                        </section>
                    }
                    { far(place, ("why", text.why), why(shows.of(Part::Causes))) }
                    { far(place, ("events", text.events), events(shows.of(Part::Events))) }
                </div>
                if place == Place::Embedded {
                    { whole() }
                }
            </main>
        </>
    }
}

fn header(lab: &LabHandle) -> Html {
    let text = &ui().frame;
    html! {
        <header class="page-bar">
            <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true" class="logo">
                <path d="M4 20V6l2-3 2 3v14M14 20V6l2-3 2 3v14M1 10h20M1 15h20" />
            </svg>
            <h1 class="brand">{ text.name }</h1>
            <span class="eyebrow tagline">{ text.tagline }</span>
            <span class="grow"></span>
            <ShareRun lab={lab.clone()} />
            <KeysHelp />
        </header>
    }
}

/// A region below: in a frame it is folded, so that the frame is not higher than a page.
fn far(place: Place, (id, name): (&'static str, &'static str), region: Html) -> Html {
    match place {
        Place::Whole => {
            html! { <section {id} class="panel far" aria-label={name}>{ region }</section> }
        }
        Place::Embedded => html! {
            <details {id} class="panel fold"><summary>{ name }</summary>{ region }</details>
        },
    }
}

/// In a frame: where the whole page is.
fn whole() -> Html {
    html! {
        <p class="whole">
            <a href={address::whole()} target="_blank" rel="noopener">{ ui().embed.whole }</a>
        </p>
    }
}

/// What could not be done. Nothing was lost.
fn warning(lab: &LabHandle) -> Html {
    let warning = lab.lab().warning().map(str::to_owned);
    html! {
        <div class="warning" role="alert">
            if let Some(warning) = warning {
                <span>{ warning }</span>
                <button type="button" onclick={lab.on(Msg::Dismiss)}>{ ui().frame.dismiss }</button>
            }
        </div>
    }
}

fn timeline(shows: &Shows, lab: &LabHandle) -> Html {
    let Shows { diagram, controls, .. } = shows;
    let scale = shows.of(Part::Scale);
    html! {
        <>
            <Transport lab={controls.clone()} scale={scale.clone()} />
            <div class="status-row">
                <Status lab={lab.clone()} />
                <ToQuestion lab={lab.clone()} />
                <ToNext lab={lab.clone()} />
            </div>
            <div id={DIAGRAM}><Timeline lab={diagram.clone()} /></div>
            <Compare lab={lab.clone()} />
        </>
    }
}

fn why(lab: &LabHandle) -> Html {
    html! { <Why lab={lab.clone()} /> }
}

fn events(lab: &LabHandle) -> Html {
    html! { <EventList lab={lab.clone()} /> }
}
