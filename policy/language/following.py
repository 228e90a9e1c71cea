"""Questions that follow another one in a message, and what they take from it."""

import re

from policy.language.conjunctions import FIRST_ANSWER, complete
from policy.language.openings import Message
from policy.language.questions import question_anchors
from policy.language.referring import attached
from policy.language.wording import language_of, pattern, terms, typed_bare

_AND = re.compile(r"^(?:and|và|va) ", re.IGNORECASE)
_REFERS_EN = re.compile(
    r"\b(?:it|its|he|she|his|her|him|they|them|their|that|this|those|these|there|the|one)\b",
    re.IGNORECASE,
)
_MOST_QUESTIONS = 6
_ASKED_OF_VI = r"^(?P<what>.+?) (?:do|là|có|được|bị|ở|thuộc|bắt đầu|kết thúc|bao nhiêu|mấy)(?!\w)"


def one_by_one(pieces: list[str], message: Message) -> list[str]:
    """Questions that stand one after the other: each may lean on the first."""
    first = attached(message._replace(question=pieces[0]))
    later = [_AND.sub("", one) for one in pieces[1:_MOST_QUESTIONS]]
    later = [f"{one[0].lower()}{one[1:]}" if one[1:2].islower() else one for one in later]
    completed = [_completed(piece, first) for piece in later]
    return [first, *(f"{one[0].upper()}{one[1:]}" for one in completed)]


def _leans(piece: str, first: str) -> bool:
    """Whether a question that follows may be about what the first one is about.

    Not so one of the same form ("Who wrote dc? Who wrote bc?"), or an English one that asks of
    something itself and has neither a pronoun nor "the".
    """
    words, others = piece.casefold().split(), first.casefold().split()
    if len(words) > 2 and words[:2] == others[:2] and words[:2] != ["what", "is"]:
        return False
    if language_of(f"{first} {piece}") == "vi":
        return True
    return _REFERS_EN.search(piece) is not None or len(terms(piece)) <= 1


def _told_of(question: str) -> str:
    """What a Vietnamese question asks about ("Dự án Sơn Trà do ai phụ trách"), else all of it."""
    found = pattern(_ASKED_OF_VI, typed_bare(question)).match(question)
    named = language_of(question) == "vi" and found and question_anchors(f"về {found['what']}")
    return found["what"] if found and named else question


def _completed(piece: str, first: str) -> str:
    """A question that follows another one, with what it refers to in its place.

    "When" alone, and what is asked of the first one's answer ("his salary"), are completed as
    the parts are that "and" joins; other references stand for what the first one is about.
    """
    whole = complete([first, piece])[1]
    if FIRST_ANSWER in whole or (len(piece.split()) == 1 and language_of(first) != "vi"):
        return whole
    if not _leans(piece, first):
        return piece
    if question_anchors(first) or question_anchors(piece):
        return attached(Message(piece, _told_of(first)))
    return f"{piece} ({first})"
