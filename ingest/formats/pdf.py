"""PDF → Markdown with pages: headings of its outline, paragraphs, tables, no page furniture."""

import io
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ingest.errors import RefusedError
from ingest.formats.composing import one_line
from ingest.formats.pdf_page import Page, read_page
from ingest.formats.pdf_text import Entry, compose
from ingest.formats.protocol import Fields, Loaded

if TYPE_CHECKING:
    from pypdf import PdfReader

_NO_TITLE = re.compile(r"(?i)untitled|microsoft word|powerpoint|\.(docx?|pptx?|xlsx?|indd|tex)\b")
_MAGIC_WITHIN = 1024
_MOST_PAGES = 5_000
_PAGES_NAMED = 10


def load_pdf(data: bytes, _: Fields) -> Loaded:
    """The text of a PDF, page by page.

    Raises `RefusedError` for one that is damaged, encrypted, or holds pictures of text only.
    """
    reader = _open(data)
    pages = _pages(data)
    silent = [number for number, page in enumerate(pages, start=1) if not page.items]
    if len(silent) == len(pages):
        raise RefusedError(
            f"none of its {len(pages)} pages holds text: they are scanned pictures, "
            f"run text recognition (OCR) on it first"
        )
    text, starts = compose(pages, list(_outline(reader)))
    return Loaded(text, _title(reader), starts, note=_note(silent, pages))


def _open(data: bytes) -> "PdfReader":
    import logging

    import pypdf
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    if b"%PDF-" not in data[:_MAGIC_WITHIN]:
        raise RefusedError("it is called .pdf, but it is another kind of file")
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise RefusedError("it is encrypted: save a copy without a password")
        count = len(reader.pages)
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise RefusedError(f"it is damaged ({type(error).__name__}: {error})") from error
    if count > _MOST_PAGES:
        raise RefusedError(f"it has {count:,} pages, the limit is {_MOST_PAGES:,}: split it")
    if not count:
        raise RefusedError("it has no pages")
    return reader


def _pages(data: bytes) -> list[Page]:
    import logging

    import pdfplumber

    logging.getLogger("pdfminer").setLevel(logging.CRITICAL)
    found = []
    try:
        with pdfplumber.open(io.BytesIO(data)) as pdf:
            for page in pdf.pages:
                found.append(read_page(page))
                page.close()  # frees what was laid out
    except Exception as error:  # whatever a damaged file makes the library do
        what = f"{type(error).__name__}: {error}"
        raise RefusedError(f"its page {len(found) + 1} is damaged ({what})") from error
    return found


def _title(reader: "PdfReader") -> str:
    try:
        title = one_line(reader.metadata.title if reader.metadata else "")
    except Exception:  # a damaged entry is no title
        return ""
    return "" if _NO_TITLE.search(title) else title


def _outline(reader: "PdfReader") -> Iterator[Entry]:
    """The bookmarks with the number of their page from 0; what is damaged is left out."""
    try:
        entries = reader.outline
    except Exception:
        return
    yield from _entries(reader, entries, 1)


def _entries(reader: "PdfReader", entries: Any, level: int) -> Iterator[Entry]:
    for entry in entries:
        if isinstance(entry, list):
            yield from _entries(reader, entry, level + 1)
            continue
        try:
            page = reader.get_destination_page_number(entry)
            title = one_line(entry.title)
        except Exception:  # a bookmark that leads nowhere
            continue
        if page is not None and title:
            yield Entry(page, level, title)


def _note(silent: list[int], pages: list[Page]) -> str:
    if not silent:
        return ""
    named = ", ".join(map(str, silent[:_PAGES_NAMED]))
    more = f" and {len(silent) - _PAGES_NAMED} more" if len(silent) > _PAGES_NAMED else ""
    return f"of its {len(pages)} pages these hold no text (blank or scanned): {named}{more}"
