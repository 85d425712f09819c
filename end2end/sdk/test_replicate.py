"""The unmodified client of Replicate."""

import json

import httpx
import pytest
import replicate
from replicate.exceptions import ReplicateError
from replicate.webhook import InvalidSignatureError, Webhooks

from conftest import new_key
from test_webhooks import receiver

MODEL = "reelmill/vignette-1"
INPUT = {"prompt": "a red ball bouncing on a beach", "width": 96, "height": 96, "num_inference_steps": 4, "seed": 42}


def client_of(secure, key):
    return replicate.Client(api_token=key, base_url=secure["origin"] + "/replicate")


@pytest.fixture(scope="module")
def api(secure, key):
    return client_of(secure, key)


def test_a_model_is_run_and_its_output_read(api, secure, key):
    output = api.run(MODEL, input=INPUT)
    assert output.url.startswith(secure["origin"] + "/outputs/")
    video = output.read()
    assert video[4:8] == b"ftyp" and b"".join(output) == video
    # Who has the link needs no key.
    assert httpx.get(output.url).content == video
    made = next(iter(api.predictions.list()))
    plain = httpx.get(f"{secure['origin']}/v1/videos/{made.id}/content", headers={"authorization": f"Bearer {key}"})
    assert plain.content == video


def test_a_version_is_run_without_holding_the_request(api):
    model = api.models.get(MODEL)
    version = model.latest_version
    assert version.openapi_schema["components"]["schemas"]["Input"]["properties"]["seed"]["type"] == "integer"
    assert [listed.id for listed in model.versions.list()] == [version.id]
    assert model.versions.get(version.id).id == version.id
    output = api.run(f"{MODEL}:{version.id}", input=INPUT, wait=False)
    assert output.read()[4:8] == b"ftyp"


def test_a_prediction_tells_how_far_it_is_and_what_it_took(api):
    prediction = api.predictions.create(version=api.models.get(MODEL).latest_version, input={**INPUT, "num_inference_steps": 60})
    assert (prediction.status, prediction.model, prediction.output) == ("starting", MODEL, None)
    assert prediction.input["steps"] == 60 and prediction.input["size"] == "96x96"
    seen = []
    while prediction.status not in ("succeeded", "failed", "canceled"):
        prediction.reload()
        seen += [prediction.progress] if prediction.progress else []
    assert prediction.status == "succeeded", prediction
    assert (seen[-1].current, seen[-1].total, seen[-1].percentage) == (60, 60, 1.0)
    assert [progress.current for progress in seen] == sorted(progress.current for progress in seen)
    assert prediction.metrics["predict_time"] > 0 and prediction.completed_at > prediction.started_at >= prediction.created_at


def test_a_prediction_is_streamed(api):
    events = list(api.stream(MODEL, input=INPUT))
    assert [event.event.value for event in events][-2:] == ["output", "done"]
    assert events[-2].data.read()[4:8] == b"ftyp"


def test_a_prediction_is_cancelled(api):
    prediction = api.models.predictions.create(MODEL, input={**INPUT, "num_inference_steps": 200})
    prediction.cancel()
    assert prediction.status == "canceled"
    prediction.wait()
    assert (prediction.status, prediction.output) == ("canceled", None)


def test_predictions_are_listed_page_by_page(api):
    ids = [prediction.id for page in replicate.pagination.paginate(api.predictions.list) for prediction in page]
    assert ids == sorted(ids, reverse=True) and len(ids) == len(set(ids)) >= 4


def test_models_account_and_hardware_are_told(api):
    assert MODEL in [f"{model.owner}/{model.name}" for model in api.models.list()]
    assert api.accounts.current().type == "organization"
    assert [hardware.sku for hardware in api.hardware.list()] == ["shared"]


def test_errors_are_problems_with_words(api, secure):
    for ask, status, said in [
        (lambda: api.run(MODEL, input={}), 422, "prompt"),
        (lambda: api.run(MODEL, input={**INPUT, "lora": 1}), 422, "`lora` is no input"),
        (lambda: api.run("somebody/else", input=INPUT), 404, "no such model"),
        (lambda: api.predictions.create(version="0" * 64, input=INPUT), 422, "version"),
        (lambda: api.predictions.create(model=MODEL, input=INPUT, webhook="https://10.0.0.1/"), 422, "`webhook`"),
        (lambda: api.predictions.create(model=MODEL, input=INPUT, webhook="https://a.io/", webhook_events_filter=["x"]), 422, "filter"),
        (lambda: api.predictions.get("nothing"), 404, "no such video"),
        (lambda: api.deployments.get("a/b"), 501, "not supported"),
        (lambda: client_of(secure, "sk-wrong").accounts.current(), 401, "key"),
    ]:
        with pytest.raises(ReplicateError) as refused:
            ask()
        assert refused.value.status == status and said in refused.value.detail, refused.value
        assert refused.value.title and refused.value.instance.startswith("/replicate/v1/")


def test_a_prediction_is_told_to_a_webhook_that_believes_it(api):
    secret = api.webhooks.default.secret()
    events = ["start", "output", "logs", "completed"]
    with receiver() as (url, told):
        made = api.predictions.create(model=MODEL, input={**INPUT, "num_inference_steps": 40}, webhook=url, webhook_events_filter=events)
        seen = []
        while not seen or seen[-1]["status"] != "succeeded":
            body, headers = told.get(timeout=300)
            headers = {name.lower(): value for name, value in headers.items()}
            Webhooks.validate(headers=headers, body=body.decode(), secret=secret)
            with pytest.raises(InvalidSignatureError):
                Webhooks.validate(headers=headers, body=body.decode() + " ", secret=secret)
            seen.append(json.loads(body))
    assert {prediction["id"] for prediction in seen} == {made.id}
    assert {prediction["status"] for prediction in seen} == {"processing", "succeeded"}
    assert httpx.get(seen[-1]["output"]).content[4:8] == b"ftyp"
    with receiver() as (url, told):
        long = {**INPUT, "num_inference_steps": 200}
        made = api.predictions.create(model=MODEL, input=long, webhook=url, webhook_events_filter=["completed"])
        made.cancel()
        assert json.loads(told.get(timeout=300)[0])["status"] == "canceled"


def test_another_teams_prediction_is_not_there(api, secure):
    mine = next(iter(api.predictions.list()))
    stranger = client_of(secure, new_key())
    assert list(stranger.predictions.list()) == []
    for ask in (stranger.predictions.get, stranger.predictions.cancel):
        with pytest.raises(ReplicateError) as refused:
            ask(mine.id)
        assert refused.value.status == 404
