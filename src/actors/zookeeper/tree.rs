//! What is replicated: znodes and sessions, and how a change of the log changes them. It
//! is the same on every server that has applied the same changes, and knows no time:
//! when a session ends is the leader's business alone.

use super::api::{
    EventKind, Failure, Mode, Op, Read, Reply, SessionId, Stat, Text, What, Write, ZkError, Zxid,
};
use crate::sim::process::NodeId;
use crate::sim::time::Span;
use litemap::LiteMap;
use serde::Serialize;
use std::rc::Rc;

/// Znodes and sessions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tree {
    nodes: LiteMap<Text, Znode>,
    /// The sessions that have not ended.
    pub sessions: LiteMap<SessionId, Session>,
}

/// A session, as every server knows it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Session {
    /// Its timeout, within the bounds.
    pub timeout: Span,
    /// Who comes with it owns the session.
    pub password: u64,
    /// Who opened it. Serves the causes in the trace.
    #[serde(skip)]
    pub client: NodeId,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Znode {
    data: Text,
    czxid: Zxid,
    mzxid: Zxid,
    pzxid: Zxid,
    version: i32,
    /// Counts the children ever created: the next sequence number.
    creates: i32,
    lives: Lives,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
enum Lives {
    Persistent,
    Container,
    With(SessionId),
}

/// What a change did to a znode.
pub type Change = (Text, EventKind);

pub(super) fn parent_of(path: &str) -> &str {
    match path.rfind('/') {
        Some(0) | None => "/",
        Some(at) => &path[..at],
    }
}

impl Default for Tree {
    fn default() -> Tree {
        Tree::new()
    }
}

impl Tree {
    /// Nothing but the root and its child `zookeeper`.
    pub fn new() -> Tree {
        let zero = Zxid::default();
        let node = |creates| Znode {
            data: "".into(),
            czxid: zero,
            mzxid: zero,
            pzxid: zero,
            version: 0,
            creates,
            lives: Lives::Persistent,
        };
        let mut nodes = LiteMap::new();
        nodes.insert("/".into(), node(0));
        nodes.insert("/zookeeper".into(), node(0));
        Tree { nodes, sessions: LiteMap::new() }
    }

    fn children<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a Text> {
        let is_child = move |other: &&Text| other.len() > 1 && parent_of(other) == path;
        self.nodes.keys().filter(is_child)
    }

    fn node(&self, path: &str) -> Result<&Znode, ZkError> {
        self.nodes.get(path).ok_or(ZkError::NoNode)
    }

    /// A znode's numbers.
    pub fn stat(&self, path: &str) -> Option<Stat> {
        let node = self.nodes.get(path)?;
        let children = self.children(path).count() as i32;
        Some(Stat {
            czxid: node.czxid,
            mzxid: node.mzxid,
            pzxid: node.pzxid,
            version: node.version,
            // Every child was created once, and those that are gone were deleted once.
            cversion: node.creates.wrapping_mul(2).wrapping_sub(children),
            owner: match node.lives {
                Lives::With(session) => session,
                Lives::Persistent | Lives::Container => SessionId::NONE,
            },
            data_length: node.data.len() as i32,
            children,
        })
    }

    /// The paths of a znode's children with their numbers, in the order of the paths.
    pub fn stats_under<'a>(&'a self, path: &'a str) -> impl Iterator<Item = (&'a Text, Stat)> {
        self.children(path).filter_map(|child| Some((child, self.stat(child)?)))
    }

    /// Answers a read.
    pub fn read(&self, read: &Read) -> Result<Reply, ZkError> {
        let stat = self.stat(&read.path);
        if read.what == What::Exists {
            return Ok(Reply::Stat(stat));
        }
        let stat = stat.ok_or(ZkError::NoNode)?;
        if read.what == What::Data {
            return Ok(Reply::Data(self.node(&read.path)?.data.clone(), stat));
        }
        let name = |path: &Text| path.rsplit('/').next().map(Text::from).unwrap_or_default();
        Ok(Reply::Children(self.children(&read.path).map(name).collect()))
    }

    /// Applies an operation of the log. Copies the tree only to change it.
    pub fn apply(
        this: &mut Rc<Tree>,
        op: &Op,
        session: SessionId,
        zxid: Zxid,
        changes: &mut Vec<Change>,
    ) -> Result<Reply, Failure> {
        if !this.sessions.contains_key(&session) {
            return Err(ZkError::SessionExpired.into());
        }
        match op {
            Op::Sync | Op::Read(_) => Ok(Reply::Done),
            Op::Write(write) => Ok(Rc::make_mut(this).write(write, session, zxid, changes)?),
            Op::Multi(writes) => {
                let before = this.clone();
                let tree = Rc::make_mut(this);
                let mut replies = Vec::new();
                for write in writes {
                    match tree.write(write, session, zxid, changes) {
                        Ok(reply) => replies.push(reply),
                        Err(error) => {
                            *this = before;
                            changes.clear();
                            return Err(failed(error, replies.len(), writes.len()));
                        }
                    }
                }
                Ok(Reply::Multi(replies))
            }
        }
    }

    fn write(
        &mut self,
        write: &Write,
        session: SessionId,
        zxid: Zxid,
        changes: &mut Vec<Change>,
    ) -> Result<Reply, ZkError> {
        match write {
            Write::Create { path, data, mode } => {
                self.create(path, data, (*mode, session), zxid, changes)
            }
            Write::Delete { path, version } => {
                self.check(path, *version)?;
                if self.children(path).next().is_some() {
                    return Err(ZkError::NotEmpty);
                }
                self.remove(path, zxid, changes);
                Ok(Reply::Done)
            }
            Write::Set { path, data, version } => {
                self.check(path, *version)?;
                let node = self.nodes.get_mut(path).ok_or(ZkError::NoNode)?;
                node.data = data.clone();
                node.version = node.version.wrapping_add(1);
                node.mzxid = zxid;
                changes.push((path.clone(), EventKind::Changed));
                Ok(Reply::Stat(self.stat(path)))
            }
            Write::Check { path, version } => self.check(path, *version).map(|()| Reply::Done),
        }
    }

    fn check(&self, path: &str, version: i32) -> Result<(), ZkError> {
        let node = self.node(path)?;
        match version == -1 || version == node.version {
            true => Ok(()),
            false => Err(ZkError::BadVersion),
        }
    }

    fn create(
        &mut self,
        path: &Text,
        data: &Text,
        (mode, session): (Mode, SessionId),
        zxid: Zxid,
        changes: &mut Vec<Change>,
    ) -> Result<Reply, ZkError> {
        let parent = parent_of(path);
        let above = self.node(parent)?;
        let path = match mode {
            Mode::PersistentSequential | Mode::EphemeralSequential => {
                format!("{path}{:010}", above.creates).into()
            }
            Mode::Persistent | Mode::Ephemeral | Mode::Container => path.clone(),
        };
        // The order of the looks is the server's: absent parent, there, ephemeral parent.
        if self.nodes.contains_key(&path) {
            return Err(ZkError::NodeExists);
        }
        if let Lives::With(_) = above.lives {
            return Err(ZkError::NoChildrenForEphemerals);
        }
        let lives = match mode {
            Mode::Persistent | Mode::PersistentSequential => Lives::Persistent,
            Mode::Container => Lives::Container,
            Mode::Ephemeral | Mode::EphemeralSequential => Lives::With(session),
        };
        let parent: Text = parent.into();
        if let Some(above) = self.nodes.get_mut(&parent) {
            above.creates = above.creates.wrapping_add(1);
            above.pzxid = zxid;
        }
        let (data, version, creates) = (data.clone(), 0, 0);
        let (czxid, mzxid, pzxid) = (zxid, zxid, zxid);
        let node = Znode { data, czxid, mzxid, pzxid, version, creates, lives };
        self.nodes.insert(path.clone(), node);
        changes.push((path.clone(), EventKind::Created));
        let stat = self.stat(&path).ok_or(ZkError::NoNode)?;
        Ok(Reply::Created { path, stat })
    }

    fn remove(&mut self, path: &Text, zxid: Zxid, changes: &mut Vec<Change>) {
        self.nodes.remove(path);
        if let Some(above) = self.nodes.get_mut(parent_of(path)) {
            above.pzxid = zxid;
        }
        changes.push((path.clone(), EventKind::Deleted));
    }

    /// A session ends, and its ephemeral nodes with it. False where there is none.
    pub fn close(
        this: &mut Rc<Tree>,
        session: SessionId,
        zxid: Zxid,
        changes: &mut Vec<Change>,
    ) -> bool {
        if !this.sessions.contains_key(&session) {
            return false;
        }
        let tree = Rc::make_mut(this);
        tree.sessions.remove(&session);
        let its = |(path, node): (&Text, &Znode)| {
            (node.lives == Lives::With(session)).then(|| path.clone())
        };
        let gone: Vec<Text> = tree.nodes.iter().filter_map(its).collect();
        for path in &gone {
            tree.remove(path, zxid, changes);
        }
        true
    }

    /// The containers that have had children and have none.
    pub fn empty_containers(&self) -> Vec<Text> {
        let is_one = |(path, node): &(&Text, &Znode)| {
            node.lives == Lives::Container
                && node.creates > 0
                && self.children(path).next().is_none()
        };
        self.nodes.iter().filter(is_one).map(|(path, _)| path.clone()).collect()
    }

    /// Deletes a container, if it is empty still.
    pub fn reap(this: &mut Rc<Tree>, path: &Text, zxid: Zxid, changes: &mut Vec<Change>) -> bool {
        let is_empty = this.empty_containers().contains(path);
        if is_empty {
            Rc::make_mut(this).remove(path, zxid, changes);
        }
        is_empty
    }
}

/// What becomes of each operation when one of them fails.
fn failed(error: ZkError, at: usize, count: usize) -> Failure {
    let of = |place: usize| match place.cmp(&at) {
        std::cmp::Ordering::Less => ZkError::RolledBack,
        std::cmp::Ordering::Equal => error,
        std::cmp::Ordering::Greater => ZkError::RuntimeInconsistency,
    };
    Failure { error, results: (0..count).map(of).collect() }
}
