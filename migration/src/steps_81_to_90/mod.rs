//! Steps 81 to 90.

pub mod m0081_started_quotes;
pub mod m0082_queued;
pub mod m0083_added_times;
