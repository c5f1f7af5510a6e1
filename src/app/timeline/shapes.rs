//! Marks and arrows as SVG.

use crate::lab::diagram::history::ArrowKind;
use crate::lab::diagram::{Mark, Path, Shape, Tip, lane_y};
use yew::prelude::*;

/// A mark in its place. A clear circle makes it large enough to be pressed.
pub fn mark(mark: &Mark, class: &'static str) -> Html {
    let event = mark.event.0.to_string();
    let (dy, shape) = match mark.shape {
        Shape::Accepted => (
            0,
            html! { <><circle class="ok" r="7" /><path class="sign" d="M-3.500 0l2.500 3 4.500-5.500" /></> },
        ),
        Shape::Refused => (
            0,
            html! { <><circle class="bad" r="7" /><path class="sign" d="M-3-3l6 6m0-6l-6 6" /></> },
        ),
        Shape::Alarm => (
            0,
            html! { <><path class="bad" d="M0-9l9 16h-18z" /><path class="sign" d="M0-3.500v5m0 2.500v1" /></> },
        ),
        Shape::End => (0, html! { <path class="end" d="M0-12v24" /> }),
        Shape::Crash => (0, html! { <path class="crash" d="M-6-6l12 12m0-12l-12 12" /> }),
        Shape::Flag => (0, html! { <path class="flag" d="M0 9v-20h9l-3 4 3 4h-9" /> }),
        Shape::Click => (-22, html! { <path class="click" d="M-5-5h10l-5 8z" /> }),
        Shape::Dot => (0, html! { <circle class="dot" r="3.500" /> }),
    };
    html! {
        <g
            key={format!("{event}-{:?}", mark.shape)} class={classes!("mark", class)}
            data-event={event} transform={format!("translate({} {})", mark.x, lane_y(mark.lane) + dy)}
        >
            <circle class="target" r="12" />
            { shape }
        </g>
    }
}

/// A message, with its head or its cross.
pub fn arrow(path: &Path, class: &'static str) -> Html {
    let kind = match path.kind {
        ArrowKind::Routine => "routine",
        ArrowKind::Plain => "plain",
        ArrowKind::Claim => "claim",
        ArrowKind::RefusedClaim => "refused",
        ArrowKind::Refusal => "refusal",
    };
    let mut d = String::new();
    for (place, (x, y)) in path.points.iter().enumerate() {
        d.push_str(&format!("{}{x} {y}", if place == 0 { "M" } else { "L" }));
    }
    let event = path.event.0.to_string();
    let open = (path.tip == Tip::Open).then_some("open");
    html! {
        <g
            key={format!("{event}-{:?}-{:?}", path.tip, path.points.last())}
            class={classes!("arrow", kind, open, class)} data-event={event}
        >
            <path class="target" d={d.clone()} />
            <path {d} />
            <path class="tip" d={tip(path)} />
        </g>
    }
}

/// A head that points along the last piece, or a cross at its end.
fn tip(path: &Path) -> String {
    let [.., (x0, y0), (x, y)] = path.points[..] else { return String::new() };
    match path.tip {
        Tip::Open => String::new(),
        Tip::Cross => format!("M{} {}l10 10m0-10l-10 10", x - 5, y - 5),
        Tip::Head => {
            let (dx, dy) = ((x - x0) as f64, (y - y0) as f64);
            let length = dx.hypot(dy).max(1.0);
            let (ux, uy) = (dx / length, dy / length);
            // Two strokes from the end, backwards and to either side.
            let back = |side: f64| (-6.0 * ux - side * 3.2 * uy, -6.0 * uy + side * 3.2 * ux);
            let ((ax, ay), (bx, by)) = (back(1.0), back(-1.0));
            format!("M{x} {y}l{ax:.1} {ay:.1}M{x} {y}l{bx:.1} {by:.1}")
        }
    }
}
