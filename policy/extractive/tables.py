"""Rows of Markdown tables: which column answers a question."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from policy.extractive.naming import holds_name
from policy.language.kinds import PERSONS, SURNAME, is_of_kind, is_organisation, same_kind
from policy.language.questions import Ask
from policy.language.relations import UNNAMED, relations
from policy.language.values import DATE, NUMBER, parse_value
from policy.language.wording import UPPER, bare, seek, terms, typed_bare
from state.text import comparable

_OF_PERSONS = frozenset({"lead", "manage", "chair", "approve"})
_OF_ORGANISATIONS = frozenset({"fund", "award", "supplier", "develop", "own", "recipient"})
"""What "ai" may do as an organisation."""


_PLACES = frozenset[str]().union(
    *(same_kind(one) for one in ("văn phòng", "thành phố", "địa chỉ", "town", "office"))
)


_THINGS = frozenset[str]().union(
    *(same_kind(one) for one in ("khách hàng", "dự án", "sản phẩm", "hợp đồng", "công ty"))
)
_UNITS = frozenset[str]().union(*(same_kind(one) for one in ("phòng", "department", "nhóm")))


@dataclass(frozen=True)
class Row:
    """A table row: its cells under the cells of the table's header."""

    headers: tuple[str, ...]
    cells: tuple[str, ...]


def read_row(text: str, start: int, line: str, columns: str = "") -> Row | None:
    """The row that stands at `start` in a text, or None where `line` is no row.

    `columns` is the header of a table whose first rows stand in another passage.
    """
    if not line.lstrip().startswith("|"):
        return None
    cells = split_cells(line)
    header = split_cells(columns) if columns else []
    position = 0
    for one in text.splitlines(keepends=True):
        if position >= start:
            break
        position += len(one)
        if not one.lstrip().startswith("|"):
            header = []
        elif not header:
            header = split_cells(one)
    if not header or len(header) != len(cells):
        header = [""] * len(cells)
    return Row(tuple(header), tuple(cells))


def split_cells(line: str) -> list[str]:
    """The trimmed cells of a row."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def answer_cell(ask: Ask, row: Row) -> tuple[str, float]:
    """The cell that answers, and how sure its column is (0 to 1); ("", 0) where none does."""
    if len(row.cells) == 2 and not _names_anchor(ask, row.cells[0]):
        return _property(ask, row)
    opened = _names_anchor(ask, row.cells[0])
    code = _code_of(ask, row) if ask.head in ("mã", "code") else ""
    if code:
        return code, 1.0
    if (ask.head == "mã" or ask.kind in ("date", "number")) and _names_another(ask, row):
        return "", 0.0
    cells = [
        (_column_score(ask, header, cell, opened), cell)
        for header, cell in zip(row.headers, row.cells, strict=True)
        if cell and not _names_anchor(ask, cell)
    ]
    dates = [
        (header, cell)
        for header, cell in zip(row.headers, row.cells, strict=True)
        if DATE.match(cell)
    ]
    if ask.kind == "date" and opened and len(dates) == 1:
        header, date = dates[0]
        asked, told = ask.relations - UNNAMED, relations(header)
        return (date, 1.0) if asked & told or not (asked and told) else ("", 0.0)
    score, best = max(cells, key=lambda one: one[0], default=(0.0, ""))
    if score >= 2:
        untyped = ask.kind == "thing" and not ask.head
        return best, 0.5 if untyped else min(1.0, score / 2.5)
    return "", 0.0


def _code_of(ask: Ask, row: Row) -> str:
    """The code in brackets behind a name: "Cao Xuân Trường (E024)"."""
    for cell in row.cells:
        found = re.fullmatch(r"(?P<name>.+) \((?P<code>[^\W\d_]+[-_]?\d\w*)\)", cell)
        if found and any(holds_name(found["name"], one) for one in ask.anchors):
            return found["code"]
    return ""


def _names_another(ask: Ask, row: Row) -> bool:
    """Whether a row is about something else and names what is asked about beside it only.

    The date in the row of somebody whom Cao Xuân Trường manages is not his.
    """
    named = [number for number, cell in enumerate(row.cells) if _names_anchor(ask, cell)]
    return bool(named) and all(
        number > 1 and not relations(row.headers[number]) & ask.relations for number in named
    )


def _property(ask: Ask, row: Row) -> tuple[str, float]:
    """Of a two-column table "property | value": the value, if the property was asked for."""
    asked = set(ask.terms)
    named = terms(row.cells[0])
    shared = sum(term in asked for term in named) / max(1, len(named))
    related = bool(relations(row.cells[0]) & ask.relations - UNNAMED)
    fits = _fits(ask, row.cells[1])
    if shared < 0.5 and not (related and fits):
        return "", 0.0
    return (row.cells[1], 1.0 if shared >= 0.5 and fits else 0.7) if fits else ("", 0.0)


def _column_score(ask: Ask, header: str, cell: str, opened: bool) -> float:
    """How well a column fits; `opened` says that the row opens with what the question names."""
    heading = terms(header)
    if not heading or not _fits(ask, cell, header):
        return 0.0
    score = 1.0 + 2.0 * _shared(ask, header, heading) / len(heading)
    kinds = same_kind(ask.head) if ask.head else frozenset()
    if ask.kind == "place" and not ask.head:
        kinds = _PLACES
    if _is_headed(header, kinds, ask.head) or " ".join(heading) in kinds:
        score += 2.5
    elif opened and _is_of_kind(cell, kinds):
        score += 2.0
    if _is_of_kind(cell, kinds):
        score += 2.0
    if relations(header) & ask.relations - UNNAMED:
        score += 2.0
    elif opened and relations(header) & ask.relations:
        score += 1.0
    if ask.unit and same_kind(ask.unit) & set(heading):
        score += 1.5
    return score


def _shared(ask: Ask, header: str, heading: tuple[str, ...]) -> int:
    """How many of a header's words the question holds; accents count where both have them."""
    if typed_bare(header) or typed_bare(ask.text):
        return sum(term in ask.terms for term in heading)
    asked = set(comparable(ask.text).replace("?", " ").replace(",", " ").split())
    written = [word for word in comparable(header).split() if bare(word) in heading]
    return sum(word in asked for word in written)


