from collections.abc import Callable

import pytest

from tests.nodes.scripting import (
    QUESTION,
    Script,
    World,
    finds,
    graded,
    passage,
    planned,
    rewritten,
    verdict,
)

Make = Callable[..., World]
SECOND = f"{QUESTION} quy chế"


def refusal(world: Make, question: str = QUESTION) -> dict:
    search = finds(passage("Lương.", "c1"), passage("Thưởng.", "c2"))
    policy = Script(rewrite=lambda view: rewritten(f"{view['subgoal']['question']} quy chế"))
    return world(policy, search).ask(question)  # type: ignore[return-value]


def test_a_refusal_names_queries_documents_and_the_rule(world: Make) -> None:
    state = refusal(world)
    report = state["answer"]["report"]
    assert report["stop"] == {
        "rule": "no_progress",
        "detail": "2 rounds without new evidence",
    }
    assert [row["query"] for row in report["searched"]] == [QUESTION, SECOND]
    assert report["turned_down"] == [
        {"source": "c1.md", "title": "Tài liệu c1", "reason": "because no"},
        {"source": "c2.md", "title": "Tài liệu c2", "reason": "because no"},
    ]
    assert report["found"] == report["errors"] == report["degraded"] == []
    assert state["answer"]["missing"] == [QUESTION]
    assert state["answer"]["coverage"] == 0.0
    assert state["answer"]["citations"] == []
    assert (state["status"], state["stop_reason"]) == ("gave_up", "no_progress")


def test_a_refusal_speaks_the_language_of_the_question(world: Make) -> None:
    text = refusal(world)["answer"]["text"]
    assert text.startswith("Tôi không tìm thấy câu trả lời")
    assert "Đã xem và loại: Tài liệu c1; Tài liệu c2" in text
    text = refusal(world, "How many days of leave does Minh Tran have?")["answer"]["text"]
    assert text.startswith("I could not find the answer")
    assert "Stopped because: the last rounds brought no new evidence." in text


def test_a_refusal_shows_what_was_found_without_solving_anything(world: Make) -> None:
    half = "Thử việc hưởng một nửa."
    policy = Script(grade=[graded(verdict("s1:c1", "yes", half))])
    state = world(policy, finds(passage(half))).ask(steps=1)
    assert state["answer"]["report"]["found"] == [{"quote": half, "source": "c1.md"}]
    assert state["status"] == "gave_up"


@pytest.mark.parametrize("text", ["{missing} {0} {}", "100% {s1}"])
def test_braces_in_queries_and_titles_are_shown_as_they_are(world: Make, text: str) -> None:
    policy = Script(plan=[planned(f"Lỗi {text} là gì?")])
    state = world(policy, finds(passage("Lương.", title=text))).ask(steps=1)
    assert f"“Lỗi {text} là gì?”" in state["answer"]["text"]
    assert text in state["answer"]["text"].splitlines()[-1]


def test_a_refusal_is_remembered_in_the_conversation_without_an_answer(world: Make) -> None:
    assert refusal(world)["conversation"] == [{"question": QUESTION, "answer": ""}]


def test_the_parts_of_a_broken_chain_are_named_with_what_they_wait_for(world: Make) -> None:
    policy = Script(plan=[planned("Ai phát triển Aurora?", "{s1} ở đâu?")])
    state = world(policy, finds()).ask(rewrites=0)
    assert [item["status"] for item in state["subgoals"]] == ["unanswerable", "unanswerable"]
    assert state["subgoals"][1]["reason"] == "depends on s1, which was not found"
    assert state["stop_reason"] == "insufficient_evidence"
    assert state["answer"]["missing"] == ["Ai phát triển Aurora?", "{s1} ở đâu?"]
