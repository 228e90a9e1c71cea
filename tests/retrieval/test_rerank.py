import numpy as np
import pytest

from retrieval.embeddings.hashing import HashingEmbedder
from retrieval.records import Chunk
from retrieval.rerank import Asked, BestSentence

EMBEDDER = HashingEmbedder(256)
ANSWER = "Trời hôm nay đẹp. Nhân viên được nghỉ phép năm mười hai ngày. Xe đi rồi."
OTHER = "Trời hôm nay đẹp. Nhân viên được thưởng. Xe đi rồi."


def of(**texts):
    return [Chunk(one, "d", 0, text, 0, len(text)) for one, text in texts.items()]


def asked(query, dense, words, share=0.6):
    vector = EMBEDDER.queries([query])[0]
    return Asked(query, vector, dense, words, lambda one: share)


def test_the_passage_with_the_nearest_sentence_comes_first():
    query = "được nghỉ phép năm mười hai ngày"
    scores = BestSentence(EMBEDDER).rerank(
        asked(query, {"a": 0.5, "b": 0.5}, {"a": 3.0, "b": 3.0}), of(b=OTHER, a=ANSWER)
    )
    assert scores["a"] > scores["b"]
    assert all(0 <= score <= 1 for score in scores.values())


def test_words_count_by_what_vectors_leave():
    dense, words = {"a": 0.5, "b": 0.5}, {"b": 9.0}
    passages = of(a=ANSWER, b=OTHER)
    query = "được nghỉ phép năm mười hai ngày"
    by_vectors = BestSentence(EMBEDDER).rerank(asked(query, dense, words, 0.9), passages)
    by_words = BestSentence(EMBEDDER).rerank(asked(query, dense, words, 0.1), passages)
    assert by_vectors["a"] > by_vectors["b"]
    assert by_words["b"] > by_words["a"]


@pytest.mark.parametrize("text", ["", "---", "| - | - |"])
def test_a_passage_without_a_sentence_keeps_its_own_similarity(text):
    scores = BestSentence(EMBEDDER).rerank(
        asked("nghỉ phép", {"a": 0.1, "b": 0.9}, {}), of(a="Xe đi rồi.", b=text)
    )
    assert scores["b"] > scores["a"]


def test_without_a_vector_it_has_no_say():
    nothing = Asked("nghỉ phép", None, {}, {"a": 1.0}, lambda one: 0.6)
    assert BestSentence(EMBEDDER).rerank(nothing, of(a=ANSWER)) == {}


def test_all_sentences_are_embedded_in_one_call():
    calls = []

    class Counting(HashingEmbedder):
        def passages(self, texts):
            calls.append(list(texts))
            return super().passages(texts)

    BestSentence(Counting(64)).rerank(
        Asked("xe", np.ones(64, np.float32) / 8, {}, {}, lambda one: 0.6),
        of(a=ANSWER, b=OTHER),
    )
    assert [len(texts) for texts in calls] == [6]
