//! Events of the payment processor, each told several times and in any order, while the server is killed: what tenants have in the end is what
//! they pay for.

use std::io::Write;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::{Value, json};
use ureq::Agent;
use ureq::http::Response;

use super::support::deployment::Deployment;
use super::support::random::Random;
use super::support::report::Report;
use super::support::verify::check_storage;
use super::{Form, Setting};
use crate::process::command::output;
use crate::process::interrupt;
use crate::process::service::{Manners, Service};
use crate::product::http;
use crate::product::instance::forget_settings;

const PASSWORD: &str = "correct horse battery staple";
const CARD: &str = "4242424242424242";
const CREDIT_MINUTES: u64 = 10;
/// For one answer, on a machine that is busy with other subjects.
const PATIENCE: Duration = Duration::from_secs(60);
/// For all that was told to be worked off.
const SETTLED_WITHIN: Duration = Duration::from_secs(300);
/// Between the tries of a telling that failed, in milliseconds: longer than the server is away in all.
const RETRIES_MS: [u64; 12] = [100, 200, 400, 800, 1600, 3200, 5000, 5000, 10_000, 20_000, 30_000, 60_000];

#[derive(Args)]
pub struct Options {
    /// Events of the payment processor.
    #[arg(long, default_value_t = 2000)]
    events: usize,
    #[arg(long, default_value_t = 20)]
    kills: usize,
    #[arg(long, default_value_t = 24)]
    tenants: usize,
}

impl Options {
    pub fn of(form: Form) -> Self {
        match form {
            Form::Short => Self { events: 600, kills: 8, tenants: 12 },
            Form::Test => Self { events: 150, kills: 3, tenants: 4 },
        }
    }
}

/// A tenant, and what it has bought.
struct Buyer {
    email: String,
    cookie: String,
    customer: String,
    credit_minutes: u64,
}

struct Shop {
    agent: Agent,
    server: String,
    twin: String,
}

pub fn run(setting: &Setting, options: &Options, report: &mut Report) -> Result<()> {
    let mut random = Random::new(setting.seed);
    let mut deployment = Deployment::new(setting, setting.database)?;
    deployment.product.twin_port = Some(http::free_port()?);
    let mut command = deployment.prepared(deployment.product.twin(), "twin")?;
    let mut twin = Service::start("twin of Stripe", command.arg("--seed").arg(setting.seed.to_string()), Manners::default())?;
    let shop = Shop {
        agent: Agent::config_builder().timeout_global(Some(PATIENCE)).http_status_as_error(false).max_redirects(0).build().into(),
        server: deployment.product.url(),
        twin: format!("http://127.0.0.1:{}", deployment.product.twin_port.unwrap_or_default()),
    };
    deployment.start_server()?;
    admin(&deployment, &["plan", "default", "--plan", "free"])?;
    define_second_plan(&deployment)?;
    let mut buyers = (0..options.tenants).map(|number| shop.buyer(&deployment, number)).collect::<Result<Vec<_>>>()?;
    // The second plan is sold once, so that the processor has a price for it.
    shop.choose(&buyers[0], "studio")?;
    let studio = shop.price("reelmill:studio:monthly:usd:4900")?;
    let pro = shop.price("reelmill:pro:monthly:usd:2900")?;
    let faults = json!({"hold": true, "copies": 5, "shuffle_ms": 5000, "parallel": 8, "seed": setting.seed, "retries_ms": RETRIES_MS});
    shop.control("/faults", &faults)?;
    let mut changes = 0;
    let before = shop.events()?;
    while shop.events()? < before + options.events {
        interrupt::check()?;
        let at = random.below(buyers.len());
        shop.change(&mut buyers[at], &mut random, [&pro, &studio])?;
        changes += 1;
    }
    report.note("changes at the processor", changes);
    report.note("events", shop.events()? - before);
    report.note("tellings of them", shop.count("deliveries", "held")?);
    shop.post(&format!("{}/_twin/deliveries/release", shop.twin), "application/json", "{}", None)?;
    let mut kills = 0;
    let mut is_idle = false;
    let begun = Instant::now();
    while kills < options.kills || !is_idle {
        interrupt::check()?;
        if kills < options.kills {
            thread::sleep(random.between(Duration::from_millis(50), Duration::from_millis(700)));
            deployment.kill_server()?;
            deployment.start_server()?;
            kills += 1;
        }
        is_idle = kills >= options.kills && shop.is_idle()?;
        ensure!(begun.elapsed() < SETTLED_WITHIN, "not all was told within {} s", SETTLED_WITHIN.as_secs());
    }
    report.note("kills", kills);
    report.note("told after", format!("{:.1} s", begun.elapsed().as_secs_f64()));
    judge(&mut deployment, &shop, &buyers, report)?;
    twin.kill()
}

