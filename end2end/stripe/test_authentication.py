"""A card whose owner has to agree to every charge: while they are there, and while they are away."""

import pytest
import stripe

START, DAY = 1_800_000_000, 86_400
CARD = "pm_card_authenticationRequired"


def agree(twin, url, answer="agree"):
    assert "Your bank asks you" in twin.http.get(url).text
    return twin.http.post(url, data={"answer": answer})


def intent_of(client, subscription):
    invoice = client.invoices.retrieve(client.subscriptions.retrieve(subscription.id).latest_invoice, {"expand": ["payments.data.payment.payment_intent"]})
    return invoice.payments.data[0].payment.payment_intent


def test_a_first_payment_waits_for_an_answer(client, shop, twin):
    subscription = shop.subscribe(customer=shop.new_customer(CARD))
    intent = intent_of(client, subscription)
    assert subscription.status == "incomplete" and intent.status == "requires_action"
    agree(twin, intent.next_action.redirect_to_url.url)
    assert client.subscriptions.retrieve(subscription.id).status == "active"
    assert client.payment_intents.retrieve(intent.id).next_action is None


def test_a_renewal_asks_again_and_is_paid_on_the_invoices_page(client, shop, twin, hook):
    subscription = shop.subscribe(customer=shop.new_customer(CARD))
    agree(twin, intent_of(client, subscription).next_action.redirect_to_url.url)
    shop.advance(START + 31 * DAY + 3600)
    twin.settle()
    assert client.subscriptions.retrieve(subscription.id).status == "past_due"
    assert {"invoice.payment_action_required", "invoice.payment_failed"} <= set(hook.types())
    invoice = client.invoices.list({"subscription": subscription.id, "limit": 1}).data[0]
    asked = twin.http.post(invoice.hosted_invoice_url, data={"card": "4000 0027 6000 3184"})
    answered = agree(twin, asked.headers["location"])
    assert answered.headers["location"] == f"/invoice/{invoice.id}"
    assert client.subscriptions.retrieve(subscription.id).status == "active"


def test_who_is_away_cannot_agree_and_who_refuses_does_not_pay(client, shop, twin):
    wanted = {"amount": 500, "currency": "usd", "payment_method": CARD, "confirm": True}
    with pytest.raises(stripe.CardError) as away:
        client.payment_intents.create({**wanted, "off_session": True})
    assert away.value.code == "authentication_required"
    intent = client.payment_intents.create({**wanted, "return_url": "http://localhost/back"})
    refused = agree(twin, intent.next_action.redirect_to_url.url, "refuse")
    assert refused.headers["location"] == "http://localhost/back"
    after = client.payment_intents.retrieve(intent.id)
    assert (after.status, after.last_payment_error.code) == ("requires_payment_method", "payment_intent_authentication_failure")


def test_checkout_asks_in_between(client, shop, twin):
    items = [{"price": shop.basic.id, "quantity": 1}]
    session = client.checkout.sessions.create({"mode": "subscription", "line_items": items, "success_url": "http://localhost/done"})
    typed = {"email": "e@example.com", "card": "4000002760003184", "name": "E"}
    asked = twin.http.post(session.url, data=typed)
    assert "Your bank asks you" in asked.text and "e@example.com" in asked.text
    assert client.checkout.sessions.retrieve(session.id).status == "open"
    assert twin.http.post(session.url, data={**typed, "agreed": "yes"}).status_code == 303
    done = client.checkout.sessions.retrieve(session.id, {"expand": ["subscription"]})
    assert done.payment_status == "paid" and done.subscription.status == "active"
