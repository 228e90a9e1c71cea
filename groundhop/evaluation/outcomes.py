"""How one answer did, strictly: the bare fact must be the expected one, with its evidence cited."""

from collections.abc import Iterable
from typing import Any, Literal

from groundhop.evaluation.schema import Question
from groundhop.evaluation.wording import holds
from state.text import nfc

Outcome = Literal["right", "wrong", "wrongly_refused", "rightly_refused"]
OUTCOMES: tuple[Outcome, ...] = ("right", "wrong", "wrongly_refused", "rightly_refused")
REFUSED = ("gave_up", "failed")


def outcome(
    question: Question, status: str, answer: dict[str, Any], *, needs_support: bool = True
) -> Outcome:
    """How a run did on a question.

    Answerable: *right* when the expected answer stands in the bare answer (in the text where
    there is no bare one) and a supporting document is cited; *wrongly_refused* when the run gave
    up, or named a part as missing without having the answer; else *wrong*. Answerable in part:
    *right* when the present part is answered and a part is named as missing. Unanswerable:
    *rightly_refused* unless the run claims an answer. A greeting is right when it is answered
    without a citation. A system without documents is scored with `needs_support` off.
    """
    if question.type == "greeting":
        return "right" if status == "answered" and not answer.get("citations") else "wrong"
    refused = status in REFUSED
    supported = not needs_support or cites_support(question, answer)
    found = not refused and is_expected(question, answer) and supported
    if question.answerable == "no":
        return "wrong" if status == "answered" else "rightly_refused"
    if refused:
        return "wrongly_refused"
    if question.answerable == "partial":
        return "right" if found and status == "partial" else "wrong"
    if found:
        return "right"
    return "wrongly_refused" if status == "partial" else "wrong"


def partial_score(question: Question, status: str, answer: dict[str, Any]) -> float:
    """Half for the part that the documents hold, half for naming the part that they do not."""
    present = status not in REFUSED and is_expected(question, answer)
    named = status == "partial" or (status in REFUSED and not present)
    return (present + (named and bool(answer.get("missing")))) / 2


def is_expected(question: Question, answer: dict[str, Any]) -> bool:
    """Whether every expected part stands in the answer, as whole words, and no forbidden one."""
    given = given_answer(question, answer)
    if any(holds(given, form) for form in question.forbidden):
        return False
    return all(any(holds(given, form) for form in forms) for forms in question.parts)


def given_answer(question: Question, answer: dict[str, Any]) -> str:
    """What is compared: the bare answer; the text where there is none or a part is missing."""
    text: str = answer.get("text", "")
    return text if question.answerable == "partial" else answer.get("short") or text


def cites_support(question: Question, answer: dict[str, Any]) -> bool:
    """Whether at least one supporting document is cited."""
    cited = [item["source"] for item in answer.get("citations", [])]
    return any(matching(source, question.documents) for source in cited)


def matching(source: str, documents: Iterable[str]) -> str | None:
    """The document, as a data set names it, that a source of the knowledge base is.

    The source may have the name of the ingested folder in front.
    """
    source = nfc(source)
    for document in documents:
        name = nfc(document)
        if source == name or source.endswith(f"/{name}"):
            return document
    return None
