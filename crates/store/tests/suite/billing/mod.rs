//! Plans and the ledger.

mod books;
mod credits;
mod metering;
mod promotion;
mod rates;
mod refunds;
mod spending;
