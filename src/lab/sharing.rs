//! Runs that come from links, and the link to the run one looks at.

use super::open::Told;
use super::{Lab, Open};
use crate::share::link::{Agreement, cut_off};
use crate::share::{Link, LinkError};
use crate::text::ui::ui;

impl Lab {
    /// The link to the run one looks at, at its moment.
    ///
    /// # Errors
    /// When no link can tell it.
    pub fn link(&self) -> Result<Link, LinkError> {
        let open = self.open();
        let at = (!open.is_at_start()).then(|| open.now());
        Ok(Link { at, ..Link::to(open.run())? })
    }

    /// Opens the run of a link beside the others, or in place of one with which nothing
    /// has been done. What is wrong with the link becomes a warning, and nothing is lost.
    #[inline(never)]
    pub(super) fn open_link(&mut self, fragment: &str, told: Option<Told>) {
        match self.read_link(fragment, told) {
            Err(error) => self.warn(unreadable(fragment, &error)),
            Ok(agreement) => self.tell(agreement),
        }
    }

    fn read_link(&mut self, fragment: &str, told: Option<Told>) -> Result<Agreement, LinkError> {
        // What is shown of a run is known by its number, so each has one of its own.
        let (mut open, agreement) = opened(fragment, self.opened + 1)?;
        open.set_told(told);
        let is_untouched = self.runs.len() == 1
            && self.open().replay().trace().is_empty()
            && self.open().run().clicks.is_empty();
        self.beside = None;
        self.add(open);
        if is_untouched {
            self.close(0);
        }
        Ok(agreement)
    }

    /// Opens the run of the link with which the page is opened, before anything was shown; whether
    /// it could be.
    pub(super) fn open_first_link(&mut self, fragment: &str, takes_place: bool) -> bool {
        let number = if takes_place { self.open().number() } else { self.opened + 1 };
        match opened(fragment, number) {
            Ok((open, agreement)) => {
                if takes_place {
                    *self.open_mut() = open;
                } else {
                    self.add(open);
                }
                self.tell(agreement);
                true
            }
            Err(error) => {
                self.warn(unreadable(fragment, &error));
                false
            }
        }
    }

    fn tell(&mut self, agreement: Agreement) {
        match agreement {
            Agreement::Same => {}
            Agreement::OtherModel => self.warn(ui().share.other_model.to_owned()),
            Agreement::OtherOutcome => self.warn(ui().share.other_outcome.to_owned()),
        }
    }
}

/// What is wrong with a link, in words.
fn unreadable(fragment: &str, error: &LinkError) -> String {
    (ui().share.unreadable)(&error.to_string(), cut_off(fragment, error))
}

/// The run of a link at its moment.
pub(super) fn opened(fragment: &str, number: u32) -> Result<(Open, Agreement), LinkError> {
    let link = Link::from_fragment(fragment)?;
    let run = link.run()?;
    let agreement = link.agreement(&run)?;
    let mut open = Open::new(number, run)?;
    if let Some(at) = link.at {
        open.seek(at);
    }
    Ok((open, agreement))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Msg;
    use crate::scenario::Scenario;
    use crate::scenario::clicks::Do;
    use crate::share::outcome::Outcome;
    use crate::sim::time::TrueTime;

    fn paused_at_60_s() -> Lab {
        let scenario = Scenario::built_in("reconcile").expect("built in");
        let mut lab = Lab::on(&scenario).expect("built in");
        lab.update(Msg::Seek(TrueTime(25_000_000)));
        lab.update(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) }));
        lab.update(Msg::Seek(TrueTime(60_000_000)));
        lab
    }

    fn fragment(lab: &Lab) -> String {
        lab.link().expect("built in").fragment()
    }

    fn open(lab: &mut Lab, fragment: &str) {
        lab.update(Msg::OpenLink { fragment: fragment.to_owned() });
    }

    #[test]
    fn a_run_comes_back_from_its_link_at_its_moment() {
        let from = paused_at_60_s();
        let mut to = Lab::new().expect("built in");
        open(&mut to, &fragment(&from));
        assert_eq!(to.warning(), None);
        assert_eq!(to.runs().len(), 1, "in place of the untouched one");
        assert_eq!(to.open().number(), 2, "and not to be taken for it");
        assert_eq!(to.open().run(), from.open().run());
        assert_eq!(to.open().now(), TrueTime(60_000_000));
        assert_eq!(fragment(&to), fragment(&from));
        let (here, there) = (to.open().replay().moment(), from.open().replay().moment());
        assert!(here.state() == there.state());
    }

    #[test]
    fn a_link_opened_later_stands_beside_what_was_there() {
        let mut lab = paused_at_60_s();
        let own = lab.open().run().clone();
        open(&mut lab, "v=1&scenario=refund");
        assert_eq!(lab.runs().len(), 2);
        assert_eq!(lab.open().scenario().spec().id, "refund");
        assert!(lab.open().is_at_start());
        assert_eq!(*lab.runs()[0].run(), own);
    }

    #[track_caller]
    fn check_warning(fragment: &str, expected: &str) {
        let mut lab = paused_at_60_s();
        open(&mut lab, fragment);
        let warning = lab.warning().unwrap_or_default();
        assert!(warning.contains(expected), "{warning}");
    }

    #[test]
    fn a_link_that_cannot_be_read_takes_nothing_away() {
        let mut lab = paused_at_60_s();
        open(&mut lab, "v=1&scenario=refund&click=5:pause(nod=W1)");
        assert_eq!(lab.runs().len(), 1);
        check_warning(
            "v=1&scenario=refund&click=5:pause(nod=W1)",
            "click 1: do, pause, nod: there is no field `nod` here",
        );
    }

    #[test]
    fn a_link_that_was_cut_off_is_said_to_be() {
        let cut = "v=1&scenario=refund&click=5000000:pause(node=W";
        check_warning(
            cut,
            "click 1: a comma or a closing bracket is expected at character 21. It ends with \
             “…5000000:pause(node=W”, and seems to have been cut off there: ",
        );
        let mut lab = Lab::arrive(&crate::lab::arrival::Arrival::default(), Some(cut)).expect("it");
        assert!(lab.warning().is_some_and(|told| told.contains("cut off there")));
        lab.update(Msg::Dismiss);
        check_warning("v=1&scenario=refund&click=5:pause(nod=W1)", "here; there are");
        open(&mut lab, "v=1&scenario=refund&click=5:pause(nod=W1)");
        assert!(lab.warning().is_some_and(|told| !told.contains("cut off")));
    }

    #[test]
    fn a_link_whose_run_ends_otherwise_says_so() {
        let other = |model| {
            let outcome = Some((model, Outcome(7)));
            Link { outcome, ..paused_at_60_s().link().expect("built in") }.fragment()
        };
        check_warning(&other(crate::share::outcome::MODEL), "changed");
        check_warning(&other(0), "an earlier version");
    }
}
