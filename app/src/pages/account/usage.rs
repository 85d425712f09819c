//! What an account has used, by day: in a chart, in a table, and as a file.

use crate::{
    components::{
        chart::{Mark, Point, TimeSeries, Unit},
        csv::quoted,
        frame::Frame,
        moment::{day_of_month, iso_day},
        table::Table,
    },
    http,
    pages::fault::page,
    session, words,
};
use domain::{
    ProjectId, VideoTime,
    billing::{Day, Money, Usage, UsageGroup},
};
use leptos::prelude::*;
use leptos_meta::Stylesheet;
use service::{Project, billing::UsageError};
use std::collections::BTreeMap;

const SPANS: [i32; 3] = [7, 30, 90];
const VIDEO_SECONDS: Unit = Unit { name: "video-seconds", step_min: 0.0 };
const HEADS: [&str; 6] = ["", "Video-seconds", "Made", "Failed", "Cancelled", "Paid"];

#[component]
pub fn UsagePage() -> impl IntoView {
    let query = http::query();
    let typed = |name: &str| query.get(name).filter(|text| !text.is_empty());
    let days = typed("days").map(|days| days.parse::<i32>().ok().filter(|days| SPANS.contains(days)));
    let by = typed("by").map(|by| UsageGroup::named(&by));
    let project = typed("project").map(|project| project.parse::<ProjectId>().ok());
    let wrong = [
        (days == Some(None), "Choose 7, 30 or 90 days. Below are the last 30."),
        (by == Some(None), "Nothing of that name tells usage apart. Below it is told by model."),
        (project == Some(None), "There is no such project. Below are all of them."),
    ];
    let wrong = wrong.into_iter().find(|(is_wrong, _)| *is_wrong).map(|(_, said)| said);
    let days = days.flatten().unwrap_or(SPANS[1]);
    let (by, project) = (by.flatten().unwrap_or(UsageGroup::Model), project.flatten());
    page(async move {
        let viewer = session::require_viewer().await?;
        let services = session::services();
        let until = Day::of(services.store.now().await?).plus(1);
        let from = until.plus(-days);
        let rows = match services.usage(viewer.actor(), from, until, &[by], project).await {
            Ok(rows) => Some(rows),
            Err(UsageError::Rows) => None,
            Err(error) => return Err(error.into()),
        };
        let projects = services.projects(viewer.actor()).await?;
        let keys = if by == UsageGroup::ApiKey { services.list_keys(viewer.actor()).await.unwrap_or_default() } else { Vec::new() };
        let members = match by {
            UsageGroup::User => services.team(viewer.actor()).await.map(|team| team.members).unwrap_or_default(),
            _ => Vec::new(),
        };
        let of_keys = keys.into_iter().map(|key| (key.id.to_string(), key.name));
        let of_projects = projects.iter().map(|project| (project.id.to_string(), project.name.clone()));
        let of_members = members.into_iter().map(|member| (member.user.to_string(), member.email));
        let names: BTreeMap<String, String> = of_keys.chain(of_projects).chain(of_members).collect();
        let group_name = move |id: String| names.get(&id).cloned().unwrap_or(id);
        let within = project.map(|project| format!("&project={project}")).unwrap_or_default();
        let file = format!("/usage.csv?days={days}&by={}{within}", by.as_str());
        Ok(view! {
            <Frame title="Usage" viewer=Some(viewer) class="page wide admin">
                <Stylesheet href="/admin.css" />
                <Stylesheet href="/plan.css" />
                <header class="page-head">
                    <h1>"Usage"</h1>
                    <p class="lead">"What was charged on each day, in UTC; today is one of them. It stays when videos are deleted. "<a href="/plan">"Plan and credit"</a></p>
                </header>
                <Choices days by project projects />
                {wrong.map(|wrong| view! { <p class="notice" role="alert">{wrong}</p> })}
                {match rows {
                    None => view! {
                        <p class="notice" role="alert">"This is too much to be shown at once. Choose fewer days, one project, or something else to tell apart."</p>
                    }
                    .into_any(),
                    Some(rows) => view! {
                        <ByDay rows=rows.clone() from until />
                        <Groups rows by name=group_name />
                        <p class="row"><a class="button quiet" href=file download>"As a CSV file"</a></p>
                    }
                    .into_any(),
                }}
            </Frame>
        })
    })
}

