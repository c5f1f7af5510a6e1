//! The words of what can be chosen of object stores, in English.

use super::bench_words::Choices;

/// As in `bench_words`.
pub const CHOICES: &[(&str, Choices)] = &[
    (
        "objects.until",
        &[
            ("timestamp", "at the time in it", "Written and compared by wall clocks."),
            ("unchanged", "when its ETag stays", "For a whole lease by the reader’s own clock."),
        ],
    ),
    (
        "objects.release",
        &[
            ("free", "sets it free", "It stays, with its epoch."),
            ("delete", "deletes it (wrong)", "The next epoch is 1 again."),
        ],
    ),
    (
        "objects.settle",
        &[
            ("look", "looks for its nonce", "An earlier try may have come through."),
            ("never", "takes it for another’s (wrong)", "And waits for itself."),
        ],
    ),
    (
        "puts",
        &[
            ("plain", "without a condition", "Overwrites what is there."),
            ("if-match", "If-Match", "With the ETag it read; equal bodies have equal ETags."),
            ("if-match-own-mark", "If-Match, own mark", "Each body unlike all others."),
            (
                "token-in-metadata",
                "token in the metadata (wrong)",
                "The ETag says nothing of the metadata.",
            ),
            ("token-in-body", "token in metadata and body", "Its claim changes the ETag."),
        ],
    ),
];
