"""Subscriptions over time: first payments, changes, renewals, dunning, ends."""

import pytest
import stripe

START, DAY = 1_800_000_000, 86_400
# 15 January to 15 February 2027.
MONTH = 31 * DAY


def test_a_first_payment_makes_it_active(client, shop):
    subscription = shop.subscribe(expand=["latest_invoice.payments", "items.data.price.product"])
    item = subscription["items"].data[0]
    assert subscription.status == "active" and (item.current_period_start, item.current_period_end) == (START, START + MONTH)
    assert item.price.product.name == "Studio" and item.plan.amount == 1000
    invoice = subscription.latest_invoice
    assert (invoice.status, invoice.total, invoice.amount_paid, invoice.billing_reason) == ("paid", 1000, 1000, "subscription_create")
    assert invoice.parent.subscription_details.subscription == subscription.id
    payment = invoice.payments.data[0].payment.payment_intent
    assert client.payment_intents.retrieve(payment).status == "succeeded"
    assert invoice.lines.data[0].pricing.price_details.price == shop.basic.id


def test_a_refused_first_payment_leaves_it_incomplete_until_it_is_paid(client, shop):
    customer = shop.new_customer("pm_card_chargeCustomerFail")
    subscription = shop.subscribe(customer=customer)
    assert subscription.status == "incomplete"
    with pytest.raises(stripe.CardError):
        shop.subscribe(customer=customer, payment_behavior="error_if_incomplete")
    assert len(client.subscriptions.list({"customer": customer.id, "status": "all"}).data) == 1
    client.invoices.pay(subscription.latest_invoice, {"payment_method": "pm_card_visa"})
    assert client.subscriptions.retrieve(subscription.id).status == "active"


def test_nobody_pays_for_a_day_and_it_expires(client, shop):
    subscription = shop.subscribe(payment_behavior="default_incomplete", expand=["latest_invoice.confirmation_secret"])
    assert subscription.status == "incomplete" and subscription.latest_invoice.confirmation_secret.client_secret.startswith("pi_")
    shop.advance(START + DAY)
    assert client.subscriptions.retrieve(subscription.id).status == "incomplete_expired"
    assert client.invoices.retrieve(subscription.latest_invoice.id).status == "void"


def test_confirming_the_payment_makes_it_active(client, shop):
    subscription = shop.subscribe(payment_behavior="default_incomplete", expand=["latest_invoice.payments"])
    intent = subscription.latest_invoice.payments.data[0].payment.payment_intent
    with pytest.raises(stripe.CardError):
        client.payment_intents.confirm(intent, {"payment_method": "pm_card_chargeCustomerFail"})
    assert client.subscriptions.retrieve(subscription.id).status == "incomplete"
    client.payment_intents.confirm(intent, {"payment_method": "pm_card_visa"})
    assert client.subscriptions.retrieve(subscription.id).status == "active"


def test_an_upgrade_is_prorated_to_the_cent(client, shop):
    subscription = shop.subscribe()
    item = subscription["items"].data[0].id
    shop.advance(START + 10 * DAY)
    change = {"items": [{"id": item, "price": shop.pro.id}], "proration_behavior": "always_invoice"}
    preview = client.invoices.create_preview({"subscription": subscription.id, "subscription_details": change})
    upgraded = client.subscriptions.update(subscription.id, {**change, "expand": ["latest_invoice"]})
    # 21 of 31 days are left: 1000 * 21 / 31 = 677.4, 3000 * 21 / 31 = 2032.3
    amounts = [line.amount for line in upgraded.latest_invoice.lines.data]
    assert amounts == [-677, 2032] and upgraded.latest_invoice.total == preview.total == 1355
    assert [line.parent.subscription_item_details.proration for line in upgraded.latest_invoice.lines.data] == [True, True]
    assert upgraded.latest_invoice.status == "paid" and upgraded.latest_invoice.billing_reason == "subscription_update"
    assert upgraded["items"].data[0].current_period_end == START + MONTH


