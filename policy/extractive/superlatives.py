"""The row with the highest or lowest value, where a superlative asks for it."""

from collections.abc import Sequence

from policy.extractive.tables import Row, answer_cell, extreme_row, read_row
from policy.language.kinds import same_kind
from policy.language.questions import Ask
from policy.language.wording import pattern, typed_bare
from policy.protocol import PassageView
from policy.support import SentenceSupport

_MOST = (
    r"(?<!\w)(?:cao nhất|lớn nhất|nhiều nhất|dài nhất|muộn nhất|mới nhất|đắt nhất|highest|largest"
    r"|biggest|most|longest|latest|greatest|heaviest|newest)(?!\w)"
)
_LEAST = (
    r"(?<!\w)(?:thấp nhất|nhỏ nhất|ít nhất|ngắn nhất|sớm nhất|rẻ nhất|lowest|smallest|fewest|least"
    r"|shortest|earliest|oldest|cheapest|lightest)(?!\w)"
)


def extreme(
    ask: Ask, passage: PassageView, sentences: Sequence[SentenceSupport]
) -> tuple[str, str] | None:
    """The asked cell of the extreme row and that row's text, or None where that does not fit."""
    folded = typed_bare(ask.text)
    most = pattern(_MOST, folded).search(ask.text)
    least = pattern(_LEAST, folded).search(ask.text)
    if not (most or least) or not ask.head:
        return None
    rows: list[tuple[Row, SentenceSupport]] = []
    for sentence in sentences:
        row = read_row(passage["text"], sentence.start, sentence.text, passage.get("columns", ""))
        if row and row.headers != row.cells and any(row.headers):
            rows.append((row, sentence))
    kinds = same_kind(ask.head)
    if not any(kinds & same_kind(header) for header in (rows[0][0].headers if rows else ())):
        return None
    chosen = extreme_row(ask, [row for row, _ in rows], bool(most))
    if chosen is None or len(rows) < 2:
        return None
    row, sentence = rows[chosen]
    return answer_cell(ask, row)[0] or row.cells[0], sentence.text