def _is_headed(header: str, kinds: frozenset[str], head: str) -> bool:
    """Whether a column's noun is of the kind that is asked for."""
    words = header.split()
    noun = words[-1] if typed_bare(header) else words[0]
    return bare(noun) in kinds and (not head or is_of_kind(noun, head))


def _is_of_kind(cell: str, kinds: frozenset[str]) -> bool:
    """Whether a cell has a noun of these kinds where its language puts it: first, in English last.

    Anywhere else "hàng" of "Mua hàng" would pass for "hãng".
    """
    plain = bare(cell)
    if typed_bare(cell):
        return any(plain.endswith(f" {kind}") for kind in kinds)
    return any(plain.startswith(f"{kind} ") for kind in kinds)


def _fits(ask: Ask, cell: str, header: str = "") -> bool:
    if ask.kind == "date":
        return DATE.search(cell) is not None
    if ask.kind == "number":
        dated = DATE.match(cell) is not None
        number = NUMBER.search(cell)
        early = number is not None and len(cell[: number.start()].split()) <= 2
        return not dated and early and parse_value(cell) is not None
    if ask.kind == "name" and not ask.head:
        of_persons = ask.language == "vi" and not ask.relations & _OF_ORGANISATIONS
        if of_persons and seek(r"(?<!\w)ai(?!\w)", ask.text) and _is_no_person(header, cell):
            return False
        if ask.relations & _OF_PERSONS and is_organisation(f"{header} {cell}"):
            return False
        return cell[:1].isupper() and not cell[:1].isdigit() and not NUMBER.fullmatch(cell)
    of_things = same_kind(ask.head) & _THINGS and not seek(rf"^(?:{PERSONS})(?!\w)", ask.head)
    headed = bool(terms(header)) and bare(header) in same_kind(ask.head)
    if ask.kind == "name" and of_things and not headed and _is_person(cell):
        return False
    if ask.kind in ("name", "place") and header:
        return not DATE.match(cell) or bool(same_kind(ask.head) & set(bare(header).split()))
    return True


def _is_person(cell: str) -> bool:
    return re.match(rf"(?:{SURNAME})(?: [{UPPER}][^\W\d_]*){{2,3}}(?: \(|$)", cell) is not None


def _is_no_person(header: str, cell: str) -> bool:
    """Whether a column holds places, units or things rather than people."""
    heading = terms(header)
    first = heading[-1:] if typed_bare(header) else heading[:1]
    return is_organisation(cell) or bool(set(first) & (_PLACES | _UNITS))


def _names_anchor(ask: Ask, cell: str) -> bool:
    return any(holds_name(cell, anchor) for anchor in ask.anchors if not anchor.isdigit())


def extreme_row(ask: Ask, rows: Sequence[Row], most: bool) -> int | None:
    """Which row has the highest (or lowest) value in the column that a superlative names."""
    if not rows:
        return None
    headers = rows[0].headers
    scores = [
        len(set(terms(header)) & set(ask.terms)) + len(relations(header) & ask.relations)
        for header in headers
    ]
    for column in sorted(range(len(headers)), key=lambda one: -scores[one]):
        values = [parse_value(row.cells[column]) for row in rows]
        if scores[column] and all(value is not None for value in values):
            amounts = [value.amount for value in values if value]
            return amounts.index(max(amounts) if most else min(amounts))
    return None
