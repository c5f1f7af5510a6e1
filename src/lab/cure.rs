//! The cure of a run that broke a promise: a run of the same scenario in which the same
//! clicks break none. Found by running them, so that no file has to say which it is.

use super::Open;
use crate::learn::SameClicks;
use crate::scenario::{Run, Scenario};
use crate::sim::order;
use crate::text::objects;
use crate::text::ui::ui;

/// Of the scenario and its variants the one nearest to a run that broke a promise, in which
/// the same clicks break none and let everybody come to an end. One that tells of these
/// clicks comes first. One of other clicks is another story where much is set otherwise,
/// and no cure where the clicks only come at another time of somebody's work.
pub(super) fn of(open: &Open) -> Option<SameClicks> {
    const MOST: usize = 3;
    let spec = open.scenario().spec();
    let base = Scenario::built_in(&spec.id).ok()?;
    let variants = base.spec().variants.iter();
    let mut all: Vec<_> = variants
        .filter_map(|variant| Some((base.variant(&variant.id).ok()?, Some(variant))))
        .collect();
    all.insert(0, (base.clone(), None));
    let differs = |made: &Scenario| made.differences(open.scenario());
    // To promise less is no cure.
    let promises =
        |made: &Scenario| spec.promises.iter().all(|it| made.spec().promises.contains(it));
    all.retain(|(made, _)| {
        let (differs, is_told) = (differs(made), made.spec().clicks == spec.clicks);
        let is_time = |path: &String| path.ends_with("_ms");
        !differs.is_empty()
            && promises(made)
            && (is_told || differs.len() <= MOST && !differs.iter().any(is_time))
    });
    // What a scenario tells of next to itself is told in the order in which it cures.
    let is_base = open.scenario().variant_id().is_none();
    order::by_key(&mut all, |(made, _)| match made.spec().clicks == spec.clicks {
        true if is_base => (false, 0),
        is_told => (!is_told, differs(made).len()),
    });
    let (made, variant) = all.into_iter().find(|(made, _)| is_kept(made, open))?;
    let label = variant.map_or_else(|| name(&base, open), |variant| variant.title.clone());
    Some(SameClicks { run: made.name(), label })
}

/// What the scenario itself is called beside a variant of it: its title says nothing of what
/// its store checks and the variant's does not.
fn name(base: &Scenario, beside: &Open) -> String {
    let (title, store) = (&base.spec().title, &base.spec().store);
    if store.rule == beside.scenario().spec().store.rule {
        return title.clone();
    }
    let does = (ui().transport.store)(objects::store_does(store.rule, store.kind));
    (ui().bench.differing)(title, &does, 0)
}

