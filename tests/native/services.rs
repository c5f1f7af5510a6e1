//! The comparison of lock services: `docs/services.md` says what its runs come to.

use crate::golden::check_at;
use fencepost::learn::services::{Cell, Column, EndedBy, ROWS, Row};
use fencepost::scenario::Run;
use fencepost::share::link::Link;
use fencepost::text::ui::ui;
use std::path::Path;

fn row(id: &str) -> &'static Row {
    ROWS.iter().find(|row| row.id == id).expect("a row has this name")
}

fn measure(row: &Row, column: Column) -> (Cell, Run) {
    fencepost::learn::services::measure(row, column).expect("its run is right")
}

#[track_caller]
fn check(id: &str, column: Column, expected: Cell) {
    assert_eq!(measure(row(id), column).0, expected);
}

#[test]
fn the_page_in_the_docs_says_what_the_runs_come_to() {
    let text = &ui().services;
    let columns: Vec<&str> = Column::ALL.iter().map(|column| (text.column)(*column)).collect();
    let mut page = format!(
        "# {}\n\n{} This page is written by the native tests (`cargo xtask golden`), from the runs \
         that the page of the laboratory plays.\n\n| {} | {} |\n|{}\n",
        text.title,
        text.about,
        text.service,
        columns.join(" | "),
        "---|".repeat(columns.len() + 1)
    );
    for row in &ROWS {
        let cell = |column: &Column| (text.cell)(measure(row, *column).0);
        let cells: Vec<String> = Column::ALL.iter().map(cell).collect();
        page += &format!("| {} | {} |\n", (text.row)(row.id), cells.join(" | "));
    }
    page += NOTES;
    check_at(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/services.md"), &page);
}

const NOTES: &str = "
- **Who waits**: how often the second client asks the service while the first works; of Redlock
  each question to each of five nodes, and each vote that is given back.
- **Free after** is until the next worker believes that it has the lock.
- **Restarted**: all machines of the service end at 10 s and start again at 11 s, with what the
  model’s defaults keep on disk (Redis: nothing).
- **First machine lost**: it ends at 10 s for good. Redis and PostgreSQL have one replica here, which
  is behind when it is promoted; Consul has three servers. An object store is one machine in the
  model.
- **Whose clock**: the run with the holder standing still is repeated with the wall clocks of the
  service’s machines set forward by a minute, and with all their clocks fast by half. What ends the
  lock earlier is the clock that it goes by.
- Where it says *no token* the service gives none. Under PostgreSQL’s advisory lock a column that is
  raised can be one (`postgres.token`).
";

#[test]
fn each_cell_can_be_played_by_its_link() {
    for row in &ROWS {
        for column in Column::ALL {
            let (_, run) = measure(row, column);
            let link = Link::to(&run).expect("its scenario is built in");
            let read = Link::from_fragment(&link.fragment()).expect("it is a link's own text");
            assert_eq!(read.run().expect("it is right"), run, "{} {column:?}", row.id);
        }
    }
}

#[test]
fn who_decides_is_the_clock_that_moves_the_end() {
    check("etcd", Column::Clock, Cell::Clock(EndedBy::Monotonic));
    check("zookeeper", Column::Clock, Cell::Clock(EndedBy::Monotonic));
    check("redis", Column::Clock, Cell::Clock(EndedBy::Wall));
    check("redlock", Column::Clock, Cell::Clock(EndedBy::Wall));
    check("advisory", Column::Clock, Cell::Clock(EndedBy::Nobody));
    check("object-create", Column::Clock, Cell::Clock(EndedBy::Nobody));
    check("object-lease", Column::Clock, Cell::Clock(EndedBy::Neither));
}

#[test]
fn tokens_rise_where_a_majority_or_a_disk_keeps_them() {
    let rises = |id: &str, column: Column| match measure(row(id), column).0 {
        Cell::Tokens { first, next: Some(next) } => next > first,
        other => panic!("{other:?}"),
    };
    for column in [Column::HandOver, Column::Restart, Column::Failover] {
        assert!(rises("etcd", column) && rises("zookeeper", column), "{column:?}");
    }
    assert!(rises("redis-counter", Column::HandOver));
    assert!(!rises("redis-counter", Column::Restart));
    assert!(!rises("redis-counter", Column::Failover));
    assert!(rises("lock-row", Column::Restart));
    assert!(!rises("lock-row", Column::Failover), "the standby had not got the row");
    assert!(rises("consul", Column::Failover));
    assert!(rises("object-lease", Column::Restart));
}
