//! What a statement does. One that has to wait is carried out anew when it need not wait
//! any more, on the rows as they are then, as read committed has it.

use super::Server;
use super::api::{
    Advisory, Clock, Condition, Database, Level, LockRow, OnConflict, Outcome, Reply, ResRow,
    Sequence, SqlError, Statement, Strength, Text, Timeout, Wait, Warning,
};
use super::locks::{Held, Insists, Tag};
use super::session::{Pid, Transaction};
use super::tables::{End, Given, Lease, Versioned};
use crate::actors::Actor;
use crate::sim::order;
use crate::sim::process::{NodeId, Out};
use crate::sim::time::{Span, Wall};

/// What came of a statement so far.
pub(super) enum Step {
    Done(Reply),
    Fails(SqlError),
    Waits(Tag, Strength),
}

impl From<Outcome> for Step {
    fn from(outcome: Outcome) -> Step {
        Step::Done(outcome.into())
    }
}

/// Whether a row's lock was had.
enum Had {
    It,
    Skipped,
}

fn warned(outcome: Outcome, warning: Warning) -> Step {
    Step::Done(Reply { outcome, warning: Some(warning) })
}

impl Server {
    /// Carries out what a session runs.
    pub(super) fn carry_out(&mut self, pid: Pid, out: &mut Out<Actor>) -> Step {
        let session = self.session(pid);
        let running = session.running.as_ref().expect("it runs something");
        let statement = running.statement.clone();
        let time = match session.transaction {
            Transaction::Open { now, .. } => now,
            Transaction::None | Transaction::Failed { .. } => running.now,
        };
        let ends = matches!(statement, Statement::Commit | Statement::Rollback);
        if matches!(session.transaction, Transaction::Failed { .. }) && !ends {
            return Step::Fails(SqlError::Aborted);
        }
        if session.database == Database::Other && statement.is_of_schema() {
            return Step::Fails(SqlError::NoSuchTable);
        }
        match statement {
            Statement::Begin => self.begin(pid, time),
            Statement::Commit => self.end_block(pid, End::Commit, out),
            Statement::Rollback => self.end_block(pid, End::Rollback, out),
            Statement::Set(timeout, span) => self.set(pid, timeout, span),
            Statement::TryAdvisory(lock) => self.advisory(pid, lock, Insists::Tries, out),
            Statement::Advisory(lock) => self.advisory(pid, lock, Insists::Waits, out),
            Statement::AdvisoryUnlock(key, strength) => {
                let tag = Tag::Advisory(self.session(pid).database, key);
                self.unlock(pid, &tag, strength, out)
            }
            Statement::AdvisoryUnlockAll => {
                let is_own = |held: &Held| held.pid == pid && held.level == Level::Session;
                self.let_go(is_own, End::Commit, pid, out);
                Outcome::Flag(None).into()
            }
            Statement::AdvisoryLocks => Outcome::Locks(self.advisory_locks()).into(),
            Statement::TerminateBackend(node) => self.terminate_backend(pid, node, out),
            statement => match self.on_rows(pid, statement, time, out) {
                Ok(outcome) => outcome.into(),
                Err(step) => step,
            },
        }
    }

    fn on_rows(
        &mut self,
        pid: Pid,
        statement: Statement,
        time: Wall,
        out: &mut Out<Actor>,
    ) -> Result<Outcome, Step> {
        match statement {
            Statement::Read(id) => Ok(Outcome::Row(self.row(pid, id).cloned())),
            Statement::CountValue(value) => {
                let seen = self.disk.tables.res.iter().filter_map(|row| row.seen_by(pid));
                let count = seen.filter(|row| row.value == value).count();
                Ok(Outcome::Number(i64::try_from(count).expect("a table is small")))
            }
            Statement::SelectFor(id, strength, wait) => {
                self.select_for(pid, id, (strength, wait), out)
            }
            Statement::SelectFirst(wait) => self.select_first(pid, wait, out),
            Statement::Update { id, value, when } => self.update(pid, id, value, when, out),
            Statement::RaiseToken(id) => self.raise_token(pid, id, out),
            Statement::InsertOnce(key, owner, conflict) => {
                self.insert_once(pid, key, owner, conflict, out)
            }
            Statement::ReadOnce(key) => {
                let row = self.disk.tables.dedup.get(&key).and_then(|row| row.seen_by(pid));
                Ok(Outcome::Once(row.cloned()))
            }
            Statement::DeleteOnce(key) => self.delete_once(pid, key, out),
            Statement::Nextval(sequence) => Ok(Outcome::Number(self.nextval(pid, sequence))),
            Statement::Currval(sequence) => {
                let drawn = self.session_mut(pid).drawn(sequence);
                let nothing = Step::Fails(SqlError::NothingDrawn(sequence));
                drawn.map(|drawn| Outcome::Number(drawn.last)).ok_or(nothing)
            }
            statement => self.on_lease(pid, statement, time, out),
        }
    }

