from typing import Any

import pytest

from policy.extractive import Extractive
from state.anchors import lost_anchors
from state.queries import normal_query


def ask(
    policy: Extractive, question: str, reason: str = "", tried: tuple[str, ...] = (),
    original: str = "",
) -> Any:  # fmt: skip
    view: Any = {
        "original_question": original or question, "subgoal": {"id": "s1", "question": question},
        "reason": reason, "tried": list(tried), "turned_down": [], "tools": [],
    }  # fmt: skip
    return policy.rewrite(view)[0]


@pytest.mark.parametrize(
    ("question", "words"),
    [("nghỉ đẻ được mấy tháng?", "thai sản"), ("Sếp của Lan Anh là ai?", "quản lý trực tiếp"),
     ("What happens when I quit?", "resignation"), ("Can I get time off in May?", "annual leave")],
)  # fmt: skip
def test_colloquial_words_are_replaced_by_official_ones(
    policy: Extractive, question: str, words: str
) -> None:
    rewritten = ask(policy, question)
    assert rewritten.strategy == "expand"
    assert words in rewritten.query


def test_a_missing_condition_is_asked_for_by_name(policy: Extractive) -> None:
    reason = "the passage is about chính thức, the question about thử việc"
    rewritten = ask(policy, "Nhân viên thử việc được nghỉ mấy ngày?", reason)
    assert rewritten.strategy == "specify"
    assert "quy định dành cho thử việc" in rewritten.query


@pytest.mark.parametrize(
    "question", ["Ai sáng lập Lab Delta năm 2019?", "Who founded Lab Delta in 2019?"]
)
def test_no_rewrite_repeats_a_query_and_anchors_are_lost_only_on_purpose(
    policy: Extractive, question: str
) -> None:
    tried = [question]
    for _ in range(8):
        rewritten = ask(policy, question, "no sentence states a name", tuple(tried))
        if not rewritten.query:
            break
        assert normal_query(rewritten.query) not in {normal_query(one) for one in tried}
        assert rewritten.abstraction or not lost_anchors(question, rewritten.query)
        tried.append(rewritten.query)
    assert len(tried) > 2
    assert ask(policy, question, "", tuple(tried)).query == ""


def test_a_subgoal_that_holds_another_question_is_taken_apart(policy: Extractive) -> None:
    rewritten = ask(
        policy, "Ai sáng lập tổ chức đã phát triển Project Aurora?", original="Ai giỏi nhất?"
    )
    assert rewritten.strategy == "decompose"
    assert rewritten.subgoals[0].question == "Tổ chức nào đã phát triển Project Aurora?"


@pytest.mark.parametrize(
    ("original", "first"),
    [
        (
            "Which award did the founder of Lab Theta win in Varn?",
            "Who is the founder of Lab Theta?",
        ),
        ("Ai quản lý người phụ trách Dự án Sơn Trà?", "Ai phụ trách Dự án Sơn Trà?"),
    ],
)
def test_the_first_hop_of_a_chain_is_searched_with_the_words_of_the_whole_question(
    policy: Extractive, original: str, first: str
) -> None:
    rewritten = ask(policy, first, original=original)
    assert rewritten.query == original.rstrip("?")
    assert original.rstrip("?") != ask(policy, first, tried=(rewritten.query,)).query


def test_a_part_that_stands_alone_is_not_searched_with_the_words_of_the_others(
    policy: Extractive,
) -> None:
    original = "Who leads Aurora? What is the budget of Borealis?"
    assert ask(policy, "Who leads Aurora?", original=original).query != original.rstrip("?")
