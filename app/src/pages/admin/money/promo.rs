//! Promo codes: words for which tenants are given video time. Made and archived here, with who has used them.

use crate::{
    components::{
        frame::Frame,
        moment::{Moment, day_typed},
        table::Table,
    },
    fault::Fault,
    http,
    pages::fault::page,
    session::{self, SaidNotice},
    words,
};
use domain::{
    VideoTime,
    billing::{Audience, PROMO_CODE_CHARS_MAX, PROMO_CODE_CHARS_MIN, PromoTerms},
};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::Stylesheet;
use serde::{Deserialize, Serialize};
use service::{
    Asked,
    billing::{NewPromo, PromoChangeError, PromoOverview},
};

const PAGE: &str = "/admin/promo";
const SHOWN: u64 = 50;
const HEADS: [&str; 7] = ["Code", "Gives", "For", "Used", "Valid until", "Made", ""];

/// A code as it is typed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypedPromo {
    #[serde(default)]
    code: String,
    video_seconds: String,
    #[serde(default)]
    credit_days: String,
    /// The last day, as `2026-12-31`.
    #[serde(default)]
    valid_until: String,
    #[serde(default)]
    uses_max: String,
    #[serde(default)]
    audience: String,
}

impl TypedPromo {
    fn promo(&self) -> Result<NewPromo, &'static str> {
        Ok(NewPromo {
            code: Some(self.code.clone()),
            terms: PromoTerms {
                amount: self
                    .video_seconds
                    .parse::<VideoTime>()
                    .map_err(|_| "Give what the code is worth in video-seconds, such as 120.")?,
                credit_days: optional(&self.credit_days, |days| days.parse().ok()).ok_or("Give the days as a whole number.")?,
                valid_until: optional(&self.valid_until, |day| day_typed(day).map(|day| day.plus(1).start()))
                    .ok_or("Give the last day as 2026-12-31.")?,
                uses_max: optional(&self.uses_max, |uses| uses.parse::<u32>().ok().map(u64::from))
                    .ok_or("Give the uses as a whole number.")?,
                audience: Audience::named(&self.audience).ok_or("Say who may use the code.")?,
            },
        })
    }
}

/// `Some(None)`: it is empty.
fn optional<T>(text: &str, read: impl Fn(&str) -> Option<T>) -> Option<Option<T>> {
    let text = text.trim();
    if text.is_empty() { Some(None) } else { read(text).map(Some) }
}

#[server(prefix = "/api", endpoint = "create-promo-code")]
pub async fn create_promo_code(promo: TypedPromo) -> Result<(), Fault> {
    let viewer = session::require_operator().await?;
    let outcome = match promo.promo() {
        Err(problem) => Err(problem.to_owned()),
        Ok(new) => {
            let address = http::visitor_address();
            let by = Asked { user: viewer.id, address: &address };
            let made = session::services().create_promo_code(viewer.installation_actor(), Some(by), new).await;
            outcome(made.map(|code| format!("The code {code} is made.")))?
        }
    };
    let typed = [
        ("code", &*promo.code),
        ("video_seconds", &promo.video_seconds),
        ("credit_days", &promo.credit_days),
        ("valid_until", &promo.valid_until),
        ("uses_max", &promo.uses_max),
        ("audience", &promo.audience),
    ];
    session::say_of_fields(PAGE, Some(viewer.id), "promo", outcome, &typed);
    leptos_axum::redirect(PAGE);
    Ok(())
}

#[server(prefix = "/api", endpoint = "archive-promo-code")]
pub async fn archive_promo_code(code: String) -> Result<(), Fault> {
    let viewer = session::require_operator().await?;
    let address = http::visitor_address();
    let by = Asked { user: viewer.id, address: &address };
    let archived = session::services().archive_promo_code(viewer.installation_actor(), Some(by), &code).await;
    let outcome = outcome(archived.map(|()| "Nobody can use this code any more. What it gave stays.".to_owned()))?;
    session::say(PAGE, Some(viewer.id), "promo", outcome, "");
    leptos_axum::redirect(PAGE);
    Ok(())
}

