//! What each mail says.

use super::letter::{Letter, one_line};
use domain::{
    Role, VideoTime,
    account::token::Purpose,
    alerts::{Told, ToldKind},
    webhook::DisabledReason,
};

fn good_for(purpose: Purpose, otherwise: &str) -> String {
    format!("The link is good for {} and can be used once. {otherwise}", purpose.good_for())
}

pub fn reset_password(link: String) -> Letter {
    Letter {
        subject: "Set a new password".into(),
        paragraphs: vec!["Somebody, probably you, has asked to set a new password for your Reelmill account.".into()],
        action: Some(("Set a new password", link)),
        note: good_for(Purpose::ResetPassword, "If it was not you, do nothing: your password stays as it is."),
    }
}

pub fn verify_email(link: String) -> Letter {
    Letter {
        subject: "Confirm your email address".into(),
        paragraphs: vec![
            "Welcome to Reelmill. Please confirm that this address is yours, so that you can get back in when you forget your password."
                .into(),
        ],
        action: Some(("Confirm this address", link)),
        note: good_for(Purpose::VerifyEmail, "If you did not sign up, do nothing."),
    }
}

pub fn change_email(old: &str, link: String) -> Letter {
    Letter {
        subject: "Confirm your new email address".into(),
        paragraphs: vec![format!("The Reelmill account of {old} is to have this address from now on.")],
        action: Some(("Use this address", link)),
        note: good_for(Purpose::ChangeEmail, "If you did not ask for that, do nothing: the account stays as it is."),
    }
}

pub fn email_changed(new: &str) -> Letter {
    Letter {
        subject: "Your email address was changed".into(),
        paragraphs: vec![format!("Your Reelmill account has the address {new} from now on, and this one no more.")],
        action: None,
        note: "If that was not you, write to whoever runs this Reelmill at once.".into(),
    }
}

pub fn password_changed(origin: &str) -> Letter {
    Letter {
        subject: "Your password was changed".into(),
        paragraphs: vec!["The password of your Reelmill account was changed, and you were signed out everywhere else.".into()],
        action: Some(("Look at your account", format!("{origin}/security"))),
        note: "If that was not you, set a new password now, from the sign-in page.".into(),
    }
}

pub fn second_factor_off(origin: &str) -> Letter {
    Letter {
        subject: "Two-step sign-in was turned off".into(),
        paragraphs: vec!["Signing in to your Reelmill account asks for the password alone from now on.".into()],
        action: Some(("Look at your account", format!("{origin}/security"))),
        note: "If that was not you, set a new password now, from the sign-in page.".into(),
    }
}

/// `provider`: as people know it.
pub fn identity_linked(provider: Option<&str>, origin: &str) -> Letter {
    let provider = provider.unwrap_or("another service");
    Letter {
        subject: format!("{} was linked to your account", one_line(provider)),
        paragraphs: vec![format!("You can sign in to your Reelmill account with {provider} from now on, besides your password.")],
        action: Some(("Look at your account", format!("{origin}/security"))),
        note: "If that was not you, set a new password now, from the sign-in page, and unlink it.".into(),
    }
}

pub fn identity_unlinked(provider: Option<&str>, origin: &str) -> Letter {
    let provider = provider.unwrap_or("another service");
    Letter {
        subject: format!("{} was unlinked from your account", one_line(provider)),
        paragraphs: vec![format!("Nobody gets in to your Reelmill account with {provider} any more. Your password still lets you in.")],
        action: Some(("Look at your account", format!("{origin}/security"))),
        note: "If that was not you, set a new password now, from the sign-in page.".into(),
    }
}

pub fn removed(tenant: &str) -> Letter {
    Letter {
        subject: format!("You are not in {} any more", one_line(tenant)),
        paragraphs: vec![format!("You were taken out of the team {tenant}. Its videos stay with the team; your account stays yours.")],
        action: None,
        note: "If that surprises you, ask an owner of the team.".into(),
    }
}

