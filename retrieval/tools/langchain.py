"""Any LangChain tool, as a tool of ours: what it says becomes passages of kind "external"."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from retrieval.access import Identity
from retrieval.errors import ToolError, UsageError
from retrieval.tools.external import Text, passages_of, within
from retrieval.tools.registry import Json, Tool, ToolResult

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

_MOST_WORDS = 2_000
"""Characters of a description."""


def wrap(
    tool: "BaseTool",
    *,
    trusted: bool = False,
    reaches_outside: bool = True,
    read_only: bool = False,
    needs_approval: bool | None = None,
    private: bool = False,
    cost: float = 0.0,
    timeout: float = 60.0,
) -> Tool:
    """The tool for a run; nothing good is believed of it that is not said.

    `needs_approval` is true where it is not said and the tool is not read-only. Its artifacts
    are ignored, its errors are `ToolError`. Raises `UsageError` for arguments without a schema.
    """
    name = tool.name

    def run(arguments: Json, identity: Identity, top_k: int) -> ToolResult:
        from langgraph.errors import GraphBubbleUp

        try:
            replied = within(timeout, name, lambda: said(tool.invoke(arguments)))
        except (ToolError, GraphBubbleUp):
            raise
        except NotImplementedError:
            raise ToolError(f"{name} can only be called by async code.") from None
        except (Exception, SystemExit) as error:
            what = " ".join(f"{type(error).__name__}: {error}".split())[:300]
            raise ToolError(f"{name} failed ({what}).") from None
        texts = (Text(one, name, name) for one in replied)
        return ToolResult(*passages_of(texts, name, top_k))

    return Tool(
        name,
        tool.description[:_MOST_WORDS],
        _schema(tool),
        run,
        read_only=read_only,
        needs_approval=not read_only if needs_approval is None else needs_approval,
        cost=cost,
        private=private,
        trusted=trusted,
        reaches_outside=reaches_outside,
    )


def as_tools(given: "Iterable[Tool | BaseTool]") -> Iterator[Tool]:
    """Tools of ours as they are, and those of LangChain wrapped as untrusted."""
    for one in given:
        yield one if isinstance(one, Tool) else wrap(one)


def _schema(tool: "BaseTool") -> Json:
    """The JSON schema of the arguments, without those that LangChain injects."""
    try:
        schema: Any = tool.tool_call_schema
        found: Json = schema if isinstance(schema, dict) else schema.model_json_schema()
    except Exception as error:
        raise UsageError(f"The arguments of {tool.name} have no JSON schema: {error}") from None
    return {"type": "object", "properties": {}, **found}


def said(reply: Any) -> list[str]:
    """The texts of a tool's reply: words as they are, blocks of text, other values as JSON."""
    content = getattr(reply, "content", reply)
    if isinstance(content, str):
        return [content]
    if isinstance(content, list) and any(_is_block(one) for one in content):
        return [one if isinstance(one, str) else one["text"] for one in content if _text(one)]
    if isinstance(content, list | tuple) and all(isinstance(one, str) for one in content):
        return list(content)
    return [] if content is None else [json.dumps(content, ensure_ascii=False, default=str)]


def _is_block(one: Any) -> bool:
    return isinstance(one, Mapping) and isinstance(one.get("type"), str)


def _text(one: Any) -> bool:
    return isinstance(one, str) or (_is_block(one) and isinstance(one.get("text"), str))
