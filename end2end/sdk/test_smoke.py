"""The product that `cargo xtask test` has started is up and says so."""

import os
import urllib.request


def status(path):
    with urllib.request.urlopen(os.environ["REELMILL_URL"] + path, timeout=10) as answer:
        return answer.status


def test_the_server_is_healthy_and_a_worker_is_ready():
    assert status("/healthz") == 200
    assert status("/readyz") == 200
