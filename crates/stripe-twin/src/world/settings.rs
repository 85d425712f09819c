//! What a merchant sets in Stripe's dashboard, and programs cannot.

/// What becomes of a subscription whose invoice could not be collected after the last retry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AfterDunning {
    Cancel,
    MarkUnpaid,
    LeavePastDue,
}

#[derive(Clone, Debug)]
pub struct Settings {
    /// How long after the first failed payment, and after each further one, it is tried again.
    pub dunning_s: Vec<i64>,
    pub after_dunning: AfterDunning,
    /// How long an invoice of a renewal stays a draft.
    pub draft_s: i64,
}

impl Default for Settings {
    fn default() -> Self {
        const DAY: i64 = 86_400;
        Self { dunning_s: vec![3 * DAY, 5 * DAY, 7 * DAY], after_dunning: AfterDunning::Cancel, draft_s: 3600 }
    }
}
