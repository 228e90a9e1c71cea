"""What asking and resuming do, step by step; `Agent` takes the steps, in sync and in async code."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from graph.context import Context
from graph.result import result_event
from graph.resuming import Next, as_begun, check, how_to_resume, refuse_unfinished, what_changed
from policy.protocol import Policy
from state.text import clean
from state.types import Json


@dataclass(frozen=True)
class Look:
    """Read the thread; its snapshot is sent back."""


@dataclass(frozen=True)
class Update:
    """Change the state of the thread, as if `grade` had."""

    update: Json


@dataclass(frozen=True)
class Run:
    """Run the graph, and pass its events on."""

    given: Any
    context: Context


Course = Generator[Json | Look | Update | Run, Any, None]
"""Steps to take; a dict is an event for whoever follows the run."""


def asking(thread: str, question: str, context: Context) -> Course:
    """A new question on a thread that has no unfinished one."""
    refuse_unfinished(thread, (yield Look()))
    yield Run({"question": clean(question)}, context)
    yield from result_event(thread, (yield Look()))


def resuming(
    thread: str, context: Context, reply: Any, add_steps: int | None, policy: Policy
) -> Course:
    """Whatever resuming means for the state that the thread is in."""
    again = True
    while again:
        snapshot = yield Look()
        check(thread, snapshot, context)
        step = how_to_resume(thread, snapshot, reply, add_steps)
        yield {"event": "note", "text": step.note}
        if step.update:
            yield Update(step.update)
            snapshot = yield Look()
        if step.run:
            if changed := what_changed(thread, snapshot, policy):
                yield {"event": "note", "text": changed}
            yield Run(step.given, as_begun(context, snapshot))
        reply = None
        again = _extend_next(step, add_steps, (yield Look()))
    yield from result_event(thread, (yield Look()))


def next_step(course: Course, seen: Any) -> Json | Look | Update | Run | None:
    """The next step, after `seen` was looked at; None at the end."""
    try:
        return course.send(seen)
    except StopIteration:
        return None


def _extend_next(step: Next, add_steps: int | None, snapshot: Any) -> bool:
    """Whether a thread that was cut short has now run out of the budget that is to be extended."""
    ended = snapshot.values.get("stop_reason") == "budget_exhausted" and not snapshot.next
    return bool(step.run and add_steps and not step.extends and ended)
