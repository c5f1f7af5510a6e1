//! The dialog that gives the link to the run one looks at.

use crate::app::dialog::Dialog;
use crate::app::handle::LabHandle;
use crate::host::rest::LATER;
use crate::host::{address, clipboard};
use crate::text::amounts::moment;
use crate::text::ui::ui;
use web_sys::HtmlTextAreaElement;
use yew::platform::spawn_local;
use yew::prelude::*;

/// What the dialog shows: made when it is opened, for a link tells one moment.
#[derive(Clone, PartialEq)]
struct Told {
    about: String,
    link: Result<String, String>,
    /// The same without the page around it.
    frame: String,
    title: String,
}

impl Told {
    fn of(lab: &LabHandle) -> Told {
        let lab = lab.lab();
        let link = lab.link().map(|link| link.fragment());
        let fragment = link.as_ref().map(String::as_str).unwrap_or_default();
        let frame = format!("{}?embed=1#{fragment}", address::bare());
        Told {
            frame,
            about: (ui().share.about)(&moment(lab.open().now())),
            link: link.map(|it| address::with_fragment(&it)).map_err(|error| error.to_string()),
            title: (ui().share.frame_title)(&lab.open().scenario().spec().title),
        }
    }
}

/// What the button gets.
#[derive(Clone, PartialEq, Properties)]
pub struct ShareProps {
    /// The lab.
    pub lab: LabHandle,
}

/// The button that opens the dialog, and the dialog.
#[component]
pub fn ShareRun(props: &ShareProps) -> Html {
    let text = &ui().share;
    let told = use_state(|| None::<Told>);
    let on_open = {
        let (told, lab) = (told.clone(), props.lab.clone());
        Callback::from(move |()| told.set(Some(Told::of(&lab))))
    };
    html! {
        <Dialog id="share" shows={text.open} title={text.title} later={Some(LATER)} {on_open}>
            if let Some(told) = &*told {
                { for_run(told) }
            }
        </Dialog>
    }
}

fn for_run(told: &Told) -> Html {
    let text = &ui().share;
    match &told.link {
        Err(error) => html! { <p>{ error }</p> },
        Ok(link) => {
            let frame = frame(&told.frame, &told.title);
            html! {
                <>
                    <p>{ &told.about }</p>
                    <Copied id="share-link" label={text.link} text={link.clone()} />
                    <Copied id="share-frame" label={text.frame} text={frame} />
                </>
            }
        }
    }
}

/// The code of a frame that shows the link.
fn frame(link: &str, title: &str) -> String {
    let safe = |text: &str| text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    format!(
        "<iframe src=\"{}\" title=\"{}\" width=\"100%\" height=\"900\" loading=\"lazy\"></iframe>",
        safe(link),
        safe(title)
    )
}

/// A text to be copied.
#[derive(Clone, PartialEq, Properties)]
pub struct CopiedProps {
    /// The id of its field.
    pub id: &'static str,
    /// What it is.
    pub label: &'static str,
    /// The text.
    pub text: AttrValue,
}

/// A text to be copied, by a button or by hand.
#[component]
pub fn Copied(props: &CopiedProps) -> Html {
    let text = &ui().share;
    let field = use_node_ref();
    // Whether it could be copied, and what: another text is another matter.
    let done = use_state(|| None::<(bool, AttrValue)>);
    let copy = {
        let (field, done, wanted) = (field.clone(), done.clone(), props.text.clone());
        Callback::from(move |_: MouseEvent| {
            let (field, done, wanted) = (field.clone(), done.clone(), wanted.clone());
            spawn_local(async move {
                let copied = clipboard::copy(wanted.to_string()).await;
                if let Some(field) = field.cast::<HtmlTextAreaElement>().filter(|_| !copied) {
                    let _ = field.focus();
                    field.select();
                }
                done.set(Some((copied, wanted)));
            });
        })
    };
    let said = match &*done {
        Some((true, copied)) if *copied == props.text => text.copied,
        Some((false, wanted)) if *wanted == props.text => text.refused,
        _ => "",
    };
    let label = format!("{} {}", text.copy, props.label);
    html! {
        <div class="copied">
            <label for={props.id}>{ props.label }</label>
            <textarea id={props.id} rows="3" readonly=true spellcheck="false" ref={field} value={props.text.clone()} />
            <button type="button" aria-label={label} onclick={copy}>{ text.copy }</button>
            <span role="status">{ said }</span>
        </div>
    }
}
