//! The words of all that can be set, in English. A test finds the field without any.

use super::bench::Words;

const fn words(label: &'static str, unit: &'static str, help: &'static str) -> Words {
    Words { label, unit, help }
}

/// Groups of fields by id.
pub const GROUPS: &[(&str, &str)] = &[
    ("lock", "Lock"),
    ("etcd", "Where it is etcd"),
    ("redis", "Where it is Redis"),
    ("redlock", "Where it is Redlock"),
    ("zookeeper", "Where it is ZooKeeper"),
    ("postgres", "Where it is PostgreSQL"),
    ("consul", "Where it is Consul"),
    ("objects", "Where it is an object store"),
    ("store", "Store"),
    ("partner", "Partner"),
    ("network", "Network"),
    ("run", "Run"),
    ("program", "Program"),
    ("renewing", "Renewing"),
    ("calls", "Calls and release"),
    ("clocks", "Clocks and waking"),
];

/// Fields by path, those of a worker without the worker.
pub const FIELDS: &[(&str, Words)] = &[
    ("lock.service", words("Lock service", "", "Another one takes the lock in its first way.")),
    ("lock.recipe", words("How it is taken", "", "Each service has its own ways.")),
    ("lock.ttl_s", words("TTL of the lease", "s", "In whole seconds, as etcd takes it.")),
    (
        "lock.retry_ms",
        words("Asks again after", "s", "Where nobody tells a client that the lock is free."),
    ),
    ("lock.key", words("Key", "", "Or the prefix of the waiters’ keys.")),
    ("etcd.members", words("Members", "", "1, 3, 5 or 7.")),
    ("etcd.revision", words("Revision at the start", "", "The first change gets the next one.")),
    ("etcd.election_timeout_ms", words("Election timeout", "ms", "At least 5 heartbeats.")),
    ("etcd.heartbeat_ms", words("Heartbeat", "ms", "With the election timeout, the least TTL.")),
    ("redis.replicas", words("Replicas", "", "0 or 1.")),
    ("redis.persistence", words("On disk", "", "")),
    (
        "redis.promote_after_ms",
        words("Replica takes over after", "s", "Of silence. Empty: only when it is told to."),
    ),
    (
        "redis.wait_ms",
        words("WAIT for a replica", "s", "After taking the lock. Empty: not at all."),
    ),
    ("redlock.nodes", words("Independent nodes", "", "1, 3, 5 or 7.")),
    ("redlock.node_timeout_ms", words("Waits for a node", "ms", "Then it counts as silent.")),
    ("redlock.clock", words("Reckons by", "", "")),
    ("redlock.check", words("After the votes", "", "")),
    ("zookeeper.servers", words("Servers", "", "1, 3 or 5.")),
    ("zookeeper.token", words("What workers take for their token", "", "")),
    (
        "zookeeper.tick_ms",
        words("Tick", "ms", "A session timeout is from 2 to 20 ticks, whatever is asked for."),
    ),
    (
        "zookeeper.container_check_ms",
        words("Looks for empty containers every", "s", "The lock’s parent is one."),
    ),
    ("store.kind", words("What it is", "", "")),
    ("store.rule", words("What it checks", "", "An object store or a key in etcd: nothing.")),
    ("postgres.standbys", words("Standbys", "", "0 or 1: is sent what is written.")),
    ("postgres.pool", words("Pooler’s connections", "", "In transaction mode; 0 is no pooler.")),
    ("postgres.token", words("Token", "", "Drawn once the lock is held; a row has its own.")),
    ("postgres.clock", words("Clock of the lock’s row", "", "Which says when it is over.")),
    ("postgres.lock_timeout_ms", words("lock_timeout", "s", "Empty or 0: off.")),
    (
        "postgres.idle_in_transaction_ms",
        words("idle_in_transaction_session_timeout", "s", "Empty or 0: off."),
    ),
    ("postgres.idle_session_ms", words("idle_session_timeout", "s", "Empty or 0: off.")),
    ("consul.servers", words("Servers", "", "1, 3 or 5.")),
    ("consul.token", words("What workers take for their token", "", "")),
    ("consul.lock_delay_ms", words("Lock-delay", "s", "After a session is invalidated; to 60.")),
    ("consul.behavior", words("Behavior", "", "What becomes of the key then.")),
    (
        "consul.election_timeout_ms",
        words("Election timeout", "s", "With several servers: up to twice that."),
    ),
    ("consul.reads", words("Reads of the key", "", "Which server may answer.")),
    ("objects.until", words("Another’s lease is over", "", "Only where the object has a lease.")),
    ("objects.release", words("Release of a lease", "", "An object without one is deleted.")),
    ("objects.settle", words("After a 412 or 409", "", "It may come of its own success.")),
    ("store.mark", words("Where it keeps the highest token", "", "")),
    ("store.scope", words("One highest token for", "", "")),
    ("store.write_ms", words("Time to store a write", "ms", "")),
    ("store.first_number", words("First drawn number", "", "Of a counter beside the lock.")),
    ("store.title", words("Name", "", "")),
    ("partner.books", words("When it books", "", "")),
    ("partner.keys", words("Idempotency keys", "", "Of workers the job, of a relay the row’s id.")),
    ("partner.relays", words("Relays", "", "0, 1 or 2; with none the store has no outbox.")),
    ("partner.relay_ms", words("Relay asks again after", "s", "Without an answer.")),
    ("network.latency_ms", words("Latency", "ms", "One way.")),
    ("network.member_latency_ms", words("Latency between members", "ms", "One way.")),
    ("network.jitter_ms", words("Jitter", "ms", "Up to so much later, drawn for each message.")),
    ("network.loss_ppm", words("Lost", "%", "Of all messages.")),
    ("network.duplicate_ppm", words("Doubled", "%", "Of all messages.")),
    ("limit_ms", words("Ends at the latest at", "s", "")),
    ("waits_at_ms", words("Waits for you at", "s", "Where the run stops after Start.")),
    (
        "orchestrator.restart_after_ms",
        words("Orchestrator starts the next worker after", "s", "Empty: there is none."),
    ),
    ("seed", words("Seed", "", "Keys all random draws.")),
    ("promises", words("Promises", "", "What safe means in this run.")),
    ("title", words("Title", "", "")),
    ("goal", words("Goal", "", "")),
    ("program", words("Steps", "", "")),
    ("starts_ms", words("Begins at", "s", "Empty: when the orchestrator says so.")),
    ("compute_ms", words("Compute takes", "s", "Running time; a pause stops it.")),
    ("check_ms", words("Check takes", "s", "Running time before the next step.")),
    ("upload_ms", words("Slow upload takes", "s", "Running time.")),
    ("job", words("Job", "", "A job is owed once, whoever does it.")),
    ("amount", words("Amount booked", "", "By the partner, each time it books.")),
    ("objects", words("Objects", "", "First claim and write: the first; so on. Empty: unnamed.")),
    ("lock", words("A lock of its own", "", "Its key. Empty: the lock of all.")),
    ("start_over", words("After it stopped", "", "")),
    ("renew_ms", words("Renew after", "s", "Empty: a third of the TTL.")),
    ("renewal", words("Renews a key in Redis", "", "etcd’s client always renews its lease.")),
    ("on_renewal_failure", words("When it cannot renew", "", "")),
    (
        "stops_at",
        words("ZooKeeper: that is", "", "Only where it stops or exits when it cannot renew."),
    ),
    (
        "renewal_unanswered_ms",
        words("Unanswered counts as failed after", "s", "Empty: only at its deadline."),
    ),
    ("renew_without_progress", words("Without progress", "", "")),
    ("progress_ms", words("No progress means waiting", "s", "For one answer, longer than this.")),
    ("deadline_from", words("Deadline counted from", "", "")),
    ("release", words("Release", "", "")),
    ("retries", words("Retries", "", "How often an unanswered call is sent again.")),
    ("request_timeout_ms", words("Waits for an answer", "s", "")),
    ("puts", words("How it puts an object", "", "Where the store is an object store.")),
    ("guard", words("How it guards its write", "", "Where the store is a key in etcd.")),
    ("wake_first", words("First on waking", "", "")),
    ("wall_ahead_ms", words("Wall clock ahead", "s", "Below zero: behind.")),
    ("rate_ppm", words("Clock rate", "×", "1 is right.")),
];

