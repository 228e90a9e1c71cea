"""XLSX and CSV → Markdown tables, a heading for each sheet."""

import csv
import io
import itertools
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time
from typing import Any

from ingest.errors import RefusedError
from ingest.formats.archives import check_archive
from ingest.formats.composing import Composer, heading, one_line, table_lines
from ingest.formats.decoding import decode
from ingest.formats.protocol import Fields, Loaded

MOST_ROWS = 200_000
_MOST_COLUMNS = 500
_SAMPLE = 20_000
_LONGEST_FIELD = 10_000_000


def load_workbook(data: bytes, _: Fields) -> Loaded:
    """The visible sheets of an XLSX file as tables; a blank row ends a table.

    Formulas count with the value that was saved with them.
    """
    check_archive(data, "xl/workbook.xml", ".xlsx")
    import openpyxl

    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        composer = Composer()
        for sheet in book.worksheets:
            if sheet.sheet_state == "visible":
                sheet.reset_dimensions()  # what a file claims of its size need not be true
                _add_sheet(composer, sheet.title, (_values(row) for row in sheet.iter_rows()))
        text, _starts = composer.finish()
        title = one_line(book.properties.title)
    except RefusedError:
        raise
    except Exception as error:  # whatever a damaged file makes the library do
        raise RefusedError(f"it is damaged ({type(error).__name__}: {error})") from error
    return Loaded(text, title)


def load_csv(data: bytes, _: Fields) -> Loaded:
    """A table with fields separated by commas, semicolons, tabs or bars."""
    text = decode(data)
    csv.field_size_limit(_LONGEST_FIELD)
    try:
        rows = list(itertools.islice(_rows(text), MOST_ROWS + 1))
    except csv.Error as error:
        raise RefusedError(f"its rows cannot be read ({error})") from error
    _check_count(len(rows))
    composer = Composer()
    _add_tables(composer, rows)
    return Loaded(composer.finish()[0])


def _rows(text: str) -> Iterator[list[str]]:
    # Dialect sniffing by the library takes the letter of a word for a separator.
    lines = text[:_SAMPLE].splitlines()[:50]
    counts = {one: [line.count(one) for line in lines if line.strip()] for one in ",;\t|"}
    steady = {one: min(found, default=0) for one, found in counts.items()}
    delimiter = max(steady, key=lambda one: (steady[one], sum(counts[one])))
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)


def _add_sheet(composer: Composer, name: str, rows: Iterable[list[Any]]) -> None:
    kept = list(itertools.islice(rows, MOST_ROWS + 1))
    _check_count(len(kept))
    if any(any(row) for row in kept):
        composer.add(heading(2, name))
        _add_tables(composer, kept)


def _add_tables(composer: Composer, rows: Sequence[Sequence[Any]]) -> None:
    """The runs of rows between blank ones; one of a single column is plain text."""
    for blank, group in itertools.groupby(rows, key=lambda row: not any(map(one_line, row))):
        if blank:
            continue
        some = [list(row[:_MOST_COLUMNS]) for row in group]
        if max(sum(bool(one_line(value)) for value in row) for row in some) == 1:
            composer.add("\n\n".join(one_line(value) for row in some for value in row if value))
        else:
            _add_table(composer, some)


def _add_table(composer: Composer, rows: list[list[Any]]) -> None:
    """A table; lines above it that fill one cell only are its caption."""
    first = next(
        place for place, row in enumerate(rows) if sum(bool(one_line(value)) for value in row) > 1
    )
    for row in rows[:first]:
        composer.add(" ".join(filter(None, map(one_line, row))))
    composer.add("\n".join(table_lines(rows[first:])))


def _values(row: Iterable[Any]) -> list[str]:
    return [_shown(cell.value, cell.number_format or "") for cell in row]


def _shown(value: Any, number_format: str) -> str:
    """A value much as a sheet shows it."""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, float):
        if "%" in number_format:
            return f"{round(value * 100, 6):.10g}%"
        return f"{value:.15g}"
    if isinstance(value, datetime):
        return str(value.date() if value.time() == time() else value.replace(microsecond=0))
    return value.isoformat() if isinstance(value, date | time) else one_line(value)


def _check_count(rows: int) -> None:
    if rows > MOST_ROWS:
        raise RefusedError(f"a table of it has more than {MOST_ROWS:,} rows: split it")
