//! The pages that people open, and what their forms do. A page that says what went wrong is an answer like another: browsers write other
//! statuses to their console.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Form, Path, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Redirect, Response};
use serde_json::{Value, json};

use super::Shared;
use crate::account::payments::methods;
use crate::billing::invoices::{self, collect};
use crate::cards::TestCard;
use crate::hosted::checkout::{self, Entered};
use crate::hosted::pages;
use crate::hosted::portal::{self, Act, flows, sessions};
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World};

type Twin = State<Arc<Shared>>;
type Fill = Form<HashMap<String, String>>;

const SESSION: &str = "checkout.session";

pub async fn checkout(State(shared): Twin, Path(id): Path<String>) -> Response {
    shared.with_world(|world| show_checkout(world, &id, &Entered::default(), None))
}

/// Pays, and goes to where the client wants the person to be.
pub async fn pay(State(shared): Twin, Path(id): Path<String>, Form(form): Fill) -> Response {
    let field = |name: &str| form.get(name).map(|value| value.trim().to_owned()).unwrap_or_default();
    let entered = Entered {
        email: field("email"),
        name: field("name"),
        card: field("card"),
        country: field("country").to_uppercase(),
        postal_code: field("postal_code"),
        promotion_code: field("promotion_code"),
        agreed: field("agreed") == "yes",
    };
    shared.with_world(|world| {
        let is_open = world.get(SESSION, &id).is_some_and(|session| session.text("status") == Some("open"));
        if is_open && let Err(error) = checkout::pay(world, &id, &entered) {
            if let (Some("authentication_required"), Some(session)) = (error.body.text("code"), world.get(SESSION, &id)) {
                return Html(pages::agreement(session, &entered)).into_response();
            }
            return show_checkout(world, &id, &entered, Some(&message(&error)));
        }
        // A form that is sent twice leads to the same place.
        match world.get(SESSION, &id) {
            Some(session) if session.text("status") == Some("complete") => leave(session, "success_url"),
            _ => show_checkout(world, &id, &entered, None),
        }
    })
}

pub async fn cancel_checkout(State(shared): Twin, Path(id): Path<String>) -> Response {
    shared.with_world(|world| world.get(SESSION, &id).map_or_else(missing, |session| leave(session, "cancel_url")))
}

fn leave(session: &Value, field: &str) -> Response {
    let target = session.text(field).unwrap_or("/");
    Redirect::to(&pages::place(target, session.text("id").unwrap_or_default())).into_response()
}

fn show_checkout(world: &World, id: &str, entered: &Entered, problem: Option<&str>) -> Response {
    let Some(session) = world.get(SESSION, id) else { return missing() };
    match session.text("status") {
        Some("complete") => Html(pages::message("All done", "You have already completed this checkout.")).into_response(),
        Some("expired") => {
            let words = "This checkout session has expired. Go back to where you came from and begin again.";
            (StatusCode::GONE, Html(pages::message("Too late", words))).into_response()
        }
        _ => {
            let items = world.secrets.checkout.get(id).map(|details| details.line_items.clone()).unwrap_or_default();
            Html(pages::checkout(session, &items, entered, problem)).into_response()
        }
    }
}

pub async fn portal(State(shared): Twin, Path(secret): Path<String>) -> Response {
    shared.with_world(|world| show_portal(world, &secret, None))
}

pub async fn portal_act(State(shared): Twin, Path(secret): Path<String>, Form(form): Fill) -> Response {
    let field = |name: &str| form.get(name).cloned().unwrap_or_default();
    let subscription = field("subscription");
    let act = match field("act").as_str() {
        "change" => Act::ChangePlan { subscription, price: field("price"), quantity: field("quantity").parse().ok() },
        "cancel" => Act::Cancel { subscription },
        "resume" => Act::Resume { subscription },
        _ => Act::AddCard { number: field("card") },
    };
    shared.with_world(|world| {
        let Some(session) = sessions::by_secret(world, &secret).cloned() else { return missing() };
        match portal::act(world, &session, act) {
            Ok(()) => {
                let portal = format!("/p/session/{secret}");
                Redirect::to(flows::destination(&session).unwrap_or(&portal)).into_response()
            }
            Err(error) => show_portal(world, &secret, Some(&message(&error))),
        }
    })
}

fn show_portal(world: &World, secret: &str, problem: Option<&str>) -> Response {
    let Some(session) = sessions::by_secret(world, secret) else { return missing() };
    Html(pages::portal(world, session, problem)).into_response()
}

pub async fn invoice(State(shared): Twin, Path(id): Path<String>) -> Response {
    shared.with_world(|world| show_invoice(world, &id, None))
}

/// Pays an open invoice with a card that is kept for the customer.
pub async fn pay_invoice(State(shared): Twin, Path(id): Path<String>, Form(form): Fill) -> Response {
    let number = form.get("card").cloned().unwrap_or_default();
    shared.with_world(|world| {
        let Some(card) = TestCard::numbered(&number) else { return show_invoice(world, &id, Some("Your card number is incorrect.")) };
        let customer = world.get("invoice", &id).and_then(|invoice| invoice.text("customer")).map(str::to_owned);
        let method = methods::issue(world, card, customer.as_deref());
        let params = Params::new(json!({"payment_method": method}));
        match invoices::pay(world, &id, &params) {
            Ok(_) => Redirect::to(&format!("/invoice/{id}")).into_response(),
            Err(error) if error.body.text("code") == Some("invoice_payment_intent_requires_action") => {
                let intent = invoices::payments::intent_of(world, &id).unwrap_or_default();
                Redirect::to(&format!("/authenticate/{intent}")).into_response()
            }
            Err(error) => show_invoice(world, &id, Some(&message(&error))),
        }
    })
}

pub async fn ask_owner(State(shared): Twin, Path(id): Path<String>) -> Response {
    let waits =
        shared.with_world(|world| world.get("payment_intent", &id).is_some_and(|intent| intent.text("status") == Some("requires_action")));
    if waits { Html(pages::authentication(&id)).into_response() } else { missing() }
}

/// Goes back to where the payment came from: to the client's address, to the invoice, or nowhere.
pub async fn hear_owner(State(shared): Twin, Path(id): Path<String>, Form(form): Fill) -> Response {
    let agrees = form.get("answer").is_some_and(|answer| answer == "agree");
    shared.with_world(|world| {
        let Some(intent) = world.get("payment_intent", &id).cloned() else { return missing() };
        collect::authenticate(world, &id, agrees);
        let invoice = invoices::payments::invoice_of(world, &id).map(|invoice| format!("/invoice/{invoice}"));
        let wanted = intent["next_action"]["redirect_to_url"].text("return_url").map(str::to_owned);
        match wanted.or(invoice) {
            Some(place) => Redirect::to(&place).into_response(),
            None => Html(pages::message("Thank you", "You may close this page.")).into_response(),
        }
    })
}

fn show_invoice(world: &World, id: &str, problem: Option<&str>) -> Response {
    let Some(invoice) = world.get("invoice", id) else { return missing() };
    Html(pages::invoice(invoice, problem)).into_response()
}

fn message(error: &StripeError) -> String {
    error.body.text("message").unwrap_or("Something went wrong.").to_owned()
}

fn missing() -> Response {
    (StatusCode::NOT_FOUND, Html(pages::message("Not found", "There is nothing here."))).into_response()
}
