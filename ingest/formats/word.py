"""DOCX → Markdown: headings, paragraphs, lists and tables in their order."""

import io
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ingest.errors import RefusedError
from ingest.formats.archives import check_archive
from ingest.formats.composing import Composer, heading, one_line, table_lines
from ingest.formats.protocol import Fields, Loaded

if TYPE_CHECKING:
    from docx.document import Document

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_HEADING = re.compile(r"heading (\d)", re.IGNORECASE)
_DEEPEST_TABLE = 3


def load_word(data: bytes, _: Fields) -> Loaded:
    """The text of a DOCX file; it has no pages until a word processor lays it out.

    Headers, footers, comments and text that a tracked change has deleted are left out.
    """
    check_archive(data, "word/document.xml", ".docx")
    import docx

    try:
        document = docx.Document(io.BytesIO(data))
        composer = Composer()
        previous = ""
        for kind, block in _blocks(document):
            composer.add(block, joint="\n" if kind == previous == "item" else "\n\n")
            previous = kind
        text, _starts = composer.finish()
        title = one_line(document.core_properties.title)
    except RefusedError:
        raise
    except Exception as error:  # whatever a damaged file makes the library do
        raise RefusedError(f"it is damaged ({type(error).__name__}: {error})") from error
    return Loaded(text, title)


def _blocks(document: "Document") -> Iterator[tuple[str, str]]:
    levels = _heading_levels(document)
    for element in _elements(document.element.body):
        if element.tag == f"{_W}tbl":
            yield "table", "\n".join(table_lines(_rows(element)))
            continue
        text = _text(element)
        style = element.find(f"{_W}pPr/{_W}pStyle")
        level = levels.get(style.get(f"{_W}val") if style is not None else None, 0)
        if level:
            yield "heading", heading(level, text)
        elif element.find(f"{_W}pPr/{_W}numPr") is not None or _is_list(style):
            yield "item", f"- {one_line(text)}" if text.strip() else ""
        else:
            yield "text", text


def _elements(parent: Any) -> Iterator[Any]:
    """Paragraphs and tables in order, those inside content controls too."""
    for element in parent.iterchildren():
        if element.tag in (f"{_W}p", f"{_W}tbl"):
            yield element
        elif element.tag in (f"{_W}sdt", f"{_W}sdtContent", f"{_W}ins", f"{_W}customXml"):
            yield from _elements(element)


def _heading_levels(document: "Document") -> dict[str | None, int]:
    """The level of every style that is a heading, or is based on one."""
    levels: dict[str | None, int] = {}
    for style in document.styles:
        base: Any = style
        for _ in range(10):
            if base is None:
                break
            name = (base.name or "").lower()
            found = _HEADING.fullmatch(name)
            if found or name == "title":
                levels[style.style_id] = int(found[1]) if found else 1
                break
            base = getattr(base, "base_style", None)
    return levels


def _is_list(style: Any) -> bool:
    return style is not None and str(style.get(f"{_W}val")).lower().startswith("list")


def _text(paragraph: Any) -> str:
    """The text of a paragraph as it reads with all tracked changes accepted."""
    parts = []
    for node in paragraph.iter(f"{_W}t", f"{_W}tab", f"{_W}br", f"{_W}cr", f"{_W}noBreakHyphen"):
        if any(above.tag == _FALLBACK for above in node.iterancestors()):
            continue
        if node.tag == f"{_W}t":
            parts.append(node.text or "")
        elif node.tag == f"{_W}tab":
            parts.append(" " if node.getparent().tag == f"{_W}r" else "")
        else:
            parts.append("-" if node.tag == f"{_W}noBreakHyphen" else "\n")
    return "".join(parts).strip()


def _rows(table: Any, depth: int = 0) -> list[list[str]]:
    """The cells of a table; one that spans columns stands in the first, the others are empty."""
    rows = []
    for row in table.iterchildren(f"{_W}tr"):
        cells: list[str] = []
        for cell in row.iter(f"{_W}tc"):
            if cell.getparent() is not row and cell.getparent().tag != f"{_W}sdtContent":
                continue
            merged = cell.find(f"{_W}tcPr/{_W}vMerge")
            goes_on = merged is not None and merged.get(f"{_W}val") != "restart"
            span = cell.find(f"{_W}tcPr/{_W}gridSpan")
            width = int(span.get(f"{_W}val")) if span is not None else 1
            cells.append("" if goes_on else _cell(cell, depth))
            cells.extend([""] * (min(width, 100) - 1))
        rows.append(cells)
    return rows


def _cell(cell: Any, depth: int) -> str:
    parts = []
    for element in _elements(cell):
        if element.tag == f"{_W}p":
            parts.append(_text(element))
        elif depth < _DEEPEST_TABLE:
            parts.extend(" ".join(filter(None, row)) for row in _rows(element, depth + 1))
    return " ".join(filter(None, parts))
