"""Blocks of a Markdown text with the characters they take; nothing of the text is rewritten."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

Span = tuple[int, int]
"""Half-open range of characters."""

_LINE_END = re.compile(r"\r\n?|\n")
_LONGEST_HEADING = 200


@dataclass(frozen=True)
class Block:
    """A block of the first level and the span [start, end) of its characters.

    `parts` are spans that should not be cut: the items of a list, the rows of a table, the
    lines of code; otherwise empty. `header` is the span of a table's header rows. `level`
    (1 to 6) and `title` (without markers) are those of a heading.
    """

    kind: Literal["heading", "text", "list", "table", "code"]
    start: int
    end: int
    parts: tuple[Span, ...] = ()
    header: Span | None = None
    level: int = 0
    title: str = ""


def parse_blocks(text: str, body: int = 0) -> list[Block]:
    """The blocks of `text[body:]` in order, with offsets that count from the start of `text`.

    Every line that is not blank lies in a block, those that Markdown does not show (link
    definitions) too.
    """
    starts = [body, *(found.end() for found in _LINE_END.finditer(text, body))]
    if starts[-1] < len(text):
        starts.append(len(text))
    tokens = _blocks_only().parse(text[body:])
    blocks: list[Block] = []
    done = 0
    for index, token in enumerate(tokens):
        if token.level or token.nesting < 0 or token.map is None:
            continue
        first, last = token.map
        blocks.extend(_plain_block(text, starts, done, first))
        blocks.append(_block(tokens, index, starts))
        done = max(done, last)
    blocks.extend(_plain_block(text, starts, done, len(starts) - 1))
    return blocks


def plain(inline: str) -> str:
    """A line of Markdown without its markers ("**Điều 3** [xem](x.md)" → "Điều 3 xem")."""
    tokens = _inline_only().parseInline(inline[: 5 * _LONGEST_HEADING])
    shown = "".join(
        " " if child.type in ("softbreak", "hardbreak") else child.content
        for token in tokens
        for child in token.children or []
        if child.type != "html_inline"
    )
    return " ".join(shown.split())[:_LONGEST_HEADING]


@cache
def _inline_only() -> MarkdownIt:
    return MarkdownIt("commonmark")


@cache
def _blocks_only() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def _plain_block(text: str, starts: list[int], first: int, last: int) -> Iterator[Block]:
    if first < last and text[starts[first] : starts[last]].strip():
        yield Block("text", starts[first], starts[last])


def _block(tokens: list[Token], index: int, starts: list[int]) -> Block:
    token = tokens[index]
    start, end = _span(token, starts)
    if token.type == "heading_open":
        title = plain(tokens[index + 1].content)
        return Block("heading", start, end, level=int(token.tag[1]), title=title)
    inner = _until_closed(tokens, index)
    if token.type in ("bullet_list_open", "ordered_list_open"):
        items = _spans(inner, "list_item_open", 1, starts)
        return Block("list", start, end, parts=items)
    if token.type == "table_open":
        rows = [row for row in _spans(inner, "tr_open", 2, starts) if row[0] > start]
        return Block("table", start, end, tuple(rows), (start, rows[0][0] if rows else end))
    if token.type in ("fence", "code_block", "html_block"):
        first, last = token.map or (0, 0)
        lines = tuple((starts[line], starts[line + 1]) for line in range(first, last))
        return Block("code", start, end, parts=lines)
    return Block("text", start, end)


def _until_closed(tokens: list[Token], index: int) -> Iterable[Token]:
    for token in tokens[index + 1 :]:
        if token.level == 0:
            return
        yield token


def _spans(inner: Iterable[Token], kind: str, level: int, starts: list[int]) -> tuple[Span, ...]:
    return tuple(
        _span(token, starts)
        for token in inner
        if token.type == kind and token.level == level and token.map
    )


def _span(token: Token, starts: list[int]) -> Span:
    first, last = token.map or (0, 0)
    return starts[first], starts[last]
