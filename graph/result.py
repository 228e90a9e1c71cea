"""How a run ended, for those who asked."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from graph.threads import unfinished
from state.types import Answer, Json, RunState


@dataclass(frozen=True)
class Result:
    """How a run ended.

    `status` is answered, partial, gave_up, failed, or, where it can be resumed, paused or
    interrupted. `pauses` holds what a paused run asks: each a dict with "id", "kind" (approval,
    choice, budget), "question" and "replies", which says what can be replied. `notes` are
    sentences on what was done beside answering.
    """

    thread: str
    status: str
    stop_reason: str
    answer: Answer
    state: RunState = field(repr=False)
    pauses: list[Json] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The answer, or the refusal, as text."""
        return self.answer.get("text", "")


def result_event(thread: str, snapshot: Any) -> Iterator[Json]:
    """The last events of a stream: what is asked of a person, and the result."""
    values = snapshot.values
    pauses = [_pause(item) for item in snapshot.interrupts]
    if pauses:
        yield {"event": "paused", "pauses": pauses}
    status = values.get("status", "running")
    if pauses:
        status = "paused"
    elif unfinished(snapshot):
        status = "interrupted"
    answer: Answer = values.get("answer", {})
    result = Result(thread, status, values.get("stop_reason", ""), answer, values, pauses)
    yield {"event": "result", "result": result}


def last(events: list[Json]) -> Result:
    """The result of a stream that was read to its end, with the notes that came on the way."""
    result: Result = events[-1]["result"]
    result.notes.extend(event["text"] for event in events if event["event"] == "note")
    return result


def _pause(interrupt: Any) -> Json:
    value = interrupt.value if isinstance(interrupt.value, dict) else {"question": interrupt.value}
    return {"id": interrupt.id, **value}
