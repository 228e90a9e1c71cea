"""The tools of the settings that ask other systems, opened."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

from graph.external_settings import LangChainSettings, McpSettings
from graph.settings import Settings
from retrieval.errors import UsageError
from retrieval.tools.mcp import mcp_tools
from retrieval.tools.mcp_client import Server
from retrieval.tools.registry import Tool
from retrieval.tools.web import searxng, web_search


def external_tools(settings: Settings) -> Iterator[Tool]:
    """Web search, LangChain tools, tools of MCP servers; raises UsageError for bad settings."""
    if web := settings.tools.web_search:
        yield web_search(searxng(web.url, timeout=web.timeout), cost=web.cost)
    for one in settings.tools.langchain:
        yield _imported(one)
    servers = settings.tools.mcp
    if servers:
        with ThreadPoolExecutor(len(servers)) as pool:
            for tools in pool.map(lambda one: _tools_of(settings, one), servers):
                yield from tools


def server_of(one: McpSettings) -> Server:
    """A server as its client takes it."""
    return Server(one.name, tuple(one.command), one.url, tuple(one.env), one.token_env, one.timeout)


def _tools_of(settings: Settings, one: McpSettings) -> list[Tool]:
    return mcp_tools(server_of(one), settings.home, one.tools, **one.traits())


def _imported(one: LangChainSettings) -> Tool:
    from langchain_core.tools import BaseTool

    from retrieval.tools.langchain import wrap

    module, _, name = one.path.partition(":")
    try:
        tool = getattr(import_module(module), name)
    except Exception as error:  # a module may raise anything
        raise UsageError(
            f"[[tools.langchain]] {one.path} cannot be imported ({type(error).__name__}: {error})."
        ) from None
    if not isinstance(tool, BaseTool):
        what = type(tool).__name__
        raise UsageError(f"[[tools.langchain]] {one.path} is no LangChain tool but a {what}.")
    return wrap(tool, timeout=one.timeout, **one.traits())
