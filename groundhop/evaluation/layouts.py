"""The layouts of public sets, told apart by the fields of their first object.

A set that brings its paragraphs gets them as passages; questions then name them as evidence.
HotpotQA (Yang et al. 2018) and 2WikiMultihopQA (Ho et al. 2020), MuSiQue (Trivedi et al. 2022),
SQuAD 2 (Rajpurkar et al. 2018) and XQuAD (Artetxe et al. 2020), MultiHop-RAG (Tang, Yang 2024),
and the columns of RAGAS.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

from groundhop.evaluation import samples
from groundhop.evaluation.rows import Row, RowError, needed, objects, text, texts
from groundhop.evaluation.schema import Json, Passage, Question

Passages = dict[str, Passage]


@dataclass(frozen=True)
class Layout:
    """`rows` unpacks nested objects; `question` may add to the passages that it is given."""

    name: str
    question: Callable[[Json, Passages], Question]
    rows: Callable[[list[Row]], list[Row]] = field(default=lambda rows: rows)


def layout_of(first: Json) -> Layout:
    """The layout whose fields the object has; our own where none is recognised."""
    fields = first.keys()
    if "data" in fields and "question" not in fields:
        return Layout("squad", _squad, _squad_rows)
    if {"question", "paragraphs"} <= fields:
        return Layout("musique", _musique)
    if {"question", "context", "supporting_facts"} <= fields:
        return Layout("hotpotqa", _hotpotqa)
    if {"query", "evidence_list"} <= fields:
        return Layout("multihop-rag", _multihop_rag)
    if "answerable" not in fields and fields & {"user_input", "ground_truth", "ground_truths"}:
        return Layout("ragas", _ragas)
    return Layout("groundhop", lambda values, _: samples.question(values))


def _keep(passages: Passages, title: str, body: str, lang: str = "") -> str:
    """The id of a passage, which is kept once however many questions bring it."""
    body = body.strip()
    name = hashlib.sha256(f"{title}\n{body}".encode()).hexdigest()[:12]
    identifier = f"{title[:60].strip().replace('/', '-')}#{name}" if title else name
    passages.setdefault(identifier, Passage(identifier, title, body, lang))
    return identifier


def _hotpotqa(values: Json, passages: Passages) -> Question:
    context = values["context"]
    if isinstance(context, dict):  # as the datasets library stores it: one list per column
        pairs = list(zip(context.get("title", []), context.get("sentences", []), strict=False))
    else:
        pairs = [tuple(one) for one in context if isinstance(one, list) and len(one) == 2]
    if not pairs:
        raise RowError("the field 'context' holds no pairs of title and sentences")
    ids = {title: _keep(passages, title, " ".join(map(str.strip, said))) for title, said in pairs}
    facts = values["supporting_facts"]
    titles = facts.get("title", []) if isinstance(facts, dict) else [one[0] for one in facts]
    gold = list(dict.fromkeys(titles))
    lost = [title for title in gold if title not in ids]
    if lost:
        raise RowError(f"the supporting paragraph {lost[0]!r} is not in its context")
    answers = (needed(values, "answer"),)
    return Question(
        id=needed(values, "_id", "id"),
        question=needed(values, "question"),
        answers=answers,
        parts=(answers,),
        gold=tuple((ids[title],) for title in gold),
        type=text(values, "type", default="bridge"),
        lang="en",
        hops=len(gold),
    )


def _musique(values: Json, passages: Passages) -> Question:
    gold = []
    for one in objects(values, "paragraphs"):
        kept = _keep(passages, text(one, "title", default=""), needed(one, "paragraph_text"))
        if one.get("is_supporting"):
            gold.append(kept)
    answerable = values.get("answerable", True) is not False
    answers = (needed(values, "answer"), *texts(values, "answer_aliases", default=[]))
    hops = len(values.get("question_decomposition") or gold)
    return Question(
        id=needed(values, "id"),
        question=needed(values, "question"),
        answers=answers if answerable else (),
        parts=(answers,) if answerable else (),
        gold=tuple((one,) for one in dict.fromkeys(gold)) if answerable else (),
        answerable="yes" if answerable else "no",
        type="bridge",
        lang="en",
        hops=hops,
    )


def _squad_rows(rows: list[Row]) -> list[Row]:
    """One row per question, with its paragraph."""
    found = []
    for row in rows:
        for article in objects(row.values, "data"):
            for paragraph in objects(article, "paragraphs"):
                context = {"title": article.get("title"), "context": paragraph.get("context")}
                for number, asked in enumerate(objects(paragraph, "qas"), 1):
                    where = f"{row.where.split(',')[0]}, question {asked.get('id', number)}"
                    found.append(Row(where, {**context, **asked}))
    return found


def _squad(values: Json, passages: Passages) -> Question:
    kept = _keep(passages, text(values, "title", default=""), needed(values, "context"))
    answerable = values.get("is_impossible") is not True
    given = (needed(one, "text") for one in objects(values, "answers", required=answerable))
    answers = tuple(dict.fromkeys(given)) if answerable else ()
    return Question(
        id=needed(values, "id"),
        question=needed(values, "question"),
        answers=answers,
        parts=(answers,) if answers else (),
        gold=((kept,),) if answerable else (),
        answerable="yes" if answerable else "no",
        type="single" if answerable else "null",
    )


def _multihop_rag(values: Json, passages: Passages) -> Question:
    """The facts named as evidence become the passages: the articles lie in a file of their own."""
    gold = [
        (_keep(passages, text(one, "title", default=""), needed(one, "fact"), "en"),)
        for one in objects(values, "evidence_list")
    ]
    answers = (needed(values, "answer"),) if gold else ()
    asked = needed(values, "query")
    return Question(
        id=text(values, "id", default=hashlib.sha256(asked.encode()).hexdigest()[:12]),
        question=asked,
        answers=answers,
        parts=(answers,) if answers else (),
        gold=tuple(dict.fromkeys(gold)),
        answerable="yes" if gold else "no",
        type=text(values, "question_type", default="").removesuffix("_query") or "single",
        lang="en",
        hops=max(1, len(gold)),
    )


def _ragas(values: Json, passages: Passages) -> Question:
    """Reference contexts become passages; without any, the knowledge base is asked as it is."""
    asked = needed(values, "user_input", "question")
    contexts = texts(values, "reference_contexts", "contexts", default=[])
    answers = texts(values, "reference", "ground_truth", "ground_truths", default=[])
    if not answers and not contexts:
        raise RowError("the field 'reference' is missing")
    return Question(
        id=text(values, "id", default=hashlib.sha256(asked.encode()).hexdigest()[:12]),
        question=asked,
        answers=answers,
        parts=(answers,) if answers else (),
        gold=tuple((_keep(passages, "", one),) for one in dict.fromkeys(contexts) if one),
    )
