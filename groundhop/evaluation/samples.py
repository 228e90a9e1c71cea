"""Our own layout: the samples, golden cases, and `questions.jsonl` with a `corpus.jsonl`.

    {"id", "question", "answers": [...], "supporting": [{"document", "quote"}], "answerable":
     "yes" | "partial" | "no", "type", "lang", "hops", "missing", "answer_parts", "expected_path",
     "split", "user", "groups", "asked_on"}

A piece of evidence that a tool has read, and no document holds, names the `tool`, and as its
`document` the source of the tool's results. `supporting_ids` and `answerable: true | false` are
read as well. Only `id`, `question` and `answerable` must be there, and `answers` or evidence where
the question is answerable.
"""

from groundhop.evaluation.rows import (
    RowError,
    needed,
    number,
    objects,
    text,
    texts,
)
from groundhop.evaluation.schema import Answerable, Hop, Json, Passage, Question

_ANSWERABLE: dict[object, Answerable] = {
    "yes": "yes",
    "partial": "partial",
    "no": "no",
    True: "yes",
    False: "no",
}


def question(values: Json) -> Question:
    """The question of a row; raises RowError naming the field that is wrong."""
    answerable = _answerable(values)
    metadata = values.get("metadata")
    extra: Json = metadata if isinstance(metadata, dict) else {}
    supporting = list(objects(values, "supporting", required=False))
    answers = texts(values, "answers", default=[] if answerable == "no" else None)
    kind = text(values, "type", default="single")
    gold = _gold(values, supporting, extra)
    found = Question(
        id=needed(values, "id"),
        question=needed(values, "question"),
        answers=answers,
        parts=_parts(values, answers, kind, extra),
        gold=gold,
        quotes=tuple(text(one, "quote", default="") for one in supporting if one.get("quote")),
        answerable=answerable,
        missing=text(values, "missing", default=""),
        type=kind,
        lang=text(values, "lang", default=""),
        hops=number({**extra, **values}, "hops", max(1, len(gold))),
        expected_path=tuple(_hop(one) for one in objects(values, "expected_path", required=False)),
        split=text(values, "split", default=""),
        user=text(values, "user", default="") or None,
        groups=texts(values, "groups", default=[]),
        forbidden=texts(extra, "wrong_answers", default=[]),
        asked_on=text(values, "asked_on", default=""),
        outside=frozenset(one["document"] for one in supporting if one.get("tool")),
    )
    if answerable != "no" and not found.parts and not found.gold:
        raise RowError("it is answerable, but has neither answers nor supporting documents")
    return found


def passage(values: Json) -> Passage:
    """The passage of a row of `corpus.jsonl`; raises RowError naming the field that is wrong."""
    return Passage(
        id=needed(values, "id"),
        title=text(values, "title", default=""),
        text=needed(values, "text"),
        lang=text(values, "lang", default=""),
    )


def _answerable(values: Json) -> Answerable:
    value = values.get("answerable")
    if value is None:
        raise RowError("the field 'answerable' is missing")
    if not isinstance(value, str | bool) or value not in _ANSWERABLE:
        raise RowError(f"the field 'answerable' is {value!r}, not yes, partial or no")
    return _ANSWERABLE[value]


def _parts(
    values: Json, answers: tuple[str, ...], kind: str, extra: Json
) -> tuple[tuple[str, ...], ...]:
    """The forms of every part; without a list of parts, those of one answer are one part."""
    if values.get("answer_parts"):
        lists = values["answer_parts"]
        if not isinstance(lists, list):
            raise RowError("the field 'answer_parts' is not a list")
        return tuple(texts({"answer_parts": forms}, "answer_parts") for forms in lists)
    if kind == "conjunction" and answers:
        return tuple((part.strip(),) for part in answers[0].split(";"))
    if extra.get("all_gold_answers_required"):
        return tuple((one,) for one in answers)
    return (answers,) if answers else ()


def _gold(values: Json, supporting: list[Json], extra: Json) -> tuple[tuple[str, ...], ...]:
    """Pieces of evidence: `metadata.evidence` where any of several documents will do."""
    if evidence := list(objects(extra, "evidence", required=False)):
        return tuple(texts(one, "doc_ids") for one in evidence)
    documents = [needed(one, "document") for one in supporting]
    documents += texts(values, "supporting_ids", default=[])
    return tuple((one,) for one in dict.fromkeys(documents))


def _hop(values: Json) -> Hop:
    return Hop(
        text(values, "question", default=""),
        text(values, "document", default="") or None,
        text(values, "tool", default=""),
    )