#[component]
fn Choices(days: i32, by: UsageGroup, project: Option<ProjectId>, projects: Vec<Project>) -> impl IntoView {
    let projects = projects
        .into_iter()
        .map(|Project { id, name, .. }| view! { <option value=id.to_string() selected=project == Some(id)>{name}</option> });
    let spans = SPANS.map(|span| view! { <option value=span selected=span == days>{format!("{span} days")}</option> });
    let groups = UsageGroup::ALL.map(|group| view! { <option value=group.as_str() selected=group == by>{name(group)}</option> });
    view! {
        <form class="row search" method="get" action="/usage">
            <label class="inline">"The last "<select name="days" autocomplete="off">{spans.into_iter().collect_view()}</select></label>
            <label class="inline">"by "<select name="by" autocomplete="off">{groups.into_iter().collect_view()}</select></label>
            <label class="inline">"in "<select name="project" autocomplete="off" aria-label="Project"><option value="">"all projects"</option>{projects.collect_view()}</select></label>
            <button class="button quiet">"Show"</button>
        </form>
    }
}

const fn name(group: UsageGroup) -> &'static str {
    match group {
        UsageGroup::Model => "model",
        UsageGroup::Project => "project",
        UsageGroup::ApiKey => "API key",
        UsageGroup::User => "member",
        UsageGroup::Lane => "lane",
    }
}

/// What is added up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Totals {
    succeeded: u64,
    failed: u64,
    cancelled: u64,
    charged: VideoTime,
    /// One for each currency: they are not added up.
    paid: Vec<Money>,
}

impl Totals {
    fn of(rows: &[Usage]) -> Self {
        rows.iter().fold(Self::default(), |mut total, row| {
            total.add(row);
            total
        })
    }

    fn add(&mut self, row: &Usage) {
        self.succeeded += row.succeeded;
        self.failed += row.failed;
        self.cancelled += row.cancelled;
        self.charged = self.charged + row.charged;
        let Some(cost) = row.cost else { return };
        match self.paid.iter_mut().find(|paid| paid.currency == cost.currency) {
            Some(paid) => paid.thousandths_of_minor = paid.thousandths_of_minor.saturating_add(cost.thousandths_of_minor),
            None => self.paid.push(cost),
        }
    }

    /// `None`: nothing was paid.
    fn paid(&self) -> Option<String> {
        let paid: Vec<_> = self.paid.iter().map(ToString::to_string).collect();
        if paid.is_empty() { None } else { Some(paid.join(" and ")) }
    }
}

#[component]
fn ByDay(rows: Vec<Usage>, from: Day, until: Day) -> impl IntoView {
    if rows.is_empty() {
        return view! { <p class="empty small">"Nothing was used in this time."</p> }.into_any();
    }
    let mut points = Vec::new();
    let mut day = from;
    while day < until {
        let charged = rows.iter().filter(|row| row.day == day).fold(VideoTime::default(), |sum, row| sum + row.charged);
        points.push(Point { label: day_of_month(day.start()), value: charged.seconds() });
        day = day.plus(1);
    }
    let total = Totals::of(&rows);
    let paid = total.paid().map(|paid| format!(", {paid} of them paid")).unwrap_or_default();
    let summary = format!("{} charged{paid}; {} made.", words::video_seconds(total.charged), domain::grouped(total.succeeded));
    view! { <TimeSeries id="by-day" title="Charged by day" summary mark=Mark::Bars unit=VIDEO_SECONDS axis="Day, UTC" points /> }.into_any()
}

