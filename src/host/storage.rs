//! What the browser keeps for the page on this device, where it lets it. It may refuse
//! with every call: in a frame, in a private window, when there is no more room.

use web_sys::Storage;

/// The browser does not let the page keep anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Denied;

fn storage() -> Result<Storage, Denied> {
    let window = web_sys::window().ok_or(Denied)?;
    window.local_storage().ok().flatten().ok_or(Denied)
}

/// What is kept under a name.
///
/// # Errors
/// When the browser does not let the page know.
pub fn read(name: &str) -> Result<Option<String>, Denied> {
    storage()?.get_item(name).map_err(|_| Denied)
}

/// Keeps a text under a name.
///
/// # Errors
/// When the browser does not let the page keep it.
pub fn write(name: &str, text: &str) -> Result<(), Denied> {
    storage()?.set_item(name, text).map_err(|_| Denied)
}

/// Deletes what is kept under a name.
///
/// # Errors
/// When the browser does not let the page do so.
pub fn delete(name: &str) -> Result<(), Denied> {
    storage()?.remove_item(name).map_err(|_| Denied)
}
