"""Files and batches by the unmodified OpenAI SDK: upload, create, poll, read what came of it, cancel."""

import io
import json
import time
import urllib.request

import openai
import pytest

from conftest import base, client_with, new_key

FINAL = {"completed", "failed", "expired", "cancelled"}


def line(name, **body):
    request = {"prompt": "a red ball", "size": "96x96", "seconds": "2", "steps": 2, **body}
    return json.dumps({"custom_id": name, "method": "POST", "url": "/v1/videos", "body": request}) + "\n"


def upload(client, text, **more):
    return client.files.create(file=("prompts.jsonl", io.BytesIO(text.encode())), purpose="batch", **more)


def wait_for(client, batch, seconds=300):
    until = time.monotonic() + seconds
    while batch.status not in FINAL and time.monotonic() < until:
        time.sleep(0.3)
        batch = client.batches.retrieve(batch.id)
    return batch


def test_a_file_is_uploaded_listed_fetched_and_deleted(client):
    text = "".join(line(f"a-{n}") for n in range(3))
    file = upload(client, text, expires_after={"anchor": "created_at", "seconds": 3600})
    assert (file.object, file.filename, file.purpose, file.bytes, file.status) == ("file", "prompts.jsonl", "batch", len(text), "processed")
    assert file.expires_at == file.created_at + 3600
    assert client.files.content(file.id).read().decode() == text
    assert file.id in [listed.id for listed in client.files.list(purpose="batch")]
    assert client.files.delete(file.id).deleted is True
    with pytest.raises(openai.NotFoundError):
        client.files.retrieve(file.id)
    with pytest.raises(openai.NotFoundError):
        client_with(new_key()).files.content(file.id)


def test_a_batch_that_is_made_twice_is_two(client):
    file = upload(client, line("clip", steps=1))
    asked = {"input_file_id": file.id, "endpoint": "/v1/videos", "completion_window": "24h"}
    made = [client.batches.create(**asked) for _ in range(2)]
    assert made[0].id != made[1].id
    assert [wait_for(client, batch).status for batch in made] == ["completed"] * 2


def test_a_batch_is_made_and_its_results_are_fetched(client):
    file = upload(client, "".join(line(f"clip-{n}", seed=n) for n in range(3)))
    batch = client.batches.create(
        input_file_id=file.id, endpoint="/v1/videos", completion_window="24h", metadata={"campaign": "spring"}
    )
    assert (batch.object, batch.status, batch.completion_window, batch.metadata) == ("batch", "validating", "24h", {"campaign": "spring"})
    batch = wait_for(client, batch)
    assert (batch.status, batch.request_counts.total, batch.request_counts.completed) == ("completed", 3, 3), batch
    lines = [json.loads(text) for text in client.files.content(batch.output_file_id).text.splitlines()]
    assert [made["custom_id"] for made in lines] == ["clip-0", "clip-1", "clip-2"]
    for made in lines:
        assert (made["error"], made["response"]["status_code"], made["response"]["body"]["status"]) == (None, 200, "completed")
        assert client.videos.download_content(made["response"]["body"]["id"]).read()[4:8] == b"ftyp"
    assert batch.error_file_id is None and batch.completed_at >= batch.in_progress_at >= batch.created_at
    price = batch.model_extra["price"]
    assert price["quoted_seconds"] == price["charged_seconds"] > 0
    assert client.files.retrieve(batch.output_file_id).purpose == "batch_output"
    assert batch.id in [listed.id for listed in client.batches.list(limit=5)]
    request = urllib.request.Request(f"{base()}/v1/batches/{batch.id}/results", headers={"Authorization": f"Bearer {client.api_key}"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        read = [json.loads(text) for text in answer.read().decode().splitlines()]
    assert sorted(made["cursor"] for made in read) == [1, 2, 3]
    assert {made["custom_id"] for made in read} == {"clip-0", "clip-1", "clip-2"}


def test_what_is_wrong_is_told_by_line_and_costs_nothing(client):
    file = upload(client, line("a") + "nonsense\n" + line("a") + line("b", size="1x1") + line("c", prompt=""))
    batch = wait_for(client, client.batches.create(input_file_id=file.id, endpoint="/v1/videos", completion_window="1h"))
    assert batch.status == "failed" and batch.failed_at
    told = [(error.line, error.code) for error in batch.errors.data]
    assert told == [(2, "invalid_json_line"), (3, "duplicate_custom_id"), (4, "size_unsupported"), (5, "prompt_empty")]
    assert batch.errors.data[2].param == "body.size"
    assert batch.model_extra["price"]["charged_seconds"] == 0


def test_a_dry_run_is_quoted_and_makes_nothing(client):
    file = upload(client, "".join(line(f"clip-{n}") for n in range(100)))
    batch = client.batches.create(
        input_file_id=file.id, endpoint="/v1/videos", completion_window="7d", extra_body={"dry_run": True}
    )
    batch = wait_for(client, batch)
    assert (batch.status, batch.request_counts.total, batch.request_counts.completed) == ("completed", 100, 0)
    assert batch.model_extra["price"]["quoted_seconds"] > 0 and batch.output_file_id is None


def test_a_batch_is_cancelled_and_its_failed_lines_are_tried_again(client):
    file = upload(client, "".join(line(f"clip-{n}", seed=n, steps=20) for n in range(40)))
    batch = client.batches.create(input_file_id=file.id, endpoint="/v1/videos", completion_window="24h")
    with pytest.raises(openai.ConflictError):
        client.files.delete(file.id)
    cancelled = client.batches.cancel(batch.id)
    assert cancelled.status in ("cancelling", "cancelled") and cancelled.cancelling_at
    batch = wait_for(client, cancelled)
    counts = batch.request_counts
    assert (batch.status, counts.completed + counts.failed) == ("cancelled", counts.total)
    with pytest.raises(openai.NotFoundError):
        client_with(new_key()).batches.cancel(batch.id)


def test_bad_requests_are_typed(client):
    file = upload(client, line("a"))
    for wrong, param in [
        ({"completion_window": "soon"}, "completion_window"),
        ({"endpoint": "/v1/chat/completions"}, "endpoint"),
        ({"input_file_id": "file_0190aaaabbbb7ccc8dddeeeeffff0001"}, "input_file_id"),
        ({"metadata": {"k": "v" * 600}}, "metadata"),
    ]:
        asked = {"input_file_id": file.id, "endpoint": "/v1/videos", "completion_window": "24h", **wrong}
        with pytest.raises(openai.BadRequestError) as refused:
            client.batches.create(**asked)
        assert refused.value.param == param
    with pytest.raises(openai.BadRequestError) as refused:
        client.files.create(file=("a.jsonl", b"x"), purpose="fine-tune")
    assert (refused.value.code, refused.value.param) == ("invalid_purpose", "purpose")
