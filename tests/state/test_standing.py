from typing import Any

from state.standing import judged_since, standing, without
from state.types import RunState


def subgoal(name: str, **fields: Any) -> dict[str, Any]:
    plain = {
        "id": name,
        "question": f"Phần {name}?",
        "query": "",
        "tool": "search_documents",
        "status": "solved",
        "required": True,
        "depends_on": [],
        "answer": f"đáp {name}",
        "reason": "",
        "evidence_ids": [],
        "rewrites": 1,
    }
    return {**plain, **fields}


def evidence(name: str, subgoal_id: str) -> dict[str, Any]:
    return {"id": name, "subgoal_id": subgoal_id, "quote": f"trích {name}"}


def three_hops() -> RunState:
    return {
        "subgoals": [
            subgoal("s1", evidence_ids=["e1"]),
            subgoal(
                "s2",
                question="Ai sáng lập Lab Delta?",
                template="Ai sáng lập {s1}?",
                evidence_ids=["e2"],
            ),
            subgoal("s3", depends_on=["s2"], evidence_ids=["e3"]),
            subgoal("s4", evidence_ids=["e4"]),
        ],
        "evidence": [evidence(f"e{n}", f"s{n}") for n in range(1, 5)],
        "seen_queries": [
            {"subgoal_id": f"s{n}", "normal": "x", "query": "x", "tool": "t", "hits": 1}
            for n in range(1, 5)
        ],
        "history": [],
    }  # type: ignore[typeddict-item]


def test_what_rests_on_stale_evidence_is_open_again_down_the_chain() -> None:
    after = without(three_hops(), {"e1": "its document changed"})
    status = {item["id"]: item["status"] for item in after["subgoals"]}
    assert status == {"s1": "pending", "s2": "pending", "s3": "pending", "s4": "solved"}
    assert [item["id"] for item in standing(after["evidence"])] == ["e4"]
    assert [row["subgoal_id"] for row in after["seen_queries"]] == ["s4"]
    assert after["history"][0]["subgoals"] == ["s1", "s2", "s3"]


def test_a_question_that_an_old_answer_was_put_into_gets_its_placeholder_back() -> None:
    after = without(three_hops(), {"e1": "its document changed"})
    second = next(item for item in after["subgoals"] if item["id"] == "s2")
    assert second["question"] == "Ai sáng lập {s1}?"
    assert second["depends_on"] == ["s1"]
    assert (second["answer"], second["evidence_ids"], second["rewrites"]) == ("", [], 1)


def test_evidence_late_in_the_chain_leaves_what_came_before() -> None:
    after = without(three_hops(), {"e3": "its document is gone"})
    assert [item["status"] for item in after["subgoals"]] == [
        "solved",
        "solved",
        "pending",
        "solved",
    ]


def test_only_judgements_after_a_part_was_opened_count_for_it() -> None:
    history = [
        {"action": "graded", "subgoal_id": "s1", "n": 1},
        {"action": "stale", "subgoals": ["s1"]},
        {"action": "graded", "subgoal_id": "s1", "n": 2},
    ]
    assert judged_since(history, "s1") == history[2:]
    assert judged_since(history, "s2") == history


def test_an_answer_that_waited_for_more_sources_is_forgotten_with_what_it_rested_on() -> None:
    state = three_hops()
    state["subgoals"][3] |= {"status": "pending", "claim": "15 ngày"}
    after = without(state, {"e4": "its document changed"})
    assert after["subgoals"][3]["claim"] == ""
