#[cfg(feature = "page")]
pub mod app;
#[cfg(feature = "page")]
pub mod host;
