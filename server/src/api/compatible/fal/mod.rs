//! fal's queue API: requests are jobs, applications are `reelmill/NAME`.

pub mod requests;
pub mod submit;
pub mod wire;
