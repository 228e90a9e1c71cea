"""What every format offers: a file's bytes → Markdown-like text with positions."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Fields:
    """Where the text of JSON records stands, as dotted paths ("data.items", "answer.text").

    `records` leads to the list of records ("": the value itself), `title` to a record's title.
    Without `text` all values of a record are its text, each with its name.
    """

    records: str = ""
    title: str = ""
    text: tuple[str, ...] = ()


@dataclass(frozen=True)
class Loaded:
    """The text of a file in NFC, Markdown as far as it has structure, and what it says of itself.

    Page n (from 1) begins at `page_starts[n - 1]`; empty where a format has no pages. `access`
    is what the file itself says of its readers, in the form that front matter has. `note` is a
    sentence about what could not be read of a file that is taken in all the same.
    """

    text: str
    title: str = ""
    page_starts: tuple[int, ...] = ()
    access: Any = None
    metadata: dict[str, Any] = field(default_factory=dict)
    note: str = ""


Loader = Callable[[bytes, Fields], Loaded]
"""Bytes of a file → its text; raises `RefusedError` with the reason why there is none."""
