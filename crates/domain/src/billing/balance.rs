//! What a tenant has left, and what a price means for it: the sentence beside a price is made from this.

use super::{GrantKind, Money, UnitPrice, money::sum};
use crate::{Timestamp, VideoTime};
use serde::{Deserialize, Serialize};

/// What is left of a grant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rest {
    pub kind: GrantKind,
    pub amount: VideoTime,
    pub rest: VideoTime,
    /// `None`: never.
    pub expires_at: Option<Timestamp>,
    /// What it was paid with, or is to be.
    pub price: Option<UnitPrice>,
    /// What it was given for, in words.
    pub note: Option<String>,
}

/// All that a tenant can use, and what its open jobs hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Balance {
    /// The plan by its name on pages.
    pub plan: String,
    /// In the order in which they are drawn on.
    pub grants: Vec<Rest>,
    pub held: VideoTime,
    /// When the plan gives anew.
    pub renews_at: Option<Timestamp>,
    /// What the spending limits of this month leave to what is made on the pages. `None`: there is no such limit.
    pub limit_left: Option<VideoTime>,
    /// The most that may wait and run at once.
    pub open_work_max: VideoTime,
}

/// What a job of some price would take from a balance.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outlook {
    /// Nothing is counted.
    pub is_unlimited: bool,
    pub from_included: VideoTime,
    pub included_left: VideoTime,
    pub from_credit: VideoTime,
    pub credit_left: VideoTime,
    /// What the credit was paid with that it takes.
    pub credit_worth: Option<Money>,
    /// To be paid at the end of the month.
    pub overage_cost: Option<Money>,
    /// By how much the price is more than there is.
    pub missing: VideoTime,
    /// What a spending limit leaves, where the price is more than that.
    pub beyond_limit: Option<VideoTime>,
    /// The most that the plan lets wait and run at once, where the price is more than that.
    pub beyond_plan: Option<VideoTime>,
}

impl Balance {
    /// What is left of all grants of some kinds.
    #[must_use]
    pub fn left(&self, is_meant: impl Fn(GrantKind) -> bool) -> VideoTime {
        self.grants.iter().filter(|grant| is_meant(grant.kind)).fold(VideoTime::default(), |sum, grant| sum + grant.rest)
    }

    #[must_use]
    pub fn is_unlimited(&self) -> bool {
        self.left(|kind| kind == GrantKind::Unlimited) > VideoTime::default()
    }

    /// What the tenant was given or has paid for in advance, whatever its plan.
    #[must_use]
    pub fn credit(&self) -> VideoTime {
        self.left(GrantKind::is_credit)
    }

    /// What a job of this price would take.
    #[must_use]
    pub fn outlook(&self, price: VideoTime) -> Outlook {
        let mut outlook = Outlook {
            is_unlimited: self.is_unlimited(),
            included_left: self.left(|kind| kind == GrantKind::Included),
            credit_left: self.credit(),
            beyond_limit: self.limit_left.filter(|left| price > *left),
            beyond_plan: Some(self.open_work_max).filter(|most| price > *most),
            ..Outlook::default()
        };
        let mut missing = price.ms();
        for grant in &self.grants {
            let taken = VideoTime::from_ms(missing.min(grant.rest.ms()));
            missing -= taken.ms();
            let worth = grant.price.filter(|_| taken > VideoTime::default()).map(|price| price.of(taken));
            match grant.kind {
                GrantKind::Unlimited => {}
                GrantKind::Included => outlook.from_included = outlook.from_included + taken,
                GrantKind::Gift | GrantKind::Purchase => {
                    outlook.from_credit = outlook.from_credit + taken;
                    outlook.credit_worth = sum(outlook.credit_worth, worth);
                }
                GrantKind::Overage => outlook.overage_cost = sum(outlook.overage_cost, worth),
            }
        }
        outlook.included_left = outlook.included_left.saturating_sub(outlook.from_included);
        outlook.credit_left = outlook.credit_left.saturating_sub(outlook.from_credit);
        Outlook { missing: VideoTime::from_ms(missing), ..outlook }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::billing::Currency;

    fn rest(kind: GrantKind, ms: u64, minor_per_minute: Option<u32>) -> Rest {
        let price = minor_per_minute.map(|minor_per_minute| UnitPrice { minor_per_minute, currency: Currency::USD });
        let time = VideoTime::from_ms(ms);
        Rest { kind, amount: time, rest: time, expires_at: None, price, note: None }
    }

    fn balance(grants: Vec<Rest>) -> Balance {
        Balance {
            plan: "Pro".into(),
            grants,
            held: VideoTime::default(),
            renews_at: None,
            limit_left: None,
            open_work_max: VideoTime::from_minutes(60),
        }
    }

    #[test]
    fn a_price_takes_what_is_included_first_then_credit_and_then_overage() {
        let grants = [(GrantKind::Included, 1000, None), (GrantKind::Purchase, 3000, Some(60)), (GrantKind::Overage, 60_000, Some(120))];
        let balance = balance(grants.map(|(kind, ms, price)| rest(kind, ms, price)).to_vec());
        let outlook = balance.outlook(VideoTime::from_ms(7000));
        assert_eq!((outlook.from_included.ms(), outlook.from_credit.ms()), (1000, 3000));
        assert_eq!(outlook.credit_worth.unwrap().to_string(), "$0.03");
        assert_eq!(outlook.overage_cost.unwrap().to_string(), "$0.06");
        assert_eq!((outlook.included_left.ms(), outlook.credit_left.ms(), outlook.missing.ms()), (0, 0, 0));
        let outlook = balance.outlook(VideoTime::from_ms(400));
        assert_eq!((outlook.included_left.ms(), outlook.credit_left.ms(), outlook.overage_cost), (600, 3000, None));
    }

    #[test]
    fn what_is_more_than_there_is_is_missing() {
        let outlook = balance(vec![rest(GrantKind::Gift, 1500, None)]).outlook(VideoTime::from_ms(2000));
        assert_eq!((outlook.missing.ms(), outlook.credit_worth), (500, None));
    }

    #[test]
    fn without_a_limit_nothing_is_taken() {
        let balance = balance(vec![rest(GrantKind::Unlimited, 1_000_000, None), rest(GrantKind::Gift, 1500, None)]);
        let outlook = balance.outlook(VideoTime::from_ms(2000));
        assert!(outlook.is_unlimited);
        assert_eq!((outlook.from_credit.ms(), outlook.credit_left.ms()), (0, 1500));
    }

    #[test]
    fn a_price_beyond_a_spending_limit_is_told_whatever_the_plan() {
        let limit_left = Some(VideoTime::from_ms(2000));
        let balance = Balance { limit_left, ..balance(vec![rest(GrantKind::Unlimited, 1_000_000, None)]) };
        assert_eq!(balance.outlook(VideoTime::from_ms(2000)).beyond_limit, None);
        assert_eq!(balance.outlook(VideoTime::from_ms(2001)).beyond_limit, limit_left);
        let most = VideoTime::from_minutes(60);
        assert_eq!(balance.outlook(most).beyond_plan, None);
        assert_eq!(balance.outlook(VideoTime::from_minutes(61)).beyond_plan, Some(most));
    }
}
