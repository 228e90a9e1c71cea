"""Where a run stops to ask a person. What is asked is plain JSON, shown by Studio, CLI and SDK.

LangGraph runs the node again from its top when the reply has come, so nothing that costs may
stand before a pause, unless the ledger remembers it. A reply that cannot be read is asked for
again, and is never taken for a yes.
"""

from typing import Any

from langgraph.types import interrupt

from nodes.subgoals import MAX_QUERY_CHARACTERS
from retrieval.errors import ToolError
from retrieval.tools.registry import Tool, check_arguments
from state.queries import shown_arguments
from state.text import clean_all
from state.types import Json, QueuedSearch

MAX_OPTIONS = 6
_STEPS = 4
_MOST_STEPS = 100


def approval(tool: Tool, search: QueuedSearch) -> QueuedSearch | str:
    """The search that a person lets through, perhaps edited; or why it was refused."""
    arguments = search.get("arguments")
    edit: Json = {"arguments": arguments} if arguments else {"query": "another query"}
    ask: Json = {
        "kind": "approval",
        "question": f"May {tool.name} be called with “{search['query']}”?",
        "tool": tool.name,
        "query": search["query"],
        "arguments": arguments or {"query": search["query"]},
        "subgoal_id": search["subgoal_id"],
        "replies": {"approve": "approve", "edit": edit, "refuse": {"refuse": "why"}},
    }
    while True:
        reply = clean_all(interrupt(ask))
        if reply in ("approve", {"approve": True}):
            return search
        if reply == "refuse":
            return "refused by a person"
        if isinstance(reply, dict) and isinstance(reply.get("refuse"), str):
            return f"refused by a person: {reply['refuse'].strip()}"[:300]
        try:
            edited = _edited(tool, search, reply)
        except ToolError as error:
            ask = {**ask, "problem": str(error)}
            continue
        if edited:
            return edited
        ask = _again(ask, reply)


def _edited(tool: Tool, search: QueuedSearch, reply: Any) -> QueuedSearch | None:
    """The search with a person's arguments or query; `ToolError` for arguments that do not fit."""
    if not isinstance(reply, dict):
        return None
    given = reply.get("arguments")
    if given is not None:
        check_arguments(tool, given)
        query = shown_arguments(given)[:MAX_QUERY_CHARACTERS]
        return {**search, "query": query, "arguments": given}
    other = reply.get("query")
    if search.get("arguments") or not isinstance(other, str) or not other.strip():
        return None
    return {**search, "query": other.strip()}


def choice(question: str, options: list[str]) -> str:
    """The reading of an ambiguous question that the asker chose, or worded anew."""
    ask: Json = {
        "kind": "choice",
        "question": f"What is meant by “{question}”?",
        "options": options,
        "replies": {"choose": "the number of an option, its text, or words of your own"},
    }
    while True:
        reply = clean_all(interrupt(ask))
        if isinstance(reply, str) and reply.strip().isdigit():
            reply = int(reply)
        if isinstance(reply, int) and not isinstance(reply, bool) and 1 <= reply <= len(options):
            return options[reply - 1]
        if isinstance(reply, str) and any(letter.isalpha() for letter in reply):
            return reply.strip()
        ask = _again(ask, reply)


def extension(detail: str) -> int:
    """By how many steps a used-up budget is extended; 0 to end with what there is."""
    ask: Json = {
        "kind": "budget",
        "question": f"The budget is used up ({detail}). Go on with {_STEPS} more steps?",
        "offer": _STEPS,
        "replies": {"extend": {"add_steps": _STEPS}, "end": "stop"},
    }
    while True:
        reply = clean_all(interrupt(ask))
        if reply in ("stop", 0, {"add_steps": 0}):
            return 0
        steps = reply.get("add_steps") if isinstance(reply, dict) else reply
        if isinstance(steps, int) and not isinstance(steps, bool) and 1 <= steps <= _MOST_STEPS:
            return steps
        ask = _again(ask, reply)


def _again(ask: Json, reply: Any) -> Json:
    return {**ask, "problem": f"The reply {str(reply)[:80]!r} is none of those that are possible."}