fn outcome(done: Result<String, PromoChangeError>) -> Result<Result<String, String>, Fault> {
    match done {
        Ok(text) => Ok(Ok(text)),
        Err(PromoChangeError::Forbidden(error)) => Err(error.into()),
        Err(PromoChangeError::Store(error)) => Err(error.into()),
        Err(error @ PromoChangeError::Random(_)) => Err(Fault::internal(&error)),
        Err(error) => Ok(Err(format!("{}.", words::sentence(&error.to_string())))),
    }
}

#[component]
pub fn PromoPage() -> impl IntoView {
    let before = http::query().get("before").and_then(|id| id.parse().ok());
    page(async move {
        let viewer = session::require_operator().await?;
        let codes = session::services().promo_codes(viewer.installation_actor(), before, SHOWN).await?;
        let said = session::said(PAGE, Some(viewer.id));
        let older = codes.last().filter(|_| codes.len() as u64 == SHOWN).map(|last| format!("{PAGE}?before={}", last.code.id));
        let typed = |field| said.field("promo", field).unwrap_or_default();
        let typed = TypedPromo {
            code: typed("code"),
            video_seconds: typed("video_seconds"),
            credit_days: typed("credit_days"),
            valid_until: typed("valid_until"),
            uses_max: typed("uses_max"),
            audience: typed("audience"),
        };
        Ok(view! {
            <Frame title="Promo codes" viewer=Some(viewer) class="page wide admin">
                <Stylesheet href="/admin.css" />
                <Stylesheet href="/plan.css" />
                <header class="page-head">
                    <h1>"Promo codes"</h1>
                    <p class="lead">"A code gives a team video time, once. It is typed on the page “Plan and credit”, and needs no payment processor. Codes that lower what is paid at Stripe are made at Stripe."</p>
                </header>
                <SaidNotice said=&said form="promo" />
                <NewCode typed />
                <section class="stack" aria-labelledby="codes">
                    <h2 id="codes">"Codes"</h2>
                    <Codes codes />
                    {older.map(|href| view! { <p class="row"><a class="button quiet" href=href>"Older"</a></p> })}
                </section>
            </Frame>
        })
    })
}

#[component]
fn NewCode(typed: TypedPromo) -> impl IntoView {
    let field = |name: &'static str, label: &'static str, kind: &'static str, hint: String, required: bool, value: String| {
        let hint_id = format!("{name}-hint");
        view! {
            <div class="field">
                <label for=name>{label}</label>
                <input id=name name=format!("promo[{name}]") type=kind required=required value=value autocomplete="off" aria-describedby=hint_id.clone() />
                <p class="hint" id=hint_id>{hint}</p>
            </div>
        }
    };
    let named =
        format!("{PROMO_CODE_CHARS_MIN} to {PROMO_CODE_CHARS_MAX} letters, digits and hyphens. Empty: one is drawn that nobody guesses.");
    view! {
        <form class="card plan-form" method="post" action=CreatePromoCode::url() data-stays>
            {field("code", "Code", "text", named, false, typed.code)}
            {field("video_seconds", "Video-seconds that it gives", "text", "Such as 120.".into(), true, typed.video_seconds)}
            {field("credit_days", "Days that they are good for", "number", "From when the code is used. Empty: for ever.".into(), false, typed.credit_days)}
            {field("valid_until", "Last day of the code", "date", "In UTC. Empty: until it is archived.".into(), false, typed.valid_until)}
            {field("uses_max", "Teams that may use it", "number", "Empty: any number. A team uses a code once.".into(), false, typed.uses_max)}
            <div class="field">
                <label for="audience">"Who may use it"</label>
                <select id="audience" name="promo[audience]" autocomplete="off">
                    {Audience::ALL.map(|audience| view! { <option value=audience.as_str() selected=audience.as_str() == typed.audience>{who(audience)}</option> }).into_iter().collect_view()}
                </select>
            </div>
            <p class="wide"><button class="button">"Make the code"</button></p>
        </form>
    }
}

