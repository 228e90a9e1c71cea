"""What the LLM policy promises of its input tokens, counted on the scripted server."""

import pytest

from bench.tokens import HOPS, Measured, measure


@pytest.fixture(scope="module")
def measured() -> dict[int, Measured]:
    return {hops: measure(hops, 180) for hops in HOPS}


@pytest.mark.parametrize("hops", HOPS)
def test_a_question_takes_at_most_three_fifths_of_a_react_agents_tokens(
    measured: dict[int, Measured], hops: int
) -> None:
    assert measured[hops].ours <= 0.6 * measured[hops].theirs


def test_one_hop_and_four_hops_stay_small(measured: dict[int, Measured]) -> None:
    assert measured[1].ours < 3_500
    assert measured[4].ours < 9_000


def test_one_hop_takes_three_calls_and_two_hops_at_most_five(
    measured: dict[int, Measured],
) -> None:
    assert [role for role, _ in measured[1].roles] == ["plan", "grade", "write"]
    assert len(measured[2].roles) <= 5


@pytest.mark.parametrize("hops", [2, 4])
def test_repeated_calls_of_a_role_begin_alike(measured: dict[int, Measured], hops: int) -> None:
    assert measured[hops].shared["grade"] >= 0.4
