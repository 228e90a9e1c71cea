"""What a model is asked to reply: the reason first, everything bounded, and lenient to read."""

import json
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from policy.protocol import Strategy

_NO = ("no", "không", "khong")


def as_verdict(value: Any) -> str:
    """yes, no or unknown; only a plain "yes" (or true) is a yes."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    words = str(value or "").strip().strip(".!\"'*").casefold().replace(",", " ").split()
    if words == ["yes"]:
        return "yes"
    return "no" if words and words[0].strip(".:;") in _NO else "unknown"


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)


def _as_json(value: Any) -> str:
    """The text of a JSON object; a server that does not keep to the schema may send the object."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else _as_text(value)


def _as_list(value: Any) -> list[Any]:
    if isinstance(value, list):
        return [one for one in value if one is not None]
    return [value] if value else []


def _cut(length: int) -> BeforeValidator:
    """Longer text is cut instead of refused."""
    return BeforeValidator(lambda value: _as_text(value)[:length])


def _says(length: int) -> Any:
    """The schema names the limit all the same."""
    return Field(json_schema_extra={"maxLength": length})


Verdict = Annotated[Literal["yes", "no", "unknown"], BeforeValidator(as_verdict)]
Short = Annotated[str, _cut(200), _says(200)]
Quote = Annotated[str, _cut(500), _says(500)]
Label = Annotated[str, _cut(12), _says(12)]
Reason = Annotated[str, _cut(240), _says(240), StringConstraints(min_length=1)]


class _Reply(BaseModel):
    model_config = ConfigDict(extra="ignore")


class PlannedReply(_Reply):
    """One fact to look up."""

    id: Label
    question: Quote
    query: Quote = ""
    tool: Short = ""
    arguments: Annotated[str, BeforeValidator(_as_json), _says(1000)] = ""
    """A JSON object as text: a closed schema cannot hold an open object."""
    depends_on: Annotated[list[Label], BeforeValidator(_as_list)] = Field(default_factory=list)


class PlanReply(_Reply):
    """The next searches, or a reply to small talk."""

    reason: Reason
    route: Literal["direct", "search"]
    reply: Quote = ""
    question: Quote = ""
    subgoals: Annotated[list[PlannedReply], BeforeValidator(_as_list)] = Field(
        default_factory=list, max_length=8, json_schema_extra={"minItems": 1}
    )
    clarify: Annotated[list[Quote], BeforeValidator(_as_list)] = Field(
        default_factory=list, max_length=3
    )


class PassageReply(_Reply):
    """One passage: the reason, then the verdict, then the quote."""

    passage: Label
    reason: Reason
    relevant: Verdict
    quote: Quote = ""
    supports: Verdict = "unknown"
    contradicts: Annotated[list[Label], BeforeValidator(_as_list)] = Field(
        default_factory=list, max_length=4
    )


class GradeReply(_Reply):
    """Every passage, then whether the subgoal is covered."""

    passages: Annotated[list[PassageReply], BeforeValidator(_as_list)] = Field(max_length=12)
    reason: Reason
    covered: Verdict
    answer: Short = ""


class QuotedPassage(_Reply):
    """One passage that states an answer, and where."""

    passage: Label
    reason: Reason
    quote: Quote = ""
    contradicts: Annotated[list[Label], BeforeValidator(_as_list)] = Field(
        default_factory=list, max_length=4
    )


class QuoteReply(_Reply):
    """Where passages state an answer, and the answer."""

    passages: Annotated[list[QuotedPassage], BeforeValidator(_as_list)] = Field(max_length=12)
    answer: Short = ""


class RewriteReply(_Reply):
    """Another way to ask."""

    reason: Reason
    strategy: Strategy
    query: Quote = ""
    subgoals: Annotated[list[PlannedReply], BeforeValidator(_as_list)] = Field(
        default_factory=list, max_length=4
    )


ReplyT = TypeVar("ReplyT", bound=BaseModel)


@dataclass(frozen=True)
class Form(Generic[ReplyT]):
    """What a reply must look like: a kind, how many passages it judges, and the fields ("a", or
    "a.b" of a list's items) that this question has no use for and that are not asked for."""

    kind: type[ReplyT]
    passages: int | None = None
    without: tuple[str, ...] = ()

    def schema(self, *, bounded: bool) -> dict[str, Any]:
        """As `json_schema`."""
        schema = json_schema(self.kind, bounded=bounded)
        if self.passages and bounded:
            limits = {"minItems": self.passages, "maxItems": self.passages}
            schema["properties"]["passages"] |= limits
        for path in self.without:
            *above, name = path.split(".")
            part = schema
            for one in above:
                part = part["properties"][one]["items"]
            del part["properties"][name]
            part["required"].remove(name)
        return schema


def json_schema(reply: type[BaseModel], *, bounded: bool) -> dict[str, Any]:
    """The schema of a reply as servers take it: closed, everything required, no references.

    Without `bounded` it has no limits of length, which OpenAI refuses in strict schemas and
    without which a weak model on llama.cpp may write for ever.
    """
    raw = reply.model_json_schema()
    closed: dict[str, Any] = _closed(raw, raw.get("$defs", {}), bounded)
    return closed


def _closed(part: Any, parts: dict[str, Any], bounded: bool) -> Any:
    if isinstance(part, list):
        return [_closed(one, parts, bounded) for one in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _closed(parts[part["$ref"].split("/")[-1]], parts, bounded)
    left_out = {"$defs", "default", "title", "description", "minLength"}
    left_out |= set() if bounded else {"maxLength", "maxItems", "minItems"}
    if "properties" in part:
        fields = {name: _closed(one, parts, bounded) for name, one in part["properties"].items()}
        return {
            "type": "object",
            "properties": fields,
            "required": list(fields),
            "additionalProperties": False,
        }
    return {
        name: _closed(one, parts, bounded) for name, one in part.items() if name not in left_out
    }


def example_of(schema: dict[str, Any]) -> Any:
    """A value of the schema's form: choices stand beside each other, texts are dots."""
    if schema.get("type") == "object":
        return {name: example_of(one) for name, one in schema["properties"].items()}
    if schema.get("type") == "array":
        return [example_of(schema["items"])]
    return "|".join(schema["enum"]) if "enum" in schema else "…"
