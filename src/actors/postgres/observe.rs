//! What is told of the lock, in notes. Nothing here influences a step.
//!
//! The lock is an advisory key, the row of `res` with id 1, or the row of `leases`. A
//! client names its acquisition as its `application_name`, and in the row as its owner.

use super::api::{Database, Level, SqlError, Strength, Text};
use super::config::LockIs;
use super::locks::{Held, Tag};
use super::session::{ClientKey, Pid, Session, named_by};
use super::tables::{End, Given, Lease};
use super::{Part, PostgresTimer, Server};
use crate::actors::note::{GrantEnd, Lasts, LockNote, ObjectLease, PostgresNote};
use crate::actors::store::api::Owner;
use crate::actors::{Actor, Fact, Timer};
use crate::sim::process::{NodeId, NoteBuilder, Now, Out};
use crate::sim::time::Span;

fn holder(row: &Lease) -> Option<Owner> {
    named_by(row.owner.as_deref()?)
}

fn granted(lock: &Text, lease: Owner, (token, lasts): (i64, Lasts), out: &mut Out<Actor>) {
    let fact = Fact::Lock(lock.clone());
    out.note(LockNote::Granted { lock: lock.clone(), lease, token, lasts })
        .because(fact.clone())
        .because(Fact::Queued(lease))
        .sets(fact)
        .sets(Fact::Lease(lease));
}

fn ended<'a>(
    lock: &Text,
    lease: Owner,
    how: GrantEnd,
    out: &'a mut Out<Actor>,
) -> NoteBuilder<'a, Actor> {
    let (lock, fact) = (lock.clone(), Fact::Lock(lock.clone()));
    out.note(LockNote::Ended { lock, lease, how }).because(fact.clone()).sets(fact)
}

/// How long the row's holder has it from now, as the server's clock says.
fn left(row: &Lease, now: Now) -> Option<Span> {
    row.expires.map(|until| until - now.wall)
}

/// What the row's holder wrote, where its own clock says when that is over.
fn by_its_clock(row: &Lease) -> Option<ObjectLease> {
    let given = row.given?;
    Some(ObjectLease { length: given.ttl, until: row.expires, put: given.by.0 })
}

impl Server {
    fn told(&self) -> Option<Text> {
        self.config.lock.as_ref().map(|(lock, _)| lock.clone())
    }

    /// One of two servers answers for itself alone.
    fn lasts(&self, of_one: Lasts, left: Option<Span>) -> Lasts {
        match self.replica {
            Some(_) => Lasts::Key { left },
            None => of_one,
        }
    }

    /// How long the row's holder has it. By the clients' clocks no server's has a say.
    fn row_lasts(&self, row: &Lease, now: Now) -> Lasts {
        match (by_its_clock(row), &self.replica) {
            (Some(object), None) => Lasts::Object(object),
            (Some(object), Some(_)) => Lasts::Row(object),
            (None, _) => self.lasts(Lasts::Lease, left(row, now)),
        }
    }

    /// Where there are two: it answers for the lock from now on, with what it has. That is
    /// nobody's session, and the row as it is written.
    pub(super) fn tell_taken_over(&mut self, now: Now, out: &mut Out<Actor>) {
        let (Some(lock), Part::Primary, Some(_)) = (self.told(), self.part(), &self.replica) else {
            return;
        };
        let row = self.lease();
        // By the clients' clocks it may live, whatever the own one says.
        let lives = row.given.is_some() || row.expires.is_some_and(|expires| expires > now.wall);
        let (lease, lasts) = (holder(row).filter(|_| lives), self.row_lasts(row, now));
        self.disk.row_told_over = lease.is_none();
        let fact = Fact::Lock(lock.clone());
        out.note(LockNote::TakenOver { lock, lease, lasts })
            .because(Fact::Leadership)
            .because(fact.clone())
            .sets(fact);
    }

    /// Whoever held the lock in the other server's memory holds nothing here. A row is sent.
    pub(super) fn tell_no_sessions(&self, out: &mut Out<Actor>) {
        if let Some(lock) = self.told().filter(|_| self.config.lock_is == LockIs::InMemory) {
            let fact = Fact::Lock(lock.clone());
            out.note(PostgresNote::NoSessions { lock })
                .because(Fact::Leadership)
                .because(fact.clone())
                .sets(fact);
        }
    }

    /// Whether a lock is the one that is told of.
    pub(super) fn is_told(&self, tag: &Tag, strength: Strength) -> bool {
        let Some((_, told)) = &self.config.lock else { return false };
        strength == Strength::Update
            && match tag {
                Tag::Advisory(database, key) => *database == Database::Main && key == told,
                Tag::Res(id) => *id == 1,
                Tag::Lease | Tag::Once(_) => false,
            }
    }

