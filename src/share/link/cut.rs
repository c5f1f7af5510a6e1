//! Whether a link that cannot be read was cut off at its end, as mail programs do it.

use super::{LinkError, LinkProblem, NAMES, Parts};
use crate::scenario::{Scenario, library};
use percent_encoding::percent_decode_str;

/// So many signs of the end are told, to find the place.
const TOLD: usize = 20;

/// Where a link that could not be read ends, in its last signs, if it seems to go on there: what
/// is wrong with it is that something is missing at its end.
pub fn cut_off<'a>(fragment: &'a str, error: &LinkError) -> Option<&'a str> {
    seems_cut_off(fragment, error).then(|| {
        let mut starts = fragment.char_indices().rev().map(|(at, _)| at);
        starts.nth(TOLD - 1).map_or(fragment, |at| &fragment[at..])
    })
}

fn seems_cut_off(fragment: &str, error: &LinkError) -> bool {
    let (before, last) = match fragment.rsplit_once('&') {
        Some((before, last)) => (Some(before), last),
        None => (None, fragment),
    };
    let mut parts = Parts::default();
    let mut all = before.into_iter().flat_map(|before| before.split('&'));
    let is_whole = all.all(|part| {
        let (name, text) = part.split_once('=').unwrap_or((part, ""));
        parts.take(name, text).is_ok()
    });
    if !is_whole || fragment.is_empty() {
        return false;
    }
    let Some((name, encoded)) = last.split_once('=') else {
        return NAMES.iter().any(|name| name.starts_with(last));
    };
    let text = percent_decode_str(encoded).decode_utf8_lossy();
    let is_hex = |text: &str| text.chars().all(|it| it.is_ascii_hexdigit());
    match &error.problem {
        // A sign in percent-encoding has two digits.
        _ if encoded.rfind('%').is_some_and(|at| encoded.len() - at < 3) => true,
        LinkProblem::NoText => true,
        LinkProblem::Unread(unread) => unread.at == text.chars().count() + 1,
        LinkProblem::Missing => {
            [("scenario", "v"), ("outcome", "model")].contains(&(error.place.as_str(), name))
        }
        LinkProblem::Wrong(_) => match name {
            "outcome" => text.len() < 16 && is_hex(&text),
            _ => text.is_empty(),
        },
        LinkProblem::Scenario(_) => match name {
            "scenario" => library::ALL.iter().any(|(id, _)| id.starts_with(&*text)),
            "variant" => {
                parts.scenario.and_then(|id| Scenario::built_in(&id).ok()).is_some_and(|it| {
                    it.spec().variants.iter().any(|variant| variant.id.starts_with(&*text))
                })
            }
            // Without a value it takes away what has to be there.
            "set" => text.ends_with(':'),
            _ => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::share::Link;

    const WHOLE: &str = "v=1&scenario=reconcile&variant=stop-work&set=worker.W1.job:'a-b'&seed=7\
        &click=25000000:pause(for_ms=45000,node=W1)&at=73074000&model=1&outcome=0123456789abcdef";

    fn error(fragment: &str) -> Option<LinkError> {
        Link::from_fragment(fragment).and_then(|link| link.run()).err()
    }

    /// What is cut off behind a whole part, or in the midst of a number, still reads.
    #[test]
    fn wherever_a_link_is_cut_it_is_read_or_said_to_be_cut_off() {
        for end in 1..WHOLE.len() {
            let cut = &WHOLE[..end];
            if let Some(error) = error(cut) {
                assert!(cut_off(cut, &error).is_some(), "{cut}: {error}");
            }
        }
    }

    #[test]
    fn a_sign_that_is_cut_in_two_is_said_to_be_cut_off() {
        for cut in ["a%20%C3%A9", "a%20%C3%A", "a%20%C3%", "a%20%C3", "a%2", "a%", "a"] {
            let link = format!("v=1&scenario=refund&set=worker.W1.job:'{cut}");
            let error = error(&link).expect("no closing quote");
            assert!(cut_off(&link, &error).is_some(), "{link}: {error}");
        }
    }

    #[test]
    fn a_mistake_elsewhere_is_none_of_the_end() {
        for wrong in [
            "",
            "v=2&scenario=reconcile",
            "v=1&scenario=reconcile&colour=red",
            "v=1&scenario=nothing",
            "v=1&scenario=reconcile!",
            "v=1&scenario=reconcile&seed=-1",
            "v=1&scenario=reconcile&click=5&at=7",
            "v=1&scenario=reconcile&at=3s",
            "v=1&scenario=refund&click=5:pause(nod=W1)",
            "scenario=reconcile",
        ] {
            let error = error(wrong).expect("it is wrong");
            assert_eq!(cut_off(wrong, &error), None, "{wrong}: {error}");
        }
    }

    #[test]
    fn the_last_signs_are_told() {
        let cut = "v=1&scenario=refund&set=a:'ééé";
        let error = error(cut).expect("no closing quote");
        assert_eq!(cut_off(cut, &error), Some("io=refund&set=a:'ééé"));
    }
}
