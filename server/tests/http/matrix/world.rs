//! A tenant whose every text holds one mark, those who belong to it, and those who do not.

use super::table::Row;
use crate::harness::{Answer, Customer, Product, hex, redacted};
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use domain::{
    Act, Actor, ApiKeyId, BatchId, FileId, InvitationId, JobId, ProjectId, Role, TenantId, UserId, VideoTime, WebhookDeliveryId,
    WebhookEndpointId,
    batch::{FileExpiry, FilePurpose, Metadata},
};
use server::api::compatible::callback_body;
use service::{
    BatchRepetition, BatchRequest, Mailer, NewFile, User,
    account::oidc::OidcOptions,
    billing::Gift,
    mail::MailOptions,
    webhook::{DeliveryQuery, WebhookOptions, WebhookRequest},
};
use std::sync::Arc;
use store::testing::TempDatabase;
use tower_sessions::Session;
use uuid::Uuid;

/// Stands in prompts, names, addresses and notes of the tenant, and nowhere else.
const MARK: &str = "zebrafinch";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    Anonymous,
    /// Signed in, of another tenant.
    Stranger,
    StrangersKey,
    RevokedKey,
    /// Signed in, and with a key of their own.
    Viewer,
    Member,
    /// Looks at the tenant's pages without belonging to it.
    ViewingOperator,
}

impl Caller {
    pub const fn belongs(self) -> bool {
        matches!(self, Self::Viewer | Self::Member | Self::ViewingOperator)
    }
}

/// Ids, as paths and forms name them.
pub struct Things {
    video: String,
    mail: String,
    key: String,
    invitation: String,
    member: String,
    tenant: String,
    project: String,
    file: String,
    batch: String,
    webhook: String,
    delivery: String,
}

impl Things {
    /// Of nothing that there is.
    pub fn unknown() -> Self {
        let id = Uuid::now_v7();
        Self {
            video: JobId::from_uuid(id).to_string(),
            mail: "123456789".into(),
            key: ApiKeyId::from_uuid(id).to_string(),
            invitation: InvitationId::from_uuid(id).to_string(),
            member: UserId::from_uuid(id).to_string(),
            tenant: TenantId::from_uuid(id).to_string(),
            project: ProjectId::from_uuid(id).to_string(),
            file: FileId::from_uuid(id).to_string(),
            batch: BatchId::from_uuid(id).to_string(),
            webhook: WebhookEndpointId::from_uuid(id).to_string(),
            delivery: WebhookDeliveryId::from_uuid(id).to_string(),
        }
    }

    fn fill(&self, text: &str) -> String {
        let id = if text.starts_with("/mails/") { &self.mail } else { &self.video };
        let names = [("{video_id}", &self.video), ("{id}", id), ("{video}", &self.video), ("{key}", &self.key), ("{member}", &self.member)];
        let others = [
            ("{invitation}", &self.invitation),
            ("{tenant}", &self.tenant),
            ("{project}", &self.project),
            ("{file_id}", &self.file),
            ("{batch_id}", &self.batch),
        ];
        let webhooks = [
            ("{webhook_endpoint_id}", &self.webhook),
            ("{webhook}", &self.webhook),
            ("{delivery_id}", &self.delivery),
            ("{delivery}", &self.delivery),
        ];
        let fixed =
            text.replace("{file}", "video").replace("{model}", "vignette-1").replace("{*rest}", "nothing").replace("{owner}", "reelmill");
        let fixed = fixed.replace("{version}", &hex(b"reelmill/vignette-1")).replace("{token}", "0").replace("{character_id}", "char_1");
        names.into_iter().chain(others).chain(webhooks).fold(fixed, |text, (name, id)| text.replace(name, id))
    }

    fn hide(&self, text: &str) -> String {
        // Notes in cookies are written in hexadecimal digits.
        let ids =
            [&self.video, &self.key, &self.invitation, &self.member, &self.tenant, &self.project, &self.file, &self.batch, &self.mail];
        ids.into_iter()
            .chain([&self.webhook, &self.delivery])
            .fold(text.to_owned(), |text, id| text.replace(id.as_str(), "[id]").replace(&hex::encode(id), "[id]"))
    }
}

