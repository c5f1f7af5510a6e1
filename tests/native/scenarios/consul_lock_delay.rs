//! What a lock in Consul is worth when its holder stands still for longer than twice its TTL:
//! with and without a lock-delay, with one that is forgotten, and by which token.

use crate::shown::{check, check_broken, check_rests_on, shown};
use fencepost::properties::PropertyId::{
    AcknowledgedWriteLost, NeverFinished, RightfulHolderRefused, StaleWriteAccepted,
    TokenNotRising, TwoBelieve,
};

#[test]
fn a_pause_is_longer_than_session_and_lock_delay() {
    let shown = shown("consul-lock-delay");
    println!("{}", shown.told());
    check_broken(&shown, &[StaleWriteAccepted, AcknowledgedWriteLost, TwoBelieve]);
}
