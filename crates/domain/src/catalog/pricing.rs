//! The price of one job in video-seconds, by fixed weights from the catalog, so that a customer can
//! check it with pencil and paper. What a device really took is another matter: see `scheduling`.

use super::{Model, Shape};
use crate::VideoTime;
use serde::{Deserialize, Serialize};

/// A price and how it came about: `billed = duration x size weight x steps / default steps`. A job keeps the one at
/// which it was taken in, whatever the catalog says later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    /// Of the video; of an image, the length that it counts as.
    pub duration: VideoTime,
    /// 1000 is a usual size.
    pub size_weight_permille: u32,
    pub steps: u32,
    pub steps_default: u32,
    /// What the tenant pays, rounded up to the millisecond.
    pub billed: VideoTime,
}

impl Quote {
    /// The same for no more than that: at a lower weight, so that it is still what the price comes about by.
    #[must_use]
    pub fn at_most(self, billed: VideoTime) -> Self {
        if self.billed <= billed {
            return self;
        }
        let per_weight = self.duration.ms() * u64::from(self.steps);
        let weight = (billed.ms() * 1000 * u64::from(self.steps_default)).checked_div(per_weight).unwrap_or(0);
        Self { size_weight_permille: u32::try_from(weight).unwrap_or(self.size_weight_permille), ..self }.priced()
    }

    fn priced(self) -> Self {
        let units = self.duration.ms() * u64::from(self.size_weight_permille) * u64::from(self.steps);
        Self { billed: VideoTime::from_ms(units.div_ceil(1000 * u64::from(self.steps_default))), ..self }
    }
}

impl Model {
    /// Quotes a job of this shape, which the model can do.
    #[must_use]
    pub fn quote(&self, shape: Shape, steps: u32) -> Quote {
        let duration = self.counts_as(shape.duration);
        let size_weight_permille = self.size_option(shape.size).map_or(1000, |option| option.weight_permille);
        let steps_default = self.steps.default;
        Quote { duration, size_weight_permille, steps, steps_default, billed: VideoTime::default() }.priced()
    }
}

#[cfg(test)]
mod tests {
    use crate::{JobRequest, Seed, catalog::testing};

    fn billed_ms(size: &str, steps: &str) -> u64 {
        let request = JobRequest { prompt: "sea".into(), size: Some(size.into()), steps: Some(steps.into()), ..JobRequest::default() };
        request.parse(&testing::catalog(), Seed::ZERO).unwrap().1.billed.ms()
    }

    #[test]
    fn the_default_clip_costs_its_own_length() {
        assert_eq!(billed_ms("384x384", "24"), 2000);
    }

    #[test]
    fn the_price_follows_steps_and_size_and_rounds_up() {
        assert_eq!(billed_ms("384x384", "48"), 4000);
        assert_eq!(billed_ms("768x768", "24"), 3000);
        assert_eq!(billed_ms("96x96", "1"), 42); // 2000 ms x 0.5 / 24 = 41.67 ms
    }
}
