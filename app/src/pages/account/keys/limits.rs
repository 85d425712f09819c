//! The limits of a key that is there: requests a minute, and what may be used in a month.

use super::{
    PAGE,
    changes::{Answered, answer, refuse_switched},
};
use crate::{
    fault::Fault,
    http,
    session::{self, TeamField, same_team},
    words,
};
use domain::{
    ApiKeyId, Permission, TenantId, VideoTime,
    billing::{Spender, SpendingLimits},
};
use leptos::{prelude::*, server_fn::ServerFn};
use service::{ApiKey, KeyError, spending::LimitError};

/// Each is empty where there is none: requests a minute, and video-seconds a month.
#[server(prefix = "/api", endpoint = "limit-key")]
pub async fn limit_key(
    id: ApiKeyId,
    #[server(default)] requests: String,
    #[server(default)] hard: String,
    #[server(default)] soft: String,
    #[server(default)] tenant: Option<TenantId>,
) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if let Err(switched) = same_team(&user, tenant) {
        return refuse_switched(switched).await;
    }
    let outcome = match typed(&requests, &hard, &soft) {
        Err(problem) => Err(problem.to_owned()),
        Ok((requests, limits)) => set(&user, id, requests, limits).await?,
    };
    let (id, is_saved) = (id.to_string(), outcome.is_ok());
    answer("keys", outcome, &[("id", &id), ("requests", &requests), ("hard", &hard), ("soft", &soft)]).await?;
    // What was refused is mended where it was typed.
    leptos_axum::redirect(&if is_saved { PAGE.to_owned() } else { format!("{PAGE}?limits={id}") });
    Ok(())
}

/// Nothing is changed where one of them cannot be.
async fn set(user: &service::User, id: ApiKeyId, requests: Option<u32>, limits: SpendingLimits) -> Result<Result<String, String>, Fault> {
    let (services, address) = (session::services(), http::visitor_address());
    if let Err(error) = limits.check() {
        return Ok(Err(format!("{}.", words::sentence(&error.to_string()))));
    }
    let keys = services.list_keys(user.actor()).await?;
    let Some(key) = keys.into_iter().find(|key| key.id == id) else {
        return Ok(Err("There is no such key any more.".to_owned()));
    };
    match services.limit_key(user.actor(), id, requests, &address).await {
        Ok(()) => {}
        Err(KeyError::Forbidden(error)) => return Err(error.into()),
        Err(KeyError::Store(error)) => return Err(error.into()),
        Err(error) => return Ok(Err(format!("{}.", words::sentence(&error.to_string())))),
    }
    match services.set_spending_limits(user.actor(), Spender::Key(key.spender), limits, &address).await {
        Ok(()) => Ok(Ok("Saved. It holds from the next request on.".to_owned())),
        Err(LimitError::Forbidden(error)) => Err(error.into()),
        Err(LimitError::Store(error)) => Err(error.into()),
        Err(error) => Ok(Err(format!("{}.", words::sentence(&error.to_string())))),
    }
}

fn typed(requests: &str, hard: &str, soft: &str) -> Result<(Option<u32>, SpendingLimits), &'static str> {
    let requests = match requests.trim() {
        "" => None,
        number => Some(number.parse().map_err(|_| "Give the requests a minute as a whole number.")?),
    };
    let time = |text: &str| match text.trim() {
        "" => Ok(None),
        text => text.parse::<VideoTime>().map(Some).map_err(|_| "Give video-seconds as a number such as 3600 or 0.5."),
    };
    Ok((requests, SpendingLimits { hard: time(hard)?, soft: time(soft)? }))
}

/// Those of one key, for whoever may set both kinds.
#[component]
pub(super) fn LimitsOfKey<'a>(key_: ApiKey, tenant: TenantId, limits: SpendingLimits, answered: &'a Answered) -> impl IntoView {
    let ApiKey { id, name, terms, .. } = key_;
    let key = id.to_string();
    let requests = terms.requests_per_minute;
    let shown = |limit: Option<VideoTime>| limit.map(|limit| limit.to_string()).unwrap_or_default();
    let fields = [
        (
            "requests",
            "Requests a minute",
            "Empty: as many as all keys may make together.",
            requests.map(|requests| requests.to_string()).unwrap_or_default(),
        ),
        ("hard", "Limit, in video-seconds a month", "Nothing more is taken in beyond it. Empty: no limit.", shown(limits.hard)),
        ("soft", "Alert at, in video-seconds", "Owners and billing members get a mail. Empty: no alert.", shown(limits.soft)),
    ];
    let fields = fields.map(|(field, label, hint, value)| {
        let value = answered.typed_of("keys", &key, field).unwrap_or(value);
        let (id, hint_id) = (format!("key-{field}"), format!("key-{field}-hint"));
        view! {
            <div class="field">
                <label for=id.clone()>{label}</label>
                <input id=id name=field inputmode="decimal" value=value autocomplete="off" aria-describedby=hint_id.clone() />
                <p class="hint" id=hint_id>{hint}</p>
            </div>
        }
    });
    view! {
        <section class="card stack" aria-labelledby="limits">
            <h2 id="limits">"Limits of "<bdi>{name}</bdi></h2>
            <form class="limit-form" method="post" action=LimitKey::url() data-stays>
                <input type="hidden" name="id" value=key />
                <TeamField tenant />
                {fields.into_iter().collect_view()}
                <p class="row wide"><button class="button">"Save"</button><a class="button quiet" href=PAGE>"Cancel"</a></p>
            </form>
            <p class="hint">"Keys that were rotated to each other share what they may use."</p>
        </section>
    }
}

/// Whether somebody may set both kinds of limits.
pub(super) fn may_limit(user: &service::User) -> bool {
    user.actor().may(Permission::ManageKeys) && user.actor().may(Permission::SetSpendingLimits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_may_be_left_out_and_what_is_none_is_said() {
        assert_eq!(typed("", " ", ""), Ok((None, SpendingLimits::default())));
        let limits = SpendingLimits { hard: Some(VideoTime::from_ms(60_000)), soft: Some(VideoTime::from_ms(500)) };
        assert_eq!(typed("30", "60", "0.5"), Ok((Some(30), limits)));
        assert!(typed("many", "", "").is_err() && typed("", "much", "").is_err());
    }
}
