//! What each caller must get of each route: the status, and who is shown what is the tenant's.

use super::world::Caller;

/// The columns.
pub const CALLERS: [Caller; 7] = [
    Caller::Anonymous,
    Caller::Stranger,
    Caller::StrangersKey,
    Caller::RevokedKey,
    Caller::Viewer,
    Caller::Member,
    Caller::ViewingOperator,
];

type Expected = [u16; CALLERS.len()];

pub struct Row {
    /// Method and path, as the router has it.
    pub route: &'static str,
    /// Of a form, or the query of a look. Names in braces are ids of what is the tenant's.
    pub body: &'static str,
    pub expected: Expected,
    /// Whoever gets it as a whole is shown what is the tenant's.
    pub shows: bool,
}

impl Row {
    const fn new(route: &'static str, expected: Expected) -> Self {
        Self { route, body: "", expected, shows: false }
    }

    const fn form(route: &'static str, body: &'static str, expected: Expected) -> Self {
        Self { body, ..Self::new(route, expected) }
    }

    const fn showing(self) -> Self {
        Self { shows: true, ..self }
    }

    pub fn method(&self) -> &'static str {
        let method = self.route.split(' ').next().unwrap_or_default();
        if method == "ANY" { "GET" } else { method }
    }

    pub fn path(&self) -> &'static str {
        self.route.split_once(' ').map_or("", |(_, path)| path)
    }

    pub fn changes(&self) -> bool {
        !matches!(self.method(), "GET")
    }

    pub fn ends_a_view(&self) -> bool {
        ["/api/end-viewing", "/api/sign-out"].contains(&self.path())
    }

    pub fn names_a_video(&self) -> bool {
        ["{video_id}", "/videos/{id}", "{video}"].iter().any(|name| self.route.contains(name) || self.body.contains(name))
    }

    pub fn names_a_thing(&self) -> bool {
        let names =
            ["{file_id}", "{batch_id}", "{id}", "{key}", "{member}", "{invitation}", "{tenant}", "{project}", "{webhook", "{delivery"];
        self.names_a_video() || names.iter().any(|name| self.route.contains(name) || self.body.contains(name))
    }
}

const OPEN: Expected = [200; CALLERS.len()];
/// Leads whoever is in already to their work.
const DOOR: Expected = [200, 302, 200, 200, 302, 302, 302];
/// A page that asks to sign in.
const PAGE: Expected = [302, 200, 302, 302, 200, 200, 200];
/// One of an account: an operator who looks at a tenant is in none.
const ACCOUNT_PAGE: Expected = [302, 200, 302, 302, 200, 200, 403];
/// A page of whoever manages the tenant.
const MANAGERS_PAGE: Expected = [302, 200, 302, 302, 403, 403, 403];
/// A page about something that is the tenant's.
const PAGE_OF_THING: Expected = [302, 404, 302, 302, 200, 200, 200];
/// For everybody here there is no such page.
const OPERATORS_PAGE: Expected = [302, 404, 302, 302, 404, 404, 404];
const API: Expected = [401, 401, 200, 401, 200, 200, 401];
const API_OF_THING: Expected = [401, 401, 404, 401, 200, 200, 401];
/// What a key of who manages the tenant may.
const API_OF_MANAGER: Expected = [401, 401, 200, 401, 403, 403, 401];
/// The same, about something that is the tenant's.
const API_OF_MANAGERS_THING: Expected = [401, 401, 404, 401, 403, 403, 401];
/// What a viewer may not.
const API_CHANGE: Expected = [401, 401, 404, 401, 403, 200, 401];
/// What no model can; the video is not finished.
const API_OF_NO_MODEL: Expected = [401, 401, 404, 401, 403, 400, 401];
const PREDICTION: Expected = [401, 401, 201, 401, 403, 201, 401];
const NOT_SUPPORTED: Expected = [401, 401, 501, 401, 501, 501, 401];
/// No key of a tenant has the scope.
const API_OF_OPERATOR: Expected = [401, 401, 403, 401, 403, 403, 401];
/// A file or stream of a page.
const FILE: Expected = [401, 404, 401, 401, 200, 200, 200];
const FILE_NOT_YET: Expected = [401, 404, 401, 401, 404, 404, 404];
/// A form that leads elsewhere whatever it does: who has not signed in to where they do, others to where it is said.
const FORM: Expected = [200, 200, 200, 200, 200, 200, 403];
/// One that answers in place.
const STUDIO_FORM: Expected = [401, 200, 401, 401, 200, 200, 200];
const MEMBERS_FORM: Expected = [200, 200, 200, 200, 403, 200, 403];
const MANAGERS_FORM: Expected = [200, 200, 200, 200, 403, 403, 403];
const OPERATORS_FORM: Expected = [401, 404, 401, 401, 404, 404, 403];