    fn begin(&mut self, pid: Pid, now: Wall) -> Step {
        let session = self.session_mut(pid);
        let done = Outcome::Done("BEGIN");
        if session.transaction != Transaction::None {
            return warned(done, Warning::InTransaction);
        }
        session.transaction = Transaction::Open { now, before: session.timeouts };
        done.into()
    }

    /// `COMMIT` of what has failed is a rollback, and says so.
    fn end_block(&mut self, pid: Pid, asked: End, out: &mut Out<Actor>) -> Step {
        let (end, is_none) = match self.session(pid).transaction {
            Transaction::Failed { .. } => (End::Rollback, false),
            Transaction::Open { .. } => (asked, false),
            Transaction::None => (asked, true),
        };
        self.end_transaction(pid, end, out);
        let done = Outcome::Done(match end {
            End::Commit => "COMMIT",
            _ => "ROLLBACK",
        });
        if is_none { warned(done, Warning::NoTransaction) } else { done.into() }
    }

    fn set(&mut self, pid: Pid, timeout: Timeout, span: Span) -> Step {
        let timeouts = &mut self.session_mut(pid).timeouts;
        *match timeout {
            Timeout::Lock => &mut timeouts.lock,
            Timeout::Statement => &mut timeouts.statement,
            Timeout::IdleInTransaction => &mut timeouts.idle_in_transaction,
            Timeout::IdleSession => &mut timeouts.idle_session,
            Timeout::Deadlock => &mut timeouts.deadlock,
        } = span;
        Outcome::Done("SET").into()
    }

    fn is_blocked(&self, pid: Pid, tag: &Tag, strength: Strength, insists: Insists) -> bool {
        !self.locks.blockers(&self.sessions, pid, tag, strength, insists).is_empty()
    }

    fn advisory(
        &mut self,
        pid: Pid,
        lock: Advisory,
        insists: Insists,
        out: &mut Out<Actor>,
    ) -> Step {
        let tag = Tag::Advisory(self.session(pid).database, lock.key);
        let is_blocked = self.is_blocked(pid, &tag, lock.strength, insists);
        match (is_blocked, insists) {
            (true, Insists::Tries) => return Outcome::Flag(Some(false)).into(),
            (true, Insists::Waits) => return Step::Waits(tag, lock.strength),
            (false, _) => self.take(pid, tag, (lock.strength, lock.level), out),
        }
        Outcome::Flag((insists == Insists::Tries).then_some(true)).into()
    }

    fn unlock(&mut self, pid: Pid, tag: &Tag, strength: Strength, out: &mut Out<Actor>) -> Step {
        let owner = self.session(pid).application();
        match self.locks.unlock(pid, tag, strength, owner) {
            Some(freed) => {
                self.tell_unlocked(pid, tag, freed, out);
                Outcome::Flag(Some(true)).into()
            }
            None => {
                self.tell_not_held(pid, tag, out);
                warned(Outcome::Flag(Some(false)), Warning::NotOwned(strength))
            }
        }
    }

    fn advisory_locks(&self) -> Vec<LockRow> {
        let row = |pid: Pid, tag: &Tag, strength: Strength, granted: bool| {
            let Tag::Advisory(_, key) = tag else { return None };
            let (class, object, space) = key.parts();
            let client = self.session(pid).client();
            Some(LockRow { class, object, space, strength, granted, client })
        };
        let mut rows: Vec<LockRow> = Vec::new();
        for held in &self.locks.held {
            let held = row(held.pid, &held.tag, held.strength, true);
            // Both levels of one lock are one row.
            rows.extend(held.filter(|held| !rows.contains(held)));
        }
        for session in &self.sessions {
            let waits = session.waits_for();
            rows.extend(waits.and_then(|it| row(session.pid, &it.tag, it.strength, false)));
        }
        // "ExclusiveLock" comes before "ShareLock".
        let place = |row: &LockRow| {
            let exclusive_first = std::cmp::Reverse(row.strength);
            (row.class, row.object, row.space, exclusive_first, !row.granted, row.client)
        };
        order::by_key(&mut rows, place);
        rows
    }

