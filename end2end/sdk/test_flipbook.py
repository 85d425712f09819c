"""The model that draws, as a program knows it that was written for OpenAI's videos."""

import openai
import pytest
from conftest import admin

SORA = "sora-2"


@pytest.fixture
def alias():
    admin("model", "alias", "--alias", SORA, "--model", "flipbook-1")
    yield SORA
    admin("model", "unalias", "--alias", SORA)


@pytest.fixture
def client_that_knows(client, alias):
    """The catalog is at most a second old."""
    for _ in range(50):
        try:
            client.models.retrieve(alias)
            return client
        except openai.NotFoundError:
            pass
    raise AssertionError("the alias is not known")


@pytest.mark.parametrize("size", ["720x1280", "1280x720"])
def test_a_program_for_openais_videos_runs_under_the_operators_alias(client_that_knows, size):
    video = client_that_knows.videos.create_and_poll(model=SORA, prompt="A dog runs on the beach.", size=size, seconds="4", timeout=300)
    assert (video.status, video.size, video.seconds) == ("completed", size, "4"), video
    content = client_that_knows.videos.download_content(video.id).read()
    assert content[4:8] == b"ftyp"


def test_words_are_read_before_anything_is_charged(client):
    ask = {"model": "flipbook-1", "size": "384x384", "seconds": "2"}
    with pytest.raises(openai.BadRequestError) as refused:
        client.videos.create(prompt="zxqwv blorptang", **ask)
    assert (refused.value.code, refused.value.param) == ("prompt_not_understood", "prompt")
    forced = client.videos.create(prompt="zxqwv blorptang", **ask, extra_body={"force": True})
    assert forced.model_extra["ignored"] == ["zxqwv", "blorptang"]
    video = client.videos.create(prompt="a kitten plays the piano, ontologically", **ask)
    assert {"text": "kitten", "meaning": "cat"} in video.model_extra["understood"]
    assert video.model_extra["ignored"] == ["ontologically"]
    again = client.videos.retrieve(video.id)
    assert again.model_extra["understood"] == video.model_extra["understood"]
    with pytest.raises(openai.BadRequestError) as refused:
        client.videos.create(prompt="a cat", **ask, extra_body={"force": "perhaps"})
    assert refused.value.param == "force"