pub struct World {
    product: Product,
    operator: Customer,
    owner: Customer,
    stranger: Customer,
    viewer: Customer,
    member: Customer,
    revoked: String,
    /// Cookies of stranger, viewer and member.
    looking: [String; 3],
    /// Of the operator who looks at the tenant's pages.
    viewing: String,
    finished: String,
    things: Things,
}

pub struct Called {
    pub answer: Answer,
    hidden: String,
}

impl World {
    pub async fn new(database: TempDatabase) -> Self {
        // Where nothing listens.
        let provider = OidcOptions {
            oidc_issuer: Some("http://127.0.0.1:9".into()),
            oidc_client_id: Some("reelmill".into()),
            oidc_name: "Example ID".into(),
            ..OidcOptions::default()
        };
        let product = Product::new(database).await.changed(|services| services.with_oidc(&provider, "https://video.test").unwrap());
        let operator = product.customer("operator").await;
        let (owner, stranger) = (product.customer(MARK).await, product.customer("stranger").await);
        let services = product.services().clone().with_mailer(Mailer::new(&MailOptions::default(), "https://video.test".into()));
        services.rename_team(owner.user.actor(), &format!("{MARK} films"), "").await.unwrap();
        let gift = Gift { amount: VideoTime::from_minutes(60), expires_at: None, note: Some(format!("for {MARK}")), once: None };
        services.give_credit(operator.user.installation_actor(), None, owner.user.tenant, gift).await.unwrap();
        let viewer = join(&product, &owner, "viewer", Role::Viewer).await;
        let member = join(&product, &owner, "member", Role::Member).await;
        let key = services.create_key(owner.user.actor(), MARK, "").await.unwrap().key;
        let revoked = services.create_key(owner.user.actor(), "old", "").await.unwrap();
        services.revoke_key(owner.user.actor(), revoked.key.id, "").await.unwrap();
        services.invite(owner.user.actor(), &format!("guest-{MARK}@example.com"), Role::Member, "").await.unwrap();
        services.deliver_events(Actor::System).await.unwrap();
        let mail = services.mails(Actor::Operator).await.unwrap().kept.remove(0).id;
        let invitation = services.team(owner.user.actor()).await.unwrap().invitations.remove(0).id;
        let finished = product.create(&owner, &format!("a {MARK} sings")).await.to_string();
        product.finish().await;
        let project = services.create_project(owner.user.actor(), &format!("{MARK} trailers"), "").await.unwrap();
        let (webhook, delivery) = webhook(&product, &owner).await;
        let looking =
            [signed_in(&product, &stranger.user).await, signed_in(&product, &viewer.user).await, signed_in(&product, &member.user).await];
        let viewing = viewing(&product, &operator, owner.user.tenant).await;
        let (file, batch) = sent(&product, &owner).await;
        let things = Things {
            video: finished.clone(),
            mail: mail.to_string(),
            key: key.id.to_string(),
            invitation: invitation.to_string(),
            member: member.user.id.to_string(),
            tenant: owner.user.tenant.to_string(),
            project: project.to_string(),
            file,
            batch,
            webhook,
            delivery,
        };
        Self { product, operator, owner, stranger, viewer, member, revoked: revoked.secret, looking, viewing, finished, things }
    }

    /// What a row is called with: a video of its own where it may be changed.
    pub async fn things(&self, row: &Row) -> Things {
        let Things { mail, key, invitation, member, tenant, project, file, batch, webhook, delivery, .. } = &self.things;
        let own = row.changes() && ["{file_id}", "{batch_id}"].iter().any(|name| row.route.contains(name));
        let (file, batch) = if own { sent(&self.product, &self.owner).await } else { (file.clone(), batch.clone()) };
        let video = if row.changes() && row.names_a_video() {
            self.product.create(&self.owner, &format!("another {MARK}")).await.to_string()
        } else {
            self.finished.clone()
        };
        Things {
            video,
            mail: mail.clone(),
            key: key.clone(),
            invitation: invitation.clone(),
            member: member.clone(),
            tenant: tenant.clone(),
            project: project.clone(),
            file,
            batch,
            webhook: webhook.clone(),
            delivery: delivery.clone(),
        }
    }

