//! Plans and the ledger.

mod books;
mod credits;
mod spending;
