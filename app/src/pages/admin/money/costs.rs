//! What videos cost to make, and what is left of what they bring in: by device, by model and by team.

use crate::pages::admin::section::empty;
use crate::{
    components::{
        frame::Frame,
        margins::{CostOf, Margins},
        moment::day_of_month,
        numbers,
        table::Table,
    },
    fault::Fault,
    http,
    pages::fault::{escaped, page},
    session::{self, Said, SaidNotice},
    words,
};
use domain::{
    TenantId,
    billing::{
        Currency, Money,
        costs::{CostReport, DeviceCost, DevicePrices, Margin},
    },
};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::Stylesheet;
use service::operator::{COST_DAYS_MAX, Costs, DevicePriceError};

const PAGE: &str = "/admin/costs";
const SPANS: [u16; 4] = [1, 7, 30, COST_DAYS_MAX];
const DEVICE_HEADS: [&str; 6] = ["Device", "Time", "At work", "Loading", "Came to nothing", "Cost"];
const HEADS: [&str; 8] = ["", "Videos", "Charged", "Device time", "Cost", "A video-minute", "Revenue", "Margin"];

#[server(prefix = "/api", endpoint = "set-device-price")]
pub async fn set_device_price(
    device: String,
    #[server(default)] price: String,
    #[server(default)] currency: String,
    #[server(default)] days: String,
) -> Result<(), Fault> {
    let viewer = session::require_operator().await?;
    let outcome = match price_of(&price, &currency) {
        Err(problem) => Err(format!("{problem} Nothing was changed.")),
        Ok(price) => match session::services().set_device_price(viewer.installation_actor(), &device, price).await {
            Ok(()) => Ok("The price is changed, for the days that have passed as well.".to_owned()),
            Err(DevicePriceError::Forbidden(error)) => return Err(error.into()),
            Err(DevicePriceError::Store(error)) => return Err(error.into()),
            Err(error) => Err(format!("{}. Nothing was changed.", words::sentence(&error.to_string()))),
        },
    };
    let typed = [("device", &*device), ("price", &price), ("currency", &currency)];
    session::say_of_fields(PAGE, Some(viewer.id), "price", outcome, &typed);
    leptos_axum::redirect(&format!("{PAGE}?days={}", escaped(&days)));
    Ok(())
}

/// `None`: of a device that has no price any more.
fn price_of(price: &str, currency: &str) -> Result<Option<Money>, &'static str> {
    let currency = Currency::try_from(currency.trim().to_owned()).map_err(|_| "Give the code of a currency, such as usd.")?;
    match price.trim() {
        "" => Ok(None),
        price => Money::parse(price, currency).map(Some).ok_or("Give the price of an hour as a number, such as 2.50, or nothing."),
    }
}

