"""Deliveries: signed, tried again, and everything that can go wrong with them."""

import time

import pytest
import stripe

from conftest import SECRET


def make(client, count, name="Hook"):
    return [client.products.create({"name": f"{name} {n}"}).id for n in range(count)]


def test_every_delivery_passes_the_vendors_check(client, twin, hook):
    product = client.products.create({"name": "Signed"})
    twin.settle()
    [event] = hook.events()
    assert (event.type, event.data.object.id, event.livemode) == ("product.created", product.id, False)
    assert event.request.id.startswith("req_") and client.events.retrieve(event.id).type == "product.created"
    body, signature = hook.requests[0]
    for broken in ((body + b" ", signature, SECRET), (body, signature, "whsec_other"), (body, signature.replace("v1", "v0"), SECRET)):
        with pytest.raises(stripe.SignatureVerificationError):
            stripe.Webhook.construct_event(*broken)
    old = int(time.time()) - 301
    with pytest.raises(stripe.SignatureVerificationError):
        stripe.Webhook.construct_event(body, signature.replace(signature.split(",")[0], f"t={old}"), SECRET)


def test_updates_say_what_was_before(client, twin, hook):
    product = client.products.create({"name": "Old"})
    client.products.update(product.id, {"name": "New"})
    twin.settle()
    update = next(event for event in hook.events() if event.type == "product.updated")
    assert update.data.object.name == "New" and update.data.previous_attributes["name"] == "Old"


def test_what_is_refused_is_tried_again(client, twin, hook):
    hook.answers += [500, 404]
    make(client, 1)
    twin.settle()
    assert len(hook.requests) == 3 and len({event.id for event in hook.events()}) == 1
    hook.answers += [500] * 3
    make(client, 1)
    twin.settle()
    assert len(twin.deliveries(status="failed")) == 1


def test_copies_and_shuffling_lose_nothing(client, twin, hook):
    twin.door("/faults", seed=3, copies=5, shuffle_ms=300, parallel=8)
    made = make(client, 40)
    twin.settle()
    seen = [event.data.object.id for event in hook.events()]
    assert set(seen) == set(made) and len(seen) > 80
    first_seen = list(dict.fromkeys(seen))
    assert first_seen != made


def test_what_is_lost_is_still_listed(client, twin, hook):
    since = client.events.list({"limit": 1}).data[0]
    twin.door("/faults", seed=5, drop_probability=0.5)
    made = make(client, 40)
    twin.settle()
    seen = {event.data.object.id for event in hook.events()}
    assert 5 < len(seen) < 35
    listed = client.events.list({"type": "product.created", "ending_before": since.id, "limit": 100, "created": {"gte": since.created}})
    assert {event.data.object.id for event in listed.data} == set(made)
    missing = next(event for event in listed.data if event.data.object.id not in seen)
    assert twin.door(f"/events/{missing.id}/redeliver")["endpoints"] == 1
    twin.settle()
    assert hook.events()[-1].id == missing.id


def test_deliveries_are_held_dropped_and_released(client, twin, hook):
    twin.door("/faults", hold=True)
    make(client, 3)
    held = twin.deliveries(status="held")
    assert len(held) == 3 and hook.requests == []
    twin.door(f"/events/{held[0]['event']}/drop")
    assert twin.door("/deliveries/release")["released"] == 2
    twin.settle()
    assert len(hook.requests) == 2


def test_endpoints_of_the_api_hear_what_they_asked_for(client, twin, hook):
    endpoint = client.webhook_endpoints.create({"url": f"{hook.url}/2", "enabled_events": ["price.created"]})
    product = make(client, 1)[0]
    client.prices.create({"product": product, "currency": "usd", "unit_amount": 5})
    twin.settle()
    assert sorted(hook.types()) == ["price.created", "price.created", "product.created"]
    signed_by_it = [pair for pair in hook.requests if verifies(pair, endpoint.secret)]
    assert len(signed_by_it) == 1
    assert "secret" not in client.webhook_endpoints.retrieve(endpoint.id)
    client.webhook_endpoints.update(endpoint.id, {"disabled": True})
    assert client.webhook_endpoints.retrieve(endpoint.id).status == "disabled"
    assert client.webhook_endpoints.delete(endpoint.id).deleted


def verifies(pair, secret):
    try:
        return bool(stripe.Webhook.construct_event(*pair, secret))
    except stripe.SignatureVerificationError:
        return False


def test_an_answer_lost_after_the_fact_is_found_by_the_same_key(client, twin):
    twin.door("/faults", api_fail_after=1)
    retrying = stripe.StripeClient("sk_test_1", base_addresses={"api": twin.url}, max_network_retries=2).v1
    made = retrying.customers.create({"name": "Lost and found"})
    assert made.id.startswith("cus_")
    assert sum(customer.name == "Lost and found" for customer in client.customers.list({"limit": 100}).data) == 1


def test_a_running_request_shuts_its_key(client, twin):
    import threading

    twin.door("/faults", api_latency_ms=400)
    options = {"idempotency_key": "slow"}
    first = threading.Thread(target=lambda: client.customers.create({"name": "Slow"}, options))
    first.start()
    time.sleep(0.15)
    answer = twin.http.post("/v1/customers", data={"name": "Slow"}, headers={"idempotency-key": "slow", "authorization": "Bearer sk_test_1"})
    first.join()
    assert answer.status_code == 409 and answer.json()["error"]["code"] == "idempotency_key_in_use"
