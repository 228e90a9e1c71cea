"""What resuming a thread means for each state that it can be in; decided here, done by `Agent`."""

from dataclasses import dataclass
from typing import Any

from langgraph.types import Command, Overwrite

from graph.asker import is_another
from graph.context import Context
from graph.newer import NewerThreadError, is_newer
from graph.threads import UnknownThreadError, unfinished
from policy.protocol import Policy
from retrieval.access import Identity
from retrieval.errors import UsageError
from state.budget import exhausted, extended
from state.plain import is_plain
from state.types import Json


@dataclass(frozen=True)
class Next:
    """What resuming does, said in `note`.

    `update` changes the state first, as if `grade` had; `run` tells whether the graph then runs,
    with `given` as its input; `extends` that the steps asked for are in the update or the reply.
    """

    note: str
    run: bool = True
    given: Any = None
    update: Json | None = None
    extends: bool = False


def check(thread: str, snapshot: Any, context: Context) -> None:
    """Only a known thread of this schema, asked by the same person, can be resumed."""
    values = snapshot.values
    if not values and not unfinished(snapshot):
        raise UnknownThreadError(thread)
    if is_newer(values):
        raise NewerThreadError(thread)
    if is_another(values, Identity(context.user, frozenset(context.groups))):
        raise UsageError(
            f"Thread {thread} was begun by another identity: only that one can resume it."
        )


def refuse_unfinished(thread: str, snapshot: Any) -> None:
    """A new question would throw the unfinished one away: raises UsageError."""
    if not unfinished(snapshot):
        return
    values = snapshot.values
    question = values.get("question") or values.get("original_question", "")
    what = "waits for a reply to" if snapshot.interrupts else "has not finished"
    raise UsageError(
        f"Thread {thread} {what} its question (“{question[:200]}”): finish it with "
        f"`groundhop resume {thread}`, or ask on a new thread."
    )


def how_to_resume(thread: str, snapshot: Any, reply: Any, add_steps: int | None) -> Next:
    """The one sensible thing; raises UsageError for a reply or steps that make no sense here."""
    if snapshot.interrupts:
        return _paused(thread, snapshot, reply, add_steps)
    if reply is not None:
        raise UsageError(f"Thread {thread} does not wait for a reply: resume it without one.")
    if unfinished(snapshot):
        where = ", ".join(dict.fromkeys(task.name for task in snapshot.tasks)) or "the start"
        return Next(f"Thread {thread} was interrupted: it goes on at {where}.")
    if add_steps is not None:
        return _extend(thread, snapshot.values, add_steps)
    status = str(snapshot.values.get("status", "")).replace("_", " ")
    return Next(
        f"Thread {thread} is finished ({status}): this is its result again, nothing was run.",
        run=False,
    )


def as_begun(context: Context, snapshot: Any) -> Context:
    """The context with the limits that the question was begun with, which its budget keeps.

    A run that waits for a person was begun with pauses; without them its node would not take the
    reply.
    """
    limits = snapshot.values.get("budget", {}).get("limits", {})
    kept = {name: value for name, value in limits.items() if name in Context.model_fields}
    if snapshot.interrupts:
        kept["pause"] = True
    return context.model_copy(update=kept)


def what_changed(thread: str, snapshot: Any, policy: Policy) -> str | None:
    """A sentence where the judge is another one than the run was begun with."""
    plans = [row for row in snapshot.values.get("history", []) if "policy_version" in row]
    if not plans:
        return None
    before = f"{plans[-1]['policy']} {plans[-1]['policy_version']}"
    now = f"{policy.name} {policy.version}"
    if before == now:
        return None
    return (
        f"Thread {thread} was judged by {before} so far; what it judged stands, and {now} goes on."
    )


def _paused(thread: str, snapshot: Any, reply: Any, add_steps: int | None) -> Next:
    kinds = {item.value.get("kind") for item in snapshot.interrupts if isinstance(item.value, dict)}
    if add_steps is not None and reply is None and "budget" in kinds:
        reply = {"add_steps": add_steps}
    if reply is None:
        waiting = "; ".join(pause_text(item.value) for item in snapshot.interrupts)
        return Next(f"Thread {thread} waits for a person: {waiting}", run=False)
    if not is_plain(reply):
        raise UsageError(
            "The reply cannot be kept: it is nested too deeply, or holds a number that is too "
            "large."
        )
    ids = {item.id for item in snapshot.interrupts}
    replies = reply if isinstance(reply, dict) and set(reply) <= ids and reply else None
    given: Command[Any] = Command(resume=replies or dict.fromkeys(ids, reply))
    return Next(f"Thread {thread} goes on with the reply.", given=given, extends="budget" in kinds)


def pause_text(value: Any) -> str:
    """What a pause asks, in a sentence."""
    return str(value.get("question", value)) if isinstance(value, dict) else str(value)


def _extend(thread: str, values: Json, add_steps: int) -> Next:
    rule = values.get("stop_reason", "")
    if rule != "budget_exhausted":
        raise UsageError(
            f"Thread {thread} did not stop for want of budget ({rule.replace('_', ' ')}): more "
            "steps would not change its result. Ask in other words, or on a new thread."
        )
    budget = values["budget"]
    if exhausted(budget, ("money",)):
        raise UsageError(
            f"Thread {thread} has used the money that it may: ask again with a higher limit."
        )
    row = {"node": "resume", "action": "extended", "steps": add_steps}
    update = {
        "budget": {"limits": extended(budget, add_steps)},
        "status": "running",
        "stop_reason": "",
        "answer": {},
        "history": [row],
        "conversation": Overwrite(values.get("conversation", [])[:-1]),
    }
    steps = "step" if add_steps == 1 else "steps"
    note = f"The budget of thread {thread} is extended by {add_steps} {steps}."
    return Next(note, update=update, extends=True)