#[component]
pub fn CostsPage() -> impl IntoView {
    let days = http::query().get("days").and_then(|days| days.parse().ok()).filter(|days| SPANS.contains(days)).unwrap_or(SPANS[2]);
    page(async move {
        let viewer = session::require_operator().await?;
        let Costs { report, prices, from, to, models, by_day, tenants } =
            session::services().costs(viewer.installation_actor(), days).await?;
        let by_day: Vec<_> = by_day.into_iter().map(|(day, margin)| (day_of_month(day.start()), margin)).collect();
        let said = session::said(PAGE, Some(viewer.id));
        let spans = SPANS.map(|span| {
            let name = if span == 1 { "today".to_owned() } else { format!("the last {span} days") };
            view! { <option value=span selected=span == days>{name}</option> }
        });
        let by_model = models.into_iter().map(|(model, margin)| {
            let name = match model {
                Some(model) => view! { <code>{model}</code> }.into_any(),
                None => "Subscriptions without a video".into_any(),
            };
            (name, margin)
        });
        let by_tenant = tenants.into_iter().map(|(tenant, margin)| (tenant_name(tenant), margin));
        let (is_priced, differences) = (!prices.0.is_empty(), differences(&report));
        Ok(view! {
            <Frame title="Costs and margin" viewer=Some(viewer) class="page wide admin">
                <Stylesheet href="/admin.css" />
                <Stylesheet href="/plan.css" />
                <header class="page-head">
                    <h1>"Costs and margin"</h1>
                    <p class="lead">"Days in UTC, from "{from.to_string()}" to "{to.to_string()}". What devices idle and load is shared out among what they worked on."</p>
                </header>
                <SaidNotice said=&said form="price" />
                {(!is_priced).then(|| view! {
                    <p class="notice plain">"No device has a price yet: say below what an hour of each costs you, and costs and margins are told here."</p>
                })}
                {(is_priced && report.unpriced().next().is_some()).then(|| view! {
                    <p class="notice plain">{format!("No price is known of {}: costs are told without it, as “at least”, and margins that depend on it as “at most”.", words::list(&report.unpriced().map(str::to_owned).collect::<Vec<_>>()))}</p>
                })}
                {report.has_other_currency.then(|| view! {
                    <p class="notice plain">"Revenue in other currencies than "{report.currency.code().to_ascii_uppercase()}" is left out."</p>
                })}
                <form class="row search" method="get" action=PAGE>
                    <label class="inline">"Of "<select name="days" autocomplete="off">{spans.into_iter().collect_view()}</select></label>
                    <button class="button quiet">"Show"</button>
                </form>
                <Numbers report=report.clone() />
                {differences.map(|text| view! { <p class="hint">{text}</p> })}
                <Margins margins=by_day axis="Day, UTC" each="day" of=CostOf::Devices currency=report.currency is_priced />
                <section class="stack" aria-labelledby="devices">
                    <h2 id="devices">"Devices"</h2>
                    <Devices devices=report.devices.clone() prices currency=report.currency days said=said.clone() />
                </section>
                <section class="stack" aria-labelledby="models">
                    <h2 id="models">"Models"</h2>
                    {margins("Costs by model", report.clone(), by_model.collect())}
                </section>
                <section class="stack" aria-labelledby="teams">
                    <h2 id="teams">"Teams"</h2>
                    {margins("Costs by team", report, by_tenant.collect())}
                    <p class="hint">"Revenue is what has a price of its own, and what was paid of invoices for plans, spread over the time that they pay for and shared out by the video time that was charged. Credit counts when it is used."</p>
                </section>
            </Frame>
        })
    })
}

fn tenant_name(tenant: Option<(TenantId, String)>) -> AnyView {
    match tenant {
        Some((_, name)) => view! { <bdi>{name}</bdi> }.into_any(),
        None => "All others".into_any(),
    }
}

/// Why rows do not add up to what is told of all together, where anything is.
fn differences(report: &CostReport) -> Option<String> {
    let total = report.total();
    if total.cost <= 0.0 && total.revenue <= 0.0 {
        return None;
    }
    let rounded = "Each amount is rounded by itself: rows may add up to a little more or less than what is told of all together.";
    if report.unattributed <= 0.0 {
        return Some(rounded.to_owned());
    }
    let idle = amount(report, report.unattributed);
    Some(format!("{rounded} {idle} of the cost is that of devices that did no work, and of no model or team."))
}

#[component]
fn Numbers(report: CostReport) -> impl IntoView {
    let total = report.total();
    let (worked, accounted, present) = report.devices.iter().fold((0, 0, 0), |(worked, accounted, present), device| {
        (worked + device.worked_ms, accounted + device.accounted_ms(), present + device.time.present_ms)
    });
    let each = |count: f64| if count > 0.0 { cost(&report, &total, count) } else { "no video yet".to_owned() };
    let accounted_for = if present == 0 { String::new() } else { format!(", {} of it accounted for", percent(accounted, present)) };
    let figures = [
        ("Cost", cost(&report, &total, 1.0), "of all devices, idle and at work".to_owned()),
        ("Revenue", revenue(&report, &total), "of the same days".to_owned()),
        ("Margin", margin(&total), "of the revenue".to_owned()),
        ("A video", each(total.videos as f64), format!("by {} that succeeded", words::count(total.videos, "video", "videos"))),
        ("A video-minute", each(total.charged.ms() as f64 / 60_000.0), "that was charged".to_owned()),
        ("At work", percent(worked, accounted), format!("of {}{accounted_for}", hours(present))),
    ];
    let figures = figures.map(|(name, value, what)| {
        view! { <div class="card"><dt>{name}</dt><dd><strong class="figure">{value}</strong><span class="hint">" "{what}</span></dd></div> }
    });
    view! { <dl class="numbers">{figures.collect_view()}</dl> }
}

