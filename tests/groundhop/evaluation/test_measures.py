"""What is measured of one run, and where a wrong answer went wrong."""

from dataclasses import replace
from typing import Any

import pytest

from groundhop.evaluation.diagnosis import diagnose
from groundhop.evaluation.measures import measure, rankings
from groundhop.evaluation.outcomes import outcome
from groundhop.evaluation.recording import Record
from groundhop.evaluation.relevancy import relevancy
from groundhop.evaluation.schema import Hop
from retrieval.embeddings.hashing import HashingEmbedder
from tests.groundhop.evaluation.cases import (
    AURORA,
    DELTA,
    FOUNDER,
    SIGMA,
    accepted,
    answered,
    citation,
    run_of,
    search,
)

RIGHT = run_of(
    answer=answered(
        "Minh Trần",
        citation(DELTA, "Lab Delta do Minh Trần sáng lập năm 2019."),
        citation(AURORA, "Project Aurora do Lab Delta phát triển.", 2),
        text="Minh Trần. [1][2]\n“Lab Delta do Minh Trần sáng lập năm 2019.” [1]",
    ),
    searches=[search(SIGMA, AURORA), search(DELTA, SIGMA)],
    evidence=[accepted(AURORA), accepted(DELTA, 2)],
    spent={"steps": 2, "tool_calls": 2, "model_calls": 5, "tokens": 0},
    seconds=0.25,
)


def test_a_right_answer_has_full_marks_for_what_applies_to_it() -> None:
    found = measure(FOUNDER, RIGHT)
    for name in ("right", "exact", "f1", "contains", "completeness", "citation_recall"):
        assert found[name] == 1, name
    assert found["citation_precision"] == 1
    assert found["supported_sentences"] == 1
    assert found["refused"] == 0
    assert (found["steps"], found["model_calls"], found["seconds"]) == (2, 5, 0.25)
    assert "partial" not in found


def test_retrieved_accepted_and_presented_are_three_rankings() -> None:
    retrieved, taken, presented = rankings(FOUNDER, RIGHT)
    assert retrieved == [SIGMA, DELTA, AURORA]
    assert taken == [AURORA, DELTA]
    assert presented == [AURORA, DELTA, SIGMA]
    found = measure(FOUNDER, RIGHT)
    assert found["mrr"] == 0.5
    assert found["accepted_mrr"] == 1
    assert found["accepted_precision"] == 1


def test_a_source_below_an_ingested_folder_counts_as_the_document_of_the_set() -> None:
    moved = replace(RIGHT, searches=[search(f"labs-en/{DELTA}", f"labs-en/{AURORA}")])
    assert measure(FOUNDER, moved)["recall@5"] == 1


def test_a_refusal_scores_nothing_and_says_that_it_refused() -> None:
    found = measure(FOUNDER, run_of("gave_up", searches=[search(SIGMA)]))
    assert found["refused"] == 1
    assert (found["right"], found["f1"], found["contains"], found["recall@5"]) == (0, 0, 0, 0)
    assert "citation_precision" not in found
    assert "supported_sentences" not in found


def test_an_unanswerable_question_is_right_when_it_is_refused() -> None:
    question = replace(FOUNDER, answerable="no", answers=(), parts=(), gold=())
    assert measure(question, run_of("gave_up"))["right"] == 1
    wrong = measure(question, RIGHT)
    assert (wrong["right"], wrong["refused"]) == (0, 0)
    assert "recall@5" not in wrong


def test_a_sentence_naming_what_no_citation_holds_is_not_supported() -> None:
    text = "Nguyễn Lan sáng lập Lab Delta năm 2021. [1]\nMinh Trần sáng lập Lab Delta. [1]"
    quote = citation(DELTA, "Lab Delta do Minh Trần sáng lập năm 2019.")
    found = measure(FOUNDER, run_of(answer=answered("Minh Trần", quote, text=text)))
    assert found["supported_sentences"] == 0.5


def test_the_expected_path_is_followed_in_its_order() -> None:
    path = (Hop("Ai phát triển Aurora?", AURORA), Hop("Ai sáng lập nó?", DELTA))
    question = replace(FOUNDER, expected_path=path)
    assert measure(question, RIGHT)["path_followed"] == 1
    backwards = replace(RIGHT, evidence=[accepted(DELTA), accepted(AURORA, 2)])
    assert measure(question, backwards)["path_followed"] == 0


