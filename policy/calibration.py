"""From features of a sentence to the probability that it answers."""

import math
from typing import NamedTuple


class Features(NamedTuple):
    """What is known of a sentence against a question; all but `cosine` and `lead` are 0 to 1.

    `lead` is how far its cosine stands above the mean of all sentences found for the question.
    `words` and `around` are the shares of the question's words that it holds, and that it holds
    together with its headings and the sentence before; `absent` is the share of the question's
    names that stand neither there nor in the headings, `unnamed` the share that the passage
    lacks, `inside` the share that stands in the sentence itself. `fit` is how well an answer of
    the asked type was found in it, `lacks` whether a name, place, date or number is asked for and
    none was found; `row` tells a row of a table, `cell` the fit of a row that holds all names.
    `conflict` is whether it names another thing, `across` whether its language is another one.
    """

    cosine: float
    lead: float
    coverage: float
    context_coverage: float
    words: float
    around: float
    absent: float
    unnamed: float
    inside: float
    fit: float
    lacks: float
    row: float
    cell: float
    conflict: float
    across: float


INTERCEPT: dict[str, float] = {"vi": -8.96, "en": -6.18}
WEIGHTS: dict[str, tuple[float, ...]] = {
    "vi": (2.66, 36.67, 0.17, 1.28, 1.58, 1.01, 0.63, -5.74, 1.75, -1.22, -2.41, 1.44),
    "en": (-1.59, 43.26, -3.38, 5.11, 1.74, 0.41, 0.33, -5.70, 2.63, -1.66, -0.02, 1.76),
}
"""One weight per feature in the order of `Features`, by the question's language."""

ACCEPT: dict[str, float] = {"vi": 0.2, "en": 0.2}
"""The probability from which a sentence counts as support, by the question's language."""

USUAL_COSINE = 0.80
"""The mean cosine of a question and the sentences found for it, by the default embedding model."""

SURE = 0.7
"""The fit from which a short answer is given instead of the sentence that it stands in."""


def probability(features: Features, language: str) -> float:
    """Logistic combination of the features."""
    total = INTERCEPT[language]
    total += sum(w * f for w, f in zip(WEIGHTS[language], features, strict=True))
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))
