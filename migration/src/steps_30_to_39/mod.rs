//! Mails, verified addresses, teams, second factors and accounts that are deleted.

pub mod m0030_mails;
pub mod m0031_teams;
pub mod m0032_second_factors;
pub mod m0033_deleted_accounts;
