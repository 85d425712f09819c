//! The ledger of all tenants: every entry, newest first, with what it was for; and whether it is true.

use crate::{
    components::{
        csv::quoted,
        frame::Frame,
        moment::{Moment, day_typed, iso, iso_day},
        table::Table,
    },
    fault::Fault,
    http,
    pages::{
        account::plan::what,
        admin::which_tenant::WhichTenant,
        fault::{escaped, page},
    },
    session::{self, SaidNotice},
    words,
};
use domain::{
    JobId, TenantId, Timestamp,
    billing::{EntryKind, GrantKind},
};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::Stylesheet;
use service::{
    LedgerEntries, LedgerEntry, LedgerFilter, LedgerPlace,
    billing::{LedgerCheck, LedgerChecks},
};

const PAGE: &str = "/admin/ledger";
const SHOWN: u64 = 50;
const HEADS: [&str; 6] = ["When", "Tenant", "What", "Video time", "Cause", "Video"];

/// Has the whole ledger looked through; `query`: of the page that comes back.
#[server(prefix = "/api", endpoint = "check-ledger")]
pub async fn check_ledger(#[server(default)] query: String) -> Result<(), Fault> {
    let viewer = session::require_operator().await?;
    if !session::services().begin_ledger_check(viewer.installation_actor()).await? {
        session::say(PAGE, Some(viewer.id), "check", Err("It is being checked already. Nothing was begun.".to_owned()), "");
    }
    let query: String = query.chars().filter(|char| char.is_ascii_graphic()).collect();
    leptos_axum::redirect(&if query.is_empty() { PAGE.to_owned() } else { format!("{PAGE}?{query}") });
    Ok(())
}

/// What is asked for, as it is typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Typed {
    tenant: String,
    kind: String,
    job: String,
    from: String,
    until: String,
    before: String,
}

impl Typed {
    fn of(field: impl Fn(&str) -> Option<String>) -> Self {
        let field = |name: &str| field(name).unwrap_or_default().trim().to_owned();
        Self {
            tenant: field("tenant"),
            kind: field("kind"),
            job: field("job"),
            from: field("from"),
            until: field("until"),
            before: field("before"),
        }
    }

    /// All but the tenant, which may be typed as a name.
    fn filter(&self) -> Result<LedgerFilter, &'static str> {
        Ok(LedgerFilter {
            tenant: None,
            kind: optional(&self.kind, EntryKind::named).ok_or("There is no such kind of entries.")?,
            job: optional(&self.job, |job| job.parse::<JobId>().ok()).ok_or("Give the id of a video, such as job_0190…")?,
            from: optional(&self.from, |day| day_typed(day).map(|day| day.start())).ok_or("Give a day as 2026-12-31.")?,
            until: optional(&self.until, |day| day_typed(day).map(|day| day.plus(1).start())).ok_or("Give a day as 2026-12-31.")?,
        })
    }

    fn before(&self) -> Option<LedgerPlace> {
        let (at, id) = self.before.split_once('.')?;
        Some(LedgerPlace { at: Timestamp::from_ms(at.parse().ok()?), id: id.parse().ok()? })
    }

    /// The same from there on.
    fn query(&self, tenant: Option<TenantId>, before: Option<LedgerPlace>) -> String {
        let tenant = tenant.map(|tenant| tenant.to_string()).unwrap_or_default();
        let before = before.map(|place| format!("{}.{}", place.at.ms(), place.id)).unwrap_or_default();
        let fields = [
            ("tenant", &tenant),
            ("kind", &self.kind),
            ("job", &self.job),
            ("from", &self.from),
            ("until", &self.until),
            ("before", &before),
        ];
        let fields = fields.into_iter().filter(|(_, value)| !value.is_empty()).map(|(name, value)| format!("{name}={}", escaped(value)));
        fields.collect::<Vec<_>>().join("&")
    }
}

/// `Some(None)`: it is empty.
fn optional<T>(text: &str, read: impl Fn(&str) -> Option<T>) -> Option<Option<T>> {
    if text.is_empty() { Some(None) } else { read(text).map(Some) }
}