pub(super) type Choices = &'static [(&'static str, &'static str, &'static str)];

/// Choices by field, each with its name, its words and what it means.
pub const CHOICES: &[(&str, Choices)] = &[
    (
        "lock.recipe",
        &[
            ("queue", "queue", "Waiters queue; the key’s create revision is the token."),
            ("create-if-absent", "create if absent", "One key; waiters watch it and try again."),
            ("get-then-put", "get, then put (wrong)", "Two calls, and another may come between."),
            ("set-nx", "SET NX PX", "Redis: one call; no token."),
            ("setnx-expire", "SETNX, then EXPIRE (wrong)", "Redis: a crash between has no end."),
            ("set-and-count", "script with a counter", "Redis: the count is the token."),
            ("redlock", "Redlock", "A majority of independent nodes; no token."),
            ("redlock-and-count", "Redlock with counters (wrong)", "Each node counts for itself."),
            (
                "ephemeral-sequential",
                "ephemeral sequential nodes",
                "ZooKeeper: the lowest suffix holds; each watches the one before.",
            ),
            ("advisory", "pg_advisory_lock", "PostgreSQL: the session’s; waits in a queue."),
            ("try-advisory", "pg_try_advisory_lock", "PostgreSQL: the session’s; tried again."),
            ("advisory-xact", "pg_advisory_xact_lock", "PostgreSQL: ends with its transaction."),
            ("row-lock", "SELECT … FOR UPDATE", "PostgreSQL: ends with its transaction."),
            ("lock-row", "row with an end", "PostgreSQL: owner, end and token in a row."),
            ("kv-acquire", "acquire a key", "Consul: a session holds it; waiters read and try."),
            ("election", "election", "etcd: a queue, but nobody looks at its own key at the end."),
            ("object-create", "object created if absent", "Object store: no end and no token."),
            ("object-lease", "object with a lease", "Object store: owner, epoch, lease; If-Match."),
        ],
    ),
    (
        "lock.service",
        &[
            ("etcd", "etcd", "Keys with leases, agreed upon by a majority."),
            ("redis", "Redis", "Keys with times, by one node’s wall clock."),
            ("redlock", "Redlock", "Several Redis nodes that vote, each by its wall clock."),
            ("zookeeper", "ZooKeeper", "Nodes that go with their session, agreed upon."),
            ("postgres", "PostgreSQL", "Locks of sessions and transactions, or a row."),
            ("consul", "Consul", "Keys that sessions hold, with a delay after they ended."),
            ("objects", "Object store", "An object, put on conditions; it knows no leases."),
        ],
    ),
    (
        "redlock.clock",
        &[
            ("monotonic", "the monotonic clock", "Nobody sets it."),
            ("wall", "the wall clock", "It can be set while the votes come in."),
        ],
    ),
    (
        "redlock.check",
        &[
            ("after-votes", "looks at the clock again", "Too late is not granted."),
            ("none", "does not (wrong)", "A majority is enough, however late."),
        ],
    ),
    (
        "zookeeper.token",
        &[
            ("czxid", "czxid", "Of the own node: it rises over all changes."),
            ("suffix", "suffix (wrong)", "Begins again when the empty parent has gone."),
            ("version", "version of another node", "Each holder sets a node that stays."),
        ],
    ),
    (
        "stops_at",
        &[
            ("suspended", "SUSPENDED", "As soon as the connection is gone."),
            ("lost", "LOST (late)", "When it has been gone for a session timeout."),
        ],
    ),
    (
        "postgres.token",
        &[
            ("none", "none", ""),
            ("fence-column", "column", "UPDATE … SET token = token + 1 RETURNING token."),
            ("sequence", "sequence", "nextval, which no rollback takes back."),
        ],
    ),
    (
        "consul.token",
        &[
            ("modify-index", "ModifyIndex", "The place in the log: rises over every key."),
            ("lock-index", "LockIndex", "Counts a key’s holders; begins again with a new key."),
            ("none", "none", ""),
        ],
    ),
    (
        "consul.reads",
        &[
            ("default", "default", "The leader."),
            ("stale", "stale", "Any server, from what it has applied."),
        ],
    ),
    (
        "consul.behavior",
        &[
            ("release", "release", "The key stays, and nobody holds it."),
            ("delete", "delete", "The key is deleted, and its LockIndex with it."),
        ],
    ),
    (
        "postgres.clock",
        &[
            ("database", "the database’s", "now() in the statement."),
            ("client", "the client’s (wrong)", "Its own time in the statement."),
        ],
    ),
    (
        "redis.persistence",
        &[
            ("none", "nothing", "A restart forgets every key."),
            ("aof", "append-only file", "Written before each answer."),
        ],
    ),
    (
        "renewal",
        &[
            ("owner", "only its own", "A watchdog compares the value first."),
            ("name-only", "by name (wrong)", "A watchdog prolongs it, whoever’s it is."),
            ("none", "not at all", "The lock has to last as long as the work."),
        ],
    ),
    (
        "store.rule",
        &[
            ("none", "nothing", "Every write is accepted."),
            ("at-least", "lower tokens refused", "An equal token passes, repeats too."),
            (
                "owner-and-sequence",
                "lower tokens and repeats refused",
                "An equal token passes for its owner’s next write.",
            ),
            ("compare-and-set", "version compared", "Refuses what was computed from an old one."),
            ("dedupe-key", "the job’s id", "Refuses a job that is done."),
            (
                "same-transaction",
                "lock read in the transaction that stores",
                "Nothing comes between check and write.",
            ),
            (
                "strictly-greater",
                "equal tokens refused too (wrong)",
                "The holder’s second write fails.",
            ),
            ("last-seen", "only the last number (wrong)", "Equality with the number seen last."),
            ("check-then-put", "checked first, put later (wrong)", "Two steps, with time between."),
            (
                "check-at-start",
                "checked when it begins (wrong)",
                "A slow write is not looked at again.",
            ),
            (
                "term-and-key",
                "terms and keys",
                "Lower tokens refused; a job that is done answered as before.",
            ),
        ],
    ),
    (
        "partner.books",
        &[
            ("with-store", "with the store", "In the step in which the store accepts a write."),
            ("when-asked", "when it is asked", "By a worker’s “book” or by a relay."),
        ],
    ),
    (
        "partner.keys",
        &[
            ("ignored", "ignored", "Each request is booked."),
            ("checked", "checked", "A known one is answered again, and not booked."),
        ],
    ),
    (
        "store.kind",
        &[
            ("fenced", "compares tokens", "By its rule; no public object store does."),
            ("objects", "object store", "Conditions on ETags, as S3 has them; no rule."),
            ("etcd", "a key in etcd", "Beside the lock, which has to be etcd’s; no rule."),
        ],
    ),
    (
        "guard",
        &[
            ("create-revision", "create revision", "In its transaction; wrong with get-then-put."),
            ("mod-revision", "mod revision (wrong)", "Each put of the own key changes it."),
            ("key-exists", "there is a key (wrong)", "A shared name may be another’s by now."),
            ("read-first", "a read, then a put (wrong)", "What it read may be over."),
            (
                "read-first-serializable",
                "a read from one member, then a put (wrong)",
                "A member that is cut off answers too.",
            ),
            ("none", "nothing (wrong)", "A mere put."),
        ],
    ),
    (
        "store.mark",
        &[
            ("durable", "on disk", "It is there after a restart."),
            ("in-memory", "in memory (wrong)", "A restart forgets it."),
        ],
    ),
    (
        "store.scope",
        &[
            ("store", "all data", "Right where one lock guards all of it."),
            ("object", "each object", "Right where each object has a lock of its own."),
        ],
    ),
    (
        "promises",
        &[
            ("stale-write-accepted", "No stale write accepted", ""),
            ("acknowledged-write-lost", "No acknowledged write lost", ""),
            ("work-done-twice", "No work done twice", ""),
            ("rightful-holder-refused", "No rightful holder refused", ""),
            ("two-believe", "Never two believe they hold it", ""),
            ("granted-to-two", "Never granted to two", ""),
            ("token-not-rising", "Tokens rise", ""),
            ("wrong-lock-released", "No wrong lock released", ""),
            ("never-released", "Released at the end", ""),
            ("never-finished", "Finished at the end", ""),
        ],
    ),
    (
        "program",
        &[
            ("draw-number", "draw a number", "A token from a counter beside the lock."),
            ("acquire", "acquire the lock", "Opens a session and waits."),
            ("claim", "claim", "Registers the token and reads, in one step."),
            ("read", "read", "Reads without registering the token."),
            ("compute", "compute", "Works on what it read."),
            ("check", "check its deadline", "Goes on only while its session is open."),
            ("write", "send the write", "In one call."),
            ("slow-write", "send the write slowly", "Begin, upload, complete."),
            ("release", "release", "Gives the lock back."),
            ("book", "ask the partner to book", "In a call of its own; the job is its key."),
            ("take", "take the next transfer", "Where there is a load; the program goes on here."),
        ],
    ),
    (
        "start_over",
        &[
            ("no", "it ends", "It does not begin again."),
            ("yes", "it begins anew", "With a new session."),
        ],
    ),
    (
        "on_renewal_failure",
        &[
            ("exit", "exits", "Closes its session as far as it can and ends."),
            ("stop-work", "stops its work", "It sends nothing more."),
            ("carry-on", "carries on", "Its program does not look at its session."),
        ],
    ),
    (
        "renew_without_progress",
        &[
            ("always", "renews", "As long as the process lives."),
            ("no", "does not renew", "While the main thread waits too long."),
        ],
    ),
    (
        "deadline_from",
        &[
            ("before-request", "before the request", "Never later than the server’s."),
            ("answer", "the answer", "As etcd’s Go client does; can be too late."),
        ],
    ),
    (
        "release",
        &[
            ("owner", "only its own lock", "Deletes the key only while it is its own."),
            ("name-only", "by name (wrong)", "Whoever holds it by then."),
        ],
    ),
    (
        "wake_first",
        &[
            ("work", "its work", "It goes on where it stood."),
            ("timers", "overdue timers", "Deadlines and renewals first."),
            ("messages", "waiting messages", "It hears first what has come."),
        ],
    ),
];
