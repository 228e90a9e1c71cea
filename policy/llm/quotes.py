"""From what a model copied to the characters that stand in the passage."""

import re

from policy.llm.orders import orders_in
from state.sentences import sentences

LEAST_CHARACTERS = 3
MOST_CHARACTERS = 600
_IGNORED = re.compile(r"[\s*_`\"'“”‘’«»|]|[\u200b-\u200f\u2060-\u2064\ufeff\u00ad]")
_SAME = str.maketrans("–—−‐‑", "-----")


def verbatim(quote: str, text: str) -> str:
    """The whole sentences of `text` that hold `quote`, or "" where it does not stand there.

    White space, case, quotation marks and marks of emphasis may differ; letters, digits and
    signs may not. A quote with an ellipsis counts by its longest part. Sentences that give
    orders to software are not quoted.
    """
    parts = sorted(re.split(r"\[?(?:\.\.\.|…)\]?", quote), key=len, reverse=True)
    span = next((found for part in parts[:1] if (found := _find(part, text))), None)
    if span is None:
        return ""
    if any(start < span[1] and span[0] < end for start, end in orders_in(text)):
        return ""
    start, end = _whole_sentences(text, *span)
    return text[start:end]


def _find(quote: str, text: str) -> tuple[int, int] | None:
    wanted, _ = _folded(quote)
    wanted = wanted.rstrip(".;,:")
    if len(wanted) < LEAST_CHARACTERS:
        return None
    folded, places = _folded(text)
    at = folded.find(wanted)
    return None if at < 0 else (places[at], places[at + len(wanted) - 1] + 1)


def _folded(text: str) -> tuple[str, list[int]]:
    """The letters that count, folded one by one, and where each stands in the text."""
    letters, places = [], []
    for place, letter in enumerate(text.translate(_SAME)):
        if not _IGNORED.match(letter):
            low = letter.lower()
            letters.append(low if len(low) == 1 else letter)
            places.append(place)
    return "".join(letters), places


def _whole_sentences(text: str, start: int, end: int) -> tuple[int, int]:
    """The span widened to the sentences that it touches, unless these are very long."""
    touched = [one for one in sentences(text) if one.start < end and start < one.end]
    wide = (
        min([start, *(one.start for one in touched)]),
        max([end, *(one.end for one in touched)]),
    )
    bad = orders_in(text)
    clean = not any(left < wide[1] and wide[0] < right for left, right in bad)
    return wide if clean and wide[1] - wide[0] <= MOST_CHARACTERS else (start, end)