/// What a file of entries is asked to have. `None`: that cannot be read.
#[must_use]
pub fn ledger_filter(field: impl Fn(&str) -> Option<String>) -> Option<LedgerFilter> {
    let asked = Typed::of(field);
    let tenant = optional(&asked.tenant, |tenant| tenant.parse::<TenantId>().ok())?;
    asked.filter().ok().map(|filter| LedgerFilter { tenant, ..filter })
}

#[component]
pub fn LedgerPage() -> impl IntoView {
    let query = http::query();
    let asked = Typed::of(|name| query.get(name));
    page(async move {
        let viewer = session::require_operator().await?;
        let (services, actor) = (session::services(), viewer.installation_actor());
        let (filter, wrong) = match asked.filter() {
            Ok(filter) => (filter, None),
            Err(wrong) => (LedgerFilter::default(), Some(wrong)),
        };
        let tenant: Option<TenantId> = asked.tenant.parse().ok();
        let found = if tenant.is_none() { services.find_tenants(actor, &asked.tenant).await? } else { Vec::new() };
        let only = match found.as_slice() {
            [one] => Some(one.id),
            _ => tenant,
        };
        // Of a tenant that is not told apart from others nothing is shown.
        let is_unclear = only.is_none() && !asked.tenant.is_empty();
        let shows = wrong.is_none() && !is_unclear;
        let found = found.into_iter().map(|tenant| {
            let href = format!("{PAGE}?{}", asked.query(Some(tenant.id), None));
            (tenant, href)
        });
        let found: Vec<_> = found.collect();
        let filter = LedgerFilter { tenant: only, ..filter };
        let listed = if shows {
            services.ledger_of_all(actor, filter, asked.before(), SHOWN).await?
        } else {
            LedgerEntries { entries: Vec::new(), has_more: false }
        };
        let older =
            listed.entries.last().filter(|_| listed.has_more).map(|last| format!("{PAGE}?{}", asked.query(only, Some(last.place()))));
        let file = format!("/admin/ledger.csv?{}", asked.query(only, None));
        let newest = asked.before().map(|_| format!("{PAGE}?{}", asked.query(only, None)));
        let said = session::said(PAGE, Some(viewer.id));
        let checks = services.ledger_checks(actor).await?;
        Ok(view! {
            <Frame title="Ledger" viewer=Some(viewer) class="page wide admin">
                <Stylesheet href="/admin.css" />
                <Stylesheet href="/plan.css" />
                <header class="page-head">
                    <h1>"Ledger"</h1>
                    <p class="lead">"All that any tenant was granted and charged. Entries are only ever added."</p>
                </header>
                <SaidNotice said=&said form="check" />
                <form method="post" action=CheckLedger::url() data-stays>
                    <input type="hidden" name="query" value=asked.query(only, asked.before()) />
                    <p class="row"><button class="button quiet">"Check the whole ledger"</button><span class="hint">"It reads every entry."</span></p>
                </form>
                <Checks checks />
                <Filter asked=asked.clone() />
                {wrong.map(|wrong| view! { <p class="notice" role="alert">{wrong}</p> })}
                {is_unclear.then(|| view! { <WhichTenant found /> })}
                {shows.then(|| view! { <Entries entries=listed.entries /> })}
                {shows.then(|| view! {
                    <p class="row">
                        {newest.map(|href| view! { <a class="button quiet" href=href>"Newest"</a> })}
                        {older.map(|href| view! { <a class="button quiet" href=href>"Older"</a> })}
                        <a class="button quiet" href=file download>"As a CSV file"</a>
                    </p>
                })}
            </Frame>
        })
    })
}