const fn who(audience: Audience) -> &'static str {
    match audience {
        Audience::Everybody => "Every team",
        Audience::NewTenants => "Teams made in the last 30 days",
    }
}

#[component]
fn Codes(codes: Vec<PromoOverview>) -> impl IntoView {
    if codes.is_empty() {
        return view! { <p class="empty small">"There are no codes yet."</p> }.into_any();
    }
    let rows = codes.into_iter().map(|PromoOverview { code, redemptions }| {
        let terms = code.terms;
        let days = terms.credit_days.map(|days| format!(", good for {}", words::count(days.into(), "day", "days")));
        let used = terms.uses_max.map_or_else(|| domain::grouped(code.uses), |max| format!("{} of {}", domain::grouped(code.uses), domain::grouped(max)));
        let until = terms.valid_until.map_or_else(|| "it is archived".into_any(), |at| view! { <Moment at /> }.into_any());
        let users = redemptions.into_iter().map(|redemption| {
            let name = redemption.name.unwrap_or_else(|| "gone".to_owned());
            view! { <li><a href=format!("/admin/ledger?tenant={}", redemption.tenant) dir="auto">{name}</a>" "<span class="hint"><Moment at=redemption.at /></span></li> }
        });
        let end = match code.archived_at {
            Some(at) => view! { <span class="hint">"Archived "<Moment at /></span> }.into_any(),
            None => view! {
                <form method="post" action=ArchivePromoCode::url() data-stays>
                    <input type="hidden" name="code" value=code.code.clone() />
                    <button class="button quiet small" aria-label=format!("Archive {}", code.code)>"Archive"</button>
                </form>
            }
            .into_any(),
        };
        view! {
            <tr>
                <th scope="row"><span class="mono">{code.code.clone()}</span></th>
                <td data-head="Gives">{words::video_seconds(terms.amount)}{days}</td>
                <td data-head="For">{who(terms.audience)}</td>
                <td data-head="Used">{if code.uses == 0 { used.into_any() } else {
                    view! { <details><summary>{used}</summary><ul>{users.collect_view()}</ul></details> }.into_any()
                }}</td>
                <td data-head="Valid until">{until}</td>
                <td data-head="Made"><Moment at=code.created_at /><br /><span class="hint">{code.made_by.unwrap_or_else(|| "by the command line".to_owned())}</span></td>
                <td class="end">{end}</td>
            </tr>
        }
    });
    view! { <Table label="List of promo codes" heads=&HEADS>{rows.collect_view()}</Table> }.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed() -> TypedPromo {
        TypedPromo { code: "summer".into(), video_seconds: "120".into(), audience: "new".into(), ..TypedPromo::default() }
    }

    #[test]
    fn what_is_left_empty_has_no_limit_and_what_cannot_be_read_is_said() {
        let terms = typed().promo().unwrap().terms;
        assert_eq!((terms.amount.ms(), terms.uses_max, terms.valid_until, terms.audience), (120_000, None, None, Audience::NewTenants));
        let terms = TypedPromo { uses_max: "3".into(), valid_until: "1970-01-01".into(), credit_days: "7".into(), ..typed() }
            .promo()
            .unwrap()
            .terms;
        assert_eq!((terms.uses_max, terms.valid_until.map(|at| at.ms()), terms.credit_days), (Some(3), Some(86_400_000), Some(7)));
        for wrong in [
            TypedPromo { video_seconds: "much".into(), ..typed() },
            TypedPromo { uses_max: "-1".into(), ..typed() },
            TypedPromo { valid_until: "soon".into(), ..typed() },
            TypedPromo { audience: String::new(), ..typed() },
        ] {
            assert!(wrong.promo().is_err(), "{wrong:?}");
        }
    }
}
