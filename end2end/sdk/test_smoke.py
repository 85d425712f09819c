"""The product that `cargo xtask test` has started is up and says so."""

import os
import time
import urllib.error
import urllib.request


def status(path):
    try:
        with urllib.request.urlopen(os.environ["REELMILL_URL"] + path, timeout=60) as answer:
            return answer.status
    except urllib.error.HTTPError as refused:
        return refused.code


def test_the_server_is_healthy_and_a_worker_is_ready():
    assert status("/healthz") == 200
    # A server that stood still may take what it asked for missing, once or twice.
    patience = time.monotonic() + 60
    while (ready := status("/readyz")) != 200 and time.monotonic() < patience:
        time.sleep(0.5)
    assert ready == 200
