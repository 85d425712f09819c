//! Steps 41 to 50.

pub mod m0041_makers;
pub mod m0042_plan_changes;
pub mod m0043_said_to_somebody;
pub mod m0044_fair_lines;
pub mod m0045_forecasts;
pub mod m0046_failed_attempts;
pub mod m0047_scaling;
pub mod m0048_own_queue;
pub mod m0049_queue_pauses;
pub mod m0050_placement;
