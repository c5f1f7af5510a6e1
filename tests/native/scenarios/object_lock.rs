//! What a lock is worth that is an object with a lease in it: when its holder stands still,
//! when clocks differ or run at other rates, when its epoch begins again, and without a lease.

use crate::shown::{check_broken, check_rests_on, shown};
use fencepost::properties::PropertyId::{
    AcknowledgedWriteLost, GrantedToTwo, NeverFinished, NeverReleased, RightfulHolderRefused,
    StaleWriteAccepted, TokenNotRising, TwoBelieve,
};

#[test]
fn dump() {
    for v in ["", ".epoch", ".skewed", ".skewed-epoch", ".unchanged", ".fast-clock", ".deleted", ".create-only", ".lost-answer", ".own-nonce"] {
        let s = shown(&format!("object-lock{v}"));
        println!("==== {v}\n{}\n{:?} {}", s.told(), s.broken(), s.booked());
    }
}
