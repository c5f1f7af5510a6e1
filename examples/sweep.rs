use fencepost::search::*;
use std::time::Instant;
fn main() {
    let id = std::env::args().nth(1).unwrap();
    let scenario = fencepost::scenario::Scenario::built_in(&id).unwrap_or_else(|e| panic!("{e}"));
    for merging in [Merging::Equal, Merging::None] {
        for kind in Kind::ALL {
            let t = Instant::now();
            let tally = Sweep::new(&scenario, &[kind], merging).unwrap().finish();
            println!(
                "{merging:?} {kind:?} {:?} runs {} steps {} states {} merged {} broken {:?}",
                t.elapsed(),
                tally.runs,
                tally.steps,
                tally.states,
                tally.merged,
                tally.broken
            );
            for (id, tried) in &tally.first {
                println!("     {id:?}: {tried:?}");
            }
        }
    }
}
