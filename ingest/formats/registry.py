"""Which suffix is read by which loader; a loader's library is imported when it is needed."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from ingest.formats.protocol import Fields, Loaded, Loader

_MEGABYTE = 1024**2


@dataclass(frozen=True)
class Format:
    """A loader as "module:function", and the most bytes that a file may have.

    `isolated` ones run in a process of their own (`ingest.formats.isolated`), because their
    libraries can hang or use up the memory over a file that is damaged, or made to do so.
    """

    loader: str
    largest: int = 200 * _MEGABYTE
    isolated: bool = True


_MARKDOWN = Format("ingest.formats.plain:load_plain", 20 * _MEGABYTE, isolated=False)
_HTML = Format("ingest.formats.html:load_html", 20 * _MEGABYTE)
_CSV = Format("ingest.formats.sheets:load_csv", 50 * _MEGABYTE, isolated=False)
_LINES = Format("ingest.formats.records:load_json_lines", 50 * _MEGABYTE, isolated=False)

FORMATS = {
    ".md": _MARKDOWN,
    ".markdown": _MARKDOWN,
    ".txt": _MARKDOWN,
    ".text": _MARKDOWN,
    ".html": _HTML,
    ".htm": _HTML,
    ".pdf": Format("ingest.formats.pdf:load_pdf"),
    ".docx": Format("ingest.formats.word:load_word"),
    ".pptx": Format("ingest.formats.slides:load_slides"),
    ".xlsx": Format("ingest.formats.sheets:load_workbook"),
    ".csv": _CSV,
    ".tsv": _CSV,
    ".json": Format("ingest.formats.records:load_json", 50 * _MEGABYTE, isolated=False),
    ".jsonl": _LINES,
    ".ndjson": _LINES,
    ".eml": Format("ingest.formats.mail:load_mail", 50 * _MEGABYTE),
}

SUFFIXES = tuple(FORMATS)

WITH_FRONT_MATTER = (".md", ".markdown", ".txt", ".text", ".html", ".htm")

Extract = Callable[[str, bytes, Fields], Loaded]
"""Suffix, bytes, fields of JSON records → text; raises `RefusedError`."""


def loader_of(suffix: str) -> Loader:
    """The loader of a suffix (lower case, with its dot)."""
    module, _, function = FORMATS[suffix].loader.partition(":")
    loader: Loader = getattr(import_module(module), function)
    return loader


def extract_here(suffix: str, data: bytes, fields: Fields) -> Loaded:
    """Extract in this process; for files that are trusted, and inside the isolated process."""
    return loader_of(suffix)(data, fields)
