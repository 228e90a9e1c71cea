"""Scoring must not flatter: a quote that happens to hold the answer is not the answer."""

from dataclasses import replace
from typing import Any

import pytest

from groundhop.evaluation.outcomes import matching, outcome, partial_score
from groundhop.evaluation.schema import Question
from groundhop.evaluation.wording import holds

ANSWERS = ("15 ngày", "15")
YES = Question(
    id="q1",
    question="Được nghỉ mấy ngày?",
    answers=ANSWERS,
    parts=(ANSWERS,),
    gold=(("documents/nhan-su/nghi-phep-2026.md",),),
)
CITED = [{"source": "handbook-vi/documents/nhan-su/nghi-phep-2026.md"}]


def given(
    short: str, text: str = "", citations: list[dict[str, str]] | None = None
) -> dict[str, Any]:
    return {"short": short, "text": text or short, "citations": citations or CITED}


def test_the_expected_fact_with_its_document_is_right() -> None:
    assert outcome(YES, "answered", given("15 ngày")) == "right"
    assert outcome(YES, "answered", given("Mười hai", "12 ngày, trước là 15 ngày")) == "wrong"


def test_the_right_fact_from_another_document_is_wrong() -> None:
    other = [{"source": "handbook-vi/documents/nhan-su/thu-viec.md"}]
    assert outcome(YES, "answered", given("15 ngày", citations=other)) == "wrong"


def test_a_number_inside_another_number_does_not_count() -> None:
    assert not holds("115 ngày", "15 ngày")
    assert holds("1.500.000 đồng", "1,500,000 đồng")
    assert holds("ở Hoà Khánh.", "Hòa Khánh")


@pytest.mark.parametrize("status", ["gave_up", "failed"])
def test_a_refusal_of_an_answerable_question_is_a_wrong_refusal(status: str) -> None:
    assert outcome(YES, status, {"text": "15 ngày"}) == "wrongly_refused"


def test_an_unanswerable_question_must_not_be_answered() -> None:
    question = replace(YES, answerable="no", answers=(), parts=(), gold=())
    assert outcome(question, "gave_up", {}) == "rightly_refused"
    assert outcome(question, "partial", given("Lan")) == "rightly_refused"
    assert outcome(question, "answered", given("15 ngày")) == "wrong"


def test_a_partial_question_needs_the_present_part_and_the_missing_one_named() -> None:
    question = replace(YES, answerable="partial", missing="lương")
    assert outcome(question, "partial", given("15 ngày")) == "right"
    assert outcome(question, "answered", given("15 ngày")) == "wrong"
    assert outcome(question, "gave_up", {}) == "wrongly_refused"


def test_a_conjunction_needs_every_part() -> None:
    question = replace(YES, parts=(("15 ngày",), ("Nguyễn Lan",)))
    assert outcome(question, "answered", given("15 ngày; Nguyễn Lan")) == "right"
    assert outcome(question, "answered", given("15 ngày")) == "wrong"


def test_a_greeting_is_right_without_citations() -> None:
    question = replace(YES, type="greeting", answerable="no")
    assert outcome(question, "answered", {"text": "Chào bạn", "citations": []}) == "right"
    assert outcome(question, "answered", given("15 ngày")) == "wrong"


def test_without_documents_the_fact_alone_is_asked_for() -> None:
    assert outcome(YES, "answered", {"text": "15 ngày", "citations": []}) == "wrong"
    alone = outcome(YES, "answered", {"text": "15 ngày", "citations": []}, needs_support=False)
    assert alone == "right"


def test_a_known_look_alike_in_the_answer_is_wrong() -> None:
    question = replace(YES, forbidden=("12 ngày",))
    assert outcome(question, "answered", given("15 ngày hoặc 12 ngày")) == "wrong"


def test_where_nobody_wrote_the_answer_down_the_citation_decides() -> None:
    question = replace(YES, answers=(), parts=())
    assert outcome(question, "answered", given("một điều gì đó")) == "right"
    other = [{"source": "handbook-vi/documents/nhan-su/thu-viec.md"}]
    assert outcome(question, "answered", given("một điều gì đó", citations=other)) == "wrong"


def test_half_of_a_partial_question_is_its_present_part_and_half_naming_the_rest() -> None:
    question = replace(YES, answerable="partial", missing="lương")
    both = {**given("15 ngày"), "missing": ["Lương là bao nhiêu?"]}
    assert partial_score(question, "partial", both) == 1
    assert partial_score(question, "answered", given("15 ngày")) == 0.5
    assert partial_score(question, "gave_up", {"missing": ["cả hai"]}) == 0.5
    assert partial_score(question, "answered", given("12 ngày")) == 0


def test_a_source_is_matched_by_whole_names_of_folders() -> None:
    assert matching("handbook-vi/documents/a.md", ["documents/a.md"]) == "documents/a.md"
    assert matching("documents/a.md", ["documents/a.md"]) == "documents/a.md"
    assert matching("old-documents/a.md", ["documents/a.md"]) is None
