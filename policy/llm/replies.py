"""Reading a judgement out of whatever a model replied, or saying why it cannot be read."""

import json
import re
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from policy.llm.chat import Reply

Judgement = TypeVar("Judgement", bound=BaseModel)
_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_END_OF_THOUGHT = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)
_MOST_CANDIDATES = 40


class UnreadableError(Exception):
    """The reply holds no judgement, or several that differ; the message tells the model."""


def read(reply: Reply, kind: type[Judgement], tool: str = "") -> Judgement:
    """The one judgement of a reply; raises UnreadableError.

    `tool` names the function whose call was asked for. Arguments of calls to another name are
    not taken; text beside them is looked through in any case.
    """
    calls = [given for name, given in reply.calls if not tool or name == tool]
    candidates = [one for given in calls for one in _arguments(given)] or objects(reply.text)
    judgements: list[Judgement] = []
    problem = _nothing(reply, tool)
    for candidate in candidates:
        try:
            judgements.append(kind.model_validate(candidate))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            problem = f"{where}: {first['msg']}"
    distinct = [one for number, one in enumerate(judgements) if one not in judgements[:number]]
    if len(distinct) > 1:
        raise UnreadableError("there are several different replies; send exactly one")
    if not distinct:
        raise UnreadableError(problem)
    return distinct[0]


def _nothing(reply: Reply, tool: str) -> str:
    if reply.finish == "length":
        return "the reply was cut off; write less"
    if reply.calls and tool:
        return f"the only function to call is {tool}, with JSON arguments"
    return "there is no JSON object in the reply"


def _arguments(given: Any) -> list[dict[str, Any]]:
    if isinstance(given, dict):
        return [given] if given else []
    return objects(str(given or ""))


def objects(text: str) -> list[dict[str, Any]]:
    """The outermost JSON objects of a text: thoughts, code fences and prose aside."""
    text = without_thoughts(text)
    decoder = json.JSONDecoder(strict=False)
    found: list[dict[str, Any]] = []
    position = text.find("{")
    for _ in range(_MOST_CANDIDATES):
        if position < 0:
            break
        try:
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            end = position + 1
        else:
            found.append(value)
        position = text.find("{", end)
    return found


def without_thoughts(text: str) -> str:
    """The text after a model's thoughts, whether or not their opening or closing tag is there."""
    return _END_OF_THOUGHT.split(_THOUGHT.sub("", text))[-1].strip()
