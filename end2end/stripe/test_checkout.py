"""Pages that people click through: checkout, the customer portal, invoices."""

import re

import pytest
import stripe


@pytest.fixture
def browse(twin):
    """Opens and sends pages as a browser without scripts does."""

    def browse(url, **form):
        return twin.http.post(url, data=form) if form else twin.http.get(url)

    return browse


def session_for(client, shop, **more):
    wanted = {
        "mode": "subscription",
        "line_items": [{"price": shop.basic.id, "quantity": 1}],
        "success_url": "http://localhost/done?session={CHECKOUT_SESSION_ID}",
        "cancel_url": "http://localhost/back",
        **more,
    }
    return client.checkout.sessions.create({name: value for name, value in wanted.items() if value is not None})


def test_a_person_subscribes(client, shop, browse, twin, hook):
    data = {"metadata": {"tenant": "t1"}}
    session = session_for(client, shop, client_reference_id="t1", subscription_data=data, metadata={"from": "pricing"})
    assert (session.status, session.payment_status, session.amount_total) == ("open", "unpaid", 1000)
    page = browse(session.url)
    assert "Studio" in page.text and "$10.00" in page.text and "<script" not in page.text
    declined = browse(session.url, email="bo@example.com", card="4000 0000 0000 0002", name="Bo")
    assert declined.status_code == 200 and "Your card was declined." in declined.text and "bo@example.com" in declined.text
    twin.settle()
    assert {"charge.failed", "payment_intent.payment_failed"} <= set(hook.types()) and "customer.created" not in hook.types()
    paid = browse(session.url, email="bo@example.com", card="4242 4242 4242 4242", name="Bo", country="DE", postal_code="10115")
    assert paid.status_code == 303 and paid.headers["location"] == f"http://localhost/done?session={session.id}"
    done = client.checkout.sessions.retrieve(session.id, {"expand": ["subscription", "customer", "line_items", "invoice"]})
    assert (done.status, done.payment_status, done.url) == ("complete", "paid", None)
    assert done.customer.email == done.customer_details.email == "bo@example.com"
    assert done.subscription.status == "active" and done.subscription.metadata.to_dict() == {"tenant": "t1"}
    assert done.line_items.data[0].price.id == shop.basic.id and done.invoice.status == "paid"
    twin.settle()
    types = hook.types()
    assert {"customer.created", "payment_method.attached", "customer.subscription.created", "invoice.paid"} <= set(types)
    assert types.count("checkout.session.completed") == 1
    again = browse(session.url, email="bo@example.com", card="4242424242424242", name="Bo")
    assert again.status_code == 303
    assert len(client.subscriptions.list({"customer": done.customer.id}).data) == 1


def test_a_person_goes_back(client, shop, browse):
    session = session_for(client, shop)
    assert browse(f"{session.url}/cancel").headers["location"] == "http://localhost/back"
    expired = client.checkout.sessions.expire(session.id)
    assert expired.status == "expired" and browse(session.url).status_code == 410
    with pytest.raises(stripe.InvalidRequestError):
        client.checkout.sessions.expire(session.id)


def test_a_known_customer_buys_something_once(client, shop, browse):
    price = client.prices.create({"product": shop.product.id, "currency": "usd", "unit_amount": 2500})
    session = session_for(client, shop, mode="payment", line_items=[{"price": price.id, "quantity": 2}], customer=shop.customer.id)
    assert browse(session.url, card="4242424242424242", name="Ada").status_code == 303
    done = client.checkout.sessions.retrieve(session.id, {"expand": ["payment_intent"]})
    assert (done.payment_intent.amount, done.payment_intent.status, done.payment_intent.customer) == (5000, "succeeded", shop.customer.id)


def test_a_card_is_saved_for_later(client, shop, browse):
    session = session_for(client, shop, mode="setup", line_items=None, customer=shop.customer.id, currency="usd")
    assert browse(session.url, card="4000000000000341", name="Ada").status_code == 303
    done = client.checkout.sessions.retrieve(session.id, {"expand": ["setup_intent.payment_method"]})
    assert done.setup_intent.status == "succeeded" and done.setup_intent.payment_method.card.last4 == "0341"


def test_a_code_and_a_trial_change_what_is_due(client, shop, browse):
    coupon = client.coupons.create({"amount_off": 400, "currency": "usd", "duration": "forever"})
    client.promotion_codes.create({"promotion": {"type": "coupon", "coupon": coupon.id}, "code": "FOUR"})
    session = session_for(client, shop, allow_promotion_codes=True)
    wrong = browse(session.url, email="c@example.com", card="4242424242424242", promotion_code="FIVE")
    assert wrong.status_code == 200 and "This code is invalid." in wrong.text
    assert browse(session.url, email="c@example.com", card="4242424242424242", promotion_code="four").status_code == 303
    done = client.checkout.sessions.retrieve(session.id, {"expand": ["invoice"]})
    assert done.amount_total == done.invoice.total == 600 and done.total_details.amount_discount == 400
    trial = session_for(client, shop, subscription_data={"trial_period_days": 7})
    assert trial.amount_total == 0
    assert browse(trial.url, email="d@example.com", card="4242424242424242").status_code == 303
    begun = client.checkout.sessions.retrieve(trial.id, {"expand": ["subscription"]})
    assert begun.payment_status == "no_payment_required" and begun.subscription.status == "trialing"


