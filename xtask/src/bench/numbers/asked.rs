//! The pages and lists that are asked for, by a person and by a program of the first tenant, who is also the operator.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use ureq::Agent;

use super::seed::Seed;
use crate::torture::support::deployment::{Deployment, EMAIL, PASSWORD};

const PATIENCE: Duration = Duration::from_secs(60);

pub struct Question {
    /// As it is told: places that are made up for a run are left out.
    pub name: &'static str,
    path: String,
}

pub struct Client {
    agent: Agent,
    server: String,
    cookie: String,
    authorization: String,
}

/// Where `{…}` stands: a key, a job in the middle of all and one near the oldest.
const ASKED: [&str; 41] = [
    "/admin",
    "/admin/latency",
    "/admin/latency?range=1h&by=lane",
    "/admin/latency?range=6h&by=device",
    "/admin/latency?range=24h&by=tenant",
    "/admin/latency?range=7d",
    "/admin/latency?range=7d&by=model&phase=denoise",
    "/admin/latency?range=30d&by=model",
    "/admin/latency?range=30d&by=tenant&phase=queue",
    "/admin/latency?range=365d&by=device",
    "/admin/latency?range=30d&model=vignette-1&lane=batch&device=cpu",
    "/admin/numbers.csv?range=30d&by=device",
    "/admin/requests",
    "/admin/requests?status=failed",
    "/admin/requests?status=failed&failure=worker_lost",
    "/admin/requests?model=flipbook-1&lane=batch",
    "/admin/requests?model=unheard-of",
    "/admin/requests?device=NVIDIA+A100&phase=denoise&at_least_s=5",
    "/admin/requests?range=&ended_from=0&ended_until=2000000000000",
    "/admin/requests?after={middle}",
    "/admin/requests?after={oldest}&status=cancelled",
    "/admin/requests?id={middle}",
    "/requests",
    "/requests?key={key}",
    "/requests?key=browser&status=failed",
    "/requests?text=rare",
    "/requests?text=never+asked+for",
    "/requests?after={middle}&text=rare",
    "/requests?after={oldest}",
    "/overview",
    "/overview?range=7d",
    "/overview?range=30d",
    "/usage",
    "/library",
    "/library?after={middle}",
    "/library?before={oldest}",
    "/queue",
    "/batches",
    "/v1/videos?limit=100",
    "/v1/videos?limit=100&after={middle}",
    "/v1/videos?limit=100&order=asc&after={oldest}",
];

pub fn all(seed: &Seed, deployment: &Deployment) -> Result<Vec<Question>> {
    let key =
        format!("SELECT {} FROM api_keys JOIN users ON users.id = api_keys.user_id WHERE email = '{EMAIL}'", deployment.hex("api_keys.id"));
    let key = deployment.query(&key)?.trim().to_owned();
    let question = |name: &'static str| {
        let path = name.replace("{key}", &format!("key_{key}"));
        let path = path.replace("{middle}", &format!("job_{}", seed.id_at(0.5)));
        Question { name, path: path.replace("{oldest}", &format!("job_{}", seed.id_at(0.02))) }
    };
    Ok(ASKED.into_iter().map(question).collect())
}

impl Client {
    /// Signs in.
    pub fn new(deployment: &Deployment) -> Result<Self> {
        let agent: Agent =
            Agent::config_builder().timeout_global(Some(PATIENCE)).http_status_as_error(false).max_redirects(0).build().into();
        let (server, authorization) = (deployment.product.url(), format!("Bearer {}", deployment.key()));
        let form = format!("email={}&password={}", EMAIL.replace('@', "%40"), PASSWORD.replace(' ', "+"));
        let request = agent.post(format!("{server}/api/sign-in")).header("content-type", "application/x-www-form-urlencoded");
        let answer = request.header("accept", "text/html").send(&*form)?;
        let cookies = answer.headers().get_all("set-cookie").iter().filter_map(|cookie| cookie.to_str().ok());
        let session = cookies.filter_map(|cookie| cookie.split(';').next()).find(|cookie| cookie.starts_with("reelmill_session="));
        let cookie = session.with_context(|| format!("nobody could sign in: {}", answer.status()))?.to_owned();
        Ok(Self { agent, server, cookie, authorization })
    }

    /// How long the whole answer took.
    pub fn ask(&self, question: &Question) -> Result<Duration> {
        let begun = Instant::now();
        let request = self.agent.get(format!("{}{}", self.server, question.path));
        let request = match question.name.starts_with("/v1/") {
            true => request.header("authorization", &self.authorization),
            false => request.header("cookie", &self.cookie).header("accept", "text/html"),
        };
        let mut answer = request.call()?;
        let text = answer.body_mut().with_config().limit(64 * 1024 * 1024).read_to_string()?;
        ensure!(answer.status() == 200, "{} was answered with {}: {text}", question.path, answer.status());
        Ok(begun.elapsed())
    }

    /// The text of a page or file.
    pub fn read(&self, path: &str) -> Result<String> {
        let mut answer = self.agent.get(format!("{}{path}", self.server)).header("cookie", &self.cookie).call()?;
        ensure!(answer.status() == 200, "{path} was answered with {}", answer.status());
        Ok(answer.body_mut().with_config().limit(64 * 1024 * 1024).read_to_string()?)
    }
}
