//! Lock services compared. Closed it is a heading; opened, one cell after the other is
//! measured, each in a frame of its own.

use crate::host::focus;
use crate::host::frames::{Beat, Frames};
use crate::host::rest::LATER;
use crate::lab::Msg;
use crate::lab::open::Told;
use crate::learn::services::{Cell, Column, ROWS, measure};
use crate::share::link::Link;
use crate::text::ui::ui;
use yew::prelude::*;

/// What takes messages to the lab.
#[derive(Clone, PartialEq, Properties)]
pub struct ServicesProps {
    /// The run of a cell is opened with it.
    pub send: Callback<Msg>,
}

/// What happens in it.
pub enum ServicesMsg {
    /// Somebody opens or closes it.
    Toggle,
    /// A frame has passed: the next cell can be measured.
    Next,
}

/// The table.
pub struct Services {
    is_open: bool,
    /// What has been measured, row by row, with the address of its run.
    cells: Vec<(Cell, Option<String>)>,
    frames: Option<Frames>,
}

impl Component for Services {
    type Message = ServicesMsg;
    type Properties = ServicesProps;

    fn create(_: &Context<Services>) -> Services {
        Services { is_open: false, cells: Vec::new(), frames: None }
    }

    fn update(&mut self, ctx: &Context<Services>, msg: ServicesMsg) -> bool {
        match msg {
            ServicesMsg::Toggle => {
                self.is_open = !self.is_open;
                if self.is_open && self.cells.is_empty() {
                    let next = ctx.link().callback(|_: Beat| ServicesMsg::Next);
                    self.frames = Some(Frames::new(move |beat| next.emit(beat)));
                }
            }
            ServicesMsg::Next if self.is_measured() => self.frames = None,
            ServicesMsg::Next => {
                let place = self.cells.len();
                let row = &ROWS[place / Column::ALL.len()];
                let column = Column::ALL[place % Column::ALL.len()];
                let (cell, run) = measure(row, column).expect("a test measures every cell");
                let link = Link::to(&run).ok();
                self.cells.push((cell, link.map(|link| link.fragment())));
            }
        }
        true
    }

    fn view(&self, ctx: &Context<Services>) -> Html {
        let text = &ui().services;
        let toggle = ctx.link().callback(|_: MouseEvent| ServicesMsg::Toggle);
        let is_open = if self.is_open { "true" } else { "false" };
        html! {
            <div class="signals">
                <h2>
                    <button type="button" id="services-open" class="quiet" data-later={LATER} aria-expanded={is_open} onclick={toggle}>
                        { text.title }
                    </button>
                </h2>
                if self.is_open && !self.is_measured() {
                    <p role="status">{ text.runs }</p>
                }
                if self.is_open && self.is_measured() {
                    <div class="signals-body">
                        <p>{ text.about }</p>
                        { self.table(&ctx.props().send) }
                    </div>
                }
            </div>
        }
    }
}

impl Services {
    fn is_measured(&self) -> bool {
        self.cells.len() == ROWS.len() * Column::ALL.len()
    }

    /// On a phone a row is a card, and keeps what it is by its roles.
    fn table(&self, send: &Callback<Msg>) -> Html {
        let text = &ui().services;
        let head = |column: &Column| {
            let title = (text.column)(*column);
            html! { <th key={title} role="columnheader" scope="col">{ title }</th> }
        };
        let rows = ROWS.iter().zip(self.cells.chunks(Column::ALL.len())).map(|(row, cells)| {
            let name = (text.row)(row.id);
            html! {
                <tr key={row.id} role="row">
                    <th role="rowheader" scope="row">{ name }</th>
                    { for Column::ALL.iter().zip(cells).map(|(column, it)| cell(name, *column, it, send)) }
                </tr>
            }
        });
        html! {
            <table class="services-table" role="table">
                <caption class="unseen">{ text.table }</caption>
                <thead role="rowgroup">
                    <tr role="row">
                        <th role="columnheader" scope="col">{ text.service }</th>
                        { for Column::ALL.iter().map(head) }
                    </tr>
                </thead>
                <tbody role="rowgroup">{ for rows }</tbody>
            </table>
        }
    }
}

fn cell(
    row: &'static str,
    column: Column,
    (cell, fragment): &(Cell, Option<String>),
    send: &Callback<Msg>,
) -> Html {
    let text = &ui().services;
    let title = (text.column)(column);
    let play = fragment.clone().map(|fragment| {
        let (send, came) = (send.clone(), (text.cell)(*cell));
        let open = Callback::from(move |_: MouseEvent| {
            let told = Told { title: row.to_owned(), shows: (text.shows)(title, &came) };
            send.emit(Msg::OpenTold { fragment: fragment.clone(), told });
            send.emit(Msg::Play);
            // It plays far above: whoever plays it goes there too.
            focus::on("play");
        });
        html! {
            <button type="button" class="quiet" aria-label={(text.play_cell)(row, title)} onclick={open}>
                { text.play }
            </button>
        }
    });
    html! {
        <td key={title} role="cell" data-label={title}>
            <span>{ (text.cell)(*cell) }</span>
            { play }
        </td>
    }
}
