import random

import pytest

from policy.extractive.calibration import RELATIVE, Features, probabilities, table

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
