//! Plans and the ledger.

mod books;
mod credits;
mod promotion;
mod refunds;
mod spending;
