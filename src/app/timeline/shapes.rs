//! Marks and arrows as SVG.

use crate::lab::diagram::history::ArrowKind;
use crate::lab::diagram::{Mark, Path, Shape, Tip};
use crate::text::ui::ui;
use yew::prelude::*;

/// A mark in its place. A clear circle makes it large enough to be pressed; two lines
/// under it say that it stands for more than one.
pub fn mark(mark: &Mark, class: &'static str) -> Html {
    let event = mark.event.0.to_string();
    let shape = match mark.shape {
        Shape::Accepted => {
            html! { <><circle class="ok" r="7" /><path class="sign" d="M-3.500 0l2.500 3 4.500-5.500" /></> }
        }
        Shape::Refused => {
            html! { <><circle class="bad" r="7" /><path class="sign" d="M-3-3l6 6m0-6l-6 6" /></> }
        }
        Shape::Alarm => {
            html! { <><path class="bad" d="M0-9l9 16h-18z" /><path class="sign" d="M0-3.500v5m0 2.500v1" /></> }
        }
        Shape::End => html! { <path class="end" d="M0-12v24" /> },
        Shape::Crash => html! { <path class="crash" d="M-6-6l12 12m0-12l-12 12" /> },
        Shape::Flag => html! { <path class="flag" d="M0 9v-20h9l-3 4 3 4h-9" /> },
        Shape::Click => html! { <path class="click" d="M-5-5h10l-5 8z" /> },
        Shape::Dot => html! { <circle class="dot" r="3.500" /> },
    };
    html! {
        <g
            key={format!("{event}-{:?}", mark.shape)} class={classes!("mark", class)}
            data-event={event} transform={format!("translate({} {})", mark.x, mark.y())}
        >
            { title(mark.count, ui().timeline.events) }
            <circle class="target" r="12" />
            { shape }
            if mark.count > 1 { <path class="stack" d="M-6 10.500h12M-4 13.500h8" /> }
        </g>
    }
}

/// What something that stands for several says to a pointer that rests on it.
pub fn title(count: usize, words: fn(usize) -> String) -> Html {
    if count > 1 {
        html! { <title>{ words(count) }</title> }
    } else {
        html! {}
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
    let is_open = path.tip == Tip::Open;
    let (open, many) = (is_open.then_some("open"), (path.count > 1).then_some("many"));
    // Where an open one ends moves on: it stays the same arrow.
    let (x, y) = path.points.last().copied().unwrap_or_default();
    let end = if is_open { 0 } else { x };
    let key = format!("{event}-{}-{}-{end}-{y}", path.kind as u8, path.tip as u8);
    // Where the line is dashed its head is a path of its own, which is not.
    let is_dashed = is_open || path.kind == ArrowKind::Refusal;
    let line = if is_dashed { d.clone() } else { d.clone() + &tip(path) };
    html! {
        <g {key} class={classes!("arrow", kind, open, many, class)} data-event={event}>
            { title(path.count, ui().timeline.messages) }
            <path class="target" {d} />
            <path d={line} />
            if is_dashed && !is_open { <path class="tip" d={tip(path)} /> }
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

/// The corners of a rectangle, rounded. As points, because they can change with every frame
/// without styles being computed anew, which the attributes of a `rect` cannot.
pub fn rounded((x, y): (i64, i64), (width, height): (i64, i64)) -> String {
    let radius = 4.min(width / 2).min(height / 2);
    // Where the arc of a quarter is halfway, in tenths: 1 - √½ of the radius.
    let (near, far) = (3 * radius, 10 * radius);
    let (right, low) = (10 * (x + width), 10 * (y + height));
    let (left, high) = (10 * x, 10 * y);
    let corners = [
        (left, high + far),
        (left + near, high + near),
        (left + far, high),
        (right - far, high),
        (right - near, high + near),
        (right, high + far),
        (right, low - far),
        (right - near, low - near),
        (right - far, low),
        (left + far, low),
        (left + near, low - near),
        (left, low - far),
    ];
    let tenth = |at: i64| at as f64 / 10.0;
    let mut points = String::new();
    for (x, y) in corners {
        points.push_str(&format!("{},{} ", tenth(x), tenth(y)));
    }
    points
}
