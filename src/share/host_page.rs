//! What is said between the page in a frame and the page that holds it. The shapes are
//! published in `docs/embedding.md`: ours, and two that others have published, so that
//! their pages size our frame without a line of code.
//!
//! Pure: a message is names and values, which [`crate::host`] sends.

/// The version of our messages. Another number means that a field has changed its
/// meaning; fields may be added without one.
pub const VERSION: i64 = 1;

/// A field of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// A text.
    Text(String),
    /// A whole number.
    Number(i64),
    /// Yes or no.
    Flag(bool),
    /// Texts.
    List(Vec<String>),
}

/// A message: an object of these fields.
pub type Message = Vec<(&'static str, Field)>;

fn text(value: &str) -> Field {
    Field::Text(value.to_owned())
}

fn ours(kind: &str) -> Message {
    vec![("source", text("fencepost")), ("version", Field::Number(VERSION)), ("type", text(kind))]
}

/// Someone answered a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The question's id, which never changes.
    pub question: String,
    /// Whether the answer was right.
    pub right: bool,
    /// What was answered: ids of options, or one number or moment in milliseconds.
    pub response: Vec<String>,
    /// How sure the reader was, where that was said: `unsure`, `fairly` or `sure`.
    pub confidence: Option<String>,
}

impl Answered {
    /// The message that tells of it.
    pub fn message(&self) -> Message {
        let mut message = ours("answered");
        message.push(("question", text(&self.question)));
        message.push(("right", Field::Flag(self.right)));
        message.push(("response", Field::List(self.response.clone())));
        message.extend(self.confidence.iter().map(|sure| ("confidence", text(sure))));
        message
    }
}

/// What the page says once it is there.
pub fn ready() -> Vec<Message> {
    vec![ours("ready"), h5p("hello")]
}

fn h5p(action: &str) -> Message {
    vec![("context", text("h5p")), ("action", text(action))]
}

/// How far it has been agreed with the host who sizes the frame.
///
/// A host that speaks H5P is asked before its frame gets another height, since it first
/// makes the frame small enough for a smaller one to be seen.
#[derive(Clone, Debug, Default)]
pub struct Sizing {
    height_px: i64,
    speaks_h5p: bool,
}

impl Sizing {
    /// The content has this height: what is said, which is nothing while it is the same.
    pub fn measured(&mut self, height_px: i64) -> Vec<Message> {
        if height_px == self.height_px {
            return Vec::new();
        }
        self.height_px = height_px;
        let mut plain = ours("height");
        plain.push(("height_px", Field::Number(height_px)));
        let canvas =
            vec![("subject", text("lti.frameResize")), ("height", Field::Number(height_px))];
        let mut messages = vec![plain, canvas];
        if self.speaks_h5p {
            messages.push(self.prepare());
        }
        messages
    }

    /// The host has said this: what is answered. What is not known is not for us.
    pub fn heard(&mut self, context: &str, action: &str) -> Vec<Message> {
        match (context, action) {
            ("h5p", "hello") => {
                self.speaks_h5p = true;
                vec![self.prepare()]
            }
            ("h5p", "resizePrepared") => vec![self.h5p_with_height("resize")],
            // Its window has another size, so ours may have too; that is measured.
            _ => Vec::new(),
        }
    }

    fn prepare(&self) -> Message {
        let mut message = self.h5p_with_height("prepareResize");
        // Both at once: what the frame shows is what it holds, it has no bar to scroll by.
        message.push(("clientHeight", Field::Number(self.height_px)));
        message
    }

    fn h5p_with_height(&self, action: &str) -> Message {
        let mut message = h5p(action);
        message.push(("scrollHeight", Field::Number(self.height_px)));
        message
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(messages: &[Message]) -> Vec<String> {
        let value = |field: &Field| match field {
            Field::Text(text) => text.clone(),
            Field::Number(number) => number.to_string(),
            Field::Flag(flag) => flag.to_string(),
            Field::List(texts) => format!("[{}]", texts.join(" ")),
        };
        let shown = |message: &Message| {
            let fields = message.iter().map(|(name, field)| format!("{name}={}", value(field)));
            fields.collect::<Vec<_>>().join(" ")
        };
        messages.iter().map(shown).collect()
    }

    #[track_caller]
    fn check(messages: &[Message], expected: &[&str]) {
        assert_eq!(shown(messages), expected);
    }

    #[test]
    fn a_height_is_told_in_each_form_and_only_when_it_changes() {
        let mut sizing = Sizing::default();
        let told = [
            "source=fencepost version=1 type=height height_px=640",
            "subject=lti.frameResize height=640",
        ];
        check(&sizing.measured(640), &told);
        check(&sizing.measured(640), &[]);
        let told = [
            "source=fencepost version=1 type=height height_px=320",
            "subject=lti.frameResize height=320",
        ];
        check(&sizing.measured(320), &told);
    }

    #[test]
    fn a_host_that_speaks_h5p_is_asked_and_then_told() {
        let mut sizing = Sizing::default();
        check(&ready(), &["source=fencepost version=1 type=ready", "context=h5p action=hello"]);
        sizing.measured(640);
        let asked = "context=h5p action=prepareResize scrollHeight=640 clientHeight=640";
        check(&sizing.heard("h5p", "hello"), &[asked]);
        let told = "context=h5p action=resize scrollHeight=640";
        check(&sizing.heard("h5p", "resizePrepared"), &[told]);
        let asked = "context=h5p action=prepareResize scrollHeight=700 clientHeight=700";
        assert_eq!(shown(&sizing.measured(700)).last().map(String::as_str), Some(asked));
    }

    #[test]
    fn what_another_program_says_is_not_answered() {
        let mut sizing = Sizing::default();
        check(&sizing.heard("", "hello"), &[]);
        check(&sizing.heard("h5p", "resize"), &[]);
        sizing.measured(640);
        assert_eq!(sizing.measured(650).len(), 2, "nobody has said that he speaks H5P");
    }

    #[test]
    fn an_answer_is_told_with_what_was_answered() {
        let answered = Answered {
            question: "second-token".to_owned(),
            right: true,
            response: vec!["43".to_owned()],
            confidence: None,
        };
        let told = "source=fencepost version=1 type=answered question=second-token right=true response=[43]";
        check(&[answered.message()], &[told]);
        let sure = Answered { confidence: Some("sure".to_owned()), ..answered };
        check(&[sure.message()], &[&format!("{told} confidence=sure")]);
    }
}
