"""How measures are called in tables: short names for people, in the order in which they stand."""

from groundhop.evaluation.statistics import Interval

TITLES = {
    "right": "right, strictly",
    "exact": "exact match",
    "f1": "F1",
    "contains": "contains the answer",
    "completeness": "completeness by part",
    "partial": "partial answers",
    "citation_precision": "citation precision",
    "citation_recall": "citation recall",
    "supported_sentences": "supported sentences",
    "relevancy": "relevancy (cosine)",
    "recall@5": "recall@5, retrieved",
    "precision@5": "precision@5, retrieved",
    "mrr": "MRR, retrieved",
    "ndcg@5": "nDCG@5, retrieved",
    "all_retrieved@5": "all gold @5, retrieved",
    "all_retrieved": "all gold, retrieved",
    "all_found@5": "all gold @5, accepted first",
    "accepted_recall": "recall, accepted",
    "accepted_precision": "precision, accepted",
    "accepted_mrr": "MRR, accepted",
    "all_accepted": "all gold, accepted",
    "path_followed": "expected path followed",
}
"""Shares and scores from 0 to 1."""

COUNTED = {
    "steps": "steps",
    "tool_calls": "tool calls",
    "model_calls": "policy calls",
    "rewrites": "rewrites",
    "repeated_queries": "repeated queries caught",
    "tool_errors": "tool errors",
    "degraded": "searches with a part down",
    "tokens": "tokens",
    "money": "money",
}
"""Means a question, in their own units."""

REFUSAL_COUNTS = {
    "answered right": "answered_right",
    "answered wrong": "answered_wrong",
    "wrongly refused": "wrongly_refused",
    "rightly refused": "rightly_refused",
}
REFUSAL_RATES = {
    "wrongly answered, of unanswerable": "wrongly_answered",
    "wrongly refused, of answerable": "refused_answerable",
    "refusal precision": "precision",
    "refusal recall": "recall",
    "balanced accuracy": "balanced",
}
"""Title to field of `Refusal`."""

BRIEF = (
    "right", "exact", "f1", "contains", "citation_precision", "citation_recall",
    "supported_sentences", "recall@5", "mrr", "all_found@5", "all_accepted", "path_followed",
)  # fmt: skip
"""What the terminal shows; the report has all."""


def percent(value: Interval | None) -> str:
    """ "93.6 (82.8–97.8)": percent, with the interval."""
    if value is None:
        return "–"
    return f"{100 * value.value:.1f} ({100 * value.low:.1f}–{100 * value.high:.1f})"


def brief(value: Interval | None) -> str:
    """ "93.6 (83–98)": the same, narrow enough for a terminal."""
    if value is None:
        return "–"
    return f"{100 * value.value:.1f} ({100 * value.low:.0f}–{100 * value.high:.0f})"


def plain(value: float | None) -> str:
    """A number with as many digits as it needs."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}".rstrip("0").rstrip(".")
