//! Links to runs.

/// Links to runs.
#[derive(Debug)]
pub struct Share {
    /// The button that opens the dialog.
    pub open: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What the link holds.
    pub about: fn(moment: &str) -> String,
    /// The link itself.
    pub link: &'static str,
    /// The code of a frame with it.
    pub frame: &'static str,
    /// Copies what stands beside it.
    pub copy: &'static str,
    /// It was copied.
    pub copied: &'static str,
    /// The browser did not let it be copied: it is selected.
    pub refused: &'static str,
    /// The title of a frame, for screen readers.
    pub frame_title: fn(scenario: &str) -> String,
    /// A link that cannot be read, and why.
    pub unreadable: fn(error: &str, cut_off: Option<&str>) -> String,
    /// The link was made by another version of the model.
    pub other_model: &'static str,
    /// The link says what its run does not come to.
    pub other_outcome: &'static str,
}

/// English.
pub const ENGLISH: Share = Share {
    open: "Share this run",
    title: "Share this run",
    about: |moment| {
        format!(
            "Whoever opens the link has this run with its clicks, at {moment}. It holds what \
             you did and nothing about you, and no server learns of it."
        )
    },
    link: "Link",
    frame: "Code to put it into a page",
    copy: "Copy",
    copied: "Copied.",
    refused: "The browser does not let the page copy. The text is selected: copy it by hand.",
    frame_title: |scenario| format!("Fencepost: {scenario}"),
    unreadable: |error, cut_off| {
        let cut_off = cut_off.map_or(String::new(), |end| {
            format!(
                " It ends with “…{end}”, and seems to have been cut off there: it needs the rest, \
                 up to its last sign."
            )
        });
        format!("The link cannot be read: {error}.{cut_off} Nothing else has changed.")
    },
    other_model: "The link was made by an earlier version of this program, in which the run \
                  ended differently.",
    other_outcome: "The link says that its run ends differently: somebody has changed it.",
};
