"""What other systems reply, as passages of kind "external": cleaned, cut, bounded in number."""

import re
from collections.abc import Callable, Iterable
from contextvars import copy_context
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from threading import Thread
from typing import Any, TypeVar

from retrieval.errors import ToolError
from state.language import detect_language
from state.text import clean

MAX_CHARACTERS = 20_000
"""Of everything that one call brings."""

_PIECE = 2_000
"""Characters of one passage, so that a judge sees what it is about."""

_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\ufeff]")

Json = dict[str, Any]
Outcome = TypeVar("Outcome")


@dataclass(frozen=True)
class Text:
    """A text that another system replied with, and where it says that it comes from."""

    text: str
    source: str
    title: str


def passages_of(texts: Iterable[Text], of: str, top_k: int) -> tuple[list[Json], list[str]]:
    """At most `top_k` passages of what the tool `of` replied, and what was left out of them.

    A long text is cut between paragraphs or words; `start` and `end` count characters of the
    cleaned text whose hash is `sha256`.
    """
    left = MAX_CHARACTERS
    passages: list[Json] = []
    cut = False
    for one in texts:
        text = _UNSEEN.sub("", clean(one.text).replace("\r\n", "\n")).strip()
        cut |= len(text) > left
        text = text[:left]
        left -= len(text)
        passages += [_passage(text, begin, end, one, of) for begin, end in pieces(text)]
    degraded = [f"{of} replied with more than {MAX_CHARACTERS:,} characters"] if cut else []
    if len(passages) > top_k:
        degraded.append(f"{len(passages) - top_k} further passages of {of} were left out")
    return passages[:top_k], degraded


def pieces(text: str) -> list[tuple[int, int]]:
    """Begin and end of pieces of at most 2,000 characters, cut where paragraphs or words end."""
    found, begin = [], 0
    while begin < len(text):
        end = min(len(text), begin + _PIECE)
        if end < len(text):
            for mark in ("\n\n", "\n", " "):
                place = text.rfind(mark, begin + _PIECE // 2, end)
                if place > 0:
                    end = place
                    break
        if text[begin:end].strip():
            found.append((begin, end))
        begin = end
    return found


def _passage(text: str, begin: int, end: int, of: Text, tool: str) -> Json:
    piece = text[begin:end]
    shift = len(piece) - len(piece.lstrip())
    digest = sha256(f"{of.source}\n{piece}".encode()).hexdigest()[:24]
    return {
        "id": digest,
        "kind": "external",
        "document_id": f"{tool}:{of.source}"[:300],
        "chunk_id": digest,
        "source": of.source[:500],
        "title": clean(of.title)[:200],
        "heading": "",
        "page": None,
        "text": piece.strip(),
        "start": begin + shift,
        "end": begin + shift + len(piece.strip()),
        "sha256": sha256(text.encode()).hexdigest(),
        "version": "",
        "language": detect_language(piece),
        "scores": {},
        "retrieved_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def within(seconds: float, of: str, work: Callable[[], Outcome]) -> Outcome:
    """The outcome of `work`, or `ToolError` once the seconds are over; what `work` raises.

    It runs in a thread of its own, which cannot be stopped: it is left to its end.
    """
    outcomes: list[Outcome] = []
    errors: list[BaseException] = []
    context = copy_context()

    def run() -> None:
        try:
            outcomes.append(context.run(work))
        except BaseException as error:
            errors.append(error)

    thread = Thread(target=run, daemon=True, name=f"call of {of}")
    thread.start()
    thread.join(seconds)
    if errors:
        raise errors[0]
    if not outcomes:
        raise ToolError(f"{of} did not answer within {seconds:g} seconds.")
    return outcomes[0]
