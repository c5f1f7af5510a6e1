//! The words of what can be chosen where the lock is an object, in English.

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
];