/// Whether a run's clicks break nothing that is promised, made in another scenario.
fn is_kept(scenario: &Scenario, of: &Open) -> bool {
    let run = Run { scenario: scenario.clone(), ..of.run().clone() };
    let Ok(mut made) = Open::new(0, run) else { return false };
    let is_over = made.to_end().is_ok();
    let kept = made.ended().is_some_and(|it| it.broken.is_empty() && it.unfinished.is_empty());
    is_over && kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::library;

    /// Where the store only has to check tokens, that is marked first, and not this.
    const CURES: &str = "\
        reconcile-unfenced: none
        plain-read: none
        check-then-put: check-then-put.one-step
        refund: refund.tokens-and-claim
        refund.tokens-only: refund.refund-id
        separate-counter: none
        separate-counter.stale-overwrites: none
        queue-of-eight.unfenced: queue-of-eight
        batch-incident: batch-incident.etcd-tokens
        batch-incident.watchdog: batch-incident.etcd-tokens
        redis-failover: none
        redlock: none
        redlock.restart: redlock.restart-with-a-file
        redlock.counters: redlock.restart-with-a-file
        redlock.no-look: redlock.pause-before-counting
        redlock.set-back: redlock.pause-before-counting
        redlock.pause-after-counting: none
        zookeeper-pause: none
        zookeeper-pause.czxid: none
        zookeeper-pause.too-late: none
        zookeeper-pause.partition-lost: zookeeper-pause.partition-suspended
        zookeeper-pause.suffix: zookeeper-pause.czxid
        conditional-puts.metadata-only: conditional-puts
        conditional-puts.no-token: conditional-puts
        conditional-puts.plain-put: conditional-puts
        etag-aba: etag-aba.own-mark
        no-lock.no-check: no-lock
        no-lock.key-only: no-lock
        no-lock.retried: no-lock.retried-key
        leader-log.key-only: leader-log
        leader-log.term-only: leader-log.sent-twice
        schema-migrations: schema-migrations.fence-column
        schema-migrations.uncommitted: schema-migrations.sequence
        schema-migrations.terminated: schema-migrations.fence-column
        schema-migrations.pooler: schema-migrations.pooler-transaction
        schema-migrations.client-clock: schema-migrations.database-clock
        schema-migrations.failover: schema-migrations.failover-sequence
        schema-migrations.failover-behind: none
        store-restart: store-restart.on-disk
        consul-lock-delay: none
        consul-lock-delay.modify-index: none
        consul-lock-delay.lock-index: none
        consul-lock-delay.stop-work: none
        consul-lock-delay.no-lock-delay: consul-lock-delay.short-pause
        consul-lock-delay.forgotten-delay: consul-lock-delay.stop-work
        guarded-write.plain-put: guarded-write
        guarded-write.read-first: guarded-write
        guarded-write.mod-revision: guarded-write.create-revision
        guarded-write.key-exists: guarded-write.create-revision
        guarded-write.serializable: guarded-write
        mark-scopes: mark-scopes.one-mark
        mark-scopes.two-locks: mark-scopes.two-marks
        mark-scopes.two-counters: mark-scopes.two-marks
        outbox: outbox.key
        outbox.relay-crash: outbox.relay-crash-key
        outbox.two-relays: outbox.two-relays-key
        object-lock: none
        object-lock.epoch: none
        object-lock.skewed: object-lock.unchanged
        object-lock.skewed-epoch: object-lock.unchanged
        object-lock.fast-clock: none
        object-lock.deleted: object-lock.epoch
        object-lock.create-only: none
        object-lock.lost-answer: object-lock.own-nonce";

    /// Of every run that is told of and breaks a promise: the run that is marked then.
    #[test]
    fn what_breaks_a_promise_marks_its_cure_if_the_scenario_tells_of_one() {
        let mut found = Vec::new();
        for (name, run) in library::runs().expect("built in") {
            let mut open = Open::new(1, run).expect("a run");
            open.to_end().expect("it ends");
            if open.ended().is_some_and(|ended| !ended.broken.is_empty()) {
                let cure = of(&open).map_or("none".to_owned(), |cure| cure.run);
                found.push(format!("{name}: {cure}"));
            }
        }
        let expected: Vec<&str> = CURES.lines().map(str::trim).collect();
        assert_eq!(found, expected);
    }

    /// What both have in common would be no reason to look at the other one.
    #[test]
    fn a_cure_is_called_by_what_is_otherwise_in_it() {
        let label = |id: &str| {
            let scenario = crate::learn::told::scenario(id).expect("built in");
            let mut open = Open::new(1, scenario.run()).expect("a run");
            open.to_end().expect("it ends");
            of(&open).expect("it has one").label
        };
        let told = "The ledger checks the epoch, which a release leaves in the object";
        assert_eq!(label("object-lock.deleted"), told, "both check the epoch");
        for (broken, names) in [
            ("leader-log.key-only", "refuses lower terms"),
            ("queue-of-eight.unfenced", "refuses lower tokens"),
        ] {
            assert!(label(broken).contains(names), "{broken}: {}", label(broken));
        }
    }
}
