"""Pieces of HTML."""

from collections.abc import Sequence
from html import escape


def table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose columns after the first hold numbers; without rows, nothing."""
    if not rows:
        return ""
    first, *others = head
    heads = f"<th>{escape(first)}</th>" + "".join(
        f'<th class="n">{escape(one)}</th>' for one in others
    )
    body = "".join(
        f"<tr><td>{escape(row[0])}</td>"
        + "".join(f'<td class="n">{escape(cell)}</td>' for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="scroll"><table><caption>{escape(caption)}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
    )
