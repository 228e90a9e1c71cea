import unicodedata

import numpy as np

from retrieval.embeddings.hashing import HashingEmbedder

SENTENCE = "Hà Nội có Văn Miếu."


def cosine(left: str, right: str) -> float:
    embedder = HashingEmbedder(512)
    return float(embedder.queries([left])[0] @ embedder.passages([right])[0])


def test_vectors_are_the_same_in_every_process_and_have_length_one() -> None:
    vectors = HashingEmbedder(8).passages(["một hai", ""])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0)
    assert np.flatnonzero(HashingEmbedder(16).passages(["Huế"])).tolist() == [6]


def test_shared_words_bring_texts_nearer() -> None:
    assert cosine(SENTENCE, "Văn Miếu ở Hà Nội") > cosine(SENTENCE, "Huế có sông Hương") > 0


def test_the_order_of_words_counts() -> None:
    assert cosine("cho vay tiền", "cho vay tiền") > cosine("cho vay tiền", "tiền vay cho") > 0.5


def test_an_accent_makes_another_word_and_a_unicode_form_does_not() -> None:
    assert cosine("má", "mà") < 0.5
    assert cosine(SENTENCE, unicodedata.normalize("NFD", SENTENCE.upper())) > 0.999
