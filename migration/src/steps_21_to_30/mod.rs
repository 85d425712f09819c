//! Steps 21 to 30.

pub mod m0021_timed_lengths;
pub mod m0022_decoded;
pub mod m0023_read_as;
pub mod m0024_ledger;
pub mod m0025_unconfirmed_jobs;
pub mod m0026_usage;
pub mod m0027_mails;
pub mod m0028_teams;
pub mod m0029_second_factors;
pub mod m0030_deleted_accounts;
