//! The workers, each with all that is set for it.

use super::{Commit, group};
use crate::app::identity::Identity;
use crate::lab::bench::Edit;
use crate::lab::bench::shown::ShownWorker;
use crate::text::ui::ui;
use std::rc::Rc;
use yew::prelude::*;

/// The workers, and whether there may be one more.
#[derive(Clone, PartialEq, Properties)]
pub struct WorkersProps {
    /// The workers.
    pub workers: Rc<Vec<ShownWorker>>,
    /// Whether there may be one more.
    pub has_room: bool,
    /// Sets them.
    pub commit: Commit,
}

/// The workers.
#[component]
pub fn Workers(props: &WorkersProps) -> Html {
    let text = &ui().bench;
    let problem = use_state(|| None::<String>);
    let on = |edit: Edit| {
        let (commit, problem) = (props.commit.clone(), problem.setter());
        Callback::from(move |_: MouseEvent| problem.set(commit.emit(edit.clone())))
    };
    let card = |worker: &ShownWorker| {
        let who = Identity::Worker(worker.place);
        let name = AttrValue::from(worker.name.clone());
        let groups = worker.groups.iter().cloned();
        let is_only = props.workers.len() == 1;
        html! {
            <details key={worker.name.clone()} class={classes!("bench-worker", who.class())}>
                <summary>
                    { who.shape() }
                    <b>{ &worker.name }</b>
                    if worker.is_added { { " " }<span class="tag">{ text.added }</span> }
                </summary>
                { for groups.map(|one| group(one, Some(name.clone()), &props.commit)) }
                <div class="acts">
                    if props.has_room {
                        <button type="button" onclick={on(Edit::AddWorker { like: worker.name.clone() })}>
                            { (text.add_worker)(&worker.name) }
                        </button>
                    }
                    if !is_only {
                        <button type="button" onclick={on(Edit::RemoveWorker { name: worker.name.clone() })}>
                            { (text.remove_worker)(&worker.name) }
                        </button>
                    }
                </div>
            </details>
        }
    };
    html! {
        <section aria-label={text.workers} class="bench-workers" tabindex="-1">
            <h3>{ text.workers }</h3>
            if let Some(problem) = &*problem {
                <p class="note" role="alert">{ problem }</p>
            }
            { for props.workers.iter().map(card) }
        </section>
    }
}
