"""A run goes on only for whom it was begun, also where no `Agent` stands before the graph."""

from collections.abc import Mapping
from typing import Any

from retrieval.access import Identity
from retrieval.errors import GroundhopError


class AnotherAskerError(GroundhopError):
    """The run was begun by another identity, whose rows and quotes it holds."""

    def __init__(self) -> None:
        """The sentence for whoever resumes."""
        super().__init__("This run was begun by another identity: only that one can resume it.")


def is_another(state: Mapping[str, Any], identity: Identity) -> bool:
    """Whether a run, or the task of one of its nodes, belongs to another identity."""
    asker = state.get("asked_as")
    return bool(asker) and asker != {"user": identity.user, "groups": sorted(identity.groups)}
