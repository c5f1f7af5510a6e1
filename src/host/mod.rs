//! The browser as the page sees it: the one place that names its interfaces.

pub mod address;
pub mod again;
pub mod clipboard;
pub mod extent;
pub mod failure;
pub mod focus;
pub mod frames;
pub mod parent;
pub mod place;
pub mod pointers;
pub mod rest;
pub mod scrolling;
pub mod sight;
pub mod site;
pub mod storage;
pub mod theme;