/// Whether it is being checked, and what was found the last time.
#[component]
fn Checks(checks: LedgerChecks) -> impl IntoView {
    let LedgerChecks { since, last } = checks;
    let since = since.map(|at| {
        view! { <p class="notice plain" role="status">"The ledger is being checked since "<Moment at />". Load this page again to see what is found."</p> }
    });
    let last = last.map(|check| {
        let text = told(&check);
        let at = check.ended_at;
        if check.problem.is_none() && check.wrong == 0 {
            view! { <p class="notice plain" role="status">{text}" "<span class="hint">"Checked "<Moment at /></span></p> }.into_any()
        } else {
            view! { <p class="notice" role="alert">{text}" "<span class="hint">"Checked "<Moment at /></span></p> }.into_any()
        }
    });
    view! { {since}{last} }
}

fn told(check: &LedgerCheck) -> String {
    let entries = domain::grouped(check.entries);
    match &check.problem {
        Some(problem) => format!("The ledger could not be checked: {problem}."),
        None if check.wrong == 0 => format!("The ledger is true: all rules hold for its {entries} entries."),
        None => format!("The ledger is wrong in {} places of {entries} entries. {}.", check.wrong, check.faults.join("; ")),
    }
}

#[component]
fn Filter(asked: Typed) -> impl IntoView {
    let kinds = EntryKind::ALL.map(|kind| {
        view! { <option value=kind.as_str() selected=kind.as_str() == asked.kind>{what(kind)}</option> }
    });
    view! {
        <form class="row search" method="get" action=PAGE role="search" aria-label="Entries">
            <input type="search" name="tenant" value=asked.tenant aria-label="Tenant: its name, a member’s address, or its id" placeholder="Tenant, address or id" />
            <select name="kind" aria-label="Kind" autocomplete="off"><option value="">"Every kind"</option>{kinds.into_iter().collect_view()}</select>
            <input name="job" value=asked.job aria-label="Id of a video" placeholder="job_…" autocomplete="off" />
            <label class="inline">"From "<input name="from" type="date" value=asked.from autocomplete="off" /></label>
            <label class="inline">"to "<input name="until" type="date" value=asked.until autocomplete="off" /></label>
            <button class="button quiet">"Show"</button>
            <a class="button quiet" href=PAGE>"Everything"</a>
        </form>
    }
}

#[component]
pub fn Entries(entries: Vec<LedgerEntry>) -> impl IntoView {
    if entries.is_empty() {
        return view! { <p class="empty small">"There are no such entries."</p> }.into_any();
    }
    let rows = entries.into_iter().map(|entry| {
        let (tenant, job) = (entry.tenant, entry.job);
        let amount = amount(&entry);
        let LedgerEntry { at, kind, tenant_name, cause, note, .. } = entry;
        let is_charged = matches!(kind, EntryKind::Capture | EntryKind::Refund);
        let name = tenant_name.unwrap_or_else(|| "gone".to_owned());
        let (note, of_grant) = (note.as_deref().map(noted), cause_words(&cause));
        view! {
            <tr>
                <th scope="row"><Moment at /></th>
                <td data-head="Tenant" class="wraps"><a href=format!("{PAGE}?tenant={tenant}") dir="auto">{name}</a></td>
                <td data-head="What">{what(kind)}</td>
                <td data-head="Video time" class="number">{amount}</td>
                <td data-head="Cause" class="wraps"><bdi>{note}</bdi>" "<span class="hint" title=cause>{of_grant}</span></td>
                <td data-head="Video">{job.map(|id| view! {
                    <a href=format!("{PAGE}?job={id}") aria-label=format!("Entries of {id}")><span class="mono">{short(id)}</span></a>
                    {is_charged.then(|| view! { " "<a href=format!("/admin/refunds?job={id}") aria-label=format!("Refund {id}")>"Refund"</a> })}
                })}</td>
            </tr>
        }
    });
    view! { <Table label="Entries of the ledger" heads=&HEADS>{rows.collect_view()}</Table> }.into_any()
}

/// What an entry was for. Why something failed stays the word of the API.
fn noted(note: &str) -> String {
    match words::ending(note) {
        "it failed" => format!("it failed: {note}"),
        said => said.to_owned(),
    }
}

