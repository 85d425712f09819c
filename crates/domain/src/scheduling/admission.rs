//! Refuses at the door what would only clog the queue. Measured in video time, never in job counts.

use crate::{
    Timestamp, VideoTime,
    billing::{Day, Plan},
    job::Deadline,
};

/// Why a job is not taken in; all of them can be mended, by waiting, paying, or asking for something else.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AdmissionError {
    #[error(
        "Too much is waiting already: {open} of {open_max} video-seconds are taken and this asks for {asked}. Wait for some to finish, or cancel some."
    )]
    TooMuchOpenWork { open: VideoTime, open_max: VideoTime, asked: VideoTime },
    /// Of all tenants together.
    #[error("The queue is full: {open} of {open_max} video-seconds of all teams are taken. Try again in a moment.")]
    QueueFull { open: VideoTime, open_max: VideoTime },
    /// However long it waits.
    #[error(
        "This asks for {asked} video-seconds, and your plan lets at most {open_max} wait and run at once. Make something smaller, or take a larger plan."
    )]
    TooLargeForPlan { open_max: VideoTime, asked: VideoTime },
    #[error(
        "This costs {asked} video-seconds, and {available} are left. Add credit, take a larger plan, or make something that costs less."
    )]
    OutOfCredit { available: VideoTime, asked: VideoTime },
    /// `whose`: such as "the project Web".
    #[error(
        "The spending limit of {whose} is reached: {used} of {limit} {} are used or set aside this month, and this costs {asked}. It starts anew on {resets_on} (UTC).",
        unit(*limit)
    )]
    SpendingLimitReached { whose: String, used: VideoTime, limit: VideoTime, asked: VideoTime, resets_on: Day },
    #[error("The plan {plan} does not have this model. Take another model, or a larger plan.")]
    ModelNotInPlan { plan: String },
    /// By what is expected of nine of ten such jobs.
    #[error(
        "`{deadline}` cannot be kept: at the moment {} is the earliest that can, in Unix seconds. Ask for that or later, or leave it out.",
        best.unix_seconds()
    )]
    DeadlineInfeasible { deadline: Deadline, best: Timestamp },
    /// Of a job that would add to them.
    #[error("{most} deliveries wait for receivers that do not answer: poll until they have been taken or given up.")]
    TooManyCallbacks { most: u64 },
}

const fn unit(time: VideoTime) -> &'static str {
    if time.ms() == 1000 { "video-second" } else { "video-seconds" }
}

impl AdmissionError {
    /// Whether the same is taken in when something has ended.
    #[must_use]
    pub const fn passes(&self) -> bool {
        matches!(self, Self::TooMuchOpenWork { .. } | Self::QueueFull { .. })
    }
}

/// How much a tenant has open of what its plan allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkRoom {
    pub open: VideoTime,
    pub open_max: VideoTime,
}

/// The longest that a client is told to wait before it asks again, in seconds: there are clients that do not come back after a longer time.
pub const RETRY_AFTER_MAX_S: u64 = 120;

/// In how many seconds somebody is to ask again for whom there is no room: when so many jobs have ended that take so long each, where
/// that is known.
#[must_use]
pub fn retry_after_s(jobs: u64, each_ms: Option<u64>) -> u64 {
    const UNKNOWN_S: u64 = 30;
    each_ms.map_or(UNKNOWN_S, |each_ms| jobs.max(1).saturating_mul(each_ms).div_ceil(1000)).clamp(1, RETRY_AFTER_MAX_S)
}

/// Lets a job of `asked` video time in beside the tenant's `open` work.
///
/// # Errors
/// [`AdmissionError`] when the plan does not have the model, or both together pass what it allows.
pub fn admit(plan: &Plan, model: &str, open: VideoTime, asked: VideoTime) -> Result<(), AdmissionError> {
    let open_max = plan.open_work_max_ms;
    if !plan.has_model(model) {
        return Err(AdmissionError::ModelNotInPlan { plan: plan.name.clone() });
    }
    if asked > open_max {
        return Err(AdmissionError::TooLargeForPlan { open_max, asked });
    }
    if open + asked > open_max { Err(AdmissionError::TooMuchOpenWork { open, open_max, asked }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::billing::testing::plan;

    #[test]
    fn work_is_let_in_up_to_what_the_plan_allows() {
        let plan = Plan { open_work_max_ms: VideoTime::from_minutes(600), ..plan() };
        let (minutes, ms) = (VideoTime::from_minutes, VideoTime::from_ms);
        assert_eq!(admit(&plan, "m", minutes(599), minutes(1)), Ok(()));
        let refused = admit(&plan, "m", minutes(599), minutes(1) + ms(1)).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "Too much is waiting already: 35940 of 36000 video-seconds are taken and this asks for 60.001. \
             Wait for some to finish, or cancel some."
        );
    }

    #[test]
    fn what_is_more_than_a_plan_ever_allows_is_not_told_to_wait() {
        let plan = Plan { open_work_max_ms: VideoTime::from_ms(60_000), ..plan() };
        let refused = admit(&plan, "m", VideoTime::default(), VideoTime::from_ms(75_000)).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "This asks for 75 video-seconds, and your plan lets at most 60 wait and run at once. Make something smaller, or take a larger plan."
        );
    }

    #[test]
    fn a_limit_of_one_is_told_in_the_singular() {
        let (used, limit, asked) = (VideoTime::from_ms(500), VideoTime::from_ms(1000), VideoTime::from_ms(2000));
        let refused = AdmissionError::SpendingLimitReached { whose: "the team".into(), used, limit, asked, resets_on: Day(0) };
        assert!(refused.to_string().contains("0.5 of 1 video-second are used"), "{refused}");
    }

    #[test]
    fn nobody_is_told_to_wait_for_nothing_or_longer_than_clients_do() {
        assert_eq!([retry_after_s(1, Some(1)), retry_after_s(3, Some(4500)), retry_after_s(500, Some(4500))], [1, 14, 120]);
        assert_eq!(retry_after_s(1, None), 30);
    }

    #[test]
    fn a_model_that_the_plan_does_not_have_is_refused() {
        let plan = Plan { models: vec!["flipbook-1".into()], ..plan() };
        assert!(admit(&plan, "vignette-1", VideoTime::default(), VideoTime::from_ms(1)).unwrap_err().to_string().contains("The plan Pro"));
    }
}
