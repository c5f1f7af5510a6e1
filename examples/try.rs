fn main() {
    let id = std::env::args().nth(1).unwrap();
    let mut scenario = match std::fs::read_to_string(&id) {
        Ok(t) => fencepost::scenario::Scenario::from_text(&t),
        _ => fencepost::scenario::Scenario::built_in(&id),
    }
    .unwrap_or_else(|e| panic!("{e}"));
    if let Some(v) = std::env::args().nth(2) {
        if v != "-" {
            scenario = scenario.variant(&v).unwrap_or_else(|e| panic!("{e}"));
        }
    }
    let report = fencepost::text::report::Report::of(&scenario.run()).unwrap();
    print!("{}", report.text());
    if std::env::args().nth(3).is_some() {
        let r = scenario.run().to_end().unwrap();
        let who = fencepost::text::Who::of(scenario.names(), r.trace());
        for e in r.trace() {
            println!(
                "{:>6} {:>12} {:8} {} {:?}",
                e.id.0,
                e.at.0,
                who.machine(e.node),
                fencepost::text::en::event(e, &who),
                e.causes.iter().map(|c| c.0).collect::<Vec<_>>()
            );
        }
    }
}
