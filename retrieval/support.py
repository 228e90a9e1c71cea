"""How well each sentence of a passage supports a question, for a grader without a model."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from retrieval.embeddings.protocol import Embedder
from retrieval.exact import dots
from retrieval.tokens import ENGLISH_STOP_WORDS, folded, tokens
from state.language import detect_language
from state.sentences import Sentence, sentences
from state.text import fold_accents, has_accents

VIETNAMESE_STOP_WORDS = frozenset(
    "ai gì nào đâu sao bao nhiêu mấy khi hãy xin hỏi cho biết là và hoặc hay có không của ở tại "
    "trong trên về với từ đến vào ra do vì nên thì mà để các những một này đó kia ấy được bị đã "
    "đang sẽ cũng như thế rằng nếu theo bởi phải việc người ta tôi bạn anh chị".split()
)


@dataclass(frozen=True)
class SentenceSupport:
    """One sentence of a passage against a question.

    `start` and `end` are offsets into the passage's text. `cosine` is that of the embeddings
    of question and sentence, `in_context` that of question and the sentence under its headings.
    `coverage` is the idf-weighted share, 0 to 1, of the question's terms that the sentence
    holds; `context_coverage` counts the passage's context as well, and `passage_coverage` the
    whole passage.
    """

    text: str
    start: int
    end: int
    cosine: float
    in_context: float
    coverage: float
    context_coverage: float
    passage_coverage: float


SupportScorer = Callable[[str, Sequence[tuple[str, str]]], list[list[SentenceSupport]]]


def support_scorer(embedder: Embedder, idf: Callable[[str], float]) -> SupportScorer:
    """A function that scores every sentence of passages, given as (context, text) pairs.

    `idf` weighs a term of `retrieval.tokens`. Sentences are embedded all at once as passages,
    so a cache that has them answers without the model.
    """

    def score(question: str, passages: Sequence[tuple[str, str]]) -> list[list[SentenceSupport]]:
        split = [sentences(text) for _, text in passages]
        texts = [sentence.text for found in split for sentence in found]
        if not texts:
            return [[] for _ in passages]
        under = [
            f"{_label(context)}{one.text}"
            for (context, _), found in zip(passages, split, strict=True)
            for one in found
        ]
        vectors = embedder.passages([*texts, *under])
        cosines = dots(vectors, embedder.queries([question])[0]).tolist()
        near = iter(zip(cosines[: len(texts)], cosines[len(texts) :], strict=True))
        weights = question_terms(question, idf)
        return [
            _supports(found, near, weights, context, text)
            for (context, text), found in zip(passages, split, strict=True)
        ]

    return score


def question_terms(question: str, idf: Callable[[str], float]) -> dict[str, float]:
    """The terms of a question that say what it is about, with their idf.

    Question words and function words are left out. A question typed without accents gives
    terms of the unaccented field, so that it is compared without them.
    """
    vietnamese = detect_language(question) == "vi"
    dropped = VIETNAMESE_STOP_WORDS if vietnamese else ENGLISH_STOP_WORDS
    terms = tokens(question, "und")
    if not has_accents(question):
        dropped = frozenset(map(fold_accents, dropped))
        return {folded(term): idf(folded(term)) for term in terms if term not in dropped}
    return {term: idf(term) for term in terms if term not in dropped}


def _label(context: str) -> str:
    """Title and innermost heading, as they are put before a sentence."""
    names = [one for one in context.split(" > ") if one]
    return ". ".join(dict.fromkeys([*names[:1], *names[-1:]])) + ": " if names else ""


def _supports(
    found: Sequence[Sentence],
    near: Iterator[tuple[float, float]],
    weights: dict[str, float],
    context: str,
    text: str,
) -> list[SentenceSupport]:
    whole = _covered(weights, f"{context}\n{text}")
    return [
        SentenceSupport(
            one.text, one.start, one.end, *next(near), _covered(weights, one.text),
            _covered(weights, f"{context}\n{one.text}"), whole,
        )
        for one in found
    ]  # fmt: skip


def _covered(weights: dict[str, float], text: str) -> float:
    total = sum(weights.values())
    if not total:
        return 0.0
    held = tokens(text, "und")
    terms = {*held, *map(folded, held)}
    return sum(weight for term, weight in weights.items() if term in terms) / total