def test_rewrites_and_caught_repeats_are_read_from_the_trail() -> None:
    trail = [
        {"action": "rewritten"},
        {"action": "refused", "refusal": "this was searched before"},
        {"action": "tool_error", "error": "máy chủ không trả lời"},
        {"action": "searched", "degraded": ["vector search failed: no room"]},
    ]
    found = measure(FOUNDER, run_of("gave_up", trace=trail))
    assert (found["rewrites"], found["repeated_queries"], found["tool_errors"]) == (1, 1, 1)
    assert found["degraded"] == 1


def test_relevancy_is_the_best_cosine_of_the_question_and_a_quoted_passage() -> None:
    embedder = HashingEmbedder(256)
    question = "Ai sáng lập Lab Delta?"
    near, far = "Minh Trần sáng lập Lab Delta năm 2019.", "Trời hôm nay rất đẹp và mát."
    quoting = run_of(answer=answered("Minh Trần", citation(DELTA, near), citation(SIGMA, far, 2)))
    off = run_of(answer=answered("đẹp", citation(SIGMA, far)))
    records = [quoting, off, run_of("gave_up"), run_of(answer=answered("Minh Trần"))]
    found = relevancy([(question, one.as_json()) for one in records], embedder)
    expected = float(embedder.passages([near])[0] @ embedder.queries([question])[0])
    assert found[0] == pytest.approx(expected, abs=1e-4)
    assert found[1] is not None
    assert found[1] < found[0]
    assert found[2:] == [None, None], "a refusal and a bare name have nothing to compare"


TEXTS = {AURORA: "Project Aurora do Lab Delta phát triển.", DELTA: "Minh Trần sáng lập Lab Delta."}
WRONG = answered("Lan", citation(DELTA, "Lan sáng lập."), citation(AURORA, "…", 2))
BOTH = [search(AURORA, DELTA)]
TAKEN = [accepted(AURORA), accepted(DELTA, 2)]


@pytest.mark.parametrize(
    ("record", "cause"),
    [
        (RIGHT, ""),
        (run_of("gave_up", error="the model is down"), "tool_failed"),
        (run_of("gave_up", trace=[{"action": "tool_error"}]), "tool_failed"),
        (run_of("gave_up", stop_reason="budget_exhausted"), "budget"),
        (run_of("gave_up", searches=[search(AURORA)]), "not_retrieved"),
        (run_of("gave_up", searches=BOTH, evidence=TAKEN[:1]), "rejected"),
        (run_of("gave_up", searches=BOTH, evidence=TAKEN), "refused"),
        (run_of(answer=WRONG, searches=BOTH, evidence=TAKEN), "answered_wrong"),
        (
            run_of(
                answer=answered("Nguyễn Hoa", citation(DELTA, "Lan")),
                searches=BOTH,
                evidence=TAKEN,
            ),
            "unsupported",
        ),
    ],
)
def test_the_first_thing_that_failed_is_the_cause(record: Record, cause: str) -> None:
    how = outcome(FOUNDER, record.status, record.answer)
    assert diagnose(FOUNDER, record, how, lambda name: TEXTS.get(name, "")) == cause


def test_evidence_that_does_not_hold_the_answer_is_not_in_the_corpus() -> None:
    record = run_of("gave_up", searches=BOTH)
    assert diagnose(FOUNDER, record, "wrongly_refused", lambda _: "một tài liệu khác") == (
        "not_in_corpus"
    )
    unanswerable: Any = replace(FOUNDER, answerable="no", parts=(), gold=())
    assert diagnose(unanswerable, RIGHT, "wrong", lambda _: "") == "not_in_corpus"


def test_a_quoted_table_row_is_in_the_corpus_with_or_without_its_bars() -> None:
    question = replace(FOUNDER, quotes=("Văn phòng Huế | 2019",))
    record = run_of("gave_up", searches=[search(AURORA)])
    texts = {AURORA: "| Nơi | Năm |\n|---|---|\n| Văn phòng Huế | 2019 |", DELTA: "…"}
    assert diagnose(question, record, "wrongly_refused", lambda name: texts[name]) == (
        "not_retrieved"
    )
    gone = {**texts, AURORA: "| Văn phòng Huế | 2018 |"}
    assert diagnose(question, record, "wrongly_refused", lambda name: gone[name]) == (
        "not_in_corpus"
    )
