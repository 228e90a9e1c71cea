"""What goes wrong with a model: one sentence that names endpoint, model and what to change."""

from policy.protocol import Usage


class PolicyError(Exception):
    """No judgement can be had until something is changed; the run can be resumed afterwards.

    `usage` is what the failed call had cost before it failed.
    """

    def __init__(self, sentence: str, usage: Usage | None = None) -> None:
        super().__init__(sentence)
        self.usage = usage


class OutOfAllowanceError(Exception):
    """The next request would not fit what is left of the question's budget."""