/// The grant that an entry is of: what a plan gives for a time is told in words, any other by the id of what it was given for.
fn cause_words(cause: &str) -> String {
    let of_plan = || {
        let [plan, from, kind] = <[&str; 3]>::try_from(cause.split(':').collect::<Vec<_>>()).ok()?;
        let what = match GrantKind::named(kind)? {
            GrantKind::Unlimited => "without a limit",
            GrantKind::Included => "included",
            GrantKind::Overage => "beyond what is included",
            GrantKind::Gift | GrantKind::Purchase => return None,
        };
        Some(format!("plan {plan}, {what}, since {}", iso_day(Timestamp::from_ms(from.parse().ok()?))))
    };
    of_plan().unwrap_or_else(|| cause.to_owned())
}

/// The end of an id tells it apart from its neighbours.
fn short(id: JobId) -> String {
    let id = id.to_string();
    format!("…{}", &id[id.len().saturating_sub(8)..])
}

fn amount(entry: &LedgerEntry) -> String {
    if entry.grant == Some(GrantKind::Unlimited) && entry.job.is_none() { "no limit".to_owned() } else { words::amount(entry.amount) }
}

pub const LEDGER_CSV_HEAD: &str = "time,tenant,tenant_name,kind,video_seconds,grant,cause,note,video\n";

/// An entry as a line of a file.
#[must_use]
pub fn ledger_csv_line(entry: &LedgerEntry) -> String {
    let (name, note) = (entry.tenant_name.clone().unwrap_or_default(), entry.note.clone().unwrap_or_default());
    let job = entry.job.map(|job| job.to_string()).unwrap_or_default();
    let grant = entry.grant.map_or("", GrantKind::as_str);
    let (at, tenant, kind) = (iso(entry.at), entry.tenant, entry.kind.as_str());
    format!("{at},{tenant},{},{kind},{},{grant},{},{},{job}\n", quoted(&name), entry.amount, quoted(&entry.cause), quoted(&note))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(query: &'static [(&'static str, &'static str)]) -> impl Fn(&str) -> Option<String> {
        move |wanted| query.iter().find(|(name, _)| *name == wanted).map(|(_, value)| (*value).to_owned())
    }

    #[test]
    fn what_is_typed_is_asked_for_and_what_cannot_be_read_is_said() {
        let filter = ledger_filter(of(&[("kind", "refund"), ("from", "1970-01-02"), ("until", "1970-01-02")])).unwrap();
        assert_eq!(
            (filter.kind, filter.from, filter.until),
            (Some(EntryKind::Refund), Some(Timestamp::from_ms(86_400_000)), Some(Timestamp::from_ms(2 * 86_400_000)))
        );
        assert_eq!(ledger_filter(of(&[])), Some(LedgerFilter::default()));
        for wrong in [[("kind", "loan")], [("job", "1")], [("from", "today")], [("tenant", "ada")]] {
            assert_eq!(
                ledger_filter(|name| wrong.iter().find(|(of, _)| *of == name).map(|(_, value)| (*value).to_owned())),
                None,
                "{wrong:?}"
            );
        }
    }

    #[test]
    fn what_an_entry_is_of_is_told_in_words() {
        assert_eq!(cause_words("enterprise:86400000:included"), "plan enterprise, included, since 1970-01-02");
        assert_eq!(cause_words("pro:86400000:overage"), "plan pro, beyond what is included, since 1970-01-02");
        for id in ["stripe:cs_1", "operator:abc", "pro:soon:included", "pro:1:gift", ""] {
            assert_eq!(cause_words(id), id);
        }
        assert_eq!(["succeeded", "out_of_memory", "welcome"].map(noted), ["it was made", "it failed: out_of_memory", "welcome"]);
    }

    #[test]
    fn a_place_survives_the_address() {
        let place = LedgerPlace { at: Timestamp::from_ms(17), id: "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0001".parse().unwrap() };
        let query = Typed { kind: "hold".into(), ..Typed::default() }.query(None, Some(place));
        let (_, before) = query.split_once("before=").unwrap();
        assert_eq!(Typed { before: before.into(), ..Typed::default() }.before(), Some(place));
        assert!(query.starts_with("kind=hold&"), "{query}");
    }
}
