"""Search of the web: any function that finds pages, and a SearXNG server of our own."""

import gzip
import json
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest

from retrieval.access import Identity
from retrieval.errors import ToolError, UsageError
from retrieval.tools.registry import ToolResult, call, registry
from retrieval.tools.web import searxng, web_search, without_html

PAGE = {"title": "Đà Nẵng", "url": "https://vi.example/da-nang", "text": "Cầu Rồng dài 666 m."}


def asked(search: Any, query: str = "cầu Rồng", top_k: int = 6) -> ToolResult:
    return call(registry(web_search(search)), "web_search", {"query": query}, Identity(), top_k)


def test_a_page_is_an_external_passage_that_names_its_address() -> None:
    (passage,) = asked(lambda query: [PAGE]).passages
    assert (passage["kind"], passage["source"]) == ("external", "https://vi.example/da-nang")
    assert (passage["title"], passage["text"]) == ("Đà Nẵng", "Cầu Rồng dài 666 m.")
    assert passage["language"] == "vi"


def test_the_tool_is_known_to_be_untrusted_to_reach_outside_and_to_need_a_run_that_allows_it() -> (
    None
):
    tool = web_search(lambda query: [])
    assert (tool.trusted, tool.reaches_outside, tool.web, tool.private) == (
        False,
        True,
        True,
        False,
    )


@pytest.mark.parametrize(
    "page",
    [
        {**PAGE, "url": "javascript:alert(1)"},
        {**PAGE, "url": "file:///etc/passwd"},
        {**PAGE, "url": ""},
        {**PAGE, "url": "http://[bad"},
        {**PAGE, "text": " "},
        {**PAGE, "text": "<script>steal()</script>"},
        {},
    ],
)
def test_what_is_no_page_is_passed_over(page: Any) -> None:
    assert asked(lambda query: [page]).passages == []


def test_one_page_is_one_source_however_often_it_is_listed() -> None:
    assert len(asked(lambda query: [PAGE, PAGE]).passages) == 1


def test_html_is_read_as_its_words() -> None:
    html = "<style>p{}</style><p>Cầu <b>Rồng</b> dài&nbsp;666 m.</p><script>x()</script>"
    assert without_html(html) == "Cầu Rồng dài 666 m."
    assert without_html("1 < 2 & 3") == "1 < 2 & 3"


def test_a_long_page_is_cut_and_only_so_many_passages_are_taken() -> None:
    pages = [{**PAGE, "url": f"https://x.example/{n}", "text": "câu " * 1_000} for n in range(20)]
    result = asked(lambda query: pages, top_k=3)
    assert len(result.passages) == 3
    assert len(result.degraded) == 2
    assert all(len(one["text"]) <= 2_000 for one in result.passages)


def test_a_query_leaves_on_one_line_and_without_its_far_end() -> None:
    queries: list[str] = []
    asked(lambda query: queries.append(query) or [], f"cầu\nRồng {'x' * 1_000}")
    assert queries[0].startswith("cầu Rồng x")
    assert len(queries[0]) == 400
    with pytest.raises(ToolError, match="empty"):
        asked(lambda query: [], " \n")


class Searx(BaseHTTPRequestHandler):
    """Replies as the words of the query say."""

    asked: ClassVar[list[dict[str, list[str]]]] = []

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        given = parse_qs(parts.query)
        self.asked.append(given)
        how = given["q"][0] if parts.path == "/sub/search" else "missing"
        found = {"url": PAGE["url"], "title": "<b>Đà Nẵng</b>", "content": "Cầu <i>Rồng</i>."}
        body = json.dumps({"results": [found, "none", {"url": None}]}).encode()
        body = {
            "prose": b"<html>format not allowed</html>",
            "list": b"[1]",
            "no list": b'{"results": "x"}',
            "null": b"null",
            "deep": b"[" * 100_000,
            "flood": b" " * 1_500_000,
            "bomb": gzip.compress(b" " * 3_000_000, 1),
        }.get(how, body)
        self.send_response({"refused": 403, "moved": 302, "missing": 404}.get(how, 200))
        if how == "moved":
            self.send_header("Location", "http://127.0.0.1:9/")
        if how == "bomb":
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        with suppress(OSError):
            for _ in range(50 if how == "drip" else 0):
                self.wfile.write(b" ")
                time.sleep(0.1)
            if how == "hang":
                time.sleep(3)
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing on the terminal."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Searx)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/sub/"
    server.shutdown()


def test_a_searxng_server_is_asked_for_json_and_its_results_become_passages(address: str) -> None:
    Searx.asked.clear()
    (passage,) = asked(searxng(address)).passages
    assert Searx.asked == [{"q": ["cầu Rồng"], "format": ["json"]}]
    assert (passage["title"], passage["text"]) == ("Đà Nẵng", "Cầu Rồng .")


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("prose", "did not reply with JSON results: allow the format json"),
        ("list", "did not reply with JSON"),
        ("null", "did not reply with JSON"),
        ("deep", "did not reply with JSON"),
        ("no list", "results that are no list"),
        ("refused", "replied 403"),
        ("moved", "replied 302"),
        ("flood", "too long"),
        ("bomb", "too long"),
        ("hang", "cannot be asked|took more than"),
        ("drip", "took more than 1 s"),
    ],
)
def test_a_server_that_fails_is_an_error_that_says_how(address: str, how: str, says: str) -> None:
    patience = 1 if "hang" in how or "drip" in how else 60
    with pytest.raises(ToolError, match=says):
        asked(searxng(address, timeout=patience), how)


def test_a_server_that_is_down_is_an_error_without_its_password() -> None:
    with pytest.raises(ToolError, match=r"127\.0\.0\.1 cannot be asked") as raised:
        asked(searxng("http://lan:s3cret@127.0.0.1:9"))
    assert "s3cret" not in str(raised.value)


@pytest.mark.parametrize("url", ["", "searx.example", "ftp://x", "file:///etc", "http://"])
def test_an_address_that_is_none_is_refused_when_the_tool_is_made(url: str) -> None:
    with pytest.raises(UsageError, match="is no web address"):
        searxng(url)
