//! A list to choose from that shows what is chosen, whoever changes that. A `selected` on
//! an option says only what is chosen at first: once somebody has chosen by hand, the
//! browser goes by that alone, also after an undo.

use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// The list.
#[derive(Clone, PartialEq, Properties)]
pub struct ListProps {
    /// Its id, if something goes by that.
    #[prop_or_default]
    pub id: Option<AttrValue>,
    /// Its name, where it stands in no label.
    #[prop_or_default]
    pub label: Option<AttrValue>,
    /// What names it, by id.
    #[prop_or_default]
    pub labelled_by: Option<AttrValue>,
    /// The value of the option that is chosen.
    pub chosen: AttrValue,
    /// Whether nothing else can be chosen.
    #[prop_or_default]
    pub is_off: bool,
    /// Hears the value of another.
    pub on: Callback<String>,
    /// The options.
    pub children: Html,
}

/// The list.
#[component]
pub fn List(props: &ListProps) -> Html {
    let own = use_node_ref();
    let again = use_force_update();
    {
        let (own, chosen) = (own.clone(), props.chosen.clone());
        use_effect(move || {
            if let Some(select) = own.cast::<HtmlSelectElement>()
                && select.value() != *chosen
            {
                select.set_value(&chosen);
            }
        });
    }
    let onchange = {
        let on = props.on.clone();
        Callback::from(move |event: Event| {
            if let Some(select) = event.target_dyn_into::<HtmlSelectElement>() {
                on.emit(select.value());
            }
            // What was refused is not shown as chosen.
            again.force_update();
        })
    };
    html! {
        <select
            ref={own} id={props.id.clone()} aria-label={props.label.clone()}
            aria-labelledby={props.labelled_by.clone()} disabled={props.is_off} {onchange}
        >
            { props.children.clone() }
        </select>
    }
}

/// An option of a list.
pub fn option(value: impl Into<AttrValue>, label: impl Into<AttrValue>) -> Html {
    let value = value.into();
    html! { <option key={value.to_string()} {value}>{ label.into() }</option> }
}