fn judge(deployment: &mut Deployment, shop: &Shop, buyers: &[Buyer], report: &mut Report) -> Result<()> {
    let begun = Instant::now();
    let reconciled = loop {
        let reconciled = admin(deployment, &["payments", "reconcile"]);
        if reconciled.is_ok() || begun.elapsed() > SETTLED_WITHIN {
            break reconciled;
        }
        interrupt::check()?;
        thread::sleep(Duration::from_millis(500));
    };
    let told = reconciled.as_ref().map_or_else(|error| format!("{error:#}"), |text| text.trim().to_owned());
    report.expect("reconciliation", told, "no difference", reconciled.is_ok());
    let (mut wrong_plans, mut wrong_credit) = (0, 0);
    for buyer in buyers {
        let (paid, ends) = shop.plan_paid_for(&buyer.customer)?;
        let plan = admin(deployment, &["plan", "of", "--user", &buyer.email])?.trim().to_owned();
        if plan != paid.as_deref().unwrap_or("free") {
            eprintln!("    {}: has {plan}, pays for {paid:?}", buyer.email);
            wrong_plans += 1;
        }
        // Nothing was used: what the plan gives is all there, and so is each credit, once.
        let (included, overage) = match &*plan {
            "free" => (2, 0),
            // What is used beyond a plan that ends would be on no invoice.
            "pro" | "studio" => (60, if ends { 0 } else { 60 }),
            _ => (0, 0),
        };
        let expected = (included + overage + buyer.credit_minutes) * 60;
        let left = admin(deployment, &["credits", "show", "--user", &buyer.email])?.trim().to_owned();
        if left != expected.to_string() {
            eprintln!("    {}: has {left} video-seconds, should have {expected}", buyer.email);
            wrong_credit += 1;
        }
    }
    report.note("tenants", buyers.len());
    report.note("credits bought", buyers.iter().map(|buyer| buyer.credit_minutes / CREDIT_MINUTES).sum::<u64>());
    report.expect_none("plans that are not those paid for", wrong_plans);
    report.expect_none("tenants with too much or too little credit", wrong_credit);
    let ledger = admin(deployment, &["ledger", "check"]);
    report.expect("the ledger", ledger.as_ref().map_or("wrong", |_| "true"), "true", ledger.is_ok());
    check_storage(deployment, report)
}

fn admin(deployment: &Deployment, arguments: &[&str]) -> Result<String> {
    let mut command = deployment.product.admin(arguments);
    forget_settings(&mut command);
    output(&mut command)
}

/// As `pro`, for another price.
fn define_second_plan(deployment: &Deployment) -> Result<()> {
    let mut plan: Value = serde_json::from_str(&admin(deployment, &["plan", "show", "--plan", "pro"])?)?;
    (plan["id"], plan["name"], plan["monthly_minor"]) = (json!("studio"), json!("Studio"), json!(4900));
    let mut command = deployment.prepared(deployment.product.admin(&["plan", "define"]), "admin")?;
    let mut defining = command.stdin(Stdio::piped()).spawn()?;
    defining.stdin.take().context("the program's input is not piped")?.write_all(plan.to_string().as_bytes())?;
    ensure!(defining.wait()?.success(), "the second plan could not be defined");
    Ok(())
}

