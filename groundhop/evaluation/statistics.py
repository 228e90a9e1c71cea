"""How sure a number is, and whether two systems differ. scipy does the sums.

Sources: Wilson, JASA 22, 1927; McNemar, Psychometrika 12, 1947 (exact form: the binomial test
of the discordant pairs); Efron, Tibshirani, "An Introduction to the Bootstrap", 1993 (percentile
intervals of paired differences); Holm, Scand. J. Statist. 6, 1979; power: Connor, "Sample size
for testing differences in proportions for the paired-sample design", Biometrics 43, 1987.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

CONFIDENCE = 0.95
SIGNIFICANT = 0.05
_RESAMPLES = 5_000
_POWER = 0.8


@dataclass(frozen=True)
class Interval:
    """An estimate with the interval that holds the true value with 95 % confidence."""

    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True)
class Comparison:
    """Two systems on the same questions.

    For rates `only_first` and `only_second` count the questions that one of them alone got
    right; for means both are 0. `difference` is second minus first, with its interval;
    `detectable` the smallest difference that a set of this size shows four times in five.
    """

    difference: Interval
    p: float
    only_first: int = 0
    only_second: int = 0
    detectable: float = 1.0


def wilson(successes: int, n: int) -> Interval:
    """The Wilson score interval of a rate; of nothing at all: 0 to 1."""
    from scipy.stats import binomtest

    if n == 0:
        return Interval(0.0, 0.0, 1.0, 0)
    found = binomtest(successes, n).proportion_ci(CONFIDENCE, method="wilson")
    return Interval(successes / n, float(found.low), float(found.high), n)


def mean_interval(values: Sequence[float]) -> Interval:
    """The mean: with a Wilson interval where all values are 0 or 1, else by the bootstrap."""
    if all(value in (0.0, 1.0) for value in values):
        return wilson(round(sum(values)), len(values))
    return _bootstrap(values)


def balanced_accuracy(first: tuple[int, int], second: tuple[int, int]) -> Interval:
    """The mean of two rates, each (successes, n), with a bootstrap interval within the classes.

    Where a class is empty there is nothing to balance: n is 0.
    """
    import numpy as np

    if not first[1] or not second[1]:
        return wilson(0, 0)
    draws = np.random.default_rng(0)
    means = sum(draws.binomial(n, k / n, _RESAMPLES) / n for k, n in (first, second)) / 2
    low, high = np.quantile(means, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    value = (first[0] / first[1] + second[0] / second[1]) / 2
    return Interval(value, float(low), float(high), first[1] + second[1])


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact two-sided p of McNemar's test, from the two discordant counts."""
    from scipy.stats import binomtest

    discordant = only_first + only_second
    if discordant == 0:
        return 1.0
    return float(binomtest(min(only_first, only_second), discordant, 0.5).pvalue)


def compare(first: Sequence[float], second: Sequence[float]) -> Comparison:
    """Two systems' values, question by question in the same order.

    Rates (all values 0 or 1) by exact McNemar; other means by the paired bootstrap, whose p is
    twice the share of resampled differences on the other side of 0.
    """
    differences = [b - a for a, b in zip(first, second, strict=True)]
    interval = _bootstrap(differences)
    rates = all(value in (0.0, 1.0) for value in [*first, *second])
    if not rates:
        return Comparison(interval, _bootstrap_p(differences), detectable=_smallest(differences))
    lost, gained = differences.count(-1.0), differences.count(1.0)
    smallest = detectable(len(differences), (lost + gained) / max(1, len(differences)))
    return Comparison(interval, mcnemar(lost, gained), lost, gained, smallest)


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Each p adjusted for the number of tests: Holm's step-down, in the order given."""
    ordered = sorted(p_values.items(), key=lambda item: item[1])
    adjusted: dict[str, float] = {}
    largest = 0.0
    for place, (name, p) in enumerate(ordered):
        largest = max(largest, min(1.0, (len(ordered) - place) * p))
        adjusted[name] = largest
    return {name: adjusted[name] for name in p_values}


def detectable(n: int, discordant: float) -> float:
    """The smallest difference of two paired rates that n questions show with power 0.8.

    `discordant` is the share of questions on which exactly one system is right; it bounds the
    difference. Connor (1987): n = (z_a sqrt(d) + z_b sqrt(d - x²))² / x². 1 where no difference
    within the bound could be shown.
    """
    from scipy.optimize import brentq
    from scipy.stats import norm

    if n == 0 or discordant <= 0:
        return 1.0
    z_alpha, z_beta = norm.ppf(1 - SIGNIFICANT / 2), norm.ppf(_POWER)

    def lacking(x: float) -> float:
        needed = (z_alpha * sqrt(discordant) + z_beta * sqrt(max(0.0, discordant - x * x))) ** 2
        return float(needed / (x * x) - n)

    if lacking(discordant) > 0:
        return 1.0
    return float(brentq(lacking, 1e-6, discordant))


def in_words(name: str, first: str, second: str, found: Comparison, p: float) -> str:
    """The comparison as a sentence; `p` may have been adjusted for several tests."""
    points = 100 * found.difference.value
    span = f"{100 * found.difference.low:+.1f} to {100 * found.difference.high:+.1f}"
    if p < SIGNIFICANT:
        better = "better" if points > 0 else "worse"
        by = f"by {abs(points):.1f} points ({span})"
        return f"{name}: {second} is {better} than {first} {by}, {_p(p)}."
    size = ""
    if 0.01 <= found.detectable < 1.0:
        smallest = f"{100 * found.detectable:.0f} points or more"
        size = f" A set of this size shows differences of {smallest}."
    return f"{name}: no difference shown between {first} and {second} ({span}), {_p(p)}.{size}"


def _p(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def _bootstrap(values: Sequence[float]) -> Interval:
    """The mean with its percentile interval over resampled questions; always the same draws."""
    import numpy as np
    from scipy.stats import bootstrap

    if not values:
        return Interval(0.0, 0.0, 0.0, 0)
    mean = float(np.mean(values))
    if len(set(values)) == 1:
        return Interval(mean, mean, mean, len(values))
    found = bootstrap(
        (np.asarray(values),),
        np.mean,
        n_resamples=_RESAMPLES,
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=np.random.default_rng(0),
    ).confidence_interval
    return Interval(mean, float(found.low), float(found.high), len(values))


def _bootstrap_p(differences: Sequence[float]) -> float:
    import numpy as np

    values = np.asarray(differences)
    if not len(values) or not values.any():
        return 1.0
    draws = np.random.default_rng(0).integers(0, len(values), (_RESAMPLES, len(values)))
    means = values[draws].mean(axis=1)
    below, above = (means <= 0).sum() + 1, (means >= 0).sum() + 1  # + 1: never a p of 0
    return min(1.0, float(2 * min(below, above) / (_RESAMPLES + 1)))


def _smallest(differences: Sequence[float]) -> float:
    """For means: the paired t-test's detectable difference, (z_a + z_b) s / sqrt(n)."""
    import numpy as np
    from scipy.stats import norm

    if len(differences) < 2:
        return 1.0
    spread = float(np.std(differences, ddof=1))
    factor = norm.ppf(1 - SIGNIFICANT / 2) + norm.ppf(_POWER)
    return float(factor * spread / sqrt(len(differences)))
