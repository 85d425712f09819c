"""Customers, products, prices and cards: what is there before anybody pays."""

import httpx
import pytest
import stripe


def test_customers_are_made_changed_listed_and_deleted(client):
    customer = client.customers.create({"email": "a@example.com", "metadata": {"a": "1", "b": "2"}, "address": {"city": "Berlin", "country": "DE"}})
    assert customer.object == "customer" and customer.address.city == "Berlin" and customer.address.line2 is None
    changed = client.customers.update(customer.id, {"name": "Ada", "metadata": {"b": "", "c": "3"}})
    assert changed.name == "Ada" and changed.email == "a@example.com"
    assert changed.metadata.to_dict() == {"a": "1", "c": "3"}
    assert [found.id for found in client.customers.list({"email": "a@example.com"}).data] == [customer.id]
    assert client.customers.delete(customer.id).deleted
    assert client.customers.retrieve(customer.id).deleted
    assert client.customers.list({"email": "a@example.com"}).data == []


def test_pages_lead_through_a_whole_list_and_back(client):
    made = [client.products.create({"name": f"Page {n}"}).id for n in range(25)]
    pages = client.products.list({"limit": 7})
    walked = [product.id for product in pages.auto_paging_iter() if product.name.startswith("Page")]
    assert walked == made[::-1]
    page = client.products.list({"limit": 3, "ending_before": made[10]})
    assert [product.id for product in page.data] == [made[13], made[12], made[11]] and page.has_more


def test_errors_are_typed_and_say_what_is_wrong(client):
    with pytest.raises(stripe.InvalidRequestError) as missing:
        client.customers.retrieve("cus_nobody")
    assert missing.value.code == "resource_missing" and missing.value.http_status == 404 and missing.value.param == "id"
    assert missing.value.request_id.startswith("req_")
    with pytest.raises(stripe.InvalidRequestError) as unknown:
        client.customers.create({"shoe_size": "42"})
    assert unknown.value.code == "parameter_unknown" and unknown.value.param == "shoe_size"
    with pytest.raises(stripe.InvalidRequestError) as required:
        client.prices.create({"currency": "usd", "unit_amount": 5})
    assert required.value.code == "parameter_missing"


def test_a_key_is_asked_for(twin):
    for headers in ({}, {"authorization": "Bearer sk_live_1"}, {"authorization": "Bearer nonsense"}):
        answer = httpx.get(f"{twin.url}/v1/customers", headers=headers)
        assert answer.status_code == 401 and answer.json()["error"]["type"] == "invalid_request_error"
    assert httpx.get(f"{twin.url}/v1/customers", auth=("sk_test_1", "")).status_code == 200


def test_an_idempotency_key_replays_the_answer(client, twin):
    options = {"idempotency_key": "create-once"}
    first = client.customers.create({"name": "Once"}, options)
    again = client.customers.create({"name": "Once"}, options)
    assert again.id == first.id and again.last_response.headers["idempotent-replayed"] == "true"
    with pytest.raises(stripe.IdempotencyError) as other:
        client.customers.create({"name": "Twice"}, options)
    assert other.value.http_status == 400
    assert sum(customer.name == "Once" for customer in client.customers.list({"limit": 100}).data) == 1


def test_products_and_prices_have_lookup_keys_and_filters(client, shop):
    price = shop.price(500, lookup_key="starter")
    assert [found.id for found in client.prices.list({"lookup_keys": ["starter"]}).data] == [price.id]
    with pytest.raises(stripe.InvalidRequestError):
        shop.price(600, lookup_key="starter")
    newer = shop.price(600, lookup_key="starter", transfer_lookup_key=True)
    assert [found.id for found in client.prices.list({"lookup_keys": ["starter"]}).data] == [newer.id]
    client.prices.update(price.id, {"active": False})
    active = client.prices.list({"product": shop.product.id, "active": True, "limit": 100}).data
    assert price.id not in [found.id for found in active] and newer.id in [found.id for found in active]
    assert client.prices.retrieve(price.id, {"expand": ["product"]}).product.name == "Studio"


def test_cards_work_decline_or_fail_later(client, shop):
    customer = shop.new_customer(card=None)
    for card, code in (("pm_card_chargeDeclined", "generic_decline"), ("pm_card_chargeDeclinedInsufficientFunds", "insufficient_funds")):
        with pytest.raises(stripe.CardError) as declined:
            client.payment_methods.attach(card, {"customer": customer.id})
        assert declined.value.code == "card_declined" and declined.value.error.decline_code == code
    method = client.payment_methods.attach("pm_card_chargeCustomerFail", {"customer": customer.id})
    assert method.card.last4 == "0341"
    with pytest.raises(stripe.CardError) as failed:
        client.payment_intents.create({"amount": 500, "currency": "usd", "customer": customer.id, "payment_method": method.id, "confirm": True})
    assert failed.value.error.payment_intent.status == "requires_payment_method"
    assert [found.id for found in client.customers.payment_methods.list(customer.id).data] == [method.id]
    assert client.payment_methods.detach(method.id).customer is None


def test_payments_are_refunded_in_parts_and_never_beyond(client, shop):
    method = shop.customer.invoice_settings.default_payment_method
    wanted = {"amount": 1000, "currency": "usd", "customer": shop.customer.id, "payment_method": method, "confirm": True}
    intent = client.payment_intents.create({**wanted, "expand": ["latest_charge"]})
    assert intent.status == "succeeded" and intent.latest_charge.amount == 1000
    client.refunds.create({"payment_intent": intent.id, "amount": 300}, {"idempotency_key": "refund-1"})
    client.refunds.create({"payment_intent": intent.id, "amount": 300}, {"idempotency_key": "refund-1"})
    assert client.charges.retrieve(intent.latest_charge.id).amount_refunded == 300
    with pytest.raises(stripe.InvalidRequestError):
        client.refunds.create({"payment_intent": intent.id, "amount": 701})
    assert client.refunds.create({"payment_intent": intent.id}).amount == 700
    with pytest.raises(stripe.InvalidRequestError) as gone:
        client.refunds.create({"payment_intent": intent.id})
    assert gone.value.code == "charge_already_refunded"


def test_tax_ids_and_balances_are_kept(client, shop):
    tax_id = client.customers.tax_ids.create(shop.customer.id, {"type": "eu_vat", "value": "DE123456789"})
    assert tax_id.country == "DE"
    assert [found.id for found in client.customers.tax_ids.list(shop.customer.id).data] == [tax_id.id]
    client.customers.balance_transactions.create(shop.customer.id, {"amount": -250, "currency": "usd"})
    assert client.customers.retrieve(shop.customer.id).balance == -250
    assert shop.client.invoices.retrieve(shop.subscribe().latest_invoice).amount_due == 750