impl Shop {
    /// Signs up, and subscribes to `pro` on the pages of the processor.
    fn buyer(&self, deployment: &Deployment, number: usize) -> Result<Buyer> {
        let email = format!("buyer-{number}@example.com");
        let form = format!("email=buyer-{number}%40example.com&password={}", PASSWORD.replace(' ', "+"));
        let answer = self.form("/api/sign-up", &form, "")?;
        let cookies = answer.headers().get_all("set-cookie").iter().filter_map(|cookie| cookie.to_str().ok());
        let session = cookies.filter_map(|cookie| cookie.split(';').next()).find(|cookie| cookie.starts_with("reelmill_session="));
        let cookie = session.with_context(|| format!("{email} could not sign up: {}", answer.status()))?.to_owned();
        let mut buyer = Buyer { email, cookie, customer: String::new(), credit_minutes: 0 };
        ensure!(self.buy(&buyer, "/api/choose-plan", "plan=pro&shown=subscribe")?, "{} could not buy a plan", buyer.email);
        let customers = self.ask(&format!("/v1/customers?limit=1&email=buyer-{number}%40example.com"))?;
        buyer.customer = customers["data"][0]["id"].as_str().context("the processor does not know the customer")?.to_owned();
        self.come_back(&buyer)?;
        ensure!(admin(deployment, &["plan", "of", "--user", &buyer.email])?.trim() == "pro", "{} did not get its plan", buyer.email);
        Ok(buyer)
    }

    /// Goes through a form of ours that leads to the processor, and pays there. `false`: it is not for sale to this tenant.
    fn buy(&self, buyer: &Buyer, path: &str, form: &str) -> Result<bool> {
        let answer = self.form(path, form, &buyer.cookie)?;
        let page = answer.headers().get("location").and_then(|page| page.to_str().ok()).unwrap_or_default().to_owned();
        if page == "/billing" {
            return Ok(false);
        }
        ensure!(page.starts_with(&self.twin), "{path} leads to `{page}` ({})", answer.status());
        let paid = self.post(&page, "application/x-www-form-urlencoded", &format!("card={CARD}"), None)?;
        ensure!(paid.status() == 303, "the card was not taken: {}", paid.status());
        Ok(true)
    }

    /// The way back from the processor, as a browser goes it.
    fn come_back(&self, buyer: &Buyer) -> Result<()> {
        self.agent.get(format!("{}/billing?checkout=done", self.server)).header("cookie", &buyer.cookie).call()?;
        Ok(())
    }

    /// Another plan for who has a subscription.
    fn choose(&self, buyer: &Buyer, plan: &str) -> Result<()> {
        let answer =
            self.form("/api/choose-plan", &format!("plan={plan}&shown=upgrade%3A100000000%3A100000000%3A100000000"), &buyer.cookie)?;
        ensure!(answer.status().is_redirection(), "the plan could not be changed: {}", answer.status());
        Ok(())
    }

    /// Something that changes what a tenant pays for, at the processor alone.
    fn change(&self, buyer: &mut Buyer, random: &mut Random, prices: [&String; 2]) -> Result<()> {
        let subscriptions = self.ask(&format!("/v1/subscriptions?customer={}", buyer.customer))?;
        let live = subscriptions["data"].as_array().and_then(|all| all.first()).cloned();
        let price = prices[random.below(prices.len())];
        match (live, random.below(8)) {
            (_, 0) => {
                if self.buy(buyer, "/api/buy-credit", &format!("minutes={CREDIT_MINUTES}"))? {
                    buyer.credit_minutes += CREDIT_MINUTES;
                }
            }
            // Its card is known to the subscription alone.
            (None, _) => {
                self.buy(buyer, "/api/choose-plan", "plan=pro&shown=subscribe")?;
                self.come_back(buyer)?;
            }
            (Some(live), 1) => {
                let id = live["id"].as_str().unwrap_or_default();
                let answer = self
                    .agent
                    .delete(format!("{}/v1/subscriptions/{id}", self.twin))
                    .header("authorization", "Bearer sk_test_local")
                    .call()?;
                ensure!(answer.status().is_success(), "no subscription could be cancelled: {}", answer.status());
            }
            (Some(live), 2) => {
                let ends = live["cancel_at_period_end"] != true;
                self.tell(&format!("/v1/subscriptions/{}?cancel_at_period_end={ends}", live["id"].as_str().unwrap_or_default()))?;
            }
            (Some(live), _) => {
                let items = live["items"]["data"].as_array().cloned().unwrap_or_default();
                let flat =
                    items.iter().find(|item| item["price"]["recurring"]["usage_type"] != "metered").context("a subscription of nothing")?;
                let (id, item) = (live["id"].as_str().unwrap_or_default(), flat["id"].as_str().unwrap_or_default());
                self.tell(&format!("/v1/subscriptions/{id}?items[0][id]={item}&items[0][price]={price}"))?;
            }
        }
        Ok(())
    }

