//! Who is in the demo: an operator and three teams on three plans, with their members, projects, keys and what they pay.

use super::{DAY_MS, PASSWORD, Stage};
use anyhow::{Context, Result};
use domain::{
    Actor, ProjectId, Role, TenantId, VideoTime,
    billing::{
        Audience, Currency, Invoice, InvoiceStatus, Money, PlanCharge, PromoTerms, Purchase, Spender, SpendingLimits, Subscription,
        SubscriptionStatus,
    },
};
use service::{
    KeyRequest, Opened, User,
    billing::{Gift, NewPromo},
};
use store::Fetched;

/// What invoices are found by.
const CURRENCY: Currency = Currency::USD;
const MONTH_MS: i64 = 30 * DAY_MS;
/// For a video-minute of credit, where a plan sells none.
const CREDIT_MINOR: u32 = 50;

/// A team, and everybody and everything that makes videos in it.
pub struct Team {
    pub tenant: TenantId,
    pub owner: User,
    /// Members and keys.
    pub makers: Vec<Maker>,
    /// Videos on a usual day.
    pub a_day: u64,
}

/// Somebody or something that asks for videos.
pub struct Maker {
    pub actor: Actor,
    /// Of a key, by which it is opened for each.
    pub secret: Option<String>,
}

impl Maker {
    const fn person(actor: Actor) -> Self {
        Self { actor, secret: None }
    }
}

pub struct Cast {
    pub operator: User,
    pub teams: Vec<Team>,
    members: Vec<String>,
}

impl Cast {
    pub fn addresses(&self) -> Vec<String> {
        let owners = self.teams.iter().map(|team| team.owner.email.to_string());
        std::iter::once(self.operator.email.to_string()).chain(owners).chain(self.members.iter().cloned()).collect()
    }
}

/// What sets a team apart.
struct Part {
    name: &'static str,
    owner: &'static str,
    members: &'static [(&'static str, Role)],
    projects: &'static [&'static str],
    a_day: u64,
}

const PARTS: [Part; 3] = [
    Part {
        name: "Northlight Films",
        owner: "nora@northlight.example",
        members: &[
            ("mika@northlight.example", Role::Admin),
            ("ines@northlight.example", Role::Member),
            ("paul@northlight.example", Role::Billing),
        ],
        projects: &["Trailers", "Social clips"],
        a_day: 6,
    },
    Part {
        name: "Marble Studio",
        owner: "teo@marble.example",
        members: &[("lena@marble.example", Role::Member), ("omar@marble.example", Role::Viewer)],
        projects: &["Product shots"],
        a_day: 3,
    },
    Part { name: "Jo’s workshop", owner: "jo@workshop.example", members: &[], projects: &[], a_day: 1 },
];

pub async fn sign_up(stage: &Stage) -> Result<Cast> {
    let services = &stage.services;
    let operator = services.sign_up("operator@reelmill.example", PASSWORD).await?;
    services.set_default_plan(Actor::Operator, "free").await?;
    services.set_plan(Actor::Operator, operator.tenant, "unlimited").await?;
    let terms = PromoTerms {
        amount: VideoTime::from_minutes(2),
        credit_days: Some(90),
        valid_until: Some(stage.now.plus_ms(60 * DAY_MS)),
        uses_max: Some(100),
        audience: Audience::NewTenants,
    };
    services.create_promo_code(Actor::Operator, None, NewPromo { code: Some("WELCOME".into()), terms }).await?;
    let (mut teams, mut members) = (Vec::new(), Vec::new());
    for part in PARTS {
        stage.advance_ms(40 * 60 * 1000);
        let (team, joined) = found(stage, &part).await?;
        teams.push(team);
        members.extend(joined);
    }
    subscribe(stage, &teams[0], "enterprise", 49_000).await?;
    subscribe(stage, &teams[1], "pro", 2900).await?;
    let jo = &teams[2];
    services.redeem(jo.owner.actor(), "welcome", "").await?;
    let gift = Gift { amount: VideoTime::from_ms(90_000), expires_at: None, note: Some("thank you for the bug report".into()), once: None };
    services.give_credit(Actor::Operator, None, jo.tenant, gift).await?;
    Ok(Cast { operator, teams, members })
}

