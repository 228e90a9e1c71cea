"""Whether a row of a table is the one that a question asks about."""

import re

from policy.extractive.objections import holds_anchor, is_soft
from policy.extractive.tables import Row
from policy.language.questions import Ask
from policy.language.wording import seek

_CLASS = "loại|hạng|bậc|mức|cấp|nhóm|class|grade|level|tier|band|category"
"""Nouns before a letter that names a row: "loại C"."""


def is_its_row(ask: Ask, row: Row | None) -> bool:
    """Whether a row opens with words that the question writes just so: "Kế toán", "(loại) C"."""
    opening = row.cells[0] if row else ""
    if not opening:
        return False
    name = re.escape(opening)
    letter = len(opening) <= 3 and opening[0].isupper() and not opening.isdigit()
    exact = rf"(?<!\w)(?:{_CLASS}) {name}(?!\w)" if letter else rf"(?<!\w){name}(?!\w)"
    if (letter or len(opening.split()) > 1) and re.search(exact, ask.text):
        return True
    unit = rf"(?<!\w)(?:{_CLASS}|phòng|bộ phận|khối|team|department) {name}(?!\w)"
    return len(opening.split()) > 1 and seek(unit, ask.text) is not None


def opens_with_it(ask: Ask, row: Row | None) -> bool:
    """Whether the first cell of a row holds a name of the question."""
    opening = row.cells[0] if row else ""
    named = (one for one in ask.anchors if not one.isdigit() and not is_soft(one, ask))
    return bool(opening) and any(holds_anchor(opening, one, ask) for one in named)
