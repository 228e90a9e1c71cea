"""Search of the web, as a tool: any function that finds pages, and one for SearXNG."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypedDict
from urllib.parse import urlsplit, urlunsplit

from retrieval.access import Identity
from retrieval.errors import ToolError, UsageError
from retrieval.tools.external import Text, passages_of
from retrieval.tools.registry import Tool, ToolResult

NAME = "web_search"
_MOST_BYTES = 1_000_000
_MOST_WORDS = 400
"""Characters of a query that leave this machine."""

_DESCRIPTION = (
    "Finds pages of the public web. Only where the documents do not have it and it is no matter "
    "of this organisation; never for internal names, persons or figures. The query leaves the "
    "organisation."
)
_PARAMETERS = {
    "type": "object",
    "properties": {"query": {"type": "string", "description": "What to look for, in words."}},
    "required": ["query"],
    "additionalProperties": False,
}


class Page(TypedDict):
    """A page that was found; `text` is what is known of what it says, HTML or not."""

    title: str
    url: str
    text: str


WebSearch = Callable[[str], Sequence[Page]]
"""From a query to pages, best first; raises `ToolError` where that fails."""


def web_search(search: WebSearch, *, cost: float = 0.0) -> Tool:
    """The tool around any search of the web; only runs that allow the web may call it."""

    def run(arguments: dict[str, Any], identity: Identity, top_k: int) -> ToolResult:
        query = " ".join(arguments["query"].split())[:_MOST_WORDS]
        if not query:
            raise ToolError(f"The query of {NAME} is empty.")
        return ToolResult(*passages_of(_texts(search(query)), NAME, top_k))

    return Tool(
        NAME, _DESCRIPTION, _PARAMETERS, run, cost=cost, trusted=False, reaches_outside=True,
        web=True,
    )  # fmt: skip


def _texts(pages: Sequence[Page]) -> Iterator[Text]:
    """The texts of pages that have an address and say something; one page once."""
    seen: set[str] = set()
    for page in pages:
        url = str(page.get("url") or "").strip()
        text = without_html(str(page.get("text") or ""))
        if text and url not in seen and host_of(url):
            seen.add(url)
            yield Text(text, url, without_html(str(page.get("title") or "")) or url)


def without_html(text: str) -> str:
    """The words of a text that may be HTML, without scripts and styles."""
    if "<" not in text and "&" not in text:
        return text.strip()
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(text, "lxml")
    for tag in soup(["script", "style", "noscript", "template"]):
        tag.decompose()
    return " ".join(soup.get_text(" ").split())


def host_of(url: str) -> str | None:
    """The host of a web address, or None where it is none."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return parts.hostname if parts.scheme in ("http", "https") else None


def searxng(url: str, *, timeout: float = 10.0) -> WebSearch:
    """A search by a SearXNG server whose settings allow the format `json`.

    Raises `UsageError` for an address that is none. A search takes at most `timeout` seconds
    and 1 MB, and follows no redirect.
    """
    host = host_of(url)
    if host is None:
        raise UsageError(
            "The address of [tools.web_search] is no web address: write it as "
            'url = "http://127.0.0.1:8888".'
        )
    parts = urlsplit(url)
    address = urlunsplit(parts._replace(path=parts.path.rstrip("/") + "/search", query=""))

    def search(query: str) -> list[Page]:
        body = _get(address, {"q": query, "format": "json"}, host, timeout)
        try:
            results = json.loads(body)["results"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ToolError(
                f"The search server {host} did not reply with JSON results: allow the format json "
                "in its settings.yml (search.formats)."
            ) from None
        if not isinstance(results, list):
            raise ToolError(f"The search server {host} replied with results that are no list.")
        return [_page(one) for one in results if isinstance(one, dict)]

    return search


def _page(found: dict[str, Any]) -> Page:
    return {
        "title": str(found.get("title") or ""),
        "url": str(found.get("url") or ""),
        "text": str(found.get("content") or ""),
    }


def _get(address: str, params: dict[str, str], host: str, timeout: float) -> bytes:
    """The body of a reply; `ToolError` where it fails, is too long or takes too long."""
    import httpx

    until = time.monotonic() + timeout
    body = b""
    try:
        with httpx.stream("GET", address, params=params, timeout=timeout) as response:
            if response.status_code != 200:
                raise ToolError(f"The search server {host} replied {response.status_code}.")
            for piece in response.iter_bytes(16_384):
                body += piece
                if len(body) > _MOST_BYTES:
                    raise ToolError(f"The reply of the search server {host} is too long.")
                if time.monotonic() > until:
                    raise ToolError(f"The search server {host} took more than {timeout:g} s.")
    except httpx.HTTPError as error:
        what = type(error).__name__
        raise ToolError(f"The search server {host} cannot be asked ({what}).") from None
    return body