/// The team, and the addresses of those who have joined it.
async fn found(stage: &Stage, part: &Part) -> Result<(Team, Vec<String>)> {
    let services = &stage.services;
    let owner = services.sign_up(part.owner, PASSWORD).await?;
    services.rename_team(owner.actor(), part.name, "").await?;
    let (mut makers, mut joined) = (vec![Maker::person(owner.actor())], Vec::new());
    for (email, role) in part.members {
        services.invite(owner.actor(), email, *role, "").await?;
        let member = services.join_by_signing_up(&token_sent_to(stage, email).await?, PASSWORD, "").await?;
        if member.actor().may(domain::Permission::SubmitJobs) {
            makers.push(Maker::person(member.actor()));
        }
        joined.push((*email).to_owned());
    }
    for name in part.projects {
        let project = services.create_project(owner.actor(), name, "").await?;
        makers.push(key(stage, &owner, &name.to_lowercase(), project).await?);
    }
    if let Some(Maker { actor: Actor::Key(owner_of_key), .. }) = makers.last() {
        let limits = SpendingLimits { hard: Some(VideoTime::from_minutes(30)), soft: Some(VideoTime::from_minutes(3)) };
        services.set_spending_limits(owner.actor(), Spender::Project(owner_of_key.project), limits, "").await?;
    }
    Ok((Team { tenant: owner.tenant, owner, makers, a_day: part.a_day }, joined))
}

async fn key(stage: &Stage, owner: &User, name: &str, project: ProjectId) -> Result<Maker> {
    let request = KeyRequest { name: name.to_owned(), project: Some(project), ..KeyRequest::default() };
    let made = stage.services.create_key_for(owner.actor(), request, "").await?;
    let Opened { owner, .. } = stage.services.open(&made.secret, "").await?;
    Ok(Maker { actor: Actor::Key(owner), secret: Some(made.secret) })
}

/// Out of the last mail to an address.
async fn token_sent_to(stage: &Stage, email: &str) -> Result<String> {
    stage.services.deliver_events(Actor::System).await?;
    let kept = stage.services.mails(Actor::Operator).await?.kept;
    let mail = kept.into_iter().find(|mail| mail.recipient == email).with_context(|| format!("no mail was sent to {email}"))?;
    let (_, rest) = mail.text.split_once("token=").with_context(|| format!("the mail to {email} has no link"))?;
    Ok(rest.chars().take_while(char::is_ascii_alphanumeric).collect())
}

/// As if a payment processor had told it: a subscription with an invoice for each of its months that have begun, and credit that was bought.
async fn subscribe(stage: &Stage, team: &Team, plan: &str, monthly_minor: i64) -> Result<()> {
    let payments = stage.services.store.payments();
    let offered = stage.services.plans(Actor::Operator).await?.into_iter().find(|offered| offered.id == plan);
    let minor_per_minute = offered.and_then(|offered| offered.credit_minor_per_minute).unwrap_or(CREDIT_MINOR);
    let began = stage.services.store.now().await?;
    let months = 1 + (stage.now.ms() - began.ms()) / MONTH_MS;
    let starts_at = |month: i64| began.plus_ms(month * MONTH_MS);
    let monthly = Money::of_minor(monthly_minor, CURRENCY);
    let id = |kind: &str, number: i64| format!("{kind}_demo_{plan}_{number}");
    let subscription = Subscription {
        id: id("sub", 1),
        plan: Some(plan.to_owned()),
        status: SubscriptionStatus::Active,
        began_at: began,
        period_starts_at: starts_at(months - 1),
        period_ends_at: starts_at(months),
        anchor: began,
        cancel_at: None,
        trial_ends_at: None,
        ended_at: None,
        monthly,
        past_due_since: None,
        plans: Vec::new(),
    };
    let invoice = |month: i64| Invoice {
        id: id("in", month + 1),
        number: Some(format!("DEMO-{}-{:04}", plan.to_uppercase(), month + 1)),
        status: InvoiceStatus::Paid,
        total: monthly,
        paid: monthly,
        created_at: starts_at(month),
        url: None,
        next_attempt_at: None,
        plan: Some(PlanCharge { amount: monthly, from: starts_at(month), until: starts_at(month + 1) }),
    };
    let purchase = Purchase { id: id("cs", 1), video_ms: 600_000, minor_per_minute, currency: CURRENCY, bought_at: began, unpaid_ms: 0 };
    payments.set_customer(team.tenant, &id("cus", 1), None).await?;
    let fetched = Fetched { subscriptions: vec![subscription], invoices: (0..months).map(invoice).collect(), purchases: vec![purchase] };
    payments.replace(team.tenant, 0, &fetched).await?;
    Ok(())
}
