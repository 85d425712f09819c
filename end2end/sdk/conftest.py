"""One account of its own for each run, made with the server's own command line."""

import os
import subprocess
import uuid

import openai
import pytest

from secure import product

PASSWORD = "correct horse battery staple"


def admin(*words, secret=None):
    command = [os.environ["REELMILL_BIN"], "admin", "--data", os.environ["REELMILL_DATA"], *words]
    done = subprocess.run(command, input=secret, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def new_account():
    email = f"sdk-{uuid.uuid4().hex[:12]}@example.com"
    assert admin("user", "create", "--email", email, "--password-stdin", secret=PASSWORD).startswith("user_")
    return email


def new_key_of(email):
    key = admin("key", "create", "--user", email, "--name", "sdk")
    assert key.startswith("rm_live_")
    return key


def new_key():
    return new_key_of(new_account())


def client_with(key):
    return openai.OpenAI(api_key=key, base_url=base() + "/v1", max_retries=0, timeout=60)


def base():
    return os.environ["REELMILL_URL"].rstrip("/")


@pytest.fixture(scope="session")
def key():
    return new_key()


@pytest.fixture(scope="session")
def client(key):
    return client_with(key)


@pytest.fixture(scope="session")
def finished(client):
    """A small video that a worker has really made."""
    video = client.videos.create_and_poll(
        prompt="a red ball bouncing on a beach",
        size="96x96",
        seconds="2",
        extra_body={"seed": 42, "steps": 4, "guidance": 2.5, "negative_prompt": "rain"},
        timeout=300,
    )
    assert video.status == "completed", video
    return video


@pytest.fixture(scope="session")
def secure(tmp_path_factory):
    """Where the product is reached by https; clients trust its certificate."""
    with product(tmp_path_factory.mktemp("secure")) as names:
        before = os.environ.get("SSL_CERT_FILE")
        os.environ["SSL_CERT_FILE"] = names["certificate"]
        os.environ["FAL_QUEUE_RUN_HOST"] = names["fal_host"]
        os.environ["NO_PROXY"] = "localhost,127.0.0.1"
        yield names
        if before is None:
            del os.environ["SSL_CERT_FILE"]
        else:
            os.environ["SSL_CERT_FILE"] = before
