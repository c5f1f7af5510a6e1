//! Throughput and latency of several designs under the same rising load. Closed it is a
//! heading; opened, one design after the other is run, each in a frame of its own.

use crate::app::handle::LabHandle;
use crate::app::identity::Identity;
use crate::host::frames::{Beat, Frames};
use crate::lab::Lab;
use crate::lab::load::{self, About, Design, HEIGHT, WIDTH};
use crate::scenario::{Run, Scenario};
use crate::sim::time::Span;
use crate::text::amounts;
use crate::text::ui::ui;
use yew::prelude::*;

/// The lab, to be looked at.
#[derive(Clone, PartialEq, Properties)]
pub struct LoadProps {
    /// The lab.
    pub lab: LabHandle,
}

/// What happens in it.
pub enum LoadMsg {
    /// Somebody opens or closes it.
    Toggle,
    /// A frame has passed: the next design can be run.
    Next,
}

/// The charts.
pub struct Load {
    /// Whose variants are the designs; empty where there is no load.
    scenario: String,
    is_open: bool,
    /// Yet to be run.
    left: Vec<Run>,
    designs: Vec<Design>,
    frames: Option<Frames>,
}

/// The scenario that is looked at, if it has a load.
fn loaded(lab: &Lab) -> Option<&str> {
    let spec = lab.open().scenario().spec();
    spec.load.as_ref().map(|_| spec.id.as_str())
}

/// Whether that one is looked at. Asked at each of the lab's messages.
fn is_of(handle: &LabHandle, scenario: &str) -> bool {
    loaded(&handle.lab()).unwrap_or_default() == scenario
}

impl Component for Load {
    type Message = LoadMsg;
    type Properties = LoadProps;

    fn create(ctx: &Context<Load>) -> Load {
        let (left, designs) = (Vec::new(), Vec::new());
        let scenario = loaded(&ctx.props().lab.lab()).unwrap_or_default().to_owned();
        Load { scenario, is_open: false, left, designs, frames: None }
    }

    fn changed(&mut self, ctx: &Context<Load>, _old: &LoadProps) -> bool {
        if is_of(&ctx.props().lab, &self.scenario) {
            return false;
        }
        *self = <Load as Component>::create(ctx);
        true
    }

    fn update(&mut self, ctx: &Context<Load>, msg: LoadMsg) -> bool {
        match msg {
            LoadMsg::Toggle => {
                self.is_open = !self.is_open;
                if self.is_open && self.designs.is_empty() {
                    let designs = Scenario::built_in(&self.scenario);
                    self.left = designs.and_then(|it| load::designs(&it)).unwrap_or_default();
                    let next = ctx.link().callback(|_: Beat| LoadMsg::Next);
                    self.frames = Some(Frames::new(move |beat| next.emit(beat)));
                }
            }
            LoadMsg::Next if self.left.is_empty() => self.frames = None,
            LoadMsg::Next => {
                let run = self.left.remove(0);
                self.designs.extend(load::measure(&run));
            }
        }
        true
    }

    fn view(&self, ctx: &Context<Load>) -> Html {
        if self.scenario.is_empty() {
            return Html::default();
        }
        let text = &ui().load;
        let toggle = ctx.link().callback(|_: MouseEvent| LoadMsg::Toggle);
        let is_open = if self.is_open { "true" } else { "false" };
        html! {
            <section class="panel" aria-label={text.title}>
                <div class="signals">
                    <h2>
                        <button type="button" id="load-open" class="quiet" aria-expanded={is_open} onclick={toggle}>
                            { text.title }
                        </button>
                    </h2>
                    if self.is_open { { self.body() } }
                </div>
            </section>
        }
    }
}

impl Load {
    fn body(&self) -> Html {
        let text = &ui().load;
        if !self.left.is_empty() {
            return html! { <p role="status">{ text.runs }</p> };
        }
        html! {
            <div class="signals-body">
                <p>{ text.about }</p>
                <ul class="load-legend">{ for (0..).zip(&self.designs).map(legend) }</ul>
                <div class="load-charts">
                    { self.chart(About::Throughput) }
                    { self.chart(About::Latency) }
                </div>
                <div class="load-table">{ self.table() }</div>
            </div>
        }
    }

