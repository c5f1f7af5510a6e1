//! A dialog over the page, with the button that opens it.

use crate::text::ui::ui;
use web_sys::HtmlDialogElement;
use yew::prelude::*;

/// The button, and what the dialog holds.
#[derive(Clone, PartialEq, Properties)]
pub struct DialogProps {
    /// The id of the button; that of the title is made of it.
    pub id: &'static str,
    /// The classes of the button.
    #[prop_or_default]
    pub class: &'static str,
    /// What the button shows.
    pub shows: &'static str,
    /// What the button is called, where what it shows is no name.
    #[prop_or_default]
    pub name: Option<&'static str>,
    /// The dialog's title.
    pub title: &'static str,
    /// Called when it is opened.
    #[prop_or_default]
    pub on_open: Callback<()>,
    /// Where what it holds is in the rest of the program, [`LATER`](crate::host::rest::LATER).
    #[prop_or_default]
    pub later: Option<&'static str>,
    /// What it holds.
    pub children: Html,
}

/// A button that opens a dialog, and the dialog.
#[component]
pub fn Dialog(props: &DialogProps) -> Html {
    let DialogProps { id, class, shows, name, title, on_open, later, children } = props;
    let dialog = use_node_ref();
    let element = move |dialog: &NodeRef| dialog.cast::<HtmlDialogElement>();
    let open = {
        let (dialog, on_open) = (dialog.clone(), on_open.clone());
        Callback::from(move |_: MouseEvent| {
            on_open.emit(());
            if let Some(dialog) = element(&dialog) {
                // It can only fail when it is open already.
                let _ = dialog.show_modal();
            }
        })
    };
    let close = {
        let dialog = dialog.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(dialog) = element(&dialog) {
                dialog.close();
            }
        })
    };
    let title_id = format!("{id}-title");
    html! {
        <>
            <button type="button" id={*id} class={*class} aria-label={*name} title={*name} data-later={*later} onclick={open}>
                { *shows }
            </button>
            <dialog class={classes!("help", format!("{id}-dialog"))} ref={dialog} aria-labelledby={title_id.clone()}>
                <h2 id={title_id}>{ *title }</h2>
                { children.clone() }
                <button type="button" onclick={close}>{ ui().frame.close }</button>
            </dialog>
        </>
    }
}
