//! What a video costs, in the public API's JSON: how the price comes about, what it is paid from, and what became of it.

use domain::{
    JobView, Status, VideoTime,
    billing::{Drawn, GrantKind},
};
use serde::Serialize;
use utoipa::ToSchema;

/// Its price, and what it was charged. The price is its length times the weight of its size, which `/v1/models` gives, in proportion to
/// its steps. It is held while the video is made; where another model was allowed, the price of the dearer one is. A line of a batch that was quoted less costs that, by a lower weight. A video that fails costs nothing; one that is cancelled costs the part that was done,
/// half of the price being for its steps and half for decoding.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Cost {
    /// The price, of the model that makes it.
    #[schema(example = 4.0)]
    pub video_seconds: f64,
    /// What is held until it has ended, and the most that it can cost.
    #[schema(example = 4.0)]
    pub max_video_seconds: f64,
    /// `held`, `charged` or `not_charged`.
    #[schema(example = "held")]
    pub status: &'static str,
    /// Null until it has ended.
    pub charged_video_seconds: Option<f64>,
    /// Why it is charged, or why not.
    #[schema(example = "The price is held until the video is made.")]
    pub reason: &'static str,
    /// The plan under which it was taken in.
    #[schema(example = "pro")]
    pub plan: Option<String>,
    /// `interactive` or `batch`.
    #[schema(example = "interactive")]
    pub lane: Option<&'static str>,
    /// Seconds of video that are priced; of an image, those that it counts as.
    #[schema(example = 4.0)]
    pub seconds: f64,
    #[schema(example = 1.0)]
    pub size_weight: f64,
    #[schema(example = 16)]
    pub steps: u32,
    /// With so many steps its length is its price.
    #[schema(example = 16)]
    pub steps_default: u32,
    /// What it is paid from, first what is used first.
    pub paid_from: Vec<CostPart>,
}

/// A part of what is held or charged.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct CostPart {
    /// `unlimited`, `included`, `gift`, `purchase` or `overage`.
    #[schema(example = "included")]
    pub source: &'static str,
    #[schema(example = 4.0)]
    pub video_seconds: f64,
    /// In money, where it has a price: paid before, or of `overage` to be paid.
    #[schema(example = "$0.04")]
    pub amount: Option<String>,
}

impl From<&JobView> for Cost {
    fn from(JobView { quote, charge, status, held, .. }: &JobView) -> Self {
        let (state, reason) = match (status, charge.charged) {
            (Status::Queued | Status::InProgress, _) => ("held", "The price is held until the video is made."),
            (Status::Completed, _) => ("charged", "The video was made."),
            (Status::Failed, _) => ("not_charged", "It failed, and failures are not charged."),
            (Status::Cancelled, Some(charged)) if charged > VideoTime::default() => {
                ("charged", "It was cancelled, and the part that was done is charged.")
            }
            (Status::Cancelled, _) => ("not_charged", "It was cancelled before anything was done."),
        };
        let charged = match (status, charge.charged) {
            // Of before anything was charged.
            (Status::Completed, None) => Some(quote.billed),
            (_, charged) => charged,
        };
        Self {
            video_seconds: quote.billed.seconds(),
            max_video_seconds: held.seconds(),
            status: state,
            charged_video_seconds: charged.map(VideoTime::seconds),
            reason,
            plan: charge.plan.clone(),
            lane: charge.lane.map(domain::billing::Lane::as_str),
            seconds: quote.duration.seconds(),
            size_weight: f64::from(quote.size_weight_permille) / 1000.0,
            steps: quote.steps,
            steps_default: quote.steps_default,
            paid_from: charge.parts().into_iter().map(CostPart::from).collect(),
        }
    }
}

impl From<Drawn> for CostPart {
    fn from(Drawn { kind, time, price }: Drawn) -> Self {
        let price = price.filter(|_| kind != GrantKind::Unlimited);
        Self { source: kind.as_str(), video_seconds: time.seconds(), amount: price.map(|price| price.of(time).to_string()) }
    }
}