    /// By what its product is called.
    /// With whether it ends with its month.
    fn plan_paid_for(&self, customer: &str) -> Result<(Option<String>, bool)> {
        let live = self.ask(&format!("/v1/subscriptions?customer={customer}"))?;
        let items = live["data"][0]["items"]["data"].as_array().cloned().unwrap_or_default();
        let products = items.iter().filter(|item| item["price"]["recurring"]["usage_type"] != "metered");
        let product = products.filter_map(|item| item["price"]["product"].as_str()).next().map(str::to_owned);
        let plan = product.and_then(|product| product.strip_prefix("reelmill_").map(str::to_owned));
        Ok((plan, live["data"][0]["cancel_at_period_end"] == true))
    }

    fn price(&self, lookup_key: &str) -> Result<String> {
        let prices = self.ask(&format!("/v1/prices?lookup_keys[0]={}", lookup_key.replace(':', "%3A")))?;
        prices["data"][0]["id"].as_str().map(str::to_owned).with_context(|| format!("there is no price `{lookup_key}`"))
    }

    fn events(&self) -> Result<usize> {
        self.count("objects", "event")
    }

    fn count(&self, of: &str, what: &str) -> Result<usize> {
        let overview = self.agent.get(format!("{}/_twin", self.twin)).call()?.body_mut().read_json::<Value>()?;
        Ok(overview[of][what].as_u64().unwrap_or(0) as usize)
    }

    fn is_idle(&self) -> Result<bool> {
        let answer = self.post(&format!("{}/_twin/idle", self.twin), "application/json", r#"{"timeout_ms": 5000}"#, None)?;
        Ok(answer.status().is_success())
    }

    fn control(&self, path: &str, body: &Value) -> Result<()> {
        let answer = self.post(&format!("{}/_twin{path}", self.twin), "application/json", &body.to_string(), None)?;
        ensure!(answer.status().is_success(), "the twin does not take {body}: {}", answer.status());
        Ok(())
    }

    fn ask(&self, path: &str) -> Result<Value> {
        let mut answer = self.agent.get(format!("{}{path}", self.twin)).header("authorization", "Bearer sk_test_local").call()?;
        let value: Value = answer.body_mut().read_json()?;
        ensure!(answer.status().is_success(), "{path}: {value}");
        Ok(value)
    }

    /// `path` with the fields of the form behind a question mark.
    fn tell(&self, path: &str) -> Result<Value> {
        let (path, form) = path.split_once('?').unwrap_or((path, ""));
        let form = form.replace('[', "%5B").replace(']', "%5D");
        let url = format!("{}{path}", self.twin);
        let request = self.agent.post(url).header("authorization", "Bearer sk_test_local");
        let mut answer = request.header("content-type", "application/x-www-form-urlencoded").send(&*form)?;
        let value: Value = answer.body_mut().read_json()?;
        ensure!(answer.status().is_success(), "{path} {form}: {value}");
        Ok(value)
    }

    fn form(&self, path: &str, form: &str, cookie: &str) -> Result<Response<ureq::Body>> {
        self.post(&format!("{}{path}", self.server), "application/x-www-form-urlencoded", form, Some(cookie))
    }

    fn post(&self, url: &str, kind: &str, body: &str, cookie: Option<&str>) -> Result<Response<ureq::Body>> {
        let request = self.agent.post(url).header("content-type", kind).header("accept", "text/html");
        Ok(request.header("cookie", cookie.unwrap_or_default()).send(body)?)
    }
}
