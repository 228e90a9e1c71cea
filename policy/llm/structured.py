"""Asking for a judgement in a form that code can read, in the way that an endpoint offers."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel

from policy.endpoints import Endpoint
from policy.errors import PolicyError
from policy.llm.chat import Chat, Message, Reply, Request, UnsupportedError
from policy.llm.costs import Meter
from policy.llm.memory import Memory
from policy.llm.replies import UnreadableError, read
from policy.llm.schemas import Form, example_of

Judgement = TypeVar("Judgement", bound=BaseModel)
METHODS = ("json_schema", "json_schema_unbounded", "tools", "json_object", "text")
"""From the most to the least constrained; the first that an endpoint takes is kept."""
TOOL = "judge"
"""The name of the function where judgements are asked for as tool calls."""


@dataclass(frozen=True)
class Unreadable:
    """Two replies in a row held no judgement; `reason` goes into the history."""

    reason: str


class Structured:
    """Judgements from any endpoint: what each one offers is found out once and remembered."""

    def __init__(self, chat: Chat, memory: Memory) -> None:
        """`memory` keeps what endpoints can do."""
        self.chat = chat
        self.memory = memory

    def ask(
        self,
        endpoint: Endpoint,
        messages: list[Message],
        form: Form[Judgement],
        max_tokens: int,
        meter: Meter,
        check: Callable[[Judgement], str | None] = lambda judgement: None,
    ) -> Judgement | Unreadable:
        """A judgement, after one repair at most.

        `check` says what is wrong with a judgement that was read; it asks for the repair too,
        and a judgement that it still turns down afterwards is returned as it is.
        """
        judgement: Judgement | None = None
        problem = ""
        for _ in range(2):
            reply, method = self._send(endpoint, messages, form, max_tokens, meter)
            if reply.refusal or reply.finish == "content_filter":
                return Unreadable(refused(endpoint, reply))
            try:
                judgement = read(reply, form.kind, TOOL if method == "tools" else "")
                problem = check(judgement) or ""
                self.memory.confirm(endpoint, method)
            except UnreadableError as error:
                problem = str(error)
            if judgement is not None and not problem:
                return judgement
            messages = [*messages, *_repair(reply, problem)]
        if judgement is None:
            self.memory.give_up(endpoint, method, _next(method))
            return Unreadable(f"unparseable reply ({problem})")
        return judgement

    def _send(
        self,
        endpoint: Endpoint,
        messages: list[Message],
        form: Form[Any],
        max_tokens: int,
        meter: Meter,
    ) -> tuple[Reply, str]:
        """One reply by the method that the endpoint takes, going down the list until one does."""
        while True:
            known = self.memory.of(endpoint)
            method = known.method or ("json_schema_unbounded" if endpoint.official else METHODS[0])
            body = {
                **body_of(method, form),
                **({"temperature": 0} if known.temperature else {}),
            }
            told = messages if "schema" in method or method == "tools" else shaped(messages, form)
            request = Request(told, max_tokens, body)
            try:
                return self.chat.complete(endpoint, request, meter), method
            except UnsupportedError as error:
                if known.temperature and "temperature" in str(error):
                    self.memory.no_temperature(endpoint)
                elif method == METHODS[-1]:
                    raise PolicyError(str(error)) from None
                else:
                    self.memory.refuse(endpoint, _next(method))


def body_of(method: str, form: Form[Any]) -> dict[str, Any]:
    """The fields of the request that a method needs."""
    if method.startswith("json_schema"):
        schema = form.schema(bounded=method == "json_schema")
        inner = {"name": TOOL, "schema": schema, "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": inner}}
    if method == "tools":
        schema = form.schema(bounded=False)
        function = {"name": TOOL, "description": "Give the judgement.", "parameters": schema}
        return {
            "tools": [{"type": "function", "function": function}],
            "tool_choice": {"type": "function", "function": {"name": TOOL}},
        }
    return {"response_format": {"type": "json_object"}} if method == "json_object" else {}


def shaped(messages: list[Message], form: Form[Any]) -> list[Message]:
    """The messages with the form of the reply in words, for a server that is sent no schema."""
    example = json.dumps(example_of(form.schema(bounded=False)), ensure_ascii=False)
    first = f"{messages[0]['content']}\n\nReply with one JSON object of this form: {example}"
    return [{**messages[0], "content": first}, *messages[1:]]


def refused(endpoint: Endpoint, reply: Reply) -> str:
    """The sentence for a model that will not judge."""
    said = " ".join((reply.refusal or "content filter").split())[:120]
    return f"the model {endpoint.label} refused ({said}): use another model for this"


def _repair(reply: Reply, problem: str) -> list[Message]:
    said = reply.text or json.dumps([given for _, given in reply.calls], ensure_ascii=False)
    return [
        {"role": "assistant", "content": said[:1500] or "(nothing)"},
        {
            "role": "user",
            "content": f"That cannot be used: {problem}. Send only the corrected JSON object.",
        },
    ]


def _next(method: str) -> str:
    return METHODS[min(METHODS.index(method) + 1, len(METHODS) - 1)]
