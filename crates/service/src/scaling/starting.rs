//! The workers that were asked for and are not there yet, for whoever plans what the others load.

use super::view::{LATE_TIMES, Seen, Starting};
use domain::Timestamp;
use std::collections::BTreeSet;
use store::{LiveWorker, ScalingDecision};

/// One that lies further ahead was made before the clock was put back: nobody knows when those come that it asked for.
const AHEAD_MAX_MS: i64 = 5000;

/// Those of these decisions, the newest first, that have not come.
pub(crate) fn starting(decisions: &[ScalingDecision], live: &[LiveWorker], now: Timestamp) -> Vec<Starting> {
    let of_now = decisions.iter().filter(|decision| decision.at <= now.plus_ms(AHEAD_MAX_MS));
    let decisions: Vec<ScalingDecision> = of_now.cloned().collect();
    let devices: BTreeSet<&str> = decisions.iter().map(|decision| decision.device.as_str()).collect();
    let of_device = |device: &str| {
        let mut seen = Seen::from_decisions(&decisions, device, 0, now);
        seen.meet(live, device, now);
        let (cold_start_ms, device) = (seen.cold_start_ms(), device.to_owned());
        let waited: Vec<u64> = seen.awaited().map(|asked_at| now.ms_since(asked_at)).collect();
        let coming = waited.into_iter().filter(move |waited_ms| *waited_ms < cold_start_ms.saturating_mul(LATE_TIMES));
        coming.map(move |waited_ms| Starting { device: device.clone(), ready_in_ms: cold_start_ms.saturating_sub(waited_ms) })
    };
    devices.into_iter().flat_map(of_device).collect()
}

#[cfg(test)]
mod tests {
    use super::super::view::tests::{at, worker as came};
    use super::*;

    fn asked(s: i64, started: u32) -> ScalingDecision {
        ScalingDecision { at: at(s), device: "cpu".into(), workers: 0, wanted: started, started, drained: 0, reason: String::new() }
    }

    #[test]
    fn those_that_have_not_come_are_expected_as_late_as_the_others_and_not_for_ever() {
        let decisions = [asked(0, 2), asked(-100, 1)];
        let ready =
            |live: &[LiveWorker], s| starting(&decisions, live, at(s)).iter().map(|starting| starting.ready_in_ms).collect::<Vec<_>>();
        assert_eq!(ready(&[came(1, -90)], 4), [6000, 6000], "that one took ten seconds");
        assert_eq!(ready(&[came(1, -90), came(2, 8)], 9), [0], "nine since then");
        assert!(ready(&[came(1, -90), came(2, 8)], 18).is_empty(), "it is too late");
        assert!(ready(&[], -3600).is_empty(), "the clock was put back since");
    }
}