pub const TABLE: &[Row] = &[
    // About the installation, the same for everybody.
    Row::new("GET /healthz", OPEN),
    Row::new("GET /livez", OPEN),
    Row::new("GET /readyz", [503; CALLERS.len()]),
    Row::new("GET /metrics", [404; CALLERS.len()]),
    Row::new("GET /openapi.json", OPEN),
    Row::new("GET /.well-known/jwks.json", OPEN),
    // Nothing is paid here.
    Row::new("POST /webhooks/stripe", [404; CALLERS.len()]),
    // The API.
    Row::new("GET /v1/videos", API).showing(),
    Row::new("POST /v1/videos", [401, 401, 200, 401, 403, 200, 401]),
    Row::new("GET /v1/videos/{video_id}", API_OF_THING).showing(),
    Row::new("DELETE /v1/videos/{video_id}", API_CHANGE),
    Row::new("GET /v1/videos/{video_id}/content", API_OF_THING),
    Row::new("GET /v1/videos/{video_id}/layout", [401, 401, 404, 401, 400, 400, 401]),
    Row::new("POST /v1/videos/{video_id}/cancel", API_CHANGE),
    Row::new("POST /v1/videos/{video_id}/remix", API_CHANGE),
    Row::new("GET /v1/videos/{video_id}/events", API_OF_THING),
    Row::new("GET /v1/queue", API),
    Row::form("POST /v1/videos/{video_id}/move", r#"{"to": "front"}"#, API_CHANGE),
    Row::form("POST /v1/queue/cancel", "{}", [401, 401, 200, 401, 403, 200, 401]),
    // What is sent is no form, and names no file.
    Row::new("POST /v1/files", [401, 401, 400, 401, 403, 400, 401]),
    Row::new("GET /v1/files", API).showing(),
    Row::new("GET /v1/files/{file_id}", API_OF_THING).showing(),
    Row::new("GET /v1/files/{file_id}/content", API_OF_THING).showing(),
    Row::new("DELETE /v1/files/{file_id}", API_CHANGE),
    Row::new("POST /v1/batches", [401, 401, 400, 401, 403, 400, 401]),
    Row::new("GET /v1/batches", API).showing(),
    Row::new("GET /v1/batches/{batch_id}", API_OF_THING).showing(),
    Row::new("GET /v1/batches/{batch_id}/results", API_OF_THING),
    Row::new("POST /v1/batches/{batch_id}/cancel", API_CHANGE),
    // It has not ended.
    Row::new("POST /v1/batches/{batch_id}/retry", [401, 401, 404, 401, 403, 409, 401]),
    // What is asked for is no token.
    Row::new("POST /v1/client_tokens", [401, 401, 400, 401, 400, 400, 401]),
    Row::new("GET /v1/usage", API),
    Row::new("GET /v1/costs", API),
    // What is asked for has no name.
    Row::new("POST /v1/webhook_endpoints", [401, 401, 400, 401, 403, 403, 401]),
    Row::new("GET /v1/webhook_endpoints", API_OF_MANAGER),
    Row::new("GET /v1/webhook_endpoints/{webhook_endpoint_id}", API_OF_MANAGERS_THING),
    Row::new("POST /v1/webhook_endpoints/{webhook_endpoint_id}", API_OF_MANAGERS_THING),
    Row::new("DELETE /v1/webhook_endpoints/{webhook_endpoint_id}", API_OF_MANAGERS_THING),
    Row::form("POST /v1/webhook_endpoints/{webhook_endpoint_id}/rotate_secret", "{}", API_OF_MANAGERS_THING),
    Row::form("POST /v1/webhook_endpoints/{webhook_endpoint_id}/test", r#"{"event_type": "video.completed"}"#, API_OF_MANAGERS_THING),
    Row::new("GET /v1/webhook_endpoints/{webhook_endpoint_id}/deliveries", API_OF_MANAGERS_THING),
    Row::form("POST /v1/webhook_endpoints/{webhook_endpoint_id}/deliveries/replay", "{}", API_OF_MANAGERS_THING),
    Row::new("GET /v1/webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}", API_OF_MANAGERS_THING),
    Row::new("POST /v1/webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/replay", API_OF_MANAGERS_THING),
    Row::new("GET /v1/webhook_event_types", API),
    Row::new("GET /v1/usage/overview", API),
    // By a key that is for it alone.
    Row::new("GET /v1/operator/queue", API_OF_OPERATOR),
    Row::new("POST /v1/operator/queue", API_OF_OPERATOR),
    Row::new("GET /v1/operator/metrics", API_OF_OPERATOR),
    Row::new("GET /v1/operator/alerts", API_OF_OPERATOR),
    Row::new("POST /v1/operator/alerts", API_OF_OPERATOR),
    Row::new("POST /v1/operator/alerts/silences", API_OF_OPERATOR),
    Row::new("GET /v1/operator/alerts/history", API_OF_OPERATOR),
    Row::new("POST /v1/operator/alerts/{alert_rule_id}", API_OF_OPERATOR),
    Row::new("DELETE /v1/operator/alerts/{alert_rule_id}", API_OF_OPERATOR),
    Row::new("GET /v1/models", API),
    Row::new("GET /v1/models/{model}", API),
    Row::new("ANY /v1", [404; CALLERS.len()]),
    Row::new("ANY /v1/", [404; CALLERS.len()]),
    Row::new("ANY /v1/{*rest}", [404; CALLERS.len()]),
    // What pages load.
    Row::new("GET /live/videos/{id}/events", FILE),
    Row::new("GET /media/videos/{id}/{file}", FILE),
    Row::new("GET /usage.csv", [401, 200, 401, 401, 200, 200, 200]),
    Row::new("GET /ledger.csv", [401, 200, 401, 401, 200, 200, 200]),
    Row::new("GET /numbers.csv", [401, 200, 401, 401, 200, 200, 200]),
    Row::new("GET /admin/numbers.csv", [401, 403, 401, 401, 403, 403, 403]),
    Row::new("GET /batches/{batch_id}/videos.zip", FILE),
    // It has not ended, so there are none.
    Row::new("GET /batches/{batch_id}/output.jsonl", FILE_NOT_YET),
    Row::new("GET /batches/{batch_id}/errors.jsonl", FILE_NOT_YET),
    // What is sent is no file: it leads to the page that says so.
    Row::new("POST /batches/upload", [303, 303, 303, 303, 403, 303, 403]),
    Row::new("GET /admin/ledger.csv", [401, 403, 401, 401, 403, 403, 403]),
    Row::new("GET /mails/{id}", [401, 403, 401, 401, 403, 403, 403]),
    // Pages for everybody.
    Row::new("GET /", OPEN),
    Row::new("GET /signup", DOOR),
    Row::new("GET /signin", DOOR),
    Row::new("GET /signin/code", [302; CALLERS.len()]),
    // The provider is away.
    Row::new("GET /signin/oidc", [503, 302, 503, 503, 302, 302, 302]),
    // Nobody has set out.
    Row::new("GET /signin/oidc/callback", [400; CALLERS.len()]),
    Row::new("GET /forgot-password", OPEN),
    Row::new("GET /reset-password", OPEN),
    Row::new("GET /verify-email", OPEN),
    Row::new("GET /change-email", OPEN),
    Row::new("GET /invitation", OPEN),
    Row::new("GET /pricing", OPEN),
    Row::new("GET /reference", OPEN),
    // Unless the operator wants it.
    Row::new("GET /status", [404; CALLERS.len()]),
    // Pages of a tenant.
    Row::new("GET /create", [302, 200, 302, 302, 302, 200, 302]),
    Row::new("GET /videos/{id}", PAGE_OF_THING).showing(),
    Row::new("GET /videos/{id}/arrange", [302, 404, 302, 302, 403, 200, 403]),
    Row::new("GET /library", PAGE).showing(),
    // One's own alone.
    Row::new("GET /queue", PAGE),
    Row::new("GET /batches", PAGE).showing(),
    Row::new("GET /batches/{batch_id}", PAGE_OF_THING).showing(),
    Row::new("GET /keys", MANAGERS_PAGE),
    Row::new("GET /webhooks", MANAGERS_PAGE),
    Row::new("GET /plan", PAGE).showing(),
    Row::new("GET /limits", PAGE),
    Row::new("GET /billing", MANAGERS_PAGE),
    Row::new("GET /billing/plan", MANAGERS_PAGE),
    Row::new("GET /usage", PAGE),
    Row::new("GET /overview", PAGE),
    Row::new("GET /requests", PAGE).showing(),
    Row::new("GET /team", PAGE).showing(),
    // Pages of an account.
    Row::new("GET /security", ACCOUNT_PAGE),
    Row::new("GET /security/on", ACCOUNT_PAGE),
    Row::new("GET /security/codes", PAGE),
    Row::new("GET /security/off", PAGE),
    Row::new("GET /security/link", ACCOUNT_PAGE),
    Row::new("GET /security/unlink", ACCOUNT_PAGE),
    Row::new("GET /account/delete", ACCOUNT_PAGE),
    // Pages of the operator.
    Row::new("GET /admin", OPERATORS_PAGE),
    Row::new("GET /admin/queue", OPERATORS_PAGE),
    Row::new("GET /admin/plans", OPERATORS_PAGE),
    Row::new("GET /admin/models", OPERATORS_PAGE),
    Row::new("GET /admin/tenants", OPERATORS_PAGE),
    Row::new("GET /admin/mail", OPERATORS_PAGE),
    Row::new("GET /admin/payments", OPERATORS_PAGE),
    Row::new("GET /admin/ledger", OPERATORS_PAGE),
    Row::new("GET /admin/refunds", OPERATORS_PAGE),
    Row::new("GET /admin/promo", OPERATORS_PAGE),
    Row::new("GET /admin/costs", OPERATORS_PAGE),
    Row::new("GET /admin/latency", OPERATORS_PAGE),
    Row::new("GET /admin/requests", OPERATORS_PAGE),
    Row::new("GET /admin/fleet", OPERATORS_PAGE),
    Row::new("GET /admin/capacity", OPERATORS_PAGE),
    Row::new("GET /admin/status", OPERATORS_PAGE),
    Row::new("GET /admin/readiness", OPERATORS_PAGE),
    Row::new("GET /admin/alerts", OPERATORS_PAGE),
    // Forms of the studio.
    Row::form("POST /api/read-prompt", "prompt=a+red+ball", [401, 200, 401, 401, 200, 200, 403]),
    Row::form("GET /api/expected-time", "model=vignette-1&size=128x128&steps=4", STUDIO_FORM),
    Row::form("POST /api/submit-video", "request[prompt]=mine&remixed_from={video}", [401, 404, 401, 401, 403, 200, 403]),
    Row::form("POST /api/cancel-video", "id={video}", MEMBERS_FORM),
    Row::form("POST /api/delete-video", "id={video}", MEMBERS_FORM),
    Row::form("POST /api/cancel-waiting", "", MEMBERS_FORM),
    Row::form("POST /api/move-in-queue", "id={video}&to=front", MEMBERS_FORM),
    Row::form("POST /api/cancel-in-queue", "id={video}", MEMBERS_FORM),
    Row::form("POST /api/cancel-queue", "", MEMBERS_FORM),
    Row::form("POST /api/start-batch", "id={batch_id}", MEMBERS_FORM),
    Row::form("POST /api/retry-batch", "id={batch_id}", MEMBERS_FORM),
    Row::form("POST /api/cancel-batch", "id={batch_id}", MEMBERS_FORM),
    Row::form("POST /api/discard-quote", "id={batch_id}", MEMBERS_FORM),
    // Forms of keys and team.
    Row::form("POST /api/create-key", "name=mine", MANAGERS_FORM),
    Row::form("POST /api/rotate-key", "id={key}&overlap=0", MANAGERS_FORM),
    Row::form("POST /api/limit-key", "id={key}&requests=5&hard=60", MANAGERS_FORM),
    Row::form("POST /api/revoke-key", "id={key}", MANAGERS_FORM),
    Row::form("POST /api/create-webhook", "name=mine&url=https%3A%2F%2Fhooks.example.com%2F&video_failed=yes", MANAGERS_FORM),
    Row::form("POST /api/change-webhook", "id={webhook}&name=mine&url=https%3A%2F%2Fhooks.example.com%2F&video_failed=yes", MANAGERS_FORM),
    Row::form("POST /api/switch-webhook", "id={webhook}&enabled=false", MANAGERS_FORM),
    Row::form("POST /api/rotate-webhook", "id={webhook}", MANAGERS_FORM),
    Row::new("POST /api/rotate-callback-secret", MANAGERS_FORM),
    Row::form("POST /api/test-webhook", "id={webhook}&event=video.completed", MANAGERS_FORM),
    Row::form("POST /api/delete-webhook", "id={webhook}", MANAGERS_FORM),
    Row::form("POST /api/replay-webhook", "id={webhook}&delivery={delivery}", MANAGERS_FORM),
    Row::form("POST /api/replay-webhooks", "id={webhook}&from=2026-01-01&to=2026-12-31", MANAGERS_FORM),
    Row::form("POST /api/create-project", "project=mine", MANAGERS_FORM),
    Row::form("POST /api/rename-project", "id={project}&name=mine", MANAGERS_FORM),
    Row::form("POST /api/archive-project", "id={project}", MANAGERS_FORM),
    Row::form("POST /api/set-spending-limits", "spender=team&hard=60", MANAGERS_FORM),
    Row::form("POST /api/choose-plan", "plan=pro", MANAGERS_FORM),
    Row::form("POST /api/end-subscription", "", MANAGERS_FORM),
    Row::form("POST /api/buy-credit", "minutes=60", MANAGERS_FORM),
    Row::form("POST /api/payment-portal", "", MANAGERS_FORM),
    Row::form("POST /api/use-promo-code", "promo_code=mine", MANAGERS_FORM),
    Row::form("POST /api/invite", "email=guest@example.com&role=admin", MANAGERS_FORM),
    Row::form("POST /api/invite-again", "id={invitation}", MANAGERS_FORM),
    Row::form("POST /api/revoke-invitation", "id={invitation}", MANAGERS_FORM),
    Row::form("POST /api/change-role", "member={member}&role=owner", MANAGERS_FORM),
    Row::form("POST /api/remove-member", "member={member}", MANAGERS_FORM),
    Row::form("POST /api/transfer-team", "member={member}", MANAGERS_FORM),
    Row::form("POST /api/rename-team", "name=mine", MANAGERS_FORM),
    Row::form("POST /api/switch-team", "tenant={tenant}", FORM),
    // Forms of an account.
    Row::form("POST /api/sign-up", "email=new&password=short", FORM),
    Row::form("POST /api/sign-in", "email=nobody@example.com&password=wrong", FORM),
    Row::form("POST /api/sign-in-code", "code=123456", FORM),
    Row::form("POST /api/sign-out", "", OPEN),
    Row::form("POST /api/end-viewing", "", OPEN),
    Row::form("POST /api/forgot-password", "email=nobody@example.com", FORM),
    Row::form("POST /api/reset-password", "token=none&password=correct+horse+battery", FORM),
    Row::form("POST /api/send-verification", "", FORM),
    Row::form("POST /api/verify-email", "token=none", FORM),
    Row::form("POST /api/change-email", "token=none", FORM),
    Row::form("POST /api/ask-for-email", "new_email=new@example.com&email_password=wrong", FORM),
    Row::form("POST /api/allow-linking", "current=wrong", FORM),
    Row::form("POST /api/unlink-identity", "current=wrong", FORM),
    Row::form("POST /api/change-password", "current=wrong&password=correct+horse+battery", FORM),
    Row::form("POST /api/end-session", "id=none", FORM),
    Row::form("POST /api/end-other-sessions", "", FORM),
    Row::form("POST /api/turn-on-second-factor", "code=123456", FORM),
    Row::form("POST /api/renew-recovery-codes", "current=wrong", FORM),
    Row::form("POST /api/turn-off-second-factor", "current=wrong", FORM),
    Row::form("POST /api/delete-account", "current=wrong", FORM),
    Row::form("POST /api/accept-invitation", "token=none", FORM),
    Row::form("POST /api/join-by-signing-up", "token=none&password=correct+horse+battery", FORM),
    // Forms of the operator.
    Row::form(
        "POST /api/define-plan",
        "plan[id]=mine&plan[name]=mine&plan[lane]=batch&plan[weight]=1&plan[open_work]=1&plan[keys]=1",
        OPERATORS_FORM,
    ),
    Row::form("POST /api/change-queue", "act=quarantine&subject={video}&reason=mine", OPERATORS_FORM),
    Row::form("POST /api/set-plan", "tenant={tenant}&plan=free", OPERATORS_FORM),
    Row::form("POST /api/place-model", "model=vignette-1&pinned=1&keep_warm=15", OPERATORS_FORM),
    Row::form("POST /api/set-device-price", "device=cpu&price=2&currency=usd", OPERATORS_FORM),
    Row::form("POST /api/set-release-rates", "plans=payg%401&rate_ms=1000", OPERATORS_FORM),
    Row::form("POST /api/show-status", "shown=off", OPERATORS_FORM),
    Row::form("POST /api/tell-incident", "title=mine&text=mine&state=resolved", OPERATORS_FORM),
    Row::form("POST /api/update-incident", "id=none&text=mine&state=resolved", OPERATORS_FORM),
    Row::form("POST /api/save-alert", "name=mine&number=workers&kind=absence&window=5&severity=page", OPERATORS_FORM),
    Row::form("POST /api/change-alert", "id=none&act=delete", OPERATORS_FORM),
    Row::form("POST /api/add-usual-alerts", "", OPERATORS_FORM),
    Row::form("POST /api/silence-alerts", "minutes=5&reason=mine", OPERATORS_FORM),
    Row::form("POST /api/end-alert-silence", "id=none", OPERATORS_FORM),
    Row::form("POST /api/add-alert-address", "kind=operators", OPERATORS_FORM),
    Row::form("POST /api/change-alert-address", "id=none&act=delete", OPERATORS_FORM),
    Row::form("POST /api/drain-worker", "worker=worker_01900000000070008000000000000001", OPERATORS_FORM),
    Row::form("POST /api/give-credit", "tenant={tenant}&video_seconds=60&once=a", OPERATORS_FORM),
    Row::form("POST /api/check-ledger", "", OPERATORS_FORM),
    Row::form("POST /api/refund-video", "job={video}&reason=mine&once=a", OPERATORS_FORM),
    Row::form("POST /api/create-promo-code", "promo[code]=mine&promo[video_seconds]=60&promo[audience]=everybody", OPERATORS_FORM),
    Row::form("POST /api/archive-promo-code", "code=mine", OPERATORS_FORM),
    Row::form("POST /api/begin-viewing", "tenant={tenant}&reason=to+look", OPERATORS_FORM),
    // What no model can.
    Row::form("POST /v1/videos/edits", r#"{"prompt": "mine", "video": {"id": "{video_id}"}}"#, API_OF_NO_MODEL),
    Row::form("POST /v1/videos/extensions", r#"{"prompt": "mine", "video": {"id": "{video_id}"}}"#, API_OF_NO_MODEL),
    Row::form("POST /v1/videos/characters", r#"{"name": "mine", "video": {"id": "{video_id}"}}"#, API_OF_NO_MODEL),
    Row::new("GET /v1/videos/characters/{character_id}", [401, 401, 404, 401, 404, 404, 401]),
    // The APIs of other services.
    Row::form("POST /replicate/v1/predictions", r#"{"version": "reelmill/vignette-1", "input": {"prompt": "mine"}}"#, PREDICTION),
    Row::form("POST /replicate/v1/models/{owner}/{model}/predictions", r#"{"input": {"prompt": "mine"}}"#, PREDICTION),
    Row::new("GET /replicate/v1/predictions", API).showing(),
    Row::new("GET /replicate/v1/predictions/{video_id}", API_OF_THING).showing(),
    Row::new("GET /replicate/v1/predictions/{video_id}/stream", API_OF_THING),
    Row::new("POST /replicate/v1/predictions/{video_id}/cancel", API_CHANGE),
    Row::new("GET /replicate/v1/models", API),
    Row::new("GET /replicate/v1/models/{owner}/{model}", API),
    Row::new("GET /replicate/v1/models/{owner}/{model}/versions", API),
    Row::new("GET /replicate/v1/models/{owner}/{model}/versions/{version}", API),
    Row::new("GET /replicate/v1/account", API).showing(),
    Row::new("GET /replicate/v1/hardware", API),
    Row::new("GET /replicate/v1/webhooks/default/secret", API_OF_MANAGER),
    Row::new("POST /replicate/v1/webhooks/default/secret/rotate", API_OF_MANAGER),
    Row::new("ANY /replicate/v1/files", NOT_SUPPORTED),
    Row::new("ANY /replicate/v1/files/{*rest}", NOT_SUPPORTED),
    Row::new("ANY /replicate/v1/trainings", NOT_SUPPORTED),
    Row::new("ANY /replicate/v1/trainings/{*rest}", NOT_SUPPORTED),
    Row::new("ANY /replicate/v1/deployments", NOT_SUPPORTED),
    Row::new("ANY /replicate/v1/deployments/{*rest}", NOT_SUPPORTED),
    Row::new("ANY /replicate/v1/collections", NOT_SUPPORTED),
    Row::new("ANY /replicate/v1/collections/{*rest}", NOT_SUPPORTED),
    Row::new("ANY /replicate/{*rest}", [404; CALLERS.len()]),
    Row::new("POST /fal/{owner}/{model}", [401, 401, 200, 401, 403, 200, 401]),
    Row::new("GET /fal/{owner}/{model}/requests/{video_id}", API_OF_THING).showing(),
    Row::new("GET /fal/{owner}/{model}/requests/{video_id}/status", API_OF_THING),
    Row::new("GET /fal/{owner}/{model}/requests/{video_id}/status/stream", API_OF_THING),
    Row::new("PUT /fal/{owner}/{model}/requests/{video_id}/cancel", [401, 401, 404, 401, 403, 202, 401]),
    Row::new("GET /fal/.well-known/jwks.json", OPEN),
    Row::new("ANY /fal/", [404; CALLERS.len()]),
    Row::new("ANY /fal/{owner}", [404; CALLERS.len()]),
    Row::new("ANY /fal/{owner}/", [404; CALLERS.len()]),
    Row::new("ANY /fal/{owner}/{model}/", [404; CALLERS.len()]),
    Row::new("ANY /fal/{owner}/{model}/{*rest}", [404; CALLERS.len()]),
    // A file by a link that was not made here.
    Row::new("GET /outputs/{token}/{file}", [404; CALLERS.len()]),
    // The last of all: whoever calls it belongs to the tenant no more.
    Row::form("POST /api/leave-team", "", FORM),
];
