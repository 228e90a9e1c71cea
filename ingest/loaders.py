"""Files → extracted text, with what a file says about itself.

For Markdown and plain text the extracted text is the file itself, decoded and in NFC, so that
a citation's offsets can be counted in the file. HTML becomes Markdown.
"""

import codecs
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ingest.errors import RefusedError
from ingest.front_matter import FrontMatter, read_front_matter
from ingest.markdown import Block, parse_blocks
from retrieval.access import Access
from state.language import detect_language
from state.text import nfc

LARGEST_FILE = 20 * 1024 * 1024
"""Bytes. Whoever has larger text files has logs or dumps, which are no documents to quote."""

_YEAR = re.compile(r"(?<!\d)20\d\d(?!\d)")
_LANGUAGE_CODE = re.compile(r"([a-z]{2,3})(?:[-_]\w+)*", re.IGNORECASE)
_LONGEST_TITLE = 200
_SAMPLE = 20_000


@dataclass(frozen=True)
class Extracted:
    """The text of a file in NFC, and what is known about it.

    `body` is the offset at which the text proper begins, after the front matter. `version` is
    a version or year, or "". `language` is an ISO 639-1 code or "und".
    """

    text: str
    body: int
    title: str
    version: str
    language: str
    blocks: list[Block]
    access: Access = None
    metadata: dict[str, Any] = field(default_factory=dict)


def read_bytes(path: Path) -> bytes:
    """The bytes of a file. Raises OSError, or `RefusedError` if there are too many."""
    with path.open("rb") as file:
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        size = path.stat().st_size / 1024**2
        limit = LARGEST_FILE // 1024**2
        raise RefusedError(f"it is too large ({size:.0f} MB, the limit is {limit} MB): split it")
    return data


def load(name: str, data: bytes) -> Extracted:
    """Extract the text of a file called `name`. Raises `RefusedError` with the reason."""
    text = decode(data)
    matter = read_front_matter(text)
    html_title = ""
    if Path(name).suffix.lower() in (".html", ".htm"):
        text, html_title = _from_html(text, matter)
    body = text[matter.body :]
    if not any(letter.isalnum() for letter in body):
        raise RefusedError("it holds no text" if text.strip() else "it is empty")
    blocks = parse_blocks(text, matter.body)
    heading = next((block.title for block in blocks if block.title), "")
    title = matter.title or html_title or heading or nfc(Path(name).stem)
    title = title[:_LONGEST_TITLE]
    return Extracted(
        text=text,
        body=matter.body,
        title=title,
        version=matter.version or _year(title) or _year(nfc(Path(name).stem)),
        language=_language(matter.language) or detect_language(body[:_SAMPLE]),
        blocks=blocks,
        access=matter.access,
        metadata=matter.metadata,
    )


def decode(data: bytes) -> str:
    """UTF-8, or UTF-16 with a byte order mark, as text in NFC without the mark.

    Raises `RefusedError` with the position of the first byte that does not fit.
    """
    utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if not utf16 and b"\x00" in data:
        raise RefusedError(f"it looks like a binary file (NUL byte at position {data.index(0)})")
    try:
        text = data.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        # The codec counts from behind a UTF-8 mark.
        mark = 3 if not utf16 and data.startswith(codecs.BOM_UTF8) else 0
        position = error.start + mark
        shown = f"byte 0x{data[position]:02x} at position {position}"
        encoding = "UTF-16" if utf16 else "UTF-8"
        raise RefusedError(f"it is not {encoding} ({shown}): save it as UTF-8") from error
    if "\x00" in text:
        raise RefusedError("it looks like a binary file (NUL characters)")
    return nfc(text)


def _from_html(text: str, matter: FrontMatter) -> tuple[str, str]:
    """Markdown of the page behind its front matter, and its title."""
    from ingest.html import html_to_markdown

    markdown, title = html_to_markdown(text[matter.body :])
    return nfc(text[: matter.body] + markdown), nfc(title)


def _year(text: str) -> str:
    found = _YEAR.search(text)
    return found[0] if found else ""


def _language(given: str) -> str:
    found = _LANGUAGE_CODE.fullmatch(given)
    return found[1].lower() if found else ""