def test_a_downgrade_waits_for_the_next_invoice(client, shop):
    subscription = shop.subscribe(shop.pro)
    shop.advance(START + MONTH // 2)
    item = subscription["items"].data[0].id
    client.subscriptions.update(subscription.id, {"items": [{"id": item, "price": shop.basic.id}], "proration_behavior": "create_prorations"})
    assert sorted(found.amount for found in client.invoice_items.list({"customer": shop.customer.id, "pending": True}).data) == [-1500, 500]
    preview = client.invoices.create_preview({"subscription": subscription.id})
    shop.advance(START + MONTH + 2 * 3600)
    invoice = client.invoices.list({"subscription": subscription.id, "limit": 1}).data[0]
    assert sorted(line.amount for line in invoice.lines.data) == [-1500, 500, 1000]
    assert invoice.total == preview.total == 0 and invoice.status == "paid"


def test_credit_beyond_an_invoice_goes_to_the_customers_balance(client, shop):
    subscription = shop.subscribe(shop.pro)
    item = subscription["items"].data[0].id
    change = {"items": [{"id": item, "price": shop.basic.id}], "proration_behavior": "always_invoice", "expand": ["latest_invoice"]}
    changed = client.subscriptions.update(subscription.id, change)
    assert (changed.latest_invoice.total, changed.latest_invoice.amount_due, changed.latest_invoice.status) == (-2000, 0, "paid")
    assert client.customers.retrieve(shop.customer.id).balance == -2000


def test_without_proration_nothing_is_owed_for_the_rest(client, shop):
    subscription = shop.subscribe()
    item = subscription["items"].data[0].id
    client.subscriptions.update(subscription.id, {"items": [{"id": item, "quantity": 5}], "proration_behavior": "none"})
    assert client.invoice_items.list({"customer": shop.customer.id, "pending": True}).data == []
    assert client.invoices.create_preview({"subscription": subscription.id}).total == 5000


def test_another_interval_begins_a_new_period(client, shop):
    yearly = shop.price(10_000, recurring={"interval": "year"})
    subscription = shop.subscribe()
    shop.advance(START + 10 * DAY)
    item = subscription["items"].data[0].id
    changed = client.subscriptions.update(subscription.id, {"items": [{"id": item, "price": yearly.id}], "expand": ["latest_invoice"]})
    assert changed["items"].data[0].current_period_start == START + 10 * DAY == changed.billing_cycle_anchor
    assert sorted(line.amount for line in changed.latest_invoice.lines.data) == [-677, 10_000]


def test_a_renewal_is_a_draft_for_an_hour_and_then_paid(client, shop):
    subscription = shop.subscribe()
    shop.advance(START + MONTH)
    invoice = client.invoices.list({"subscription": subscription.id, "limit": 1}).data[0]
    assert (invoice.status, invoice.billing_reason) == ("draft", "subscription_cycle")
    assert invoice.automatically_finalizes_at == START + MONTH + 3600
    shop.advance(START + MONTH + 3600)
    assert client.invoices.retrieve(invoice.id).status == "paid"
    assert client.subscriptions.retrieve(subscription.id)["items"].data[0].current_period_end == START + MONTH + 28 * DAY


def test_a_clock_does_not_jump_over_two_periods(client, shop):
    shop.subscribe()
    with pytest.raises(stripe.InvalidRequestError):
        shop.advance(START + 100 * DAY)
    with pytest.raises(stripe.InvalidRequestError):
        shop.advance(START)


def test_dunning_tries_again_and_ends_in_cancellation(client, shop, twin):
    subscription = shop.subscribe()
    twin.door("/cards", card=shop.customer.id, decline="insufficient_funds")
    shop.advance(START + MONTH + 3600)
    invoice = client.invoices.list({"subscription": subscription.id, "limit": 1}).data[0]
    assert client.subscriptions.retrieve(subscription.id).status == "past_due"
    assert client.customers.retrieve(shop.customer.id).delinquent
    tries = [invoice.next_payment_attempt]
    while (following := client.invoices.retrieve(invoice.id).next_payment_attempt) is not None:
        shop.advance(following)
        tries.append(following)
    assert [later - earlier for earlier, later in zip(tries[1:], tries[2:])] == [5 * DAY, 7 * DAY]
    assert client.invoices.retrieve(invoice.id).attempt_count == 4
    ended = client.subscriptions.retrieve(subscription.id)
    assert (ended.status, ended.cancellation_details.reason) == ("canceled", "payment_failed")


def test_a_better_card_ends_dunning(client, shop, twin):
    subscription = shop.subscribe()
    twin.door("/cards", card=shop.customer.id, decline="generic_decline")
    shop.advance(START + MONTH + 3600)
    assert client.subscriptions.retrieve(subscription.id).status == "past_due"
    twin.door("/cards", card=shop.customer.id)
    shop.advance(START + MONTH + 3600 + 3 * DAY)
    assert client.subscriptions.retrieve(subscription.id).status == "active"
    assert not client.customers.retrieve(shop.customer.id).delinquent


def test_a_trial_costs_nothing_is_announced_and_ends_in_a_payment(client, shop, twin, hook):
    subscription = shop.subscribe(trial_period_days=14)
    assert subscription.status == "trialing" and subscription.trial_end == START + 14 * DAY
    assert client.invoices.retrieve(subscription.latest_invoice).total == 0
    shop.advance(START + 11 * DAY)
    twin.settle()
    assert hook.types().count("customer.subscription.trial_will_end") == 1
    shop.advance(START + 14 * DAY + 3600)
    after = client.subscriptions.retrieve(subscription.id, {"expand": ["latest_invoice"]})
    assert after.status == "active" and (after.latest_invoice.total, after.latest_invoice.status) == (1000, "paid")


def test_a_trial_without_a_card_may_end_it(client, shop):
    customer = shop.new_customer(card=None)
    settings = {"end_behavior": {"missing_payment_method": "cancel"}}
    subscription = shop.subscribe(customer=customer, trial_period_days=7, trial_settings=settings)
    shop.advance(START + 7 * DAY)
    assert client.subscriptions.retrieve(subscription.id).status == "canceled"


def test_it_ends_with_its_period_unless_it_is_resumed(client, shop):
    ends, stays = shop.subscribe(), shop.subscribe(shop.pro)
    for subscription in (ends, stays):
        changed = client.subscriptions.update(subscription.id, {"cancel_at_period_end": True})
        assert changed.cancel_at == START + MONTH and changed.status == "active"
    assert client.subscriptions.update(stays.id, {"cancel_at_period_end": False}).cancel_at is None
    shop.advance(START + MONTH)
    assert client.subscriptions.retrieve(ends.id).status == "canceled"
    assert client.subscriptions.retrieve(stays.id).status == "active"


def test_canceling_at_once_can_give_the_rest_back(client, shop):
    subscription = shop.subscribe(shop.pro)
    shop.advance(START + 10 * DAY)
    canceled = client.subscriptions.cancel(subscription.id, {"prorate": True, "invoice_now": True})
    assert canceled.status == "canceled" and canceled.ended_at == START + 10 * DAY
    assert client.customers.retrieve(shop.customer.id).balance == -2032


def test_coupons_and_promotion_codes_reduce_invoices(client, shop):
    coupon = client.coupons.create({"percent_off": 25, "duration": "once"})
    code = client.promotion_codes.create({"promotion": {"type": "coupon", "coupon": coupon.id}, "code": "QUARTER"})
    subscription = shop.subscribe(discounts=[{"promotion_code": code.id}], expand=["latest_invoice"])
    assert (subscription.latest_invoice.subtotal, subscription.latest_invoice.total) == (1000, 750)
    assert subscription.latest_invoice.total_discount_amounts[0].amount == 250
    assert client.invoices.create_preview({"subscription": subscription.id}).total == 1000
    assert client.promotion_codes.list({"code": "quarter"}).data[0].times_redeemed == 1


def test_an_invoice_by_hand_is_drafted_finalized_paid_or_voided(client, shop):
    invoice = client.invoices.create({"customer": shop.customer.id})
    client.invoice_items.create({"customer": shop.customer.id, "invoice": invoice.id, "amount": 700, "currency": "usd", "description": "Setup"})
    client.invoice_items.create({"customer": shop.customer.id, "invoice": invoice.id, "amount": 300, "currency": "usd"})
    opened = client.invoices.finalize_invoice(invoice.id)
    assert (opened.status, opened.total, len(opened.lines.data)) == ("open", 1000, 2) and opened.number.endswith("0001")
    assert client.invoices.pay(invoice.id).status == "paid"
    with pytest.raises(stripe.InvalidRequestError):
        client.invoices.void_invoice(invoice.id)
    note = client.credit_notes.create({"invoice": invoice.id, "amount": 400, "refund_amount": 400})
    assert note.refunds[0].amount_refunded == 400
    other = client.invoices.finalize_invoice(client.invoices.create({"customer": shop.customer.id, "auto_advance": False}).id)
    assert other.status == "paid"  # Nothing was due.
