"""Plans put together: subgoals under other ids."""

from collections.abc import Mapping

from policy.protocol import PlannedSubgoal
from state.coverage import PLACEHOLDER


def renamed(part: PlannedSubgoal, names: Mapping[str, str]) -> PlannedSubgoal:
    """A subgoal with its id, its dependencies and the placeholders in its texts renamed."""

    def rename(text: str) -> str:
        return PLACEHOLDER.sub(lambda found: f"{{{names.get(found[1], found[1])}}}", text)

    return part.model_copy(
        update={
            "id": names.get(part.id, part.id),
            "question": rename(part.question),
            "query": rename(part.query),
            "depends_on": [names.get(one, one) for one in part.depends_on],
        }
    )
