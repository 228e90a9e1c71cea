"""From features of a sentence to the probability that it answers."""

import math
from typing import NamedTuple


class Features(NamedTuple):
    """What is known of a sentence against a question; all but `cosine` and `lead` are 0 to 1.

    `lead` is how far its cosine stands above the mean of all sentences found for the question.
    `words` and `around` are the shares of the question's words that it holds, and that it holds
    together with its headings and the sentence before; `absent` is the share of the question's
    names that stand neither there nor in the headings, `unnamed` the share that the passage
    lacks, `inside` the share that stands in the sentence itself. `relation` is the share of the
    relations asked for ("founded", "chi phí") that it expresses in either language, `fit` how
    well an answer of the asked type was found in it, `lacks` whether a name, place, date or
    number is asked for and none was found; `row` tells a row of a table, `cell` the fit of a row
    that holds all names. `conflict` is whether it names another thing, `across` whether its
    language is another one.
    """

    cosine: float
    lead: float
    coverage: float
    context_coverage: float
    words: float
    around: float
    absent: float
    unnamed: float
    relation: float
    inside: float
    fit: float
    lacks: float
    row: float
    cell: float
    conflict: float
    across: float


INTERCEPT: dict[str, float] = {"vi": -10.84, "en": -10.79}
WEIGHTS: dict[str, tuple[float, ...]] = {
    "vi": (
        5.01, 43.46, 0.77, 0.30, 1.65, 0.41, 0.11, -5.20,
        0.72, -0.18, 1.32, -0.52, -1.11, 0.46, -2.19, 2.16,
    ),
    "en": (
        4.95, 46.99, -2.50, 3.64, 1.27, 0.40, -0.34, -4.61,
        1.38, -1.49, 2.23, 0.14, -1.71, 0.68, -1.68, 1.86,
    ),
}  # fmt: skip
"""One weight per feature in the order of `Features`, by the question's language.

Fitted by `python -m bench.calibrate_support` on the dev questions of the samples, on further
ones that were written without knowledge of the code, and on XQuAD at a quarter of the weight.
Cross-validated over questions: AUROC .92 vi and .96 en on the samples, .93 and .94 on XQuAD (its
questions against paragraphs of both languages); at 0.2 it keeps .78 and .89 of the answerable and
refuses .86 and .90 of those whose passages were taken away.
"""

ACCEPT: dict[str, float] = {"vi": 0.1, "en": 0.2}
"""The probability from which a sentence counts as support, by the question's language.

With these weights, on the single questions that they were fitted on and 25 more: at 0.1 (vi) and
0.2 (en) the best sentence is the right one and is kept for .83 and .85 of those with an answer,
and .85 and .95 of those without are refused.
"""

SOLID: dict[str, float] = {"vi": 0.15, "en": 0.2}
"""The probability from which it is preferred to a passage that leads on to another hop."""

USUAL_COSINE = 0.80
"""The mean cosine of a question and the sentences found for it, by the default embedding model."""

LIKELY: dict[str, float] = {"vi": 0.0, "en": 0.5}
"""The probability of support below which a sentence is given whole, because what was picked out of
it may well be the wrong name or number. In English 4 of 122 answerable questions were answered
wrong by such a pick out of the right sentence; in Vietnamese no bound below 1 helped."""

SURE = 0.7
"""The fit from which a short answer is given instead of the sentence that it stands in."""

TYPED_AT_LEAST = 0.35
"""The fit below which a sentence holds nothing of the asked kind."""


def probability(features: Features, language: str) -> float:
    """Logistic combination of the features."""
    total = INTERCEPT[language]
    total += sum(w * f for w, f in zip(WEIGHTS[language], features, strict=True))
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))
