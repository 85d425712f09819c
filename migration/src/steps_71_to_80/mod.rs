//! Steps 71 to 80.

pub mod m0074_slow_receivers;
pub mod m0075_id_types;
pub mod m0076_callback_secrets;
pub mod m0077_first_tries;
pub mod m0078_unknown_fields;
pub mod m0079_library;
pub mod m0080_timed_words;
