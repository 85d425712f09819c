//! Inviting, joining, roles, leaving: who belongs to a tenant, and what that opens.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod world;

use domain::{
    Act, Actor, Permission, Role, TeamError as Rule, VideoTime,
    account::token::SpentToken,
    billing::{Audience, GrantKind, Included, Plan, PromoTerms},
};
use futures::future::join_all;
use service::{
    ChangeError, InviteError, JoinError, NotOpened, User,
    account::{CodeError, MailRefused},
    billing::NewPromo,
    team::{JoinTeamError, TeamError},
};
use store::on_both_engines;
use world::{PASSWORD, World, token_of};

const DAY_MS: i64 = 24 * 3_600_000;
const HOME: &str = "198.51.100.7";

/// Somebody as they are in Ada's team.
async fn in_team(world: &World, user: &User) -> User {
    world.services.user(user.id, Some(world.ada.tenant)).await.unwrap().unwrap()
}

async fn invited(world: &World, email: &str, role: Role) -> String {
    world.services.invite(world.ada.actor(), email, role, HOME).await.unwrap();
    token_of(&world.mail_to(email).await)
}

on_both_engines! {
    async fn who_signs_up_by_an_invitation_is_in_that_team_alone_and_verified(database: TempDatabase) {
        let world = World::new(database).await;
        let token = invited(&world, "eve@example.com", Role::Viewer).await;
        let offer = world.services.offer(&token).await.unwrap();
        assert_eq!((&*offer.tenant_name, offer.role, offer.invited_by.as_deref(), offer.has_account), ("ada", Role::Viewer, Some("ada@example.com"), false));
        let eve = world.services.join_by_signing_up(&token, PASSWORD, HOME).await.unwrap();
        assert_eq!((eve.tenant, eve.role, eve.is_verified, eve.is_operator), (world.ada.tenant, Role::Viewer, true, false));
        assert_eq!(world.services.own_tenants(eve.actor()).await.unwrap().len(), 1);
        assert!(eve.actor().may(Permission::ReadJobs) && !eve.actor().may(Permission::SubmitJobs));
        let again = world.services.join_by_signing_up(&token, PASSWORD, HOME).await;
        assert!(matches!(again, Err(JoinTeamError::Join(JoinError::Spent(SpentToken::Used)))), "{again:?}");
        let acts: Vec<_> = world.services.team(world.ada.actor()).await.unwrap().acts.into_iter().map(|entry| (entry.user, entry.act, entry.subject)).collect();
        assert_eq!(acts, [
            (Some("eve@example.com".into()), Act::InvitationAccepted, "Viewer".into()),
            (Some("ada@example.com".into()), Act::MemberInvited, "eve@example.com".into()),
        ]);
    }

    async fn who_has_an_account_is_in_both_teams_and_chooses(database: TempDatabase) {
        let world = World::new(database).await;
        let eve = world.services.sign_up("eve@example.com", PASSWORD).await.unwrap();
        world.join(&world.ada, &eve, Role::Admin).await;
        let here = in_team(&world, &eve).await;
        assert_eq!((here.tenant, here.role, here.tenants.len()), (world.ada.tenant, Role::Admin, 2));
        assert_eq!(world.services.user(eve.id, None).await.unwrap().unwrap().tenant, eve.tenant, "their own, before they choose");
        world.make(&here, "a film for the team").await;
        assert!(world.services.jobs(eve.actor(), all()).await.unwrap().0.is_empty());
        assert_eq!(world.services.jobs(world.ada.actor(), all()).await.unwrap().0.len(), 1);
    }

    async fn links_that_were_taken_back_or_sent_again_or_are_old_open_nothing(database: TempDatabase) {
        let world = World::new(database).await;
        let ada = world.ada.actor();
        let first = invited(&world, "eve@example.com", Role::Member).await;
        let open = world.services.team(ada).await.unwrap().invitations;
        world.services.invite_again(ada, open[0].id, HOME).await.unwrap();
        let second = token_of(&world.mail_to("eve@example.com").await);
        assert_ne!(first, second);
        assert!(matches!(world.services.offer(&first).await, Err(JoinError::Spent(SpentToken::Used))));
        assert!(world.services.offer(&second).await.is_ok());
        world.services.revoke_invitation(ada, open[0].id, HOME).await.unwrap();
        assert!(matches!(world.services.join_by_signing_up(&second, PASSWORD, HOME).await, Err(JoinTeamError::Join(JoinError::Spent(SpentToken::Used)))));
        let third = invited(&world, "bob@example.com", Role::Member).await;
        world.dial.advance_ms(7 * 24 * 3_600_000);
        assert!(matches!(world.services.offer(&third).await, Err(JoinError::Spent(SpentToken::Expired))));
        assert!(matches!(world.services.offer("unheard of").await, Err(JoinError::Spent(SpentToken::Unknown))));
        world.services.invite(ada, "bob@example.com", Role::Member, HOME).await.unwrap();
    }

    async fn an_invitation_that_is_sent_again_leaves_those_of_other_teams_good(database: TempDatabase) {
        let world = World::new(database).await;
        let bob = world.services.sign_up("bob@example.com", PASSWORD).await.unwrap();
        world.services.invite(bob.actor(), "eve@example.com", Role::Member, HOME).await.unwrap();
        let of_bob = token_of(&world.mail_to("eve@example.com").await);
        let of_ada = invited(&world, "eve@example.com", Role::Member).await;
        let open = world.services.team(world.ada.actor()).await.unwrap().invitations;
        world.services.invite_again(world.ada.actor(), open[0].id, HOME).await.unwrap();
        assert!(matches!(world.services.offer(&of_ada).await, Err(JoinError::Spent(SpentToken::Used))));
        assert_eq!(world.services.offer(&of_bob).await.unwrap().tenant, bob.tenant);
        // Enough invitations, which keep nobody from a new password.
        let refused = world.services.invite_again(world.ada.actor(), open[0].id, HOME).await;
        assert!(matches!(refused, Err(TeamError::Mail(MailRefused::TooMany { .. }))), "{refused:?}");
        world.services.forgot_password("eve@example.com", HOME).await.unwrap();
    }

    async fn an_invitation_names_nobody_whose_address_is_not_confirmed(database: TempDatabase) {
        let world = World::new(database).await;
        let ada = world.ada.actor();
        world.services.invite(ada, "eve@example.com", Role::Member, HOME).await.unwrap();
        // As one that an earlier version had let through.
        world.database.damage("UPDATE users SET email_verified_at_ms = NULL").await;
        let mail = world.mail_to("eve@example.com").await;
        assert!(mail.text.contains("You are invited to the team ada") && !mail.text.contains("ada@example.com"), "{}", mail.text);
        assert_eq!(world.services.offer(&token_of(&mail)).await.unwrap().invited_by, None);
        let open = world.services.team(ada).await.unwrap().invitations;
        let refused = world.services.invite_again(ada, open[0].id, HOME).await;
        assert!(matches!(refused, Err(TeamError::Invite(InviteError::Unconfirmed))), "{refused:?}");
        assert!(world.services.offer(&token_of(&mail)).await.is_ok());
    }

    async fn who_is_deleted_meanwhile_joins_nothing_and_turns_nothing_on(database: TempDatabase) {
        let world = World::new(database).await;
        let bob = world.services.sign_up("bob@example.com", PASSWORD).await.unwrap();
        let token = invited(&world, "bob-elsewhere@example.com", Role::Member).await;
        world.services.delete_account(bob.actor(), PASSWORD, HOME).await.unwrap();
        let joined = world.services.join_team(bob.actor(), &token, HOME).await;
        assert!(matches!(joined, Err(JoinTeamError::Join(JoinError::AccountGone))), "{joined:?}");
        assert!(world.services.offer(&token).await.is_ok(), "the link is as it was");
        assert!(matches!(world.services.set_up_second_factor(&bob).await, Err(CodeError::AccountGone)));
        assert_eq!(world.services.store.second_factors().find(bob.id).await.unwrap(), None);
    }

    async fn nobody_is_invited_twice_or_above_who_invites(database: TempDatabase) {
        let world = World::new(database).await;
        let eve = world.services.sign_up("eve@example.com", PASSWORD).await.unwrap();
        world.join(&world.ada, &eve, Role::Admin).await;
        let eve = in_team(&world, &eve).await;
        let refused = async |email: &str, role| match world.services.invite(eve.actor(), email, role, HOME).await {
            Err(TeamError::Invite(error)) => error,
            other => panic!("{other:?}"),
        };
        assert!(matches!(refused("ada@example.com", Role::Viewer).await, InviteError::AlreadyMember));
        assert!(matches!(refused("bob@example.com", Role::Owner).await, InviteError::Team(Rule::NotAllowed)));
        world.services.invite(eve.actor(), "bob@example.com", Role::Admin, HOME).await.unwrap();
        assert!(matches!(refused("BOB@example.com", Role::Viewer).await, InviteError::AlreadyInvited));
        assert!(matches!(world.services.invite(eve.actor(), "nobody", Role::Viewer, HOME).await, Err(TeamError::Email(_))));
    }

    async fn who_is_removed_sees_nothing_from_then_on_and_their_keys_open_nothing(database: TempDatabase) {
        let world = World::new(database).await;
        let token = invited(&world, "eve@example.com", Role::Admin).await;
        let eve = world.services.join_by_signing_up(&token, PASSWORD, HOME).await.unwrap();
        let key = world.services.create_key(eve.actor(), "hers", HOME).await.unwrap();
        assert!(world.services.open(&key.secret, "").await.is_ok());
        world.services.invite(eve.actor(), "eve-again@example.com", Role::Admin, HOME).await.unwrap();
        let back_door = token_of(&world.mail_to("eve-again@example.com").await);
        world.services.remove_member(world.ada.actor(), eve.id, HOME).await.unwrap();
        assert!(matches!(world.services.offer(&back_door).await, Err(JoinError::Spent(SpentToken::Used))));
        assert!(matches!(world.services.open(&key.secret, "").await, Err(NotOpened::Key)));
        let now = in_team(&world, &eve).await;
        assert_ne!(now.tenant, world.ada.tenant);
        assert_eq!(now.role, Role::Owner, "of a new one of her own, so that signing in leads somewhere");
        let stale = world.services.invite(eve.actor(), "mallory@example.com", Role::Member, HOME).await;
        assert!(matches!(stale, Err(TeamError::Invite(InviteError::Team(Rule::NotAllowed)))), "{stale:?}");
        assert!(world.mail_to("eve@example.com").await.subject.contains("not in ada any more"));
        // Coming back does not bring the keys back.
        world.join(&world.ada, &now, Role::Admin).await;
        assert!(matches!(world.services.open(&key.secret, "").await, Err(NotOpened::Key)));
    }

    async fn who_gets_a_team_of_their_own_for_having_left_one_gets_no_month_and_no_gift_anew(database: TempDatabase) {
        let world = World::new(database).await;
        let terms = PromoTerms { amount: VideoTime::from_minutes(1), credit_days: None, valid_until: None, uses_max: None, audience: Audience::Everybody };
        for (code, audience) in [("welcome", Audience::NewTenants), ("summer", Audience::Everybody), ("autumn", Audience::Everybody)] {
            let new = NewPromo { code: Some(code.into()), terms: PromoTerms { audience, ..terms } };
            world.services.create_promo_code(Actor::Operator, None, new).await.unwrap();
        }
        let balance = async |who: &User| world.services.balance(who.actor()).await.unwrap();
        let leave = async |email: &str| {
            let token = invited(&world, email, Role::Member).await;
            let user = world.services.join_by_signing_up(&token, PASSWORD, HOME).await.unwrap();
            world.dial.advance_ms(40 * DAY_MS);
            world.services.leave_team(user.actor(), HOME).await.unwrap();
            in_team(&world, &user).await
        };
        // What has no end is no gift.
        assert!(balance(&leave("bob@example.com").await).await.is_unlimited());

        world.services.set_default_plan(Actor::Operator, "free").await.unwrap();
        world.services.redeem(world.ada.actor(), "summer", HOME).await.unwrap();
        let eve = leave("eve@example.com").await;
        let has_nothing = async || assert_eq!(balance(&eve).await.left(|_| true).ms(), 0);
        has_nothing().await;
        for plan in ["payg", "free"] {
            assert!(world.services.store.tenant(eve.tenant).credits().choose_plan(plan).await.unwrap());
            has_nothing().await;
        }
        let free = world.services.plans(Actor::Operator).await.unwrap().into_iter().find(|plan| plan.id == "free").unwrap();
        let more = Included::MonthlyMs(VideoTime::from_minutes(3));
        world.services.define_plan(Actor::Operator, &Plan { included: more, ..free }, None).await.unwrap();
        has_nothing().await;
        for code in ["welcome", "summer"] {
            assert!(world.services.redeem(eve.actor(), code, HOME).await.is_err(), "{code}");
        }
        world.services.redeem(eve.actor(), "autumn", HOME).await.unwrap();
        world.dial.advance_ms(31 * DAY_MS);
        assert_eq!(balance(&eve).await.left(|kind| kind == GrantKind::Included), VideoTime::from_minutes(3));
        assert!(world.services.verify_ledger(Actor::Operator).await.unwrap().faults.is_empty());
    }

    async fn a_team_always_has_an_owner(database: TempDatabase) {
        let world = World::new(database).await;
        let eve = world.services.sign_up("eve@example.com", PASSWORD).await.unwrap();
        world.join(&world.ada, &eve, Role::Member).await;
        let ada = world.ada.actor();
        let last = |error: Result<(), TeamError>| assert!(matches!(error, Err(TeamError::Change(ChangeError::Team(Rule::LastOwner)))), "{error:?}");
        last(world.services.leave_team(ada, HOME).await);
        last(world.services.change_role(ada, world.ada.id, Role::Viewer, HOME).await);
        // Of two owners who leave at once, one stays.
        world.services.change_role(ada, eve.id, Role::Owner, HOME).await.unwrap();
        let both = [world.ada.clone(), in_team(&world, &eve).await];
        let left = join_all(both.iter().map(|owner| world.services.leave_team(owner.actor(), HOME))).await;
        assert_eq!(left.iter().filter(|left| left.is_ok()).count(), 1, "{left:?}");
        let staying = both.iter().zip(&left).find(|(_, left)| left.is_err()).unwrap().0;
        let team = world.services.team(staying.actor()).await.unwrap();
        assert_eq!(team.members.iter().map(|member| (member.user, member.role)).collect::<Vec<_>>(), [(staying.id, Role::Owner)]);
    }

    async fn ownership_goes_over_and_with_it_what_only_owners_may(database: TempDatabase) {
        let world = World::new(database).await;
        let eve = world.services.sign_up("eve@example.com", PASSWORD).await.unwrap();
        world.join(&world.ada, &eve, Role::Viewer).await;
        world.services.transfer_team(world.ada.actor(), eve.id, HOME).await.unwrap();
        let (ada, eve) = (in_team(&world, &world.ada).await, in_team(&world, &eve).await);
        assert_eq!((ada.role, eve.role), (Role::Admin, Role::Owner));
        let back = world.services.change_role(ada.actor(), eve.id, Role::Member, HOME).await;
        assert!(matches!(back, Err(TeamError::Change(ChangeError::Team(Rule::NotAllowed)))), "{back:?}");
        world.services.remove_member(eve.actor(), ada.id, HOME).await.unwrap();
        let acts: Vec<_> = world.services.team(eve.actor()).await.unwrap().acts.iter().map(|entry| entry.act).collect();
        assert_eq!(acts[..2], [Act::MemberRemoved, Act::OwnershipTransferred]);
    }

    async fn a_viewer_sees_members_and_neither_invitations_nor_the_log(database: TempDatabase) {
        let world = World::new(database).await;
        let token = invited(&world, "eve@example.com", Role::Viewer).await;
        let eve = world.services.join_by_signing_up(&token, PASSWORD, HOME).await.unwrap();
        invited(&world, "bob@example.com", Role::Member).await;
        let team = world.services.team(eve.actor()).await.unwrap();
        assert_eq!((team.members.len(), team.invitations.len(), team.acts.len()), (2, 0, 0));
        assert!(matches!(world.services.invite(eve.actor(), "x@example.com", Role::Viewer, HOME).await, Err(TeamError::Forbidden(_))));
        world.services.leave_team(eve.actor(), HOME).await.unwrap();
        assert_eq!(world.services.team(world.ada.actor()).await.unwrap().members.len(), 1);
    }
}

fn all() -> service::PageQuery {
    service::PageQuery { after: None, limit: 10, order: service::Order::NewestFirst }
}
