//! What each built-in scenario is there to show.

mod batch_incident;
mod conditional_puts;
mod consul_lock_delay;
mod guarded_write;
mod mark_scopes;
mod no_lock;
mod object_lock;
mod outbox;
mod queue_of_eight;
mod reconcile;
mod redlock;
mod refund;
mod renewal_fails;
mod schema_migrations;
mod separate_counter;
mod slow_clock;
mod store_restart;
mod unfenced;
mod zookeeper_pause;
