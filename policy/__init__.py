"""Judgement: what to ask next, what a passage is worth, how to ask again, how to answer.

`protocol` says what a policy is asked and what it may answer. Two policies keep to it, and neither
knows the other: `extractive` judges without a model, `llm` by any model behind chat completions.
Both read questions by `language`.
"""
