"""Sums against published or hand-worked values."""

import pytest

from groundhop.evaluation.statistics import (
    balanced_accuracy,
    compare,
    detectable,
    holm,
    in_words,
    mcnemar,
    mean_interval,
    wilson,
)


def test_mcnemar_of_9_against_3_gives_p_0_146() -> None:
    # 2 * (C(12,0) + C(12,1) + C(12,2) + C(12,3)) / 2**12 = 2 * 299 / 4096
    assert mcnemar(9, 3) == pytest.approx(598 / 4096)
    assert mcnemar(3, 9) == pytest.approx(0.146, abs=0.0005)


def test_without_discordant_pairs_there_is_no_difference() -> None:
    assert mcnemar(0, 0) == 1
    assert mcnemar(5, 5) == 1


def test_the_wilson_interval_of_8_of_10() -> None:
    found = wilson(8, 10)
    # (p + z²/2n ± z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n) with z = 1.96
    assert (found.low, found.high) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert found.value == 0.8


def test_the_wilson_interval_stays_within_0_and_1() -> None:
    assert wilson(0, 5).low == 0
    assert wilson(5, 5).high == pytest.approx(1)
    assert wilson(5, 5).low < 0.6
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0, 1)


def test_means_that_are_no_rates_have_a_bootstrap_interval_around_them() -> None:
    found = mean_interval([0.0, 0.5, 0.5, 1.0] * 10)
    assert found.value == 0.5
    assert 0.35 < found.low < 0.5 < found.high < 0.65
    assert mean_interval([0.0, 0.5, 0.5, 1.0] * 10) == found, "the draws are always the same"


def test_holm_multiplies_the_smallest_p_by_the_number_of_tests() -> None:
    assert holm({"a": 0.04, "b": 0.01, "c": 0.03}) == pytest.approx(
        {"a": 0.06, "b": 0.03, "c": 0.06}
    )
    assert holm({"a": 0.6, "b": 0.7}) == {"a": 1.0, "b": 1.0}


def test_two_systems_are_compared_question_by_question() -> None:
    first = [1.0] * 3 + [0.0] * 9 + [1.0] * 8
    second = [0.0] * 3 + [1.0] * 9 + [1.0] * 8
    found = compare(first, second)
    assert (found.only_first, found.only_second) == (3, 9)
    assert found.p == pytest.approx(598 / 4096)
    assert found.difference.value == pytest.approx(0.3)


def test_means_are_compared_by_the_paired_bootstrap() -> None:
    better = compare([0.2, 0.3, 0.4, 0.5] * 5, [0.4, 0.5, 0.6, 0.75] * 5)
    assert better.p < 0.01
    same = compare([0.2, 0.4] * 10, [0.4, 0.2] * 10)
    assert same.p > 0.5
    assert same.difference.low < 0 < same.difference.high


def test_the_detectable_difference_solves_its_formula() -> None:
    # Connor: n = (1.96 sqrt(.2) + .8416 sqrt(.2 - .1²))² / .1² = 154.6
    assert detectable(155, 0.2) == pytest.approx(0.1, abs=0.0005)
    assert detectable(1000, 0.2) < detectable(100, 0.2)
    assert detectable(5, 0.2) == 1


def test_no_difference_is_said_in_words_with_what_the_set_could_show() -> None:
    first, second = [1.0] * 3 + [0.0] * 97, [0.0] * 3 + [1.0] * 5 + [0.0] * 92
    found = compare(first, second)
    said = in_words("right", "single", "agent", found, found.p)
    assert "no difference shown between single and agent" in said
    assert "differences of" in said
    clear = compare([0.0] * 20, [1.0] * 20)
    assert "agent is better than single by 100.0 points" in in_words(
        "right", "single", "agent", clear, clear.p
    )


def test_balanced_accuracy_weighs_both_classes_alike() -> None:
    found = balanced_accuracy((9, 10), (450, 900))
    assert found.value == pytest.approx(0.7)
    assert found.low < 0.7 < found.high
    assert balanced_accuracy((0, 0), (3, 4)).n == 0