    fn chart(&self, about: About) -> Html {
        let text = &ui().load;
        let title = match about {
            About::Throughput => text.throughput,
            About::Latency => text.latency,
        };
        let chart = load::chart(&self.designs, about);
        let word = |value: i64| match about {
            About::Throughput => value.to_string(),
            About::Latency => amounts::span(Span::from_us(value)),
        };
        let grid = chart.grid.iter().map(|(y, value)| {
            html! {
                <g key={*value}>
                    <path class="grid" d={format!("M56 {y}H{}", WIDTH - 12)} />
                    <text x="50" y={(y + 4).to_string()} text-anchor="end">{ word(*value) }</text>
                </g>
            }
        });
        let rates = chart.rates.iter().enumerate().map(|(nth, (x, rate))| {
            html! {
                <text key={nth} x={x.to_string()} y={(HEIGHT - 8).to_string()} text-anchor="middle">
                    { *rate }
                </text>
            }
        });
        html! {
            <figure>
                <figcaption>{ title }</figcaption>
                <svg
                    width={WIDTH.to_string()} height={HEIGHT.to_string()} role="img"
                    viewBox={format!("0 0 {WIDTH} {HEIGHT}")} aria-label={(text.chart)(title)}
                >
                    <g key="grid">{ for grid }</g>
                    <g key="rates">{ for rates }</g>
                    <g key="lines">{ for chart.lines.iter().enumerate().map(line) }</g>
                </svg>
            </figure>
        }
    }

    /// The numbers behind the charts.
    fn table(&self) -> Html {
        let text = &ui().load;
        let rates = self.designs.first().map_or(&[][..], |design| &design.steps[..]);
        let row = |design: &Design| {
            let cell = |(nth, step): (usize, &load::StepFacts)| {
                let settled = design.settled_per_10_s(step);
                let settled = format!("{}.{}", settled / 10, settled % 10);
                let [median, p95] = [step.median, step.p95].map(amounts::span);
                html! { <td key={nth}>{ (text.cell)(&settled, &median, &p95) }</td> }
            };
            html! {
                // Its name has a line of its own, so that a phone has room for the numbers.
                <tbody key={design.title.clone()}>
                    <tr>
                        <th scope="rowgroup" colspan={design.steps.len().to_string()}>
                            { &design.title }
                        </th>
                    </tr>
                    <tr>{ for design.steps.iter().enumerate().map(cell) }</tr>
                </tbody>
            }
        };
        let head = |(nth, step): (usize, &load::StepFacts)| {
            html! { <th key={nth} scope="col">{ (text.rate)(step.rate) }</th> }
        };
        html! {
            <table>
                <caption>{ text.table }</caption>
                <thead><tr>{ for rates.iter().enumerate().map(head) }</tr></thead>
                { for self.designs.iter().map(row) }
            </table>
        }
    }
}

fn legend((place, design): (usize, &Design)) -> Html {
    let who = Identity::Worker(place);
    html! {
        <li key={place} class={who.class()}>{ who.shape() }{ " " }{ &design.title }</li>
    }
}

/// A design's line, with its own sign at each step.
fn line((place, places): (usize, &Vec<(i64, i64)>)) -> Html {
    let who = Identity::Worker(place);
    let d: String = places
        .iter()
        .enumerate()
        .map(|(nth, (x, y))| format!("{}{x} {y}", if nth == 0 { "M" } else { "L" }))
        .collect();
    let sign = |(nth, (x, y)): (usize, &(i64, i64))| {
        let at = format!("translate({} {}) scale(0.625)", x - 5, y - 5);
        html! { <path key={nth} class="sign" transform={at} d={who.path()} /> }
    };
    html! {
        <g key={place} class={who.class()}>
            <path key="line" class="line" {d} />
            { for places.iter().enumerate().map(sign) }
        </g>
    }
}
