"""Changes of subscriptions that are asked for less often."""

import pytest
import stripe

START, DAY = 1_800_000_000, 86_400


def test_a_trial_that_is_ended_early_is_paid_at_once(client, shop):
    subscription = shop.subscribe(trial_period_days=14)
    shop.advance(START + 3 * DAY)
    begun = client.subscriptions.update(subscription.id, {"trial_end": "now", "expand": ["latest_invoice"]})
    assert (begun.status, begun.latest_invoice.total, begun.latest_invoice.status) == ("active", 1000, "paid")
    assert begun["items"].data[0].current_period_start == START + 3 * DAY


def test_a_trial_can_be_made_longer(client, shop):
    subscription = shop.subscribe(trial_period_days=7)
    longer = client.subscriptions.update(subscription.id, {"trial_end": START + 20 * DAY, "proration_behavior": "none"})
    assert longer.status == "trialing" and longer["items"].data[0].current_period_end == START + 20 * DAY


def test_the_anchor_can_be_reset(client, shop):
    subscription = shop.subscribe()
    shop.advance(START + 10 * DAY)
    reset = client.subscriptions.update(subscription.id, {"billing_cycle_anchor": {"type": "now"}, "expand": ["latest_invoice"]})
    assert [line.amount for line in reset.latest_invoice.lines.data] == [-677, 1000]
    assert reset.billing_cycle_anchor == START + 10 * DAY


def test_items_are_added_changed_and_removed_one_by_one(client, shop):
    subscription = shop.subscribe()
    extra = client.subscription_items.create({"subscription": subscription.id, "price": shop.pro.id, "proration_behavior": "none"})
    assert client.subscription_items.update(extra.id, {"quantity": 2, "proration_behavior": "none"}).quantity == 2
    assert len(client.subscription_items.list({"subscription": subscription.id}).data) == 2
    assert client.invoices.create_preview({"subscription": subscription.id}).total == 7000
    assert client.subscription_items.delete(extra.id, {"proration_behavior": "none"}).deleted
    with pytest.raises(stripe.InvalidRequestError):
        client.subscription_items.retrieve(extra.id)
    with pytest.raises(stripe.InvalidRequestError):
        client.subscription_items.create({"subscription": subscription.id, "price": shop.basic.id})


def test_an_invoice_can_be_sent_instead_of_charged(client, shop):
    subscription = shop.subscribe(collection_method="send_invoice", days_until_due=30, customer=shop.new_customer(card=None))
    assert subscription.status == "active"
    shop.advance(START + 3600)
    invoice = client.invoices.retrieve(subscription.latest_invoice)
    assert (invoice.status, invoice.due_date, invoice.attempt_count) == ("open", START + 30 * DAY, 0)
    assert client.invoices.pay(invoice.id, {"paid_out_of_band": True}).status == "paid"


def test_what_pays_first_can_become_the_default(client, shop):
    customer = shop.new_customer(card=None)
    settings = {"save_default_payment_method": "on_subscription"}
    subscription = shop.subscribe(
        customer=customer, payment_behavior="default_incomplete", payment_settings=settings, expand=["latest_invoice.payments"]
    )
    intent = subscription.latest_invoice.payments.data[0].payment.payment_intent
    method = client.payment_intents.confirm(intent, {"payment_method": "pm_card_visa"}).payment_method
    assert client.subscriptions.retrieve(subscription.id).default_payment_method == method


def test_a_yearly_plan_with_several_seats_in_tiers(client, shop):
    tiers = [{"up_to": 5, "unit_amount": 1000}, {"up_to": "inf", "unit_amount": 800, "flat_amount": 100}]
    wanted = {"product": shop.product.id, "currency": "usd", "recurring": {"interval": "year"}, "billing_scheme": "tiered"}
    price = client.prices.create({**wanted, "tiers_mode": "graduated", "tiers": tiers})
    subscription = shop.subscribe(items=[{"price": price.id, "quantity": 7}], expand=["latest_invoice"])
    assert subscription.latest_invoice.total == 5 * 1000 + 2 * 800 + 100
    assert subscription["items"].data[0].current_period_end == START + 365 * DAY


def test_a_list_can_be_expanded_and_filtered(client, shop):
    subscription = shop.subscribe()
    listed = client.subscriptions.list({"customer": shop.customer.id, "expand": ["data.latest_invoice.payments", "data.customer"]})
    assert listed.data[0].latest_invoice.payments.data[0].status == "paid" and listed.data[0].customer.name == "Ada"
    assert client.subscriptions.list({"price": shop.pro.id, "customer": shop.customer.id}).data == []
    client.subscriptions.cancel(subscription.id)
    assert client.subscriptions.list({"customer": shop.customer.id}).data == []
    assert client.subscriptions.list({"customer": shop.customer.id, "status": "canceled"}).data[0].id == subscription.id
    with pytest.raises(stripe.InvalidRequestError):
        client.subscriptions.list({"expand": ["data.shoe"]})


def test_used_up_coupons_are_refused(client, shop):
    coupon = client.coupons.create({"percent_off": 50, "duration": "forever", "max_redemptions": 1})
    first = shop.subscribe(discounts=[{"coupon": coupon.id}], expand=["latest_invoice"])
    assert first.latest_invoice.total == 500
    with pytest.raises(stripe.InvalidRequestError):
        shop.subscribe(discounts=[{"coupon": coupon.id}])
    shop.advance(START + 31 * DAY + 3600)
    assert client.invoices.list({"subscription": first.id, "limit": 1}).data[0].total == 500


def test_deleting_a_customer_or_a_clock_ends_what_is_theirs(client, shop):
    other = shop.new_customer()
    gone, left = shop.subscribe(customer=other), shop.subscribe()
    client.customers.delete(other.id)
    assert client.subscriptions.retrieve(gone.id).status == "canceled"
    assert client.subscriptions.retrieve(left.id).status == "active"
    assert client.test_helpers.test_clocks.delete(shop.clock.id).deleted
    with pytest.raises(stripe.InvalidRequestError):
        client.subscriptions.retrieve(left.id)
