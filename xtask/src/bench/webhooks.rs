//! What receivers of webhooks that hang or fail cost those that work: jobs are finished and told to ten receivers, first alone and then
//! beside one that hangs and one that answers 500. And whether an address that leads into the own network is ever called.

mod hostile;
mod round;

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::{Value, json};
use ureq::Agent;

use super::Choice;
use crate::console::{seconds, step};
use crate::product::{http, models};
use crate::project::Project;
use crate::torture::Setting;
use crate::torture::support::deployment::Deployment;
use crate::torture::support::receiver::{Manner, Receiver};
use crate::torture::support::report::Report;

const LIVE: usize = 10;
/// The only address that the server may call.
const ALLOWED: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
const LATER_MAX: Duration = Duration::from_secs(1);
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Args)]
#[group(id = "webhooks")]
pub struct Options {
    /// Of `webhooks`: how many jobs are finished without the receivers that make trouble, and as many with them.
    #[arg(long, default_value_t = 500)]
    events: usize,
}

/// The API of webhook endpoints, as a program uses it.
struct Client {
    agent: Agent,
    server: String,
    authorization: String,
}

/// Whether every bar was reached on every database.
pub fn measure(project: &Project, options: &Options, choice: &Choice) -> Result<bool> {
    let mut reached = true;
    for database in choice.databases() {
        let mut report = Report::new("webhooks", choice.seed(), choice.profile());
        step(&format!("Webhooks on {}", database.name()), || of(&choice.setting(project, database), options, &mut report))?;
        println!("On {}:\n\n{report}", database.name());
        reached &= report.is_clean();
    }
    Ok(reached)
}

fn of(setting: &Setting, options: &Options, report: &mut Report) -> Result<()> {
    let mut deployment = Deployment::new(setting, setting.database)?;
    deployment.product.models = models::lay_out_instant(setting.project, setting.profile, &deployment.product.data)?;
    deployment.environment.insert("REELMILL_WEBHOOK_ALLOW", format!("{ALLOWED}/32"));
    deployment.start_server()?;
    deployment.start_worker("")?;
    deployment.wait_for_workers()?;
    let client = Client::new(&deployment);
    let open = |manner: Manner| Receiver::open(IpAddr::V4(ALLOWED), manner);
    let live: Vec<Receiver> = (0..LIVE).map(|_| open(Manner::Takes)).collect::<Result<_>>()?;
    live.iter().try_for_each(|receiver| client.create(&receiver.url()).map(drop))?;
    round::of(&mut deployment, &live, 10)?;
    let alone = round::of(&mut deployment, &live, options.events)?;
    let bad = [open(Manner::Hangs)?, open(Manner::Fails)?];
    bad.iter().try_for_each(|receiver| client.create(&receiver.url()).map(drop))?;
    let beside = round::of(&mut deployment, &live, options.events)?;
    for (what, round) in [("alone", &alone), ("beside one that hangs and one that answers 500", &beside)] {
        report.note(format!("{LIVE} receivers {what}, jobs finished a second"), format!("{:.1}", round.jobs_per_second));
        report.expect_none(format!("events that one of them was not told, {what}"), round.lost);
        report.note(format!("from the end of a job to its delivery, {what}: P50, P99, longest"), round.told());
    }
    let later = beside.percentile(99).saturating_sub(alone.percentile(99));
    report.expect("delivered later because of them, P99", seconds(later), format!("at most {}", seconds(LATER_MAX)), later <= LATER_MAX);
    for (name, receiver) in ["that hangs", "that answers 500"].into_iter().zip(&bad) {
        let tries = receiver.connections();
        report.expect(format!("deliveries tried to the one {name}"), tries, "some", tries > 0);
    }
    hostile::judge(&client, report)?;
    deployment.check_running()
}

impl Client {
    fn new(deployment: &Deployment) -> Self {
        let authorization = format!("Bearer {}", deployment.key());
        Self { agent: http::agent(PATIENCE), server: deployment.product.url(), authorization }
    }

    /// Makes an endpoint; its id.
    fn create(&self, url: &str) -> Result<String> {
        let (status, made) = self.ask(url)?;
        ensure!(status == 200, "no endpoint for {url}: {made}");
        made["id"].as_str().map(str::to_owned).context("an endpoint has an id")
    }

    /// Asks for an endpoint; the status and what was answered.
    fn ask(&self, url: &str) -> Result<(u16, Value)> {
        self.post("/v1/webhook_endpoints", &json!({ "name": "receiver", "url": url, "event_types": ["video.completed"] }))
    }

    /// Has a test sent.
    fn test(&self, endpoint: &str) -> Result<(u16, Value)> {
        self.post(&format!("/v1/webhook_endpoints/{endpoint}/test"), &json!({ "event_type": "video.completed" }))
    }

    fn delete(&self, endpoint: &str) -> Result<()> {
        let url = format!("{}/v1/webhook_endpoints/{endpoint}", self.server);
        self.agent.delete(url).header("authorization", &self.authorization).call()?;
        Ok(())
    }

    fn post(&self, path: &str, body: &Value) -> Result<(u16, Value)> {
        let request = self.agent.post(format!("{}{path}", self.server)).header("authorization", &self.authorization);
        let mut answer = request.send_json(body)?;
        Ok((answer.status().as_u16(), answer.body_mut().read_json().context("an answer is not JSON")?))
    }
}
