//! Refuses at the door what would only clog the queue. Measured in video time, never in job counts.

use crate::VideoTime;

/// The most video time one tenant may have waiting and running at once.
pub const OPEN_WORK_MAX: VideoTime = VideoTime::from_minutes(600);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AdmissionError {
    #[error(
        "Too much is waiting already: {} of {} video-seconds are taken and this asks for {asked}. Wait for some to finish, or cancel some.",
        open,
        OPEN_WORK_MAX
    )]
    TooMuchOpenWork { open: VideoTime, asked: VideoTime },
}

/// Lets a job of `asked` video time in beside the tenant's `open` work.
///
/// # Errors
/// [`AdmissionError::TooMuchOpenWork`] when both together pass [`OPEN_WORK_MAX`].
pub fn admit(open: VideoTime, asked: VideoTime) -> Result<(), AdmissionError> {
    if open + asked > OPEN_WORK_MAX { Err(AdmissionError::TooMuchOpenWork { open, asked }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_up_to_the_limit_is_admitted_and_not_a_millisecond_more() {
        let asked = VideoTime::from_ms(2000);
        assert_eq!(admit(VideoTime::from_ms(OPEN_WORK_MAX.ms() - 2000), asked), Ok(()));
        assert!(admit(VideoTime::from_ms(OPEN_WORK_MAX.ms() - 1999), asked).is_err());
    }
}
