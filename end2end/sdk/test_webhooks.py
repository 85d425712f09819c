"""Deliveries as three unmodified clients check them, and endpoints as openai's client manages them."""

import contextlib
import http.server
import queue
import threading

import openai
import pytest
import standardwebhooks
import svix.webhooks

from conftest import client_with, new_key

PATIENCE_S = 60


class Receiver(http.server.BaseHTTPRequestHandler):
    """Keeps what it is told, and takes it."""

    told = None

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        self.told.put((body, dict(self.headers.items())))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def receiver():
    """The address of a receiver on this machine, and what it is told."""
    told = queue.Queue()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("Telling", (Receiver,), {"told": told}))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/hook", told
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def own():
    """A client of a team of its own."""
    return client_with(new_key())


def check(own, secret, body, headers):
    """All three take it, and none takes another body."""
    event = own.webhooks.unwrap(body, headers, secret=secret)
    for verifier in (standardwebhooks.Webhook(secret), svix.webhooks.Webhook(secret)):
        # It raises, or it believes.
        verifier.verify(body, headers)
    with pytest.raises(openai.InvalidWebhookSignatureError):
        own.webhooks.unwrap(body.replace(b"event", b"evenT"), headers, secret=secret)
    with pytest.raises(standardwebhooks.WebhookVerificationError):
        standardwebhooks.Webhook(secret).verify(body.replace(b"event", b"evenT"), headers)
    with pytest.raises(svix.webhooks.WebhookVerificationError):
        svix.webhooks.Webhook(secret).verify(body.replace(b"event", b"evenT"), headers)
    return event


def test_a_video_that_is_completed_is_told_to_a_receiver_that_believes_it(own):
    with receiver() as (url, told):
        endpoint = own.webhooks.create(name="films", url=url, event_types=["video.completed", "video.failed"])
        video = own.videos.create(model="vignette-1", prompt="a red ball", size="96x96", seconds="2", extra_body={"seed": 1, "steps": 2})
        body, headers = told.get(timeout=PATIENCE_S * 5)
        event = check(own, endpoint.signing_secret, body, headers)
        assert (event.type, event.data["id"] if isinstance(event.data, dict) else event.data.id) == ("video.completed", video.id)
        assert event.id == {name.lower(): value for name, value in headers.items()}["webhook-id"]
        own.webhooks.delete(endpoint.id)


def test_endpoints_are_managed_by_the_vendors_client(own):
    with receiver() as (url, told):
        made = own.webhooks.create(name="films", url=url, event_types=["batch.completed"])
        assert made.signing_secret.startswith("whsec_") and made.signing_secret[-4:] == made.signing_secret_hint[-4:]
        assert own.webhooks.retrieve(made.id).name == "films"
        assert [endpoint.id for endpoint in own.webhooks.list(limit=1)] == [made.id]
        changed = own.webhooks.update(made.id, name="batches", event_types=["batch.failed", "batch.completed"])
        assert (changed.name, changed.event_types) == ("batches", ["batch.completed", "batch.failed"])
        rotated = own.webhooks.rotate_secret(made.id, keep_old_secret_active_for_24_hours=True)
        tested = own.webhooks.test(made.id, event_type="batch.completed")
        assert (tested.success, tested.status_code, tested.webhook_endpoint_id) == (True, 204, made.id)
        body, headers = told.get(timeout=PATIENCE_S)
        for secret in (made.signing_secret, rotated.signing_secret):
            event = check(own, secret, body, headers)
            assert (event.type, event.object) == ("batch.completed", "event")
        again = own.webhooks.rotate_secret(made.id)
        own.webhooks.test(made.id, event_type="batch.completed")
        body, headers = told.get(timeout=PATIENCE_S)
        check(own, again.signing_secret, body, headers)
        with pytest.raises(openai.InvalidWebhookSignatureError):
            own.webhooks.unwrap(body, headers, secret=rotated.signing_secret)
        assert set(own.webhooks.event_types.list().data) >= {"video.completed", "batch.cancelled"}
        assert own.webhooks.delete(made.id).deleted
        with pytest.raises(openai.NotFoundError):
            own.webhooks.retrieve(made.id)


def test_addresses_that_are_not_public_are_refused(own):
    for url in ("https://10.0.0.1/", "https://169.254.169.254/", "https://0x7f.1/", "https://user@127.0.0.1/", "ftp://a.example/"):
        with pytest.raises(openai.BadRequestError) as refused:
            own.webhooks.create(name="inside", url=url, event_types=["video.completed"])
        assert refused.value.param == "url", url