/// A row for each group, what was used most first.
#[component]
fn Groups(rows: Vec<Usage>, by: UsageGroup, name: impl Fn(String) -> String) -> impl IntoView {
    let mut groups: BTreeMap<String, Totals> = BTreeMap::new();
    for row in &rows {
        groups.entry(label(row, by)).or_default().add(row);
    }
    if groups.is_empty() {
        return ().into_any();
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by(|(a, of_a), (b, of_b)| of_b.charged.cmp(&of_a.charged).then_with(|| a.cmp(b)));
    let groups: Vec<_> = groups.into_iter().map(|(label, total)| (name(label), total)).collect();
    let rows = groups.into_iter().map(|(name, total)| {
        view! {
            <tr>
                <th scope="row" class="wraps"><bdi>{name}</bdi></th>
                <td data-head="Video-seconds" class="number">{words::amount(total.charged)}</td>
                <td data-head="Made" class="number">{domain::grouped(total.succeeded)}</td>
                <td data-head="Failed" class="number">{domain::grouped(total.failed)}</td>
                <td data-head="Cancelled" class="number">{domain::grouped(total.cancelled)}</td>
                <td data-head="Paid" class="number">{total.paid().unwrap_or_else(|| "–".to_owned())}</td>
            </tr>
        }
    });
    view! { <Table label="Usage by group" heads=&HEADS>{rows.collect_view()}</Table> }.into_any()
}

/// What a row is of, as it is stored.
fn label(row: &Usage, by: UsageGroup) -> String {
    match by {
        UsageGroup::Model => row.model.clone().unwrap_or_default(),
        UsageGroup::Project => row.project.map(|id| id.to_string()).unwrap_or_default(),
        UsageGroup::ApiKey => row.api_key.flatten().map_or_else(|| "In the browser".to_owned(), |id| id.to_string()),
        UsageGroup::User => row.user.map(|id| id.to_string()).unwrap_or_default(),
        UsageGroup::Lane => row.lane.map(|lane| lane.to_string()).unwrap_or_default(),
    }
}

/// The same as a file: one line for each day and group.
#[must_use]
pub fn usage_csv(rows: &[Usage], by: UsageGroup) -> String {
    let mut text = format!("day,{},video_seconds,succeeded,failed,cancelled,paid,currency\n", by.as_str());
    for row in rows {
        let (paid, currency) = row.cost.map(|cost| (decimal(cost), cost.currency.code().to_owned())).unwrap_or_default();
        let day = iso_day(row.day.start());
        let (charged, group) = (row.charged, quoted(&label(row, by)));
        text += &format!("{day},{group},{charged},{},{},{},{paid},{currency}\n", row.succeeded, row.failed, row.cancelled);
    }
    text
}

/// In the currency, exact.
fn decimal(cost: Money) -> String {
    let places = cost.currency.decimals() + 3;
    let digits = format!("{:0width$}", cost.thousandths_of_minor, width = places + 1);
    let (whole, rest) = digits.split_at(digits.len() - places);
    format!("{whole}.{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::billing::Currency;

    fn row(day: i32, model: &str, ms: u64, minor: Option<i64>) -> Usage {
        Usage {
            day: Day(day),
            model: Some(model.into()),
            project: None,
            api_key: None,
            user: None,
            lane: None,
            succeeded: 1,
            failed: 0,
            cancelled: 2,
            charged: VideoTime::from_ms(ms),
            cost: minor.map(|minor| Money::of_minor(minor, Currency::USD)),
        }
    }

    #[test]
    fn a_file_has_a_line_for_each_row_and_no_formula() {
        let csv = usage_csv(&[row(0, "flipbook-1", 2500, Some(12)), row(1, "=cmd|' /C calc'!A0", 0, None)], UsageGroup::Model);
        let lines: Vec<_> = csv.lines().collect();
        assert_eq!(lines[0], "day,model,video_seconds,succeeded,failed,cancelled,paid,currency");
        assert_eq!(lines[1], "1970-01-01,\"flipbook-1\",2.5,1,0,2,0.12000,usd");
        assert_eq!(lines[2], "1970-01-02,\"'=cmd|' /C calc'!A0\",0,1,0,2,,");
    }

    #[test]
    fn rows_are_added_up() {
        let total = Totals::of(&[row(0, "a", 1000, Some(1)), row(1, "a", 500, None)]);
        assert_eq!((total.charged.ms(), total.succeeded, total.cancelled, total.paid().as_deref()), (1500, 2, 4, Some("$0.01")));
        assert_eq!(Totals::default().paid(), None);
    }

    #[test]
    fn what_was_paid_in_two_currencies_is_told_in_both() {
        let francs = "chf".to_owned().try_into().unwrap();
        let in_francs = |minor| Usage { cost: Some(Money::of_minor(minor, francs)), ..row(1, "a", 500, None) };
        let total = Totals::of(&[row(0, "a", 1000, Some(150)), in_francs(20), row(2, "a", 1000, Some(50)), in_francs(5)]);
        assert_eq!(total.paid().as_deref(), Some("$2.00 and 0.25 CHF"));
    }
}