    /// Who asks in this session, or is given up with it: its client, or the machine itself.
    pub(super) fn by(&self, pid: Pid) -> NodeId {
        let session = self.sessions.iter().find(|session| session.pid == pid);
        session.and_then(Session::client).unwrap_or(self.config.place)
    }

    /// Whose acquisition it is, as long as its client is connected.
    fn node_of(&self, owner: Owner) -> Option<NodeId> {
        let client = self.clients.iter().find(|client| client.application == owner);
        client.map(|client| client.node)
    }

    /// Locks, and tells of it.
    pub(super) fn take(
        &mut self,
        pid: Pid,
        tag: Tag,
        (strength, level): (Strength, Level),
        out: &mut Out<Actor>,
    ) {
        let lease = self.session(pid).application();
        let told = self.told().filter(|_| self.is_told(&tag, strength) && lease != Owner::NONE);
        let count = |server: &Server, owner: Option<Owner>| {
            let held = server.locks.held.iter();
            let its = held.filter(|held| held.pid == pid && held.tag == tag);
            let taken = its.flat_map(|held| &held.taken_for);
            taken.filter(|it| owner.is_none_or(|owner| owner == **it)).count()
        };
        let (before, own) = (count(self, None), count(self, Some(lease)));
        self.locks.take(pid, tag.clone(), (strength, level), lease);
        let after = count(self, None);
        let Some(lock) = told else { return };
        if before > 0 && after > before {
            let held = u32::try_from(after).unwrap_or(u32::MAX);
            let fact = Fact::Lock(lock.clone());
            out.note(PostgresNote::Counted { lock: lock.clone(), lease, held }).because(fact);
        }
        if own == 0 {
            // With a standby it is promised for no time: it is over with its server.
            granted(&lock, lease, (0, self.lasts(Lasts::Process, Some(Span::ZERO))), out);
        }
    }

    /// An advisory lock was unlocked once.
    pub(super) fn tell_unlocked(&self, pid: Pid, tag: &Tag, freed: Owner, out: &mut Out<Actor>) {
        let Some(lock) = self.told().filter(|_| self.is_told(tag, Strength::Update)) else {
            return;
        };
        let held = self.locks.held.iter().filter(|held| held.pid == pid && held.tag == *tag);
        if held.flat_map(|held| &held.taken_for).all(|other| *other != freed) {
            ended(&lock, freed, GrantEnd::Deleted { by: self.by(pid) }, out);
        }
    }

    /// An unlock that unlocked nothing.
    pub(super) fn tell_not_held(&self, pid: Pid, tag: &Tag, out: &mut Out<Actor>) {
        let lease = self.session(pid).application();
        if let Some(lock) = self.told().filter(|_| self.is_told(tag, Strength::Update)) {
            out.note(PostgresNote::NotHeld { lock: lock.clone(), lease })
                .because(Fact::Lock(lock))
                .because(Fact::Lease(lease));
        }
    }

    /// Locks were let go.
    pub(super) fn tell_let_go(&self, gone: &[Held], end: End, pid: Pid, out: &mut Out<Actor>) {
        let Some(lock) = self.told() else { return };
        for held in gone.iter().filter(|held| self.is_told(&held.tag, held.strength)) {
            let mut owners: Vec<Owner> = held.taken_for.clone();
            owners.dedup();
            // A client that ends its transaction lets go; else the server does.
            let how = match end {
                End::Commit | End::Rollback => GrantEnd::Deleted { by: self.by(pid) },
                End::Failure => GrantEnd::Transaction,
                End::OfSession => GrantEnd::Session,
            };
            for owner in owners.into_iter().filter(|owner| *owner != Owner::NONE) {
                ended(&lock, owner, how, out);
            }
        }
    }

    /// A session waits.
    pub(super) fn tell_queued(&self, pid: Pid, tag: &Tag, out: &mut Out<Actor>) {
        let lease = self.session(pid).application();
        if let Some(lock) = self.told().filter(|_| self.is_told(tag, Strength::Update)) {
            let fact = Fact::Lock(lock.clone());
            let queued = Fact::Queued(lease);
            let note = out.note(PostgresNote::Queued { lock, lease });
            note.because(fact).because(queued.clone()).sets(queued);
        }
    }

    /// A client waits for a connection of the pool: others have them, with what they hold.
    pub(super) fn tell_waits_for_pool(&self, key: ClientKey, out: &mut Out<Actor>) {
        let own = self.clients.iter().find(|client| client.key() == key);
        let own = own.expect("it asked just now").application;
        let note = out.note(PostgresNote::WaitsForPool { client: key.0 });
        let note = note.sets(Fact::Queued(own));
        let users = self.sessions.iter().map(|session| Fact::Lease(session.application()));
        users.fold(note, |note, fact| note.because(fact));
    }

