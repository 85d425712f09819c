//! Promo codes: each gives what it says, to whom it says, as often as it says, and never more.

use crate::{World, account};
use domain::{
    Act, TenantId, Timestamp, UserId, VideoTime,
    billing::{Audience, NEW_TENANT_MS, PromoCode, PromoRefusal, PromoTerms},
};
use futures::future::join_all;
use store::{Asked, NewPromoCode, PromoError, on_both_engines};

fn terms() -> PromoTerms {
    PromoTerms { amount: VideoTime::from_ms(60_000), credit_days: None, valid_until: None, uses_max: None, audience: Audience::Everybody }
}

fn code(text: &str) -> PromoCode {
    text.parse().unwrap()
}

fn refused<T>(answer: Result<T, PromoError>) -> Option<PromoRefusal> {
    match answer {
        Err(PromoError::Refused(refusal)) => Some(refusal),
        _ => None,
    }
}

impl World {
    async fn promo(&self, text: &str, terms: PromoTerms) -> bool {
        self.store.promo_codes().create(&NewPromoCode { code: code(text), terms }, None).await.unwrap()
    }

    async fn redeem(&self, (tenant, user): (TenantId, UserId), text: &str) -> Result<VideoTime, PromoError> {
        self.store.tenant(tenant).credits().redeem(&code(text), Asked { user, address: "192.0.2.7" }).await
    }
}

on_both_engines! {
    async fn however_many_use_a_code_at_once_no_more_are_given_something_than_may(database: TempDatabase) {
        let world = World::new(database).await;
        assert!(world.promo("THREE", PromoTerms { uses_max: Some(3), ..terms() }).await);
        assert!(!world.promo("three", terms()).await, "there is one of this name");
        let mut tenants = Vec::new();
        for n in 0..12 {
            tenants.push(account(&world.store, &format!("user{n}@example.com")).await);
        }
        // Each tries twice.
        let answers = join_all(tenants.iter().chain(&tenants).map(|who| world.redeem(*who, "three"))).await;
        assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 3);
        let listed = world.store.promo_codes().list(None, 10).await.unwrap();
        assert_eq!((listed.len(), listed[0].uses, world.count("promo_redemptions").await), (1, 3, 3));
        assert_eq!(world.store.promo_codes().redemptions(listed[0].id, 10).await.unwrap().len(), 3);
        assert!(answers.into_iter().all(|answer| matches!(refused(answer), None | Some(PromoRefusal::UsedUp | PromoRefusal::UsedAlready))));
        assert_eq!(world.store.check().ledger().await.unwrap().faults, []);
    }

    async fn a_code_gives_credit_once_that_names_it_and_ends_when_it_says(database: TempDatabase) {
        let world = World::new(database).await;
        let credits = world.store.tenant(world.tenant).credits();
        credits.set_plan("payg").await.unwrap();
        world.promo("SUMMER-26", PromoTerms { credit_days: Some(7), ..terms() }).await;
        let me = (world.tenant, world.user);
        assert_eq!(world.redeem(me, "summer-26").await.unwrap().ms(), 60_000);
        assert_eq!(refused(world.redeem(me, "SUMMER-26").await), Some(PromoRefusal::UsedAlready));
        let entry = credits.ledger(None, 1).await.unwrap().rows.remove(0);
        assert_eq!((entry.amount.ms(), entry.note.as_deref()), (60_000, Some("promo code SUMMER-26")));
        let grants = credits.balance().await.unwrap().grants;
        assert_eq!((grants.len(), grants[0].expires_at), (1, Some(Timestamp::from_ms(entry.at.ms() + 7 * 86_400_000))));
        assert_eq!(credits.granted_for("promo:SUMMER-26").await.unwrap().unwrap().1.ms(), 60_000);
        let acts = world.store.tenant(world.tenant).members().audit_log(None, 10).await.unwrap();
        assert_eq!((acts[0].act, acts[0].subject.as_str()), (Act::PromoCodeUsed, "SUMMER-26"));
    }

    async fn why_a_code_gives_nothing_is_told_apart(database: TempDatabase) {
        let world = World::new(database).await;
        let me = (world.tenant, world.user);
        let now = world.store.now().await.unwrap();
        world.promo("ENDS", PromoTerms { valid_until: Some(now.plus_ms(1000)), ..terms() }).await;
        world.promo("FRESH", PromoTerms { audience: Audience::NewTenants, ..terms() }).await;
        world.promo("OVER", terms()).await;
        assert!(world.store.promo_codes().archive(&code("over"), None).await.unwrap());
        assert!(!world.store.promo_codes().archive(&code("over"), None).await.unwrap());
        assert_eq!(refused(world.redeem(me, "NOSUCH").await), Some(PromoRefusal::Unknown));
        assert_eq!(refused(world.redeem(me, "OVER").await), Some(PromoRefusal::Expired));
        world.dial.advance_ms(NEW_TENANT_MS);
        assert_eq!(refused(world.redeem(me, "ENDS").await), Some(PromoRefusal::Expired));
        assert_eq!(refused(world.redeem(me, "FRESH").await), Some(PromoRefusal::NotForYou));
        let newcomer = account(&world.store, "new@example.com").await;
        assert!(world.redeem(newcomer, "FRESH").await.is_ok());
        assert_eq!(world.count("promo_redemptions").await, 1);
    }
}
