"""A judge's word counts only where it survives the swap."""

import re
from dataclasses import replace

import pytest

from groundhop.evaluation.judge import judge, model_judge, pairs_of
from retrieval.errors import UsageError
from tests.groundhop.evaluation.test_gates import answer_of


def pair(number: int, first: str, second: str, right: str = "second"):  # type: ignore[no-untyped-def]
    one = answer_of(number, {}, system="single", record={"answer": {"text": first}})
    other = replace(one, system="agent", record={"answer": {"text": second}})
    wrong = {"outcome": "wrong"}
    return (replace(one, **wrong), other) if right == "second" else (one, replace(other, **wrong))


def longer(prompt: str) -> str:
    """Prefers the longer answer, whatever the order."""
    found = re.findall(r"<answer_[ab]>(.*?)</answer_[ab]>", prompt, re.DOTALL)
    return "A" if len(found[0]) > len(found[1]) else "B."


def test_a_judge_that_follows_the_position_is_swayed_and_never_wins() -> None:
    found = judge([pair(1, "15 ngày", "mười lăm ngày")], lambda prompt: "A")
    assert (found.first_wins, found.second_wins, found.swayed) == (0, 0, 1)
    assert found.agreement.value == 0


def test_a_steady_judge_is_counted_and_compared_with_the_labels() -> None:
    pairs = [
        pair(1, "12", "15 ngày phép", right="second"),
        pair(2, "một câu rất dài", "15", right="second"),
        pair(3, "15 ngày phép", "12", right="first"),
    ]
    found = judge(pairs, longer)
    assert (found.first_wins, found.second_wins) == (2, 1)
    assert found.agreement.value == pytest.approx(2 / 3)
    assert "agrees with the labels on 67% of 3 questions" in found.in_words()


def test_a_reply_that_is_no_verdict_counts_for_nobody() -> None:
    found = judge([pair(1, "12", "15")], lambda prompt: "I cannot say")
    assert found.swayed == 1
    ties = judge([pair(1, "15", "15")], lambda prompt: "tie")
    assert ties.ties == 1


def test_only_questions_that_both_answered_are_judged() -> None:
    first, second = pair(1, "12", "15")
    alone = replace(first, question="q2")
    assert pairs_of([first, second, alone], "single", "agent") == [(first, second)]


def test_without_a_model_there_is_no_judge(home) -> None:  # type: ignore[no-untyped-def]
    from graph.settings import load_settings

    with pytest.raises(UsageError, match="A judge needs a model"):
        model_judge(load_settings(home))
