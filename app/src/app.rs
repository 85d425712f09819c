//! Which address shows which page.

use crate::pages::{
    account::{
        billing::BillingPage,
        choose_plan::ChoosePlanPage,
        delete::DeleteAccountPage,
        keys::KeysPage,
        limits::LimitsPage,
        linking::{LinkPage, UnlinkPage},
        overview::OwnOverviewPage,
        plan::PlanPage,
        requests::RequestsPage,
        second_factor::{CodesPage, TurnOffPage, TurnOnPage},
        security::SecurityPage,
        usage::UsagePage,
        webhooks::WebhooksPage,
    },
    admin::{
        alerts::AlertsPage,
        fleet::{capacity::CapacityPage, workers::FleetPage},
        mail::MailPage,
        models::registry::ModelsPage,
        money::{costs::CostsPage, ledger::LedgerPage, payments::PaymentsPage, promo::PromoPage, refunds::RefundsPage},
        numbers::{latency::LatencyPage, requests::AllRequestsPage},
        operations::{readiness::ReadinessPage, status::StatusDeskPage},
        overview::OverviewPage,
        plans::PlansPage,
        queue_control::QueueControlPage,
        tenants::TenantsPage,
    },
    fault::NotFoundPage,
    public::{
        code::CodePage,
        forgot_password::ForgotPasswordPage,
        home::HomePage,
        invitation::InvitationPage,
        links::{ChangeEmailPage, VerifyEmailPage},
        oidc::{CallbackPage, OidcPage},
        pricing::PricingPage,
        reference::ReferencePage,
        reset_password::ResetPasswordPage,
        sign_in::SignInPage,
        sign_up::SignUpPage,
        status::StatusPage,
    },
    studio::{
        arrange::ArrangePage,
        batches::{BatchPage, BatchesPage},
        create::CreatePage,
        library::LibraryPage,
        queue::QueuePage,
        video::VideoPage,
    },
    team::TeamPage,
};
use leptos::prelude::*;
use leptos_meta::{Title, provide_meta_context};
use leptos_router::{
    SsrMode,
    components::{Route, Router, Routes},
    path,
};

/// Every page is sent complete (`SsrMode::Async`), with its status and its title.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <Title formatter=|title: String| if title.is_empty() { "Reelmill".into() } else { format!("{title} · Reelmill") } />
        <Router>
            <Routes fallback=NotFoundPage>
                <Route path=path!("/") view=HomePage ssr=SsrMode::Async />
                <Route path=path!("/signup") view=SignUpPage ssr=SsrMode::Async />
                <Route path=path!("/signin") view=SignInPage ssr=SsrMode::Async />
                <Route path=path!("/signin/code") view=CodePage ssr=SsrMode::Async />
                <Route path=path!("/signin/oidc") view=OidcPage ssr=SsrMode::Async />
                <Route path=path!("/signin/oidc/callback") view=CallbackPage ssr=SsrMode::Async />
                <Route path=path!("/forgot-password") view=ForgotPasswordPage ssr=SsrMode::Async />
                <Route path=path!("/reset-password") view=ResetPasswordPage ssr=SsrMode::Async />
                <Route path=path!("/verify-email") view=VerifyEmailPage ssr=SsrMode::Async />
                <Route path=path!("/change-email") view=ChangeEmailPage ssr=SsrMode::Async />
                <Route path=path!("/invitation") view=InvitationPage ssr=SsrMode::Async />
                <Route path=path!("/create") view=CreatePage ssr=SsrMode::Async />
                <Route path=path!("/videos/:id") view=VideoPage ssr=SsrMode::Async />
                <Route path=path!("/videos/:id/arrange") view=ArrangePage ssr=SsrMode::Async />
                <Route path=path!("/library") view=LibraryPage ssr=SsrMode::Async />
                <Route path=path!("/queue") view=QueuePage ssr=SsrMode::Async />
                <Route path=path!("/batches") view=BatchesPage ssr=SsrMode::Async />
                <Route path=path!("/batches/:batch_id") view=BatchPage ssr=SsrMode::Async />
                <Route path=path!("/keys") view=KeysPage ssr=SsrMode::Async />
                <Route path=path!("/webhooks") view=WebhooksPage ssr=SsrMode::Async />
                <Route path=path!("/limits") view=LimitsPage ssr=SsrMode::Async />
                <Route path=path!("/plan") view=PlanPage ssr=SsrMode::Async />
                <Route path=path!("/billing") view=BillingPage ssr=SsrMode::Async />
                <Route path=path!("/billing/plan") view=ChoosePlanPage ssr=SsrMode::Async />
                <Route path=path!("/usage") view=UsagePage ssr=SsrMode::Async />
                <Route path=path!("/overview") view=OwnOverviewPage ssr=SsrMode::Async />
                <Route path=path!("/requests") view=RequestsPage ssr=SsrMode::Async />
                <Route path=path!("/pricing") view=PricingPage ssr=SsrMode::Async />
                <Route path=path!("/admin/plans") view=PlansPage ssr=SsrMode::Async />
                <Route path=path!("/admin/tenants") view=TenantsPage ssr=SsrMode::Async />
                <Route path=path!("/admin/models") view=ModelsPage ssr=SsrMode::Async />
                <Route path=path!("/team") view=TeamPage ssr=SsrMode::Async />
                <Route path=path!("/security") view=SecurityPage ssr=SsrMode::Async />
                <Route path=path!("/security/on") view=TurnOnPage ssr=SsrMode::Async />
                <Route path=path!("/security/codes") view=CodesPage ssr=SsrMode::Async />
                <Route path=path!("/security/off") view=TurnOffPage ssr=SsrMode::Async />
                <Route path=path!("/security/link") view=LinkPage ssr=SsrMode::Async />
                <Route path=path!("/security/unlink") view=UnlinkPage ssr=SsrMode::Async />
                <Route path=path!("/account/delete") view=DeleteAccountPage ssr=SsrMode::Async />
                <Route path=path!("/admin/costs") view=CostsPage ssr=SsrMode::Async />
                <Route path=path!("/admin/payments") view=PaymentsPage ssr=SsrMode::Async />
                <Route path=path!("/admin/ledger") view=LedgerPage ssr=SsrMode::Async />
                <Route path=path!("/admin/refunds") view=RefundsPage ssr=SsrMode::Async />
                <Route path=path!("/admin/promo") view=PromoPage ssr=SsrMode::Async />
                <Route path=path!("/admin/fleet") view=FleetPage ssr=SsrMode::Async />
                <Route path=path!("/admin/capacity") view=CapacityPage ssr=SsrMode::Async />
                <Route path=path!("/admin/mail") view=MailPage ssr=SsrMode::Async />
                <Route path=path!("/admin/latency") view=LatencyPage ssr=SsrMode::Async />
                <Route path=path!("/admin/requests") view=AllRequestsPage ssr=SsrMode::Async />
                <Route path=path!("/admin/queue") view=QueueControlPage ssr=SsrMode::Async />
                <Route path=path!("/admin/alerts") view=AlertsPage ssr=SsrMode::Async />
                <Route path=path!("/admin/readiness") view=ReadinessPage ssr=SsrMode::Async />
                <Route path=path!("/admin/status") view=StatusDeskPage ssr=SsrMode::Async />
                <Route path=path!("/admin") view=OverviewPage ssr=SsrMode::Async />
                <Route path=path!("/status") view=StatusPage ssr=SsrMode::Async />
                <Route path=path!("/reference") view=ReferencePage ssr=SsrMode::Async />
            </Routes>
        </Router>
    }
}
