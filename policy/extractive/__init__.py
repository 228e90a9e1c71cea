"""The policy without a model; `policy` is where reading starts.

Its four judgements stand in `routing` (plan), `grading` and `verdicts` (grade), `rewriting`
(rewrite) and `writing` (write).
"""

from policy.extractive.policy import LIMITS, Extractive

__all__ = ["LIMITS", "Extractive"]
