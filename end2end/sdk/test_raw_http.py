"""What no SDK would send: bodies without end, broken bodies, and the event stream read by hand."""

import contextlib
import json
import os
import subprocess

import httpx
import pytest

from conftest import base

MIB = 1024 * 1024


@pytest.fixture(scope="module")
def http(key):
    with httpx.Client(base_url=base(), headers={"authorization": f"Bearer {key}"}, timeout=120, trust_env=False) as http:
        yield http


def links_of(process):
    """What a process has open, less what it closes meanwhile."""
    try:
        numbers = os.listdir(f"/proc/{process}/fd")
    except OSError:
        return
    for number in numbers:
        with contextlib.suppress(OSError):
            yield os.readlink(f"/proc/{process}/fd/{number}")


def server_memory():
    """Resident bytes of the server, found by the port it listens on; None where that cannot be told."""
    port = f"{int(base().rsplit(':', 1)[1]):04X}"
    with open("/proc/net/tcp", encoding="ascii") as table:
        sockets = {f"socket:[{row[9]}]" for row in map(str.split, table) if row[1].endswith(f":{port}") and row[3] == "0A"}
    for process in filter(str.isdigit, os.listdir("/proc")):
        if sockets & set(links_of(process)):
            with open(f"/proc/{process}/statm", encoding="ascii") as numbers:
                return int(numbers.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return None


def assert_error(answer, status, code):
    assert answer.status_code == status, answer.text
    assert sorted(answer.json()["error"]) == ["code", "message", "param", "type"]
    assert answer.json()["error"]["code"] == code


@pytest.mark.parametrize("content_type", ["application/json", "multipart/form-data; boundary=b"])
def test_a_body_of_a_gibibyte_is_refused_in_words_and_costs_no_memory(http, content_type):
    head = b'{"prompt":"' if "json" in content_type else b'--b\r\nContent-Disposition: form-data; name="prompt"\r\n\r\n'

    def body():
        yield head
        piece = b"x" * MIB
        for _ in range(1024):
            yield piece

    before = server_memory()
    answer = http.post("/v1/videos", content=body(), headers={"content-type": content_type})
    assert_error(answer, 413, "body_too_large")
    if before is not None:
        assert server_memory() - before < 64 * MIB


def test_curl_reads_why_its_body_was_refused(key, tmp_path):
    (tmp_path / "large").write_bytes(b'{"prompt":"' + b"x" * 200 * MIB)
    command = ["curl", "--silent", "--show-error", "--noproxy", "*", "-H", f"Authorization: Bearer {key}"]
    command += ["-H", "Content-Type: application/json", "--data-binary", f"@{tmp_path / 'large'}", base() + "/v1/videos"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["error"]["code"] == "body_too_large"


def test_a_multipart_body_that_breaks_off_is_refused(http):
    body = b'--b\r\nContent-Disposition: form-data; name="prompt"\r\n\r\na red ba'
    answer = http.post("/v1/videos", content=body, headers={"content-type": "multipart/form-data; boundary=b"})
    assert_error(answer, 400, "invalid_request")


@pytest.mark.parametrize("body", [rb'{"prompt":"\ud800"}', b'{"prompt":"\xff"}', b'{"prompt":', b"[]", b""])
def test_json_that_holds_no_text_is_refused(http, body):
    answer = http.post("/v1/videos", content=body, headers={"content-type": "application/json"})
    assert_error(answer, 400, "invalid_request")


def test_a_range_of_a_video_is_those_bytes(http, finished):
    path = f"/v1/videos/{finished.id}/content"
    whole = http.get(path)
    part = http.get(path, headers={"range": "bytes=4-7"})
    assert (part.status_code, part.content) == (206, b"ftyp")
    assert http.get(path, headers={"if-none-match": whole.headers["etag"]}).status_code == 304


def events(http, video, last=None):
    headers = {"last-event-id": last} if last else {}
    seen = []
    with http.stream("GET", f"/v1/videos/{video}/events", headers=headers) as answer:
        event = {}
        for line in answer.iter_lines():
            name, _, value = line.partition(":")
            if name in ("event", "id", "data"):
                event[name] = value.strip()
            elif not line and event:
                seen.append(event)
                event = {}
        return answer.status_code, seen


def test_events_tell_the_whole_story_and_can_be_resumed(http):
    made = http.post("/v1/videos", json={"prompt": "a boat at sea", "size": "96x96", "steps": 20, "seed": 1}).json()
    status, seen = events(http, made["id"])
    assert (status, seen[-1]["event"]) == (200, "video.completed")
    assert all(event["event"] == "video.updated" for event in seen[:-1])
    assert json.loads(seen[-1]["data"])["status"] == "completed"
    ids = [int(event["id"]) for event in seen]
    assert ids == sorted(ids)
    # The first that was seen may be the last one, where this process stood still.
    _, rest = events(http, made["id"], last=str(ids[-1] - 1))
    assert [event["event"] for event in rest] == ["video.completed"]
    assert events(http, made["id"], last=seen[-1]["id"]) == (204, [])


def test_ids_that_the_sdk_refuses_to_send_are_understood(http, finished):
    for path, more in (("edits", {"prompt": "in winter"}), ("extensions", {"prompt": "on", "seconds": 4}), ("characters", {"name": "a"})):
        assert_error(http.post(f"/v1/videos/{path}", json={**more, "video": {"id": finished.id}}), 400, "unsupported_by_model")
        assert_error(http.post(f"/v1/videos/{path}", json={**more, "video": {"id": "video_123"}}), 404, "video_not_found")
    reference = {"prompt": "a boat", "input_reference": {"image_url": "https://example.com/a.png"}}
    assert_error(http.post("/v1/videos", json=reference), 400, "unsupported_by_model")
