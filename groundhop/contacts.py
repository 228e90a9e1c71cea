"""What a deployment contacts, read off its settings alone."""

from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

if TYPE_CHECKING:
    from graph.settings import Settings


def contacts(settings: "Settings") -> list[str]:
    """A clause for everything that is contacted, with its address but no password of it."""
    servers, tools = _databases(settings), _tools(settings)
    return [
        *_models(settings),
        *([f"databases are asked on {', '.join(servers)}"] if servers else []),
        *_run_store(settings),
        *([f"tools are asked: {', '.join(tools)}"] if tools else []),
    ]


def _models(settings: "Settings") -> list[str]:
    from policy.endpoints import PRESETS

    found = []
    if settings.embedding.startswith("openai:"):
        where = _shown(settings.embedding_base_url or "the OpenAI API")
        found.append(f"texts and questions are sent to {where}")
    if judge := settings.base_url or PRESETS.get(settings.preset or ""):
        bases = [judge, *(one.base_url for one in settings.fallbacks if one.base_url)]
        named = ", ".join(dict.fromkeys(map(_shown, bases)))
        found.append(f"questions and passages are sent to {named}")
    return found


def _databases(settings: "Settings") -> list[str]:
    """The databases that are no files."""
    from graph.tools import database_readers
    from retrieval.errors import ToolError

    found = []
    for reader in database_readers(settings):
        try:
            found += [reader.place()] if reader.dialect != "sqlite" else []
        except ToolError:
            continue  # the check of databases tells what is wrong with it
    return found


def _run_store(settings: "Settings") -> list[str]:
    from graph.postgres import readable_url

    url = settings.server_url()
    return [f"runs and catalogue are kept on {readable_url(url)}"] if url else []


def _tools(settings: "Settings") -> list[str]:
    """Tools that ask other systems; of a program or a library nobody knows which."""
    tools = settings.tools
    return [
        *([f"web_search ({_shown(tools.web_search.url)})"] if tools.web_search else []),
        *(one.path for one in tools.langchain),
        *(f"{one.name} ({_shown(one.url) if one.url else 'a program'})" for one in tools.mcp),
    ]


def _shown(url: str) -> str:
    """The address alone: user, password and query may hold a secret."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
