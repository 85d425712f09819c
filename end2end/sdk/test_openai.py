"""The unmodified OpenAI SDK against a running Reelmill."""

import openai
import pytest

from conftest import client_with, new_key

UNKNOWN = "job_0190aaaabbbb7ccc8dddeeeeffff0001"


def test_a_video_is_made_and_says_how(finished):
    assert (finished.object, finished.progress, finished.model) == ("video", 100, "vignette-1")
    assert (finished.size, finished.seconds, finished.error) == ("96x96", "2", None)
    assert finished.completed_at >= finished.created_at
    extras = finished.model_extra
    assert (extras["seed"], extras["steps"], extras["guidance"], extras["negative_prompt"]) == (42, 4, 2.5, "rain")
    assert extras["cost"]["video_seconds"] > 0 and extras["attempts"] == 1
    assert extras["eta"] is None and extras["queue_position"] is None


def test_its_files_are_what_they_say(client, finished):
    video = client.videos.download_content(finished.id).read()
    assert video[4:8] == b"ftyp", video[:16]
    for variant in ("thumbnail", "spritesheet"):
        picture = client.videos.download_content(finished.id, variant=variant).read()
        assert (picture[:4], picture[8:12]) == (b"RIFF", b"WEBP"), variant


def test_the_same_seed_and_settings_make_the_same_video(client, finished):
    again = client.videos.create_and_poll(
        prompt="a red ball bouncing on a beach",
        size="96x96",
        extra_body={"seed": 42, "steps": 4, "guidance": 2.5, "negative_prompt": "rain"},
        timeout=300,
    )
    assert client.videos.download_content(again.id).read() == client.videos.download_content(finished.id).read()


def test_a_waiting_video_shows_where_it_stands(client):
    video = client.videos.create(prompt="a boat", size="96x96")
    seen = client.videos.retrieve(video.id)
    assert {"eta", "queue_position", "stage", "step"} <= set(seen.model_extra)
    assert client.videos.delete(video.id).deleted is True


def test_a_fallback_model_has_to_be_another_that_can_make_the_same(client, finished):
    for name, code in (("nobody-1", "model_not_found"), (finished.model, "fallback_unsupported")):
        with pytest.raises(openai.BadRequestError) as refused:
            client.videos.create(prompt="a boat", size="96x96", extra_body={"fallback_model": name})
        assert (refused.value.param, refused.value.code) == ("fallback_model", code)
    assert (finished.model_extra["fallback_model"], finished.model_extra["requested_model"]) == (None, None)


def test_a_deleted_video_is_gone(client):
    video = client.videos.create(prompt="a boat", size="96x96")
    gone = client.videos.delete(video.id)
    assert (gone.id, gone.object, gone.deleted) == (video.id, "video.deleted", True)
    with pytest.raises(openai.NotFoundError):
        client.videos.retrieve(video.id)


def test_a_remix_keeps_the_settings(client, finished):
    remix = client.videos.remix(finished.id, prompt="a blue ball bouncing on a beach")
    assert (remix.remixed_from_video_id, remix.size, remix.model_extra["steps"]) == (finished.id, "96x96", 4)
    assert remix.model_extra["seed"] != 42
    client.videos.delete(remix.id)


def test_a_list_is_paged():
    client = client_with(new_key())
    made = [client.videos.create(prompt=f"clip {number}", size="96x96").id for number in range(5)]
    page = client.videos.list(limit=2, order="asc")
    assert [video.id for video in page.data] == made[:2] and page.has_more
    assert [video.id for video in client.videos.list(limit=2, order="asc")] == made
    assert [video.id for video in client.videos.list(limit=2)] == made[::-1]
    for video in made:
        client.videos.delete(video)


def test_models_are_listed(client):
    model = next(iter(client.models.list()))
    assert (model.id, model.object) == ("vignette-1", "model")
    assert "96x96" in client.models.retrieve("vignette-1").model_extra["sizes"]


def test_a_wrong_key_is_an_authentication_error():
    with pytest.raises(openai.AuthenticationError) as refused:
        client_with("sk-wrong").videos.list()
    assert refused.value.code == "invalid_api_key"


def test_a_wrong_size_is_answered_with_the_right_ones(client):
    with pytest.raises(openai.BadRequestError) as refused:
        client.videos.create(prompt="a boat", size="1280x720")
    assert (refused.value.code, refused.value.param) == ("size_unsupported", "size")
    assert "96x96, 192x192, 384x384, 768x768" in refused.value.message
    assert refused.value.request_id.startswith("req_")


def test_what_is_unknown_or_another_tenants_is_not_found(finished):
    stranger = client_with(new_key())
    said = set()
    for video in (UNKNOWN, finished.id, "video_123"):
        for ask in (stranger.videos.retrieve, stranger.videos.delete, stranger.videos.download_content):
            with pytest.raises(openai.NotFoundError) as refused:
                ask(video)
            said.add(refused.value.response.text)
    assert len(said) == 1, said


def test_a_picture_to_start_from_is_refused(client):
    with pytest.raises(openai.BadRequestError) as refused:
        client.videos.create(prompt="a boat", input_reference=("a.png", b"\x89PNG" * 1_000_000, "image/png"))
    assert (refused.value.code, refused.value.param) == ("unsupported_by_model", "input_reference")


def test_a_remix_is_made_and_what_no_model_can_is_refused_as_such(client, finished):
    remixed = client.videos.remix(finished.id, prompt="the same ball, now blue")
    assert remixed.remixed_from_video_id == finished.id
    client.videos.delete(remixed.id)
    film = ("a.mp4", b"\0" * 3_000_000, "video/mp4")
    for ask in (
        lambda: client.videos.edit(prompt="in winter", video=film),
        lambda: client.videos.extend(prompt="it rolls on", seconds="4", video=film),
        lambda: client.videos.create_character(name="Mossy", video=film),
    ):
        with pytest.raises(openai.BadRequestError) as refused:
            ask()
        assert (refused.value.code, refused.value.param) == ("unsupported_by_model", "video")
    with pytest.raises(openai.NotFoundError) as refused:
        client.videos.get_character("char_1")
    assert refused.value.code == "character_not_found"
