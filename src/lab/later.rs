//! Texts that are fetched when they are first needed, as the lab sees them: which are
//! wanted, and how that stands. The page fetches what [`Lab::take_wanted`] gives out and
//! answers with [`Msg::Came`](super::Msg::Came).

use super::Lab;
use crate::learn::later::{Attempt, Failure, Later};
use crate::scenario::ScenarioError;
use crate::text::ui::ui;

/// How it stands with texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stands {
    /// Nobody has asked for them.
    NotAsked,
    /// They are being fetched.
    OnItsWay,
    /// They are there.
    Here,
    /// They could not be had.
    Failed(Missing),
}

/// Why texts are not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// A file could not be had.
    File(Failure),
    /// They are there and wrong, which a test excludes: in words.
    Wrong(String),
}

impl Missing {
    /// That texts are missing and why, in words.
    pub fn told(&self, what: Later) -> String {
        let text = &ui().later;
        let why = match self {
            Missing::File(failure) => (text.why)(failure),
            Missing::Wrong(error) => format!("{error}."),
        };
        (text.missing)(what, &why)
    }
}

/// All texts that were asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    stand: Vec<(Later, Stands)>,
    wanted: Vec<(Later, Attempt)>,
}

impl Asked {
    fn set(&mut self, what: Later, stands: Stands) {
        self.stand.retain(|(other, _)| *other != what);
        self.stand.push((what, stands));
    }
}

impl Lab {
    /// How it stands with texts.
    pub fn stands(&self, what: Later) -> &Stands {
        let found = self.asked.stand.iter().find(|(other, _)| *other == what);
        found.map_or(&Stands::NotAsked, |(_, stands)| stands)
    }

    /// What was asked for last, and how it stands with it.
    pub fn last_asked(&self) -> Option<&(Later, Stands)> {
        self.asked.stand.last()
    }

    /// What is to be fetched, each once.
    pub fn take_wanted(&mut self) -> Vec<(Later, Attempt)> {
        std::mem::take(&mut self.asked.wanted)
    }

    /// Takes in all that is wanted from the program itself: where there is no site, as in
    /// tests. The page never calls it, or it would hold the texts.
    pub fn supply(&mut self) {
        for (what, _) in self.take_wanted() {
            self.update(super::Msg::Came { what, texts: Ok(what.built_in()) });
        }
    }

    /// Asks for texts, unless they are there or on their way.
    pub(super) fn want(&mut self, what: Later) {
        let attempt = match self.stands(what) {
            Stands::NotAsked => Attempt::First,
            Stands::Failed(_) => Attempt::Again,
            Stands::OnItsWay | Stands::Here => return,
        };
        self.asked.set(what, Stands::OnItsWay);
        self.asked.wanted.push((what, attempt));
        self.changes(what);
    }

    /// Texts have come, or have not.
    #[inline(never)]
    pub(super) fn came(
        &mut self,
        what: Later,
        texts: Result<Vec<String>, Failure>,
    ) -> Result<(), ScenarioError> {
        if *self.stands(what) == Stands::Here {
            return Ok(());
        }
        let checked = texts.and_then(|texts| what.check(&texts).map(|()| texts));
        let read = checked.map_err(Missing::File).and_then(|texts| self.read(what, &texts));
        self.asked.set(what, read.map_or_else(Stands::Failed, |()| Stands::Here));
        self.changes(what);
        match what {
            Later::Chapter(place) if *self.stands(what) == Stands::Here => {
                self.arrive_in_chapter(place)
            }
            _ => Ok(()),
        }
    }

    fn read(&mut self, what: Later, texts: &[String]) -> Result<(), Missing> {
        let wrong = |error: &dyn std::fmt::Display| Missing::Wrong(error.to_string());
        match what {
            Later::Quiz => self.take_in_quiz(texts).map_err(|error| wrong(&error)),
            Later::Chapter(place) => {
                self.take_in_chapter(place, texts).map_err(|error| wrong(&error))
            }
        }
    }

