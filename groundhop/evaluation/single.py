"""One search, then answer: the policy behind without its planning and rewriting."""

from collections.abc import Callable

from policy.protocol import (
    NO_USAGE,
    Allowance,
    Draft,
    Grade,
    GradeView,
    Plan,
    PlannedSubgoal,
    PlanView,
    Policy,
    Rewrite,
    RewriteView,
    Usage,
    WriteView,
)


class SingleShot:
    """A policy that asks once, in the words of the question, and judges as the one behind does."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self.name, self.version = f"{policy.name}, one search", policy.version
        if hasattr(policy, "within"):
            self.within: Callable[[Allowance], Policy] = self._within

    def _within(self, allowance: Allowance) -> Policy:
        return SingleShot(self._policy.within(allowance))  # type: ignore[attr-defined]

    def plan(self, view: PlanView) -> tuple[Plan, Usage]:
        """One subgoal, whatever the question; small talk is left to the policy behind."""
        if view["subgoals"]:
            return Plan(reason="one search only", route="retrieve"), NO_USAGE
        plan, usage = self._policy.plan(view)
        if plan.route == "direct":
            return plan, usage
        asked = view["original_question"]
        whole = PlannedSubgoal(id="s1", question=asked, query=asked)
        return Plan(reason="one search", route="retrieve", subgoals=[whole]), NO_USAGE

    def grade(self, view: GradeView) -> tuple[Grade, Usage]:
        """As the policy behind."""
        return self._policy.grade(view)

    def rewrite(self, view: RewriteView) -> tuple[Rewrite, Usage]:
        """Never asked: the run is allowed no rewrite."""
        return self._policy.rewrite(view)

    def write(self, view: WriteView) -> tuple[Draft, Usage]:
        """As the policy behind, which may not ask for another search."""
        draft, usage = self._policy.write(view)
        return draft.model_copy(update={"unaddressed": []}), usage
