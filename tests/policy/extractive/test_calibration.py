import random

import numpy as np
import pytest

from policy.extractive.calibration import (
    PRESENT,
    RELATIVE,
    Features,
    logistic,
    overview,
    presence,
    probabilities,
    table,
)

PLAIN = dict.fromkeys(Features._fields, 0.5) | {"cosine": 0.85, "in_context": 0.86}
FOR = ("coverage", "words", "around", "titled", "relation", "inside", "fit")
AGAINST = ("absent", "unnamed", "nameless", "unheard", "lacks", "conflict")


def sentence(**values: float) -> Features:
    return Features(**(PLAIN | values))


def column(rows: list[Features], name: str) -> list[float]:
    return [
        round(float(one), 3) for one in table(rows)[:, len(Features._fields) + RELATIVE.index(name)]
    ]


def test_a_sentence_is_measured_from_the_mean_of_the_three_best() -> None:
    rows = [sentence(cosine=one) for one in (0.70, 0.90, 0.87, 0.84)]
    assert column(rows, "cosine_margin") == [-0.17, 0.03, 0.0, -0.03]
    assert column(rows, "cosine_best") == [0.9] * 4


def test_a_sentence_without_another_one_is_measured_from_usual_ones() -> None:
    assert column([sentence(coverage=0.8)], "coverage_margin") == [0.4]
    assert column([sentence(cosine=0.80)], "cosine_spread") == [0.0]
    assert column([sentence(cosine=0.88)], "cosine_spread")[0] > 1


def test_no_sentence_has_no_probability() -> None:
    assert probabilities([]) == []


@pytest.mark.parametrize("name", [*FOR, *AGAINST])
def test_what_speaks_for_a_sentence_never_counts_against_it(name: str) -> None:
    chance = random.Random(name)
    for _ in range(40):
        others = [sentence(**{one: chance.random() for one in FOR}) for _ in range(3)]
        own = {one: chance.random() for one in (*FOR, *AGAINST)}
        less, more = sorted(chance.random() for _ in range(2))
        low = probabilities([sentence(**{**own, name: less}), *others])[0]
        high = probabilities([sentence(**{**own, name: more}), *others])[0]
        if name in AGAINST:
            low, high = high, low
        assert high >= low - 1e-9


def test_all_sentences_come_to_one_row_of_the_likeliest_the_highest_the_second_and_the_mean() -> (
    None
):
    rows = [sentence(coverage=0.9), sentence(coverage=0.3), sentence(coverage=0.6)]
    row = overview(rows, [0.1, 0.5, 0.2])
    width, column = len(Features._fields), Features._fields.index("coverage")
    of_coverage = [float(row[part * width + column]) for part in range(4)]
    assert of_coverage == pytest.approx([0.3, 0.9, 0.6, 0.6])
    assert row[-4] == pytest.approx(0.0)
    assert row[-3] == pytest.approx(np.log(0.201 / 0.801))
    assert row[-2] == pytest.approx(np.log(0.101 / 0.901))
    assert row[-1] == pytest.approx(np.log(0.801 / 0.201))


def test_a_lone_sentence_stands_for_all_places_of_the_row() -> None:
    row = overview([sentence(words=0.7)], [0.4])
    width, column = len(Features._fields), Features._fields.index("words")
    assert [float(row[part * width + column]) for part in range(4)] == pytest.approx([0.7] * 4)
    assert row[-2] == pytest.approx(np.log(0.001 / 1.001))


def test_a_logistic_regression_gives_the_probability_of_its_sum() -> None:
    model = {"intercept": -1.0, "weights": [2.0, 0.5]}
    assert logistic(model, np.array([0.5, 0.0])) == pytest.approx(0.5)
    assert logistic(model, np.array([1.0, 2.0])) == pytest.approx(1 / (1 + np.exp(-2)))


@pytest.mark.parametrize("vietnamese", [0.0, 1.0])
@pytest.mark.parametrize("across", [0.0, 1.0])
def test_a_sentence_that_fits_in_everything_makes_an_answer_likely_in_both_languages(
    vietnamese: float, across: float
) -> None:
    far = [
        sentence(
            cosine=0.78 + 0.005 * n, in_context=0.78, coverage=0.1, words=0.1, around=0.1,
            passage_coverage=0.2, context_coverage=0.1, relation=0.0, inside=0.0, fit=0.0,
            titled=0.0, absent=1.0, unnamed=1.0, lacks=1.0, nameless=0.0, unheard=0.0, row=0.0,
            cell=0.0, conflict=0.0, vietnamese=vietnamese, across=across,
        )
        for n in range(8)
    ]  # fmt: skip
    near = sentence(
        cosine=0.92, in_context=0.92, coverage=0.9, words=0.9, around=0.9, passage_coverage=0.95,
        context_coverage=0.9, relation=1.0, inside=1.0, fit=1.0, titled=0.0, absent=0.0,
        unnamed=0.0, nameless=0.0, unheard=0.0, lacks=0.0, row=0.0, cell=0.0, conflict=0.0,
        vietnamese=vietnamese, across=across,
    )  # fmt: skip
    assert presence(far, probabilities(far)) < PRESENT
    assert presence([near, *far], probabilities([near, *far])) >= PRESENT
