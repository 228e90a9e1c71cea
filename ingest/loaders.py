"""Files → extracted text, with what is known about it.

For Markdown and plain text the extracted text is the file itself, decoded and in NFC, so that
a citation's offsets can be counted in the file. Other formats become Markdown.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ingest.errors import RefusedError
from ingest.formats.decoding import decode
from ingest.formats.protocol import Fields, Loaded
from ingest.formats.registry import FORMATS, WITH_FRONT_MATTER, Extract, extract_here
from ingest.front_matter import FrontMatter, read_front_matter
from ingest.markdown import Block, parse_blocks
from ingest.stated import Stated, access_of, combined
from state.language import detect_language
from state.text import nfc

_YEAR = re.compile(r"(?<!\d)20\d\d(?!\d)")
_LANGUAGE_CODE = re.compile(r"([a-z]{2,3})(?:[-_]\w+)*", re.IGNORECASE)
_LONGEST_TITLE = 200
_SAMPLE = 20_000
_ATTEMPTS = 3
_PARTS = (".xlsx", ".csv", ".tsv", ".json", ".jsonl", ".ndjson")
"""Their headings name sheets and records, not the whole."""
_NOBODY = "its lists of readers have no name in common, so nobody may read it"


@dataclass(frozen=True)
class Extracted:
    """The text of a file in NFC, and what is known about it.

    `body` is the offset at which the text proper begins, after the front matter. `language` is
    an ISO 639-1 code or "und". `stated` is what holds of title, version, readers and dates.
    `page_starts` and `note` are those of `Loaded`.
    """

    text: str
    body: int
    title: str
    version: str
    language: str
    blocks: list[Block]
    stated: Stated = field(default_factory=Stated)
    page_starts: tuple[int, ...] = ()
    note: str = ""


def read_bytes(path: Path) -> bytes:
    """The bytes of a file, all of one moment.

    Raises OSError, also for a file that changes again and again while it is read, or
    `RefusedError` if it is too large.
    """
    kind = FORMATS.get(path.suffix.lower())
    largest = kind.largest if kind else 0
    for _ in range(_ATTEMPTS):
        with path.open("rb") as file:
            before = os.fstat(file.fileno())
            data = file.read(largest + 1)
            after = os.fstat(file.fileno())
        if len(data) > largest:
            raise RefusedError(
                f"it is too large ({before.st_size / 1024**2:.0f} MB, the limit is "
                f"{largest // 1024**2} MB): split it"
            )
        if before.st_mtime_ns == after.st_mtime_ns and after.st_size == len(data):
            return data
    raise OSError("it changes while it is read")


def load(
    name: str,
    data: bytes,
    stated: Sequence[Stated] = (),
    fields: Fields | None = None,
    extract: Extract = extract_here,
) -> Extracted:
    """Extract the text of a file called `name`; `stated` is what others say of it.

    Raises `RefusedError` with the reason why there is no text, or why its readers are unknown.
    """
    if not data:
        raise RefusedError("it is empty")
    suffix = Path(name).suffix.lower()
    loaded, matter = _loaded(suffix, data, fields or Fields(), extract)
    own = Stated(access=access_of(loaded.access, "it"), metadata=loaded.metadata)
    known = combined([own, *stated, matter])
    text, body = loaded.text, matter.body
    if not any(letter.isalnum() for letter in text[body:]):
        raise RefusedError("it holds no text" if text.strip() else "it is empty")
    blocks = parse_blocks(text, body)
    heading = next((block.title for block in blocks if block.title), "")
    heading = "" if suffix in _PARTS else heading
    title = known.title or loaded.title or heading or nfc(Path(name).stem)
    title = nfc(title)[:_LONGEST_TITLE]
    shut = known.access == () and not any(one.access == () for one in [own, *stated, matter])
    return Extracted(
        text=text,
        body=body,
        title=title,
        version=known.version or _year(title) or _year(nfc(Path(name).stem)),
        language=_language(known.language) or detect_language(text[body : body + _SAMPLE]),
        blocks=blocks,
        stated=known,
        page_starts=loaded.page_starts,
        note="; ".join(filter(None, [loaded.note, _NOBODY if shut else ""])),
    )


def _loaded(
    suffix: str, data: bytes, fields: Fields, extract: Extract
) -> tuple[Loaded, FrontMatter]:
    if suffix not in WITH_FRONT_MATTER:
        return extract(suffix, data, fields), FrontMatter()
    text = decode(data)
    matter = read_front_matter(text)
    if suffix not in (".html", ".htm"):
        return Loaded(text), matter
    page = extract(suffix, text[matter.body :].encode("utf-8", "replace"), fields)
    return Loaded(nfc(text[: matter.body] + page.text), page.title), matter


def _year(text: str) -> str:
    found = _YEAR.search(text)
    return found[0] if found else ""


def _language(given: str) -> str:
    found = _LANGUAGE_CODE.fullmatch(given)
    return found[1].lower() if found else ""
