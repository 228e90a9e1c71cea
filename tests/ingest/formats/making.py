"""Files of every format, written by the libraries that write them."""

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

_FONTS = (
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "/Library/Fonts/Arial Unicode.ttf",
)


def vietnamese_font() -> str:
    """The name of a font that has Vietnamese letters; skips the test where there is none."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    found = next((one for one in _FONTS if Path(one).exists()), None)
    if found is None:
        pytest.skip("no font with Vietnamese letters on this machine")
    pdfmetrics.registerFont(TTFont("Vietnamese", found))
    return "Vietnamese"


def drawn(*pages: Callable[[Any], None], **options: Any) -> bytes:
    """A PDF with a page for each function, which draws on a canvas of 595 x 842 points."""
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfgen.canvas import Canvas

    made = io.BytesIO()
    canvas = Canvas(made, pagesize=A4, **options)
    for draw in pages:
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return made.getvalue()


def lines(
    *texts: str, top: float = 780, left: float = 60, size: float = 10, font: str = "Helvetica"
) -> Callable[[Any], None]:
    """Draws lines one below the other."""

    def draw(canvas: Any) -> None:
        canvas.setFont(font, size)
        for number, text in enumerate(texts):
            canvas.drawString(left, top - number * size * 1.3, text)

    return draw


def both(*drawings: Callable[[Any], None]) -> Callable[[Any], None]:
    """Draws one after the other on the same page."""

    def draw(canvas: Any) -> None:
        for one in drawings:
            one(canvas)

    return draw


def ruled(rows: Sequence[Sequence[str]], top: float = 700) -> Callable[[Any], None]:
    """Draws a table with rules around its cells."""

    def draw(canvas: Any) -> None:
        canvas.setFont("Helvetica", 9)
        height, width = 18, 120
        for number, row in enumerate(rows):
            for place, cell in enumerate(row):
                x, y = 60 + place * width, top - number * height
                canvas.rect(x, y - 5, width, height)
                canvas.drawString(x + 4, y, cell)

    return draw
