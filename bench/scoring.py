"""Scoring one answer of a sample question, strictly: the bare fact must be the expected one."""

import re
from typing import Any, Literal

from state.text import comparable, nfc

Outcome = Literal["right", "wrong", "wrongly_refused", "rightly_refused"]
OUTCOMES: tuple[Outcome, ...] = ("right", "wrong", "wrongly_refused", "rightly_refused")


def outcome(question: dict[str, Any], status: str, answer: dict[str, Any]) -> Outcome:
    """How a run did on a question of the samples' schema.

    Answerable: *right* when the expected answer stands in the bare answer (in the text where
    there is no bare one) and a supporting document is cited; *wrongly_refused* when the run gave
    up, or named a part as missing without having the answer; else *wrong*. Answerable in part:
    *right* when the present part is answered and a part is named as missing. Unanswerable:
    *rightly_refused* unless the run claims an answer. A greeting is right when it is answered
    without a citation.
    """
    if question["type"] == "greeting":
        return "right" if status == "answered" and not answer.get("citations") else "wrong"
    refused = status in ("gave_up", "failed")
    found = not refused and is_expected(question, answer) and cites_support(question, answer)
    if question["answerable"] == "no":
        return "wrong" if status == "answered" else "rightly_refused"
    if refused:
        return "wrongly_refused"
    if question["answerable"] == "partial":
        return "right" if found and status == "partial" else "wrong"
    if found:
        return "right"
    return "wrongly_refused" if status == "partial" else "wrong"


def is_expected(question: dict[str, Any], answer: dict[str, Any]) -> bool:
    """Whether every expected part stands in the answer, as whole words."""
    given = answer.get("short") or answer.get("text", "")
    if question["answerable"] == "partial":
        given = answer.get("text", "")
    return all(any(holds(given, form) for form in forms) for forms in expected_parts(question))


def expected_parts(question: dict[str, Any]) -> list[list[str]]:
    """The accepted forms of each part; only conjunctions have more than one part."""
    if question.get("answer_parts"):
        return list(question["answer_parts"])
    if question["type"] == "conjunction":
        return [[part.strip()] for part in question["answers"][0].split(";")]
    return [question["answers"]]


def holds(given: str, form: str) -> bool:
    """Whether `form` stands in `given` as whole words; case, spacing and separators folded."""
    return re.search(rf"(?<!\w){re.escape(_plain(form))}(?!\w)", _plain(given)) is not None


def _plain(text: str) -> str:
    text = comparable(text)
    text = re.sub(r"(?<=\d)[.,\s](?=\d{3}(?!\d))", "", text)
    return " ".join(re.sub(r"[^\w%/.:-]+", " ", text).split()).rstrip(".")


def cites_support(question: dict[str, Any], answer: dict[str, Any]) -> bool:
    """Whether at least one supporting document is cited."""
    sources = {nfc(item["source"]) for item in answer.get("citations", [])}
    wanted = {nfc(item["document"]) for item in question["supporting"]}
    return any(source.endswith(document) for source in sources for document in wanted)
