import pytest

from retrieval.embeddings.prefixes import prefixes_of


@pytest.mark.parametrize(
    "model",
    ["intfloat/multilingual-e5-small", "e5-base-v2", "/mô hình/Vietnamese-E5/", r"C:\models\e5"],
)
def test_an_e5_model_gets_its_prefixes(model: str) -> None:
    assert prefixes_of(model) == ("query: ", "passage: ")


@pytest.mark.parametrize(
    "model",
    ["intfloat/multilingual-e5-large-instruct", "/e5/minilm", "me5sh", "text-embedding-3-small"],
)
def test_another_model_gets_none(model: str) -> None:
    assert prefixes_of(model) == ("", "")