    /// What shows them is drawn anew.
    fn changes(&mut self, what: Later) {
        match what {
            Later::Quiz => self.quiz_changes(),
            // What shows a lesson compares how it stands.
            Later::Chapter(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Msg;
    use crate::lab::arrival::{Arrival, Ids};
    use crate::lab::quiz::{QuizMsg, Side, Which};
    use crate::learn::later::Why;

    fn opened() -> Lab {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::Quiz(QuizMsg::Show(Side::Quiz)));
        lab
    }

    fn failure(why: Why) -> Failure {
        Failure { file: "quiz/tokens.toml", why }
    }

    #[test]
    fn nothing_is_fetched_before_it_is_needed_and_then_once() {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::Play);
        assert_eq!(lab.stands(Later::Quiz), &Stands::NotAsked);
        assert_eq!(lab.take_wanted(), []);
        let mut lab = opened();
        assert_eq!(lab.stands(Later::Quiz), &Stands::OnItsWay);
        lab.update(Msg::Quiz(QuizMsg::Show(Side::Lesson)));
        lab.update(Msg::Quiz(QuizMsg::Show(Side::Quiz)));
        lab.update(Msg::Want(Later::Quiz));
        let first = (Later::Quiz, Attempt::First);
        assert_eq!((lab.take_wanted(), lab.take_wanted()), (vec![first], vec![]));
    }

    #[test]
    fn until_the_questions_are_there_none_can_be_asked() {
        let mut lab = opened();
        lab.update(Msg::Quiz(QuizMsg::Begin(Which::All)));
        assert_eq!((lab.quiz().round(), lab.quiz().progress().rounds()), (None, 0));
        lab.supply();
        assert_eq!(lab.stands(Later::Quiz), &Stands::Here);
        lab.update(Msg::Quiz(QuizMsg::Begin(Which::All)));
        assert!(lab.quiz().asked().is_some());
        // What comes late takes nothing away.
        lab.update(Msg::Came { what: Later::Quiz, texts: Err(failure(Why::Unreached)) });
        assert_eq!(lab.stands(Later::Quiz), &Stands::Here);
    }

    #[test]
    fn what_could_not_be_had_can_be_tried_again_and_is_not_taken_from_what_was_kept() {
        let mut lab = opened();
        lab.take_wanted();
        let mut other = Later::Quiz.built_in();
        other[0].push('\n');
        for (texts, why) in
            [(Err(failure(Why::Refused(404))), Why::Refused(404)), (Ok(other), Why::Other)]
        {
            lab.update(Msg::Came { what: Later::Quiz, texts });
            let missing = Missing::File(failure(why));
            assert_eq!(lab.stands(Later::Quiz), &Stands::Failed(missing));
            assert!(lab.quiz().questions().is_empty());
            assert_eq!(lab.take_wanted(), [], "not by itself");
            lab.update(Msg::Want(Later::Quiz));
            assert_eq!(lab.take_wanted(), [(Later::Quiz, Attempt::Again)]);
        }
        lab.update(Msg::Came { what: Later::Quiz, texts: Ok(Later::Quiz.built_in()) });
        assert_eq!(lab.stands(Later::Quiz), &Stands::Here);
    }

    #[test]
    fn a_question_that_the_address_asks_for_is_asked_when_it_is_there() {
        let asked = |id: &str| {
            let arrival = Arrival::from_query(&format!("question={id}"), &Ids::all());
            let mut lab = Lab::arrive(&arrival, None).expect("built in");
            assert_eq!((lab.quiz().side(), lab.warning()), (Side::Quiz, None));
            lab.supply();
            let asked = lab.quiz().asked().map(|(_, question, _)| question.id.clone());
            (asked, lab.warning().map(str::to_owned), lab.quiz().questions().len())
        };
        let (id, told, all) = asked("second-token");
        assert_eq!((id.as_deref(), told), (Some("second-token"), None));
        let (none, told, _) = asked("second-tokem");
        let (told, others) = (told.expect("it is told"), format!("one of {} others", all - 3));
        assert_eq!(none, None);
        let like_it = "“question” cannot be “second-tokem”; it can be second-token, ";
        assert!(told.contains(like_it) && told.contains(&others), "{told}");
    }
}