def test_a_session_that_nobody_finishes_expires(twin, client, shop):
    session = session_for(client, shop)
    twin.door("/clock/advance", seconds=86_401)
    assert client.checkout.sessions.retrieve(session.id).status == "expired"


def test_the_portal_changes_plan_card_and_end(client, shop, browse):
    subscription = shop.subscribe()
    features = {
        "subscription_update": {
            "enabled": True,
            "default_allowed_updates": ["price"],
            "proration_behavior": "always_invoice",
            "products": [{"product": shop.product.id, "prices": [shop.basic.id, shop.pro.id]}],
        },
        "subscription_cancel": {"enabled": True, "mode": "at_period_end"},
        "payment_method_update": {"enabled": True},
        "invoice_history": {"enabled": True},
    }
    configuration = client.billing_portal.configurations.create({"features": features})
    wanted = {"customer": shop.customer.id, "return_url": "http://localhost/account", "configuration": configuration.id}
    url = client.billing_portal.sessions.create(wanted).url
    page = browse(url).text
    assert "Renews on 15 Feb 2027" in page and "http://localhost/account" in page and "$30.00 / month" in page
    assert browse(url, act="change", subscription=subscription.id, price=shop.pro.id).status_code == 303
    assert client.subscriptions.retrieve(subscription.id)["items"].data[0].price.id == shop.pro.id
    assert browse(url, act="cancel", subscription=subscription.id).status_code == 303
    assert "Ends on 15 Feb 2027" in browse(url).text
    assert browse(url, act="resume", subscription=subscription.id).status_code == 303
    assert not client.subscriptions.retrieve(subscription.id).cancel_at_period_end
    assert "Your card was declined." in browse(url, act="card", card="4000000000000002").text
    assert browse(url, act="card", card="5555555555554444").status_code == 303
    assert "mastercard ending in 4444" in browse(url).text
    other = shop.subscribe(customer=shop.new_customer())
    assert "No such subscription" in browse(url, act="cancel", subscription=other.id).text


def test_a_visit_to_the_portal_can_have_one_purpose(client, shop, browse):
    subscription = shop.subscribe()
    item = subscription["items"].data[0].id
    home = {"type": "redirect", "redirect": {"return_url": "http://localhost/upgraded"}}
    confirm = {"subscription": subscription.id, "items": [{"id": item, "price": shop.pro.id, "quantity": 2}]}
    flow = {"type": "subscription_update_confirm", "subscription_update_confirm": confirm, "after_completion": home}
    session = client.billing_portal.sessions.create({"customer": shop.customer.id, "flow_data": flow})
    page = browse(session.url).text
    assert "Change to Studio, $30.00 / month" in page and "Invoices" not in page and "Cancel plan" not in page
    done = browse(session.url, act="change", subscription=subscription.id, price=shop.pro.id, quantity="2")
    assert done.headers["location"] == "http://localhost/upgraded"
    assert client.subscriptions.retrieve(subscription.id)["items"].data[0].quantity == 2
    for purpose, words in (("subscription_cancel", "Cancel plan"), ("subscription_update", "Change plan"), ("payment_method_update", "Update card")):
        flow = {"type": purpose}
        if purpose != "payment_method_update":
            flow[purpose] = {"subscription": subscription.id}
        url = client.billing_portal.sessions.create({"customer": shop.customer.id, "flow_data": flow}).url
        assert words in browse(url).text
    others = {"type": "subscription_cancel", "subscription_cancel": {"subscription": subscription.id}}
    with pytest.raises(stripe.InvalidRequestError):
        client.billing_portal.sessions.create({"customer": shop.new_customer().id, "flow_data": others})


def test_an_open_invoice_is_paid_on_its_page(client, shop, browse):
    customer = shop.new_customer("pm_card_chargeCustomerFail")
    subscription = shop.subscribe(customer=customer, expand=["latest_invoice"])
    url = subscription.latest_invoice.hosted_invoice_url
    assert re.search(r"Pay \$10\.00", browse(url).text)
    assert "Your card was declined." in browse(url, card="4000000000000002").text
    assert browse(url, card="4242424242424242").status_code == 303
    assert client.subscriptions.retrieve(subscription.id).status == "active"
    assert browse(subscription.latest_invoice.invoice_pdf).status_code == 200
