//! Plans and the ledger.

mod books;
mod credits;
mod promotion;
mod rates;
mod refunds;
mod spending;