    fn row(&self, pid: Pid, id: i64) -> Option<&ResRow> {
        self.disk.tables.res[self.disk.tables.place_of(id)?].seen_by(pid)
    }

    /// Locks a row, or says what becomes of the statement.
    fn lock_row(
        &mut self,
        pid: Pid,
        tag: Tag,
        (strength, wait): (Strength, Wait),
        out: &mut Out<Actor>,
    ) -> Result<Had, Step> {
        let insists = if wait == Wait::Wait { Insists::Waits } else { Insists::Tries };
        if self.is_blocked(pid, &tag, strength, insists) {
            return match wait {
                Wait::Wait => Err(Step::Waits(tag, strength)),
                Wait::Nowait => Err(Step::Fails(SqlError::RowLocked)),
                Wait::Skip => Ok(Had::Skipped),
            };
        }
        self.take(pid, tag, (strength, Level::Transaction), out);
        Ok(Had::It)
    }

    fn select_for(
        &mut self,
        pid: Pid,
        id: i64,
        how: (Strength, Wait),
        out: &mut Out<Actor>,
    ) -> Result<Outcome, Step> {
        let Some(row) = self.row(pid, id).cloned() else { return Ok(Outcome::Row(None)) };
        Ok(Outcome::Row(match self.lock_row(pid, Tag::Res(id), how, out)? {
            Had::It => Some(row),
            Had::Skipped => None,
        }))
    }

    fn select_first(
        &mut self,
        pid: Pid,
        wait: Wait,
        out: &mut Out<Actor>,
    ) -> Result<Outcome, Step> {
        for id in 1..=self.disk.tables.res.len() as i64 {
            let found = self.select_for(pid, id, (Strength::Update, wait), out)?;
            if found != Outcome::Row(None) {
                return Ok(found);
            }
        }
        Ok(Outcome::Row(None))
    }

    /// A row that does not fit as it is committed is not waited for.
    fn update(
        &mut self,
        pid: Pid,
        id: i64,
        value: Text,
        when: Condition,
        out: &mut Out<Actor>,
    ) -> Result<Outcome, Step> {
        let fits = |row: &&ResRow| match when {
            Condition::Always => true,
            Condition::Version(version) => row.version == version,
            Condition::TokenBelow(token) => row.token < token,
            Condition::TokenAtMost(token) => row.token <= token,
        };
        let Some(row) = self.row(pid, id).filter(fits).cloned() else {
            return Ok(Outcome::Changed("UPDATE", 0));
        };
        self.lock_row(pid, Tag::Res(id), (Strength::NoKeyUpdate, Wait::Wait), out)?;
        let row = match when {
            Condition::Always | Condition::Version(_) => {
                ResRow { value, version: row.version + 1, ..row }
            }
            Condition::TokenBelow(token) | Condition::TokenAtMost(token) => {
                ResRow { value, token, ..row }
            }
        };
        self.change_row(pid, row);
        Ok(Outcome::Changed("UPDATE", 1))
    }

    fn raise_token(&mut self, pid: Pid, id: i64, out: &mut Out<Actor>) -> Result<Outcome, Step> {
        let Some(row) = self.row(pid, id).cloned() else { return Ok(Outcome::Returned(None)) };
        self.lock_row(pid, Tag::Res(id), (Strength::NoKeyUpdate, Wait::Wait), out)?;
        let token = row.token + 1;
        self.change_row(pid, ResRow { token, ..row });
        Ok(Outcome::Returned(Some(token)))
    }

    fn change_row(&mut self, pid: Pid, row: ResRow) {
        let place = self.disk.tables.place_of(row.id).expect("the row was just read");
        self.disk.tables.res[place].change(pid, Some(row));
    }