    pub async fn call(&self, row: &Row, caller: Caller, things: &Things) -> Called {
        let form = things.fill(row.body);
        let uri = if row.changes() || form.is_empty() { things.fill(row.path()) } else { format!("{}?{form}", row.path()) };
        let mut request = Request::builder().method(row.method()).uri(uri);
        request = request.header("accept", if row.path().starts_with("/api/") { "application/json" } else { "text/html" });
        if let Some(key) = self.key(caller) {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        if let Some(cookie) = self.cookie(row, caller).await {
            request = request.header("cookie", cookie);
        }
        let is_json = ["/v1", "/replicate/", "/fal/"].iter().any(|api| row.path().starts_with(api));
        let content_type = if is_json { "application/json" } else { "application/x-www-form-urlencoded" };
        let body = if is_json && form.is_empty() { r#"{"prompt": "mine now"}"#.to_owned() } else { form };
        let request = request.header("content-type", content_type).body(Body::from(body)).unwrap();
        let answer = self.product.send(request).await.without_request_id();
        let hidden = things.hide(&format!("{:?}\n{}", answer.headers, String::from_utf8_lossy(&answer.body)));
        Called { answer, hidden }
    }

    fn key(&self, caller: Caller) -> Option<&str> {
        match caller {
            Caller::Anonymous | Caller::Stranger | Caller::ViewingOperator => None,
            Caller::StrangersKey => Some(&self.stranger.key),
            Caller::RevokedKey => Some(&self.revoked),
            Caller::Viewer => Some(&self.viewer.key),
            Caller::Member => Some(&self.member.key),
        }
    }

    async fn cookie(&self, row: &Row, caller: Caller) -> Option<String> {
        let (who, looking) = match caller {
            Caller::ViewingOperator if row.ends_a_view() => {
                return Some(viewing(&self.product, &self.operator, self.owner.user.tenant).await);
            }
            Caller::ViewingOperator => return Some(self.viewing.clone()),
            Caller::Anonymous | Caller::StrangersKey | Caller::RevokedKey => return None,
            Caller::Stranger => (&self.stranger.user, &self.looking[0]),
            Caller::Viewer => (&self.viewer.user, &self.looking[1]),
            Caller::Member => (&self.member.user, &self.looking[2]),
        };
        // Some end their session. The API has none, and each person only so many.
        Some(if row.changes() && !row.path().starts_with("/v1") { signed_in(&self.product, who).await } else { looking.clone() })
    }

    /// All that a call may change of the tenant.
    pub async fn state(&self, row: &Row) -> String {
        if !row.changes() {
            return String::new();
        }
        let (services, actor) = (self.product.services(), self.owner.user.actor());
        let videos = redacted(self.product.get(&self.owner, "/v1/videos?limit=100").await.json());
        let keys: Vec<_> = services.list_keys(actor).await.unwrap().into_iter().map(|key| (key.id, key.revoked_at)).collect();
        let team = services.team(actor).await.unwrap();
        // A look that begins or ends is written down.
        let acts = team.acts.iter().filter(|entry| !matches!(entry.act, Act::ViewingBegan | Act::ViewingEnded));
        let members: Vec<_> = team.members.iter().map(|member| (&member.email, member.role)).collect();
        let invitations: Vec<_> = team.invitations.iter().map(|open| open.id).collect();
        let webhooks = services.webhooks(actor).await.unwrap();
        format!(
            "{videos}{keys:?}{members:?}{invitations:?}{webhooks:?}{}{}{:?}",
            team.name,
            acts.count(),
            services.balance(actor).await.unwrap()
        )
    }
}

impl Called {
    /// Enough of it to find out more.
    pub fn summary(&self) -> String {
        let start: String = String::from_utf8_lossy(&self.answer.body).chars().take(120).collect();
        format!("{} {:?} {start}", self.answer.status, self.answer.header("location"))
    }

    /// With its status; ids that the caller named are told by a name.
    pub fn without_ids(&self) -> (u16, String) {
        (self.answer.status.as_u16(), without_sessions(&without_nonces(&self.hidden)))
    }

    pub fn tells_of_tenant(&self) -> bool {
        self.hidden.contains(MARK)
    }
}

/// Somebody who has joined the team of `host`, with a key of what their role may.
pub async fn join(product: &Product, host: &Customer, name: &str, role: Role) -> Customer {
    let services = product.services().clone().with_mailer(Mailer::new(&MailOptions::default(), "https://video.test".into()));
    let email = format!("{name}@example.com");
    services.invite(host.user.actor(), &email, Role::Admin, "").await.unwrap();
    services.deliver_events(Actor::System).await.unwrap();
    let mails = services.mails(Actor::Operator).await.unwrap().kept;
    let mail = mails.into_iter().find(|mail| mail.recipient == email).unwrap();
    let token: String = mail.text.split_once("token=").unwrap().1.chars().take_while(char::is_ascii_alphanumeric).collect();
    let joined = services.join_by_signing_up(&token, "correct horse battery", "").await.unwrap();
    let key = services.create_key(joined.actor(), "own", "").await.unwrap().secret;
    services.change_role(host.user.actor(), joined.id, role, "").await.unwrap();
    Customer { user: joined, key }
}

/// A file of requests, and a batch of another one.
async fn sent(product: &Product, owner: &Customer) -> (String, String) {
    let services = product.services();
    let mut files = Vec::new();
    for _ in 0..2 {
        let mut upload = services.begin_file(owner.user.actor()).await.unwrap();
        let line =
            format!("{{\"custom_id\": \"{MARK}\", \"method\": \"POST\", \"url\": \"/v1/videos\", \"body\": {{\"prompt\": \"{MARK}\"}}}}\n");
        upload.write(line.into()).await.unwrap();
        let new = NewFile { name: format!("{MARK}.jsonl"), purpose: FilePurpose::Batch, expiry: FileExpiry::default() };
        files.push(upload.finish(new).await.unwrap().id);
    }
    let metadata = Metadata::new([("about".to_owned(), MARK.to_owned())].into()).unwrap();
    let request = BatchRequest {
        input: files[1],
        endpoint: "/v1/videos".into(),
        window: "24h".parse().unwrap(),
        metadata: Some(metadata),
        output_expiry: FileExpiry::default(),
        is_dry_run: false,
        repetition: BatchRepetition::default(),
    };
    let batch = services.create_batch(owner.user.actor(), request).await.unwrap().batch.id;
    (files[0].to_string(), batch.to_string())
}

/// A webhook endpoint of `owner`, and a delivery that waits for it: nobody sends it here.
async fn webhook(product: &Product, owner: &Customer) -> (String, String) {
    let services = product.services().clone().with_webhooks(&WebhookOptions::default()).with_callbacks(callback_body);
    let actor = owner.user.actor();
    let url = format!("https://{MARK}.example.com/");
    let request =
        WebhookRequest { name: Some(MARK.into()), url: Some(url), events: Some(vec!["video.completed".into()]), is_enabled: None };
    let id = services.create_webhook(actor, request, "").await.unwrap().endpoint.id;
    product.create(owner, &format!("a {MARK} waits")).await;
    product.finish().await;
    services.deliver_events(Actor::System).await.unwrap();
    let query = DeliveryQuery { after: None, state: None, limit: 1 };
    let delivery = services.webhook_deliveries(actor, id, query).await.unwrap().deliveries.remove(0).id;
    (id.to_string(), delivery.to_string())
}

/// The cookie of an operator who has begun to look at a tenant's pages.
async fn viewing(product: &Product, operator: &Customer, tenant: TenantId) -> String {
    let cookie = signed_in(product, &operator.user).await;
    let begun = product.post_form(&cookie, "/api/begin-viewing", &format!("tenant={tenant}&reason=a+ticket")).await;
    assert_eq!((begun.status, begun.header("location")), (StatusCode::FOUND, "/library"));
    cookie
}

async fn signed_in(product: &Product, user: &User) -> String {
    let session = Session::new(None, Arc::new(product.services().store.sessions()), None);
    session.insert(store::SESSION_USER, user.id).await.unwrap();
    session.insert(store::SESSION_TENANT, user.tenant).await.unwrap();
    session.save().await.unwrap();
    format!("reelmill_session={}", session.id().unwrap())
}

/// Each call that changes something is one of a session of its own.
fn without_sessions(text: &str) -> String {
    let mut parts = text.split("reelmill_session=");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| format!("{text}[session]{}", part.trim_start_matches(|sign| !matches!(sign, ';' | '"'))))
}

/// Each page has a nonce of its own, for its scripts.
fn without_nonces(text: &str) -> String {
    let mut parts = text.split("nonce-");
    let Some(nonce) = parts.nth(1).map(|rest| rest.chars().take_while(|char| *char != '\'').collect::<String>()) else {
        return text.to_owned();
    };
    text.replace(&nonce, "[nonce]")
}
