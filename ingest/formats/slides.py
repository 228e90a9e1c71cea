"""PPTX → Markdown: a heading for each slide, whose number is its page."""

import io
from collections.abc import Iterable, Iterator
from typing import Any

from ingest.errors import RefusedError
from ingest.formats.archives import check_archive
from ingest.formats.composing import Composer, heading, one_line, table_lines
from ingest.formats.protocol import Fields, Loaded

_DEEPEST_GROUP = 10


def load_slides(data: bytes, _: Fields) -> Loaded:
    """The text of a PPTX file, slide by slide: title, text, tables, charts' titles, notes."""
    check_archive(data, "ppt/presentation.xml", ".pptx")
    import pptx

    try:
        presentation = pptx.Presentation(io.BytesIO(data))
        composer = Composer()
        for number, slide in enumerate(presentation.slides, start=1):
            composer.new_page()
            _add_slide(composer, slide, number)
        text, starts = composer.finish()
        title = one_line(presentation.core_properties.title)
    except Exception as error:  # whatever a damaged file makes the library do
        raise RefusedError(f"it is damaged ({type(error).__name__}: {error})") from error
    return Loaded(text, "" if title == "PowerPoint Presentation" else title, starts)


def _add_slide(composer: Composer, slide: Any, number: int) -> None:
    titled = slide.shapes.title
    title = one_line(titled.text_frame.text) if titled is not None else ""
    blocks = list(_blocks(_flat(slide.shapes), titled))
    notes = ""
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        notes = slide.notes_slide.notes_text_frame.text.strip()
    if title or blocks or notes:
        composer.add(heading(2, title or f"Slide {number}"))
    for block in blocks:
        composer.add(block)
    composer.add(notes)


def _flat(shapes: Iterable[Any], depth: int = 0) -> Iterator[Any]:
    """The shapes from top to bottom, those of groups in the place of the group."""
    for shape in sorted(shapes, key=lambda one: (one.top or 0, one.left or 0)):
        if hasattr(shape, "shapes") and depth < _DEEPEST_GROUP:
            yield from _flat(shape.shapes, depth + 1)
        else:
            yield shape


def _blocks(shapes: Iterable[Any], titled: Any) -> Iterator[str]:
    for shape in shapes:
        if titled is not None and shape.shape_id == titled.shape_id:
            continue
        if getattr(shape, "has_table", False):
            rows = [[cell.text for cell in row.cells] for row in shape.table.rows]
            yield "\n".join(table_lines(rows))
        elif getattr(shape, "has_chart", False):
            if shape.chart.has_title:
                yield shape.chart.chart_title.text_frame.text
        elif shape.has_text_frame:
            yield _paragraphs(shape.text_frame.paragraphs)


def _paragraphs(paragraphs: Iterable[Any]) -> str:
    """One paragraph as it is, several as a list by their levels."""
    written = [(one.level, one_line(one.text)) for one in paragraphs if one.text.strip()]
    if len(written) == 1:
        return written[0][1]
    return "\n".join(f"{'  ' * level}- {text}" for level, text in written)