    /// A key that another transaction inserts or deletes is waited for: it may be there or
    /// not when that ends.
    fn insert_once(
        &mut self,
        pid: Pid,
        key: Text,
        owner: Text,
        conflict: OnConflict,
        out: &mut Out<Actor>,
    ) -> Result<Outcome, Step> {
        let tag = Tag::Once(key.clone());
        if self.is_blocked(pid, &tag, Strength::Update, Insists::Waits) {
            return Err(Step::Waits(tag, Strength::Update));
        }
        let dedup = &self.disk.tables.dedup;
        if dedup.get(&key).is_some_and(|row| row.seen_by(pid).is_some()) {
            return match conflict {
                OnConflict::Nothing => Ok(Outcome::Changed("INSERT 0", 0)),
                OnConflict::Error => Err(Step::Fails(SqlError::UniqueViolation)),
            };
        }
        self.take(pid, tag, (Strength::Update, Level::Transaction), out);
        let row = self.disk.tables.dedup.entry(key).or_insert_with(Versioned::absent);
        row.change(pid, Some(owner));
        Ok(Outcome::Changed("INSERT 0", 1))
    }

    fn delete_once(&mut self, pid: Pid, key: Text, out: &mut Out<Actor>) -> Result<Outcome, Step> {
        let is_there = self.disk.tables.dedup.get(&key).and_then(|row| row.seen_by(pid)).is_some();
        if !is_there {
            return Ok(Outcome::Changed("DELETE", 0));
        }
        let how = (Strength::Update, Wait::Wait);
        self.lock_row(pid, Tag::Once(key.clone()), how, out)?;
        if let Some(row) = self.disk.tables.dedup.get_mut(&key) {
            row.change(pid, None);
        }
        Ok(Outcome::Changed("DELETE", 1))
    }

    fn nextval(&mut self, pid: Pid, sequence: Sequence) -> i64 {
        let drawn = *self.session_mut(pid).drawn(sequence);
        let next = self.disk.tables.numbers(sequence).next(drawn);
        *self.session_mut(pid).drawn(sequence) = Some(next);
        next.last
    }

    fn on_lease(
        &mut self,
        pid: Pid,
        statement: Statement,
        time: Wall,
        out: &mut Out<Actor>,
    ) -> Result<Outcome, Step> {
        let row = self.disk.tables.lease.seen_by(pid).expect("the row is never deleted").clone();
        let says = |clock| match clock {
            Clock::Database => time,
            Clock::Client(time) => time,
        };
        let by = self.session(pid).running.as_ref().expect("it runs this").id;
        let node = self.by(pid);
        let given = |clock, ttl| match clock {
            Clock::Database => None,
            Clock::Client(_) => Some(Given { ttl, by, node }),
        };
        let (then, outcome, none) = match statement {
            Statement::LeaseAcquire { owner, ttl, clock } => {
                let time = says(clock);
                let is_free = row.owner.is_none() || row.expires.is_some_and(|it| it <= time);
                let token = row.token + 1;
                let (expires, given) = (Some(time + ttl), given(clock, ttl));
                let taken = Lease { owner: Some(owner), token, expires, given };
                (is_free.then_some(taken), Outcome::Returned(Some(token)), Outcome::Returned(None))
            }
            Statement::LeaseRenew { owner, token, ttl, clock } => {
                let time = says(clock);
                let is_own = row.owner == Some(owner) && row.token == token;
                let lives = row.expires.is_some_and(|expires| expires > time);
                let (expires, given) = (Some(time + ttl), given(clock, ttl));
                let renewed = (is_own && lives).then_some(Lease { expires, given, ..row });
                (renewed, Outcome::Changed("UPDATE", 1), Outcome::Changed("UPDATE", 0))
            }
            Statement::LeaseRelease { whose } => {
                let fits = whose
                    .is_none_or(|(owner, token)| row.owner == Some(owner) && row.token == token);
                let free = fits.then_some(Lease { owner: None, ..row });
                (free, Outcome::Changed("UPDATE", 1), Outcome::Changed("UPDATE", 0))
            }
            _ => {
                let lives = row.expires.map(|expires| expires > time);
                return Ok(Outcome::Lease(row.owner, row.token, lives));
            }
        };
        let Some(then) = then else { return Ok(none) };
        self.lock_row(pid, Tag::Lease, (Strength::NoKeyUpdate, Wait::Wait), out)?;
        self.disk.tables.lease.change(pid, Some(then));
        Ok(outcome)
    }

    fn terminate_backend(&mut self, own: Pid, node: NodeId, out: &mut Out<Actor>) -> Step {
        match self.session_of(node).filter(|pid| *pid != own) {
            Some(pid) => {
                self.terminate(pid, SqlError::Terminated, out);
                Outcome::Flag(Some(true)).into()
            }
            None => warned(Outcome::Flag(Some(false)), Warning::NoBackend),
        }
    }
}
