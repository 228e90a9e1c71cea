"""Threads that a newer version of groundhop wrote, which this one must not go on with."""

from collections.abc import Mapping
from typing import Any

from retrieval.errors import GroundhopError
from state.types import SCHEMA_VERSION


class NewerThreadError(GroundhopError):
    """The thread's state has a newer form than this version knows."""

    def __init__(self, thread: str = "") -> None:
        """`thread` is named in the sentence where it is known."""
        which = f"Thread {thread}" if thread else "This thread"
        super().__init__(
            f"{which} was written by a newer version of groundhop: upgrade to resume it."
        )


def is_newer(state: Mapping[str, Any]) -> bool:
    """Whether the state of a thread, or the task of one of its nodes, is of a newer form."""
    version: int = state.get("schema_version", SCHEMA_VERSION)
    return version > SCHEMA_VERSION