#[component]
fn Devices(devices: Vec<DeviceCost>, prices: DevicePrices, currency: Currency, days: u16, said: Said) -> impl IntoView {
    if devices.is_empty() {
        return empty("No worker was there in this time.");
    }
    let rows = devices.into_iter().map(move |device| {
        let name = device.time.device.clone();
        let cost = device.cost.map_or_else(|| "no price".to_owned(), |cost| in_cents(cost).to_string());
        let typed = |field| said.field("price", field).filter(|_| said.field("price", "device").is_some_and(|of| of == name));
        let price = typed("price").unwrap_or_else(|| prices.0.get(&name).map(|price| price.number()).unwrap_or_default());
        let code = typed("currency").unwrap_or_else(|| currency.code().to_owned());
        let whose = format!("of an hour of {name}");
        view! {
            <tr>
                <th scope="row" class="wraps">{name.clone()}</th>
                <td data-head=DEVICE_HEADS[1] class="number">{hours(device.time.present_ms)}</td>
                <td data-head=DEVICE_HEADS[2] class="number">{percent(device.worked_ms, device.accounted_ms())}</td>
                <td data-head=DEVICE_HEADS[3] class="number">{percent(device.time.loading_ms, device.accounted_ms())}</td>
                <td data-head=DEVICE_HEADS[4] class="number">{percent(device.wasted_ms, device.accounted_ms())}</td>
                <td data-head=DEVICE_HEADS[5]>
                    <span class="number">{cost}</span>
                    <form class="in-row" method="post" action=SetDevicePrice::url()>
                        <input type="hidden" name="device" value=name />
                        <input type="hidden" name="days" value=days.to_string() />
                        <input name="price" inputmode="decimal" value=price placeholder="An hour costs" aria-label=format!("Price {whose}") size="10" autocomplete="off" />
                        <input name="currency" value=code aria-label=format!("Currency {whose}") size="4" required autocomplete="off" />
                        <button class="button quiet small">"Set"</button>
                    </form>
                </td>
            </tr>
        }
    });
    view! { <Table label="List of devices" heads=&DEVICE_HEADS>{rows.collect_view()}</Table> }.into_any()
}

fn margins(label: &'static str, report: CostReport, rows: Vec<(AnyView, Margin)>) -> AnyView {
    if rows.is_empty() {
        return empty("Nothing was made in this time.");
    }
    let rows = rows.into_iter().map(move |(name, sums)| {
        let minutes = sums.charged.ms() as f64 / 60_000.0;
        let each = if minutes > 0.0 { cost(&report, &sums, minutes) } else { "—".to_owned() };
        let is_loss = sums.share_at_most().is_some_and(|share| share < 0.0);
        view! {
            <tr>
                <th scope="row" class="wraps">{name}</th>
                <td data-head=HEADS[1] class="number">{domain::grouped(sums.videos)}</td>
                <td data-head=HEADS[2] class="number">{words::video_seconds(sums.charged)}</td>
                <td data-head=HEADS[3] class="number">{hours(sums.worked_ms)}</td>
                <td data-head=HEADS[4] class="number">{cost(&report, &sums, 1.0)}</td>
                <td data-head=HEADS[5] class="number">{each}</td>
                <td data-head=HEADS[6] class="number">{revenue(&report, &sums)}</td>
                <td data-head=HEADS[7] class="number" class:bad=is_loss>{margin(&sums)}</td>
            </tr>
        }
    });
    view! { <Table label heads=&HEADS>{rows.collect_view()}</Table> }.into_any()
}

fn amount(report: &CostReport, thousandths_of_minor: f64) -> String {
    in_cents(report.money(thousandths_of_minor)).to_string()
}

/// In cents, unless it is less than one: what is paid has no other digits.
fn revenue(report: &CostReport, sums: &Margin) -> String {
    in_cents_from(1000, report.money(sums.revenue)).to_string()
}

/// In cents, and what is less than a dollar as it is: that may be what a second of a video costs.
fn in_cents(money: Money) -> Money {
    in_cents_from(100_000, money)
}

/// In cents from so many thousandths of a cent on.
fn in_cents_from(large: u64, money: Money) -> Money {
    let exact = money.thousandths_of_minor;
    let is_large = exact.unsigned_abs() >= large;
    Money { thousandths_of_minor: if is_large { (exact as f64 / 1000.0).round() as i64 * 1000 } else { exact }, ..money }
}