/// `used`, the alert that it has reached, and the limit, if there is one.
pub fn spending_reached(
    tenant: &str,
    whose: &str,
    (used, soft, hard): (VideoTime, VideoTime, Option<VideoTime>),
    resets_on: &str,
    link: String,
) -> Letter {
    let next = hard.map_or_else(
        || "There is no limit that would stop it.".to_owned(),
        |hard| format!("At {hard} video-seconds nothing more is taken in until {resets_on} (UTC)."),
    );
    Letter {
        subject: format!("{} has used or set aside {used} video-seconds this month", one_line(tenant)),
        paragraphs: vec![
            format!("In the team {tenant}, what {whose} has used or set aside this month has reached {used} video-seconds."),
            format!("You wanted to hear of it at {soft}. {next}"),
        ],
        action: Some(("Look at the limits", link)),
        note: "You get this mail once a month for each alert, as an owner or billing member of the team.".into(),
    }
}

/// Of alerts that were told at once: those that fire first.
pub fn alerts(told: &[Told], origin: &str) -> Letter {
    let of = |kind: ToldKind| told.iter().filter(move |told| told.kind == kind);
    let (fired, resolved) = (of(ToldKind::Fired).count(), of(ToldKind::Resolved).count());
    let subject = match (told, fired, resolved) {
        ([told], ..) => format!("{} {}", one_line(&told.name), told.kind.words()),
        (_, 0, resolved) => format!("{resolved} alerts are resolved"),
        (_, fired, 0) => format!("{fired} alerts fire"),
        (_, fired, resolved) => format!("Alerts: {fired} fire, {resolved} are resolved"),
    };
    let ordered = of(ToldKind::Fired).chain(of(ToldKind::Resolved)).chain(of(ToldKind::Test));
    Letter {
        subject,
        paragraphs: ordered.map(Told::words).collect(),
        action: Some(("Look at the alerts", format!("{origin}/admin/alerts"))),
        note: "You get this mail since somebody who runs this Reelmill wants this address to be told. Silences are set on that page."
            .into(),
    }
}

pub fn invitation(tenant: &str, by: Option<&str>, role: Role, link: String) -> Letter {
    let invited = by.map_or_else(|| "You are invited".to_owned(), |by| format!("{by} has invited you"));
    Letter {
        subject: format!("Join {} on Reelmill", one_line(tenant)),
        paragraphs: vec![
            format!("{invited} to the team {tenant}, as {}.", role.label().to_lowercase()),
            format!("What you can do there: {}", role.description()),
        ],
        action: Some(("Look at the invitation", link)),
        note: good_for(Purpose::Invitation, "If you do not know who that is, do nothing."),
    }
}

pub fn payment_failed(tenant: &str, origin: &str) -> Letter {
    Letter {
        subject: format!("A payment for {} has failed", one_line(tenant)),
        paragraphs: vec![
            format!("The payment for the plan of {tenant} was declined. It is tried again in the next days."),
            "Everything goes on as before for seven days. Please look at your card until then.".into(),
        ],
        action: Some(("Look at billing", format!("{origin}/billing"))),
        note: "When the payment succeeds, there is nothing to do.".into(),
    }
}

pub fn payment_recovered(tenant: &str, origin: &str) -> Letter {
    Letter {
        subject: format!("The payment for {} has succeeded", one_line(tenant)),
        paragraphs: vec![format!("The plan of {tenant} is paid for. Thank you.")],
        action: Some(("Look at billing", format!("{origin}/billing"))),
        note: "There is nothing to do.".into(),
    }
}

pub fn plan_limited(tenant: &str, origin: &str) -> Letter {
    Letter {
        subject: format!("The plan of {} has ended for now", one_line(tenant)),
        paragraphs: vec![
            format!("The payment for the plan of {tenant} was not made in time, so it is back on the plan that costs nothing."),
            "Your videos stay for thirty days at least, and so does credit. When the payment is made, the plan is back at once, with what was left of it."
                .into(),
        ],
        action: Some(("Look at billing", format!("{origin}/billing"))),
        note: "If you do not want the plan any more, there is nothing to do.".into(),
    }
}

pub fn webhook_disabled(tenant: &str, endpoint: &str, reason: DisabledReason, origin: &str) -> Letter {
    Letter {
        subject: format!("A webhook endpoint of {} was disabled", one_line(tenant)),
        paragraphs: vec![
            format!("Nothing more is sent to the webhook endpoint {endpoint} of the team {tenant}. {}", reason.words()),
            "When its receiver works again, enable it: what still waits is sent then, and what has failed can be replayed for a week."
                .into(),
        ],
        action: Some(("Look at the webhooks", format!("{origin}/webhooks"))),
        note: "If you do not need it any more, delete it there.".into(),
    }
}
