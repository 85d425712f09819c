"""The unmodified client of fal, which finds its host in the environment and speaks https only."""

import asyncio
import base64
import hashlib
import importlib
import json
import pathlib
import subprocess
import tempfile
import time

import httpx
import pytest

from conftest import new_key
from test_webhooks import receiver

APP = "reelmill/vignette-1"
# In front of the bytes of a public key.
ED25519_IN_DER = bytes.fromhex("302a300506032b6570032100")
ARGUMENTS = {"prompt": "a red ball bouncing on a beach", "image_size": {"width": 96, "height": 96}, "num_inference_steps": 4, "seed": 42}


@pytest.fixture(scope="module")
def fal(secure):
    return importlib.import_module("fal_client")


@pytest.fixture(scope="module")
def queue(fal, key):
    return fal.SyncClient(key=key)


def test_who_subscribes_is_told_how_it_goes_and_gets_the_result(fal, queue, secure):
    updates, ids = [], []
    result = queue.subscribe(APP, ARGUMENTS, with_logs=True, on_enqueue=ids.append, on_queue_update=updates.append)
    assert (result["seed"], result["video"]["content_type"]) == (42, "video/mp4")
    assert result["video"]["url"].startswith(secure["origin"] + "/outputs/")
    video = httpx.get(result["video"]["url"]).content
    assert video[4:8] == b"ftyp" and len(video) == result["video"]["file_size"]
    assert isinstance(updates[-1], fal.Completed) and updates[-1].error is None and updates[-1].metrics["inference_time"] > 0
    assert updates[-1].logs[-1]["message"].endswith("| 4/4")
    assert queue.result(APP, ids[0])["video"]["file_size"] == result["video"]["file_size"]


def test_a_request_waits_runs_and_ends(fal, queue):
    handle = queue.submit(APP, {**ARGUMENTS, "num_inference_steps": 60})
    kinds = []
    for status in handle.iter_events(with_logs=True):
        kinds += [] if kinds[-1:] == [type(status)] else [type(status)]
    assert kinds[-1] is fal.Completed and kinds == [kind for kind in (fal.Queued, fal.InProgress, fal.Completed) if kind in kinds]
    assert queue.status(APP, handle.request_id) == fal.Completed(logs=None, metrics=status.metrics)


def test_a_status_is_streamed(queue, secure, key):
    handle = queue.submit(APP, {**ARGUMENTS, "num_inference_steps": 20})
    with httpx.stream("GET", handle.status_url + "/stream", headers={"authorization": f"Key {key}"}, timeout=300) as answer:
        lines = [line for line in answer.iter_lines() if line.startswith("data:")]
    assert '"COMPLETED"' in lines[-1] and handle.request_id in lines[-1]


def test_a_request_is_cancelled(fal, queue):
    handle = queue.submit(APP, {**ARGUMENTS, "num_inference_steps": 200})
    handle.cancel()
    status = handle.status()
    assert isinstance(status, fal.Completed) and status.error_type == "request_cancelled"
    with pytest.raises(fal.FalClientHTTPError) as refused:
        handle.get()
    assert (refused.value.status_code, refused.value.error_type) == (400, "request_cancelled")
    with pytest.raises(fal.FalClientHTTPError) as refused:
        handle.cancel()
    assert refused.value.status_code == 400


def test_the_asynchronous_client_does_the_same(fal, key):
    async def run():
        client = fal.AsyncClient(key=key)
        return await client.subscribe(APP, ARGUMENTS)

    assert asyncio.run(run())["seed"] == 42


def test_errors_have_types_and_words(fal, queue):
    for ask, status, error_type in [
        (lambda: queue.submit(APP, {}), 422, "prompt_empty"),
        (lambda: queue.submit(APP, {**ARGUMENTS, "lora": 1}), 422, "invalid_input"),
        (lambda: queue.submit(APP, ARGUMENTS, webhook_url="https://169.254.169.254/"), 422, "invalid_webhook_url"),
        (lambda: queue.submit("somebody/else", ARGUMENTS), 404, "model_not_found"),
        (lambda: queue.status(APP, "nothing"), 404, "video_not_found"),
        (lambda: fal.SyncClient(key="wrong").submit(APP, ARGUMENTS), 401, "invalid_api_key"),
    ]:
        with pytest.raises(fal.FalClientHTTPError) as refused:
            ask()
        assert (refused.value.status_code, refused.value.error_type) == (status, error_type), refused.value


def check_signature(secure, body, headers):
    """As fal's documentation has it, with the keys of this installation."""
    headers = {name.lower(): value for name, value in headers.items()}
    keys = httpx.get(f"https://{secure['fal_host']}/.well-known/jwks.json").json()["keys"]
    told = [headers[f"x-fal-webhook-{part}"] for part in ("request-id", "user-id", "timestamp")]
    assert abs(int(told[2]) - time.time()) <= 300
    message = "\n".join([*told, hashlib.sha256(body).hexdigest()]).encode()
    signature = bytes.fromhex(headers["x-fal-webhook-signature"])
    assert [(key["kty"], key["crv"]) for key in keys] == [("OKP", "Ed25519")]
    public = base64.urlsafe_b64decode(keys[0]["x"] + "==")
    assert is_signed(public, message, signature) and not is_signed(public, message + b"0", signature)


def is_signed(public, message, signature):
    """As another program than ours sees it."""
    with tempfile.TemporaryDirectory() as folder:
        named = {name: pathlib.Path(folder, name) for name in ("key", "message", "signature")}
        named["key"].write_bytes(ED25519_IN_DER + public)
        named["message"].write_bytes(message)
        named["signature"].write_bytes(signature)
        command = ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", named["key"], "-rawin"]
        command += ["-in", named["message"], "-sigfile", named["signature"]]
        return subprocess.run(command, capture_output=True, timeout=60, check=False).returncode == 0


def test_a_request_is_told_to_a_webhook_and_signed(queue, secure):
    with receiver() as (url, told):
        handle = queue.submit(APP, ARGUMENTS, webhook_url=url)
        body, headers = told.get(timeout=300)
        check_signature(secure, body, headers)
        ended = json.loads(body)
        assert (ended["request_id"], ended["gateway_request_id"], ended["status"]) == (handle.request_id, handle.request_id, "OK")
        assert httpx.get(ended["payload"]["video"]["url"]).content[4:8] == b"ftyp"
        handle = queue.submit(APP, {**ARGUMENTS, "num_inference_steps": 200}, webhook_url=url)
        handle.cancel()
        ended = json.loads(told.get(timeout=300)[0])
        assert (ended["request_id"], ended["status"], ended["payload"]["error_type"]) == (handle.request_id, "ERROR", "request_cancelled")


def test_another_teams_request_is_not_there(fal, queue):
    mine = queue.submit(APP, ARGUMENTS)
    stranger = fal.SyncClient(key=new_key())
    for ask in (stranger.status, stranger.result, stranger.cancel):
        with pytest.raises(fal.FalClientHTTPError) as refused:
            ask(APP, mine.request_id)
        assert refused.value.status_code == 404
    mine.get()