/// Of one of so many; where a device of it has no price, what the others cost.
fn cost(report: &CostReport, sums: &Margin, count: f64) -> String {
    match (sums.is_unpriced, sums.cost > 0.0) {
        (false, _) => amount(report, sums.cost / count),
        (true, true) => format!("at least {}", amount(report, sums.cost / count)),
        (true, false) => "—".to_owned(),
    }
}

/// Of the revenue; where a device has no price, by what the others cost.
fn margin(sums: &Margin) -> String {
    match (sums.share_at_most(), sums.is_unpriced) {
        (None, _) => "—".to_owned(),
        (Some(share), false) => numbers::percent(share),
        (Some(share), true) => format!("at most {}", numbers::percent(share)),
    }
}

fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "—".to_owned() } else { format!("{:.1} %", part as f64 * 100.0 / whole as f64) }
}

/// Of a device.
fn hours(ms: u64) -> String {
    let seconds = ms as f64 / 1000.0;
    if seconds < 3600.0 { format!("{:.1} min", seconds / 60.0) } else { format!("{:.1} h", seconds / 3600.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{
        VideoTime,
        billing::costs::{Books, DeviceTime, DeviceWork},
    };

    #[test]
    fn what_is_known_of_a_cost_is_told_where_a_device_has_no_price() {
        let report = CostReport::new(&Books::default(), &DevicePrices::default());
        let told = |spent: f64, is_unpriced| {
            let sums = Margin { videos: 2, charged: VideoTime::default(), worked_ms: 1, cost: spent, revenue: 0.0, is_unpriced };
            cost(&report, &sums, 2.0)
        };
        assert_eq!([told(400_000.0, false), told(400_000.0, true), told(0.0, true)], ["$2.00", "at least $2.00", "—"]);
        let left = |spent: f64, is_unpriced| {
            margin(&Margin { videos: 2, charged: VideoTime::default(), worked_ms: 1, cost: spent, revenue: 100.0, is_unpriced })
        };
        let of_known = left(50.0, false);
        assert_eq!([left(50.0, true), left(0.0, true)], [format!("at most {of_known}"), "—".to_owned()]);
    }

    #[test]
    fn rows_that_do_not_add_up_to_what_is_told_of_all_are_explained() {
        let hour_ms = 3_600_000;
        let device = DeviceTime { device: "h100".to_owned(), present_ms: hour_ms, idle_ms: hour_ms, loading_ms: 0 };
        let work = DeviceWork {
            tenant: "tenant_0190aaaabbbb7ccc8dddeeeeffff0001".parse().unwrap(),
            model: "wan".to_owned(),
            device: "h100".to_owned(),
            done_ms: hour_ms,
            failed_ms: 0,
            cancelled_ms: 0,
        };
        let prices = DevicePrices([("h100".to_owned(), Money::of_minor(1000, Currency::USD))].into());
        let told = |devices: &[DeviceTime], work: &[DeviceWork]| {
            let books = Books { devices: devices.to_vec(), work: work.to_vec(), ..Books::default() };
            differences(&CostReport::new(&books, &prices))
        };
        let idle = told(std::slice::from_ref(&device), &[]).unwrap();
        assert!(idle.ends_with(" $10.00 of the cost is that of devices that did no work, and of no model or team."), "{idle}");
        let at_work = told(&[device], &[work]).unwrap();
        assert!(idle.starts_with(&at_work) && at_work.starts_with("Each amount is rounded by itself"), "{at_work}");
        assert_eq!(told(&[], &[]), None);
    }

    #[test]
    fn what_is_a_dollar_or_more_is_told_in_cents() {
        let of = |exact| Money { thousandths_of_minor: exact, currency: Currency::USD };
        let told = [178_248_010, -150_600, 12_340].map(|exact| in_cents(of(exact)).to_string());
        assert_eq!((&*told[0], told[1].ends_with("1.51"), &*told[2]), ("$1,782.48", true, "$0.1234"));
        let paid = [25_635, 342].map(|exact| in_cents_from(1000, of(exact)).to_string());
        assert_eq!(paid, ["$0.26", "$0.00342"]);
    }

    #[test]
    fn times_and_shares_are_told_in_what_can_be_read() {
        assert_eq!([90_000, 5_400_000].map(hours), ["1.5 min", "1.5 h"]);
        assert_eq!([percent(1, 8), percent(0, 0)], ["12.5 %", "—"]);
    }
}