    /// A statement failed.
    pub(super) fn tell_failed(&self, pid: Pid, error: SqlError, out: &mut Out<Actor>) {
        let lease = self.session(pid).application();
        if lease != Owner::NONE {
            out.note(PostgresNote::Failed { lease, error }).because(Fact::Queued(lease));
        }
    }

    /// A session ends: what its client did last, or that it did nothing, is the cause.
    pub(super) fn tell_session_ended(&self, pid: Pid, why: Option<SqlError>, out: &mut Out<Actor>) {
        let session = self.session(pid);
        let (client, lease) = (session.client(), session.application());
        let note = out.note(PostgresNote::SessionEnded { client, lease, why });
        let note = note.because(Fact::Lease(lease));
        let idle = [Some(SqlError::IdleInTransaction), Some(SqlError::IdleSession)];
        // The client may have been silent, and the own clock wrong.
        if let Some(client) = client.filter(|_| idle.contains(&why)) {
            note.silence_of(client).silence_of(self.config.place);
        }
    }

    /// The row of `leases` as it was before a transaction ended, and as it is now.
    pub(super) fn tell_row(&mut self, before: Option<Lease>, pid: Pid, out: &mut Out<Actor>) {
        let (Some(lock), Some(old)) = (self.told(), before) else { return };
        let new = self.lease().clone();
        if old == new {
            return;
        }
        let was_over = std::mem::take(&mut self.disk.row_told_over);
        match (holder(&old), holder(&new)) {
            (Some(own), Some(other)) if own == other && old.token == new.token && !was_over => {
                let object = by_its_clock(&new);
                let left = object.map(|it| it.length).or(left(&new, out.clocks()));
                let note = PostgresNote::Renewed { lock, lease: own, left, object };
                out.note(note).sets(Fact::Lease(own));
            }
            (old_holder, new_holder) => {
                // One that was over has been told so.
                if let Some(owner) = old_holder.filter(|_| !was_over) {
                    let by = self.by(pid);
                    let how = match new_holder {
                        Some(_) => GrantEnd::Overwritten { by },
                        None => GrantEnd::Deleted { by },
                    };
                    let note = ended(&lock, owner, how, out);
                    if let (Some(Given { node: had, .. }), Some(_)) = (old.given, new_holder) {
                        // By whose clocks it was over, if it was: that of who has it, and of who
                        // had it. Or nobody renewed it.
                        note.wall_of(by).wall_of(had).silence_of(had);
                    }
                }
                if let Some(owner) = new_holder {
                    let lasts = self.row_lasts(&new, out.clocks());
                    granted(&lock, owner, (new.token, lasts), out);
                }
            }
        }
        self.mind_row(out);
    }

    /// Sets the timer to the instant at which the row is over, where the own clock says so.
    pub(super) fn mind_row(&self, out: &mut Out<Actor>) {
        let timer = Timer::Postgres(PostgresTimer::RowIsOver);
        let row = self.lease();
        let is_standby = self.part() == Part::Standby;
        let is_nobodys = self.told().is_none() || holder(row).is_none();
        match row.expires.filter(|_| row.given.is_none()) {
            Some(expires) if !is_standby && !is_nobodys && !self.disk.row_told_over => {
                out.set_wall_timer(timer, expires);
            }
            _ => out.cancel_timer(timer),
        }
    }

    /// The row is over.
    pub(super) fn tell_row_is_over(&mut self, now: Now, out: &mut Out<Actor>) {
        let row = self.lease();
        let (Some(lock), Some(owner)) = (self.told(), holder(row)) else { return };
        if row.expires.is_some_and(|expires| expires <= now.wall) {
            let note = out.note(PostgresNote::RowIsOver { lock: lock.clone(), lease: owner });
            let note = note.because(Fact::Lease(owner)).silence_of(self.config.place);
            // Nobody renewed it.
            if let Some(node) = self.node_of(owner) {
                note.silence_of(node);
            }
            ended(&lock, owner, GrantEnd::KeyExpired, out);
            self.disk.row_told_over = true;
        }
    }

    /// The server has started again, without its sessions and their locks.
    pub(super) fn tell_restarted(&mut self, now: Now, out: &mut Out<Actor>) {
        let note = out.note(PostgresNote::Restarted).sets(Fact::Leadership);
        if let Some(lock) = self.told().filter(|_| holder(self.lease()).is_none()) {
            note.sets(Fact::Lock(lock));
        }
        self.tell_taken_over(now, out);
    }
}
