"""Scoring must not flatter: a quote that happens to hold the answer is not the answer."""

from typing import Any

import pytest

from bench.scoring import holds, outcome

YES: dict[str, Any] = {
    "type": "single",
    "answerable": "yes",
    "answers": ["15 ngày", "15"],
    "supporting": [{"document": "documents/nhan-su/nghi-phep-2026.md"}],
}
CITED = [{"source": "handbook-vi/documents/nhan-su/nghi-phep-2026.md"}]


def given(short: str, text: str = "", citations: list[dict[str, str]] | None = None) -> dict:
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
    question = {**YES, "answerable": "no", "answers": [], "supporting": []}
    assert outcome(question, "gave_up", {}) == "rightly_refused"
    assert outcome(question, "partial", given("Lan")) == "rightly_refused"
    assert outcome(question, "answered", given("15 ngày")) == "wrong"


def test_a_partial_question_needs_the_present_part_and_the_missing_one_named() -> None:
    question = {**YES, "answerable": "partial", "missing": "lương"}
    assert outcome(question, "partial", given("15 ngày")) == "right"
    assert outcome(question, "answered", given("15 ngày")) == "wrong"
    assert outcome(question, "gave_up", {}) == "wrongly_refused"


def test_a_conjunction_needs_every_part() -> None:
    question = {**YES, "type": "conjunction", "answers": ["15 ngày; Nguyễn Lan"]}
    assert outcome(question, "answered", given("15 ngày; Nguyễn Lan")) == "right"
    assert outcome(question, "answered", given("15 ngày")) == "wrong"


def test_a_greeting_is_right_without_citations() -> None:
    question = {**YES, "type": "greeting", "answerable": "no"}
    assert outcome(question, "answered", {"text": "Chào bạn", "citations": []}) == "right"
    assert outcome(question, "answered", given("15 ngày")) == "wrong"
