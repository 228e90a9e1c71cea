"""The policy behind which a model judges; `policy` is where reading starts.

A judgement is made of what the model is shown (`views`, `prompting` and the texts of
`policy/prompts`), the asking (`structured`, `chat`), and what code makes of the reply
(`planning`, `grading`, `probability`, `drafts`).
"""

from policy.llm.policy import LLM

__all__ = ["LLM"]
