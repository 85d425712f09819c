//! The request that is being answered, and what its answer carries beside the page.

mod answer;
mod request;

pub use answer::{answer_in_place, answer_with, lead, own_cookie, set_cookie};
pub use request::{PublicOrigin, cookie, due, here, is_plain_form, local_path, origin, query, user_agent, visitor_address};
