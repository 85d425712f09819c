"""Usage: what meters are told, what they count, and what it costs."""

import uuid

import pytest
import stripe

START, DAY = 1_800_000_000, 86_400
MONTH = 31 * DAY


@pytest.fixture
def meter(client):
    name = f"video_ms_{uuid.uuid4().hex[:8]}"
    return client.billing.meters.create({"display_name": "Video", "event_name": name, "default_aggregation": {"formula": "sum"}})


def report(client, meter, customer, value, **more):
    payload = {"stripe_customer_id": customer.id, "value": str(value)}
    return client.billing.meter_events.create({"event_name": meter.event_name, "payload": payload, **more})


def test_usage_is_counted_once_for_each_identifier(client, meter, shop):
    report(client, meter, shop.customer, 5, identifier="job-1")
    for _ in range(2):
        with pytest.raises(stripe.InvalidRequestError) as duplicate:
            report(client, meter, shop.customer, 5, identifier="job-1")
        assert duplicate.value.code == "duplicate_meter_event"
    report(client, meter, shop.customer, 7, identifier="job-2")
    span = {"customer": shop.customer.id, "start_time": START, "end_time": START + 3600}
    assert client.billing.meters.event_summaries.list(meter.id, span).data[0].aggregated_value == 12
    client.billing.meter_event_adjustments.create({"event_name": meter.event_name, "type": "cancel", "cancel": {"identifier": "job-2"}})
    assert client.billing.meters.event_summaries.list(meter.id, span).data[0].aggregated_value == 5


def test_an_identifier_may_come_again_after_a_day(client, meter, shop):
    report(client, meter, shop.customer, 5, identifier="daily")
    shop.advance(START + DAY + 60)
    report(client, meter, shop.customer, 5, identifier="daily")
    span = {"customer": shop.customer.id, "start_time": START, "end_time": START + 2 * DAY, "value_grouping_window": "day"}
    assert [summary.aggregated_value for summary in client.billing.meters.event_summaries.list(meter.id, span).data] == [5, 5]


def test_usage_has_its_time(client, meter, shop):
    for timestamp, code in ((START - 36 * DAY, "timestamp_too_far_in_past"), (START + 600, "timestamp_in_future")):
        with pytest.raises(stripe.InvalidRequestError) as refused:
            report(client, meter, shop.customer, 1, timestamp=timestamp)
        assert refused.value.code == code
    report(client, meter, shop.customer, 1, timestamp=START - 34 * DAY)
    client.billing.meters.deactivate(meter.id)
    with pytest.raises(stripe.InvalidRequestError):
        report(client, meter, shop.customer, 1)
    client.billing.meters.reactivate(meter.id)


def test_usage_is_on_the_invoice_at_the_end_of_the_period(client, meter, shop):
    metered = client.prices.create(
        {
            "product": shop.product.id,
            "currency": "usd",
            "unit_amount_decimal": "0.5",
            "recurring": {"interval": "month", "usage_type": "metered", "meter": meter.id},
        }
    )
    subscription = shop.subscribe(items=[{"price": shop.basic.id}, {"price": metered.id}], expand=["latest_invoice"])
    assert subscription.latest_invoice.total == 1000
    report(client, meter, shop.customer, 101)
    assert client.invoices.create_preview({"subscription": subscription.id}).total == 1051
    shop.advance(START + MONTH)
    # What comes late counts as long as the invoice is a draft.
    report(client, meter, shop.customer, 99, timestamp=START + MONTH - 5)
    report(client, meter, shop.customer, 1000)
    shop.advance(START + MONTH + 3600)
    invoice = client.invoices.list({"subscription": subscription.id, "limit": 1}).data[0]
    assert sorted((line.amount, line.quantity) for line in invoice.lines.data) == [(100, 200), (1000, 1)]
    canceled = client.subscriptions.cancel(subscription.id, {"invoice_now": True, "expand": ["latest_invoice"]})
    assert canceled.latest_invoice.total == 500
