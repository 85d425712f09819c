"""What is spent: never more than there is, and once for each video, whatever happens to the answers."""

import http.client
import http.server
import itertools
import os
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from urllib.parse import urlsplit

import openai
import pytest

from conftest import admin, base, client_with, new_account, new_key_of

PRICE = 2.0
TIMEOUT_S = 6
WORDS = {"model": "vignette-1", "prompt": "a red ball on a beach"}


def balance(user):
    return float(admin("credits", "show", "--user", user))


@pytest.fixture
def prepaid():
    """Makes an account that has paid for so many video-seconds, and nothing else."""

    def make(video_seconds):
        user = new_account()
        admin("plan", "set", "--user", user, "--plan", "payg")
        admin("credits", "grant", "--user", user, "--video-seconds", str(video_seconds))
        return user

    yield make
    assert admin("ledger", "check").startswith("the ledger is true")


def test_a_prepaid_balance_is_spent_to_the_last_clip_and_never_below(prepaid):
    user = prepaid(12)
    clients = [client_with(new_key_of(user)) for _ in range(2)]

    def submit(client):
        try:
            return client.videos.create(**WORDS).id
        except openai.APIStatusError as error:
            assert (error.status_code, error.code) == (402, "insufficient_credits"), error
            return None

    with ThreadPoolExecutor(16) as pool:
        made = [video for video in pool.map(submit, clients * 20) if video]
    assert (len(made), balance(user)) == (6, 0)


def test_what_is_cancelled_before_it_begins_is_given_back(prepaid):
    user = prepaid(1000)
    client = client_with(new_key_of(user))
    videos = [client.videos.create(**WORDS) for _ in range(20)]
    last = client.post(f"/videos/{videos[-1].id}/cancel", cast_to=object)
    assert last["cost"]["charged_video_seconds"] == 0 and last["cost"]["status"] == "not_charged"
    for video in videos[:-1]:
        client.videos.delete(video.id)
    assert 1000 - 19 * PRICE <= balance(user) <= 1000


class Faulty(http.server.BaseHTTPRequestHandler):
    """Passes a request on, and then loses the answer of some: says 500, says nothing in time, or hangs up."""

    protocol_version = "HTTP/1.1"
    turns = itertools.count()
    refused = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        there = http.client.HTTPConnection(urlsplit(base()).netloc, timeout=60)
        left_out = ("host", "connection", "accept-encoding")
        headers = {name: value for name, value in self.headers.items() if name.lower() not in left_out}
        there.request("POST", self.path, body, headers)
        answer = there.getresponse()
        text = answer.read()
        there.close()
        if answer.status != 200:
            self.refused.append((answer.status, text))
        # The third try is the last that the SDK makes by itself.
        fault = next(self.turns) % 4 if self.headers["x-stainless-retry-count"] in ("0", "1") else None
        if fault == 1:
            time.sleep(TIMEOUT_S * 1.5)
        if fault == 2:
            self.close_connection = True
            return
        try:
            self.send_response(500 if fault == 0 else answer.status)
            for name in ("content-type", "x-request-id", "idempotent-replayed"):
                if answer.headers[name]:
                    self.send_header(name, answer.headers[name])
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)
        except OSError:
            self.close_connection = True

    def log_message(self, *_):
        pass


@pytest.fixture
def lossy():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Faulty)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def made_through(lossy, key, count, at_once, prompt, max_retries=openai.DEFAULT_MAX_RETRIES):
    client = openai.OpenAI(api_key=key, base_url=lossy + "/v1", timeout=TIMEOUT_S, max_retries=max_retries)
    with ThreadPoolExecutor(at_once) as pool:
        return list(pool.map(lambda number: client.videos.create(**{**WORDS, "prompt": prompt.format(number)}).id, range(count)))


@pytest.mark.parametrize(
    ("prompt", "count", "at_once"),
    [("a red ball on a beach, number {}", 100, 20), ("a red ball on a beach", 6, 1)],
    ids=["many at once", "alike one after the other"],
)
def test_requests_whose_answers_are_lost_are_one_video_and_one_charge_each(prepaid, lossy, prompt, count, at_once):
    user = prepaid(1000)
    key = new_key_of(user)
    ids = made_through(lossy, key, count, at_once, prompt)
    listed = {video.id for video in client_with(key).videos.list(limit=100)}
    assert (len(set(ids)), set(ids)) == (count, listed)
    assert balance(user) == 1000 - count * PRICE
    remove(key, listed)


@pytest.mark.parametrize("locked_s", [0, TIMEOUT_S], ids=["answered", "some refused"])
def test_requests_that_are_alike_and_come_at_once_are_as_many_charges(prepaid, lossy, locked_s):
    """Which try belongs to which nobody can tell: where a first try is refused, its second may be answered with the video of another request. None is
    made that nobody asked for, and where none is refused none is missing."""
    Faulty.refused.clear()
    user = prepaid(1000)
    key = new_key_of(user)
    with database_locked(locked_s):
        ids = made_through(lossy, key, 40, 20, WORDS["prompt"], max_retries=8)
    listed = {video.id for video in client_with(key).videos.list(limit=100)}
    assert 40 - len(Faulty.refused) <= len(listed) <= 40 and set(ids) <= listed, Faulty.refused
    assert not locked_s or any(status == 503 for status, _ in Faulty.refused)
    assert balance(user) == 1000 - len(listed) * PRICE
    remove(key, listed)


@contextmanager
def database_locked(seconds):
    """Nothing is taken in for so long: the server waits, and then says that it cannot."""
    lock = sqlite3.connect(os.path.join(os.environ["REELMILL_DATA"], "reelmill.db"), isolation_level=None, check_same_thread=False)
    lock.execute("BEGIN IMMEDIATE")
    end = threading.Timer(seconds, lock.rollback)
    end.start()
    yield
    end.join()
    lock.close()


def remove(key, ids):
    client = client_with(key)
    for video in ids:
        client.videos.delete(video)
