"""A twin of its own for each test run, the vendor's unmodified client, and a receiver of webhooks.

`STRIPE_TWIN_BIN` names the program; a test says what it needs by its arguments.
"""

import json
import os
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
import stripe

SECRET = "whsec_of_the_tests"


class Server(ThreadingHTTPServer):
    # As many connections as deliveries may come at once; one that is turned away comes again after a second.
    request_queue_size = 128


class Receiver:
    """Keeps what it was sent, and answers what it is told to."""

    def __init__(self):
        self.requests = []
        self.answers = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.requests.append((body, self.headers["stripe-signature"]))
                self.send_response(receiver.answers.pop(0) if receiver.answers else 200)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"

    def events(self, secret=SECRET):
        """All of them, each verified by the vendor's own check."""
        return [stripe.Webhook.construct_event(body, signature, secret) for body, signature in self.requests]

    def types(self):
        return [json.loads(body)["type"] for body, _ in self.requests]

    def clear(self):
        self.requests.clear()


class Twin:
    def __init__(self, *arguments):
        program = os.environ["STRIPE_TWIN_BIN"]
        self.process = subprocess.Popen([program, "--port", "0", *arguments], stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        self.http = httpx.Client(base_url=self.url, timeout=30)
        self.client = stripe.StripeClient("sk_test_123", base_addresses={"api": self.url}, max_network_retries=0).v1

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def door(self, path, **body):
        answer = self.http.post(f"/_twin{path}", json=body)
        answer.raise_for_status()
        return answer.json()

    def deliveries(self, **query):
        return self.http.get("/_twin/deliveries", params=query).json()["deliveries"]

    def settle(self):
        assert self.door("/idle", timeout_ms=20_000)["idle"]


@pytest.fixture(scope="session")
def receiver():
    return Receiver()


@pytest.fixture(scope="session")
def whole_run(receiver):
    twin = Twin("--seed", "7", "--webhook-url", receiver.url, "--webhook-secret", SECRET, "--webhook-retries-ms", "20,40")
    yield twin
    twin.stop()


@pytest.fixture
def twin(whole_run):
    whole_run.door("/faults", reset=True, retries_ms=[20, 40])
    whole_run.settle()
    return whole_run


@pytest.fixture
def client(twin):
    return twin.client


@pytest.fixture
def hook(twin, receiver):
    """The receiver, without what earlier tests made."""
    receiver.clear()
    return receiver


class Shop:
    """What most tests need: two plans, a customer on a clock of its own with a card that works."""

    START = 1_800_000_000  # 15 January 2027, 08:00 UTC
    DAY = 86_400

    def __init__(self, client):
        self.client = client
        self.product = client.products.create({"name": "Studio"})
        self.basic, self.pro = self.price(1000), self.price(3000)
        self.clock = client.test_helpers.test_clocks.create({"frozen_time": self.START})
        self.customer = self.new_customer()

    def price(self, cents, **more):
        recurring = {"interval": "month", **more.pop("recurring", {})}
        wanted = {"product": self.product.id, "currency": "usd", "unit_amount": cents, "recurring": recurring, **more}
        return self.client.prices.create(wanted)

    def new_customer(self, card="pm_card_visa"):
        customer = self.client.customers.create({"email": "ada@example.com", "name": "Ada", "test_clock": self.clock.id})
        if card:
            method = self.client.payment_methods.attach(card, {"customer": customer.id})
            default = {"invoice_settings": {"default_payment_method": method.id}}
            customer = self.client.customers.update(customer.id, default)
        return customer

    def subscribe(self, price=None, customer=None, **more):
        items = more.pop("items", [{"price": (price or self.basic).id}])
        return self.client.subscriptions.create({"customer": (customer or self.customer).id, "items": items, **more})

    def advance(self, to):
        self.client.test_helpers.test_clocks.advance(self.clock.id, {"frozen_time": to})
        return self.client.test_helpers.test_clocks.retrieve(self.clock.id)


@pytest.fixture
def shop(client):
    return Shop(client)
