"""The stretch of a question that a sentence tells, and the question that is left without it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from policy.extractive.naming import SERIES
from policy.extractive.noun_phrases import with_modifiers
from policy.extractive.objections import mentions
from policy.language.kinds import PERSONS, is_kind, is_organisation, kind_spans
from policy.language.questions import Ask
from policy.language.relations import RELATIONS, relations
from policy.language.vietnamese_phrases import VERB
from policy.language.wording import (
    FOLDED_STOP_WORDS,
    STOP_WORDS,
    UPPER,
    bare,
    pattern,
    seek,
    stem,
    terms,
    typed_bare,
)
from state.text import comparable

_WORD = re.compile(r"\d+(?:[.,]\d+)+|\w+(?:-\d\w*)*")
_ASKS = {
    "vi": r"ai|gì|nào|đâu|bao nhiêu(?: \w+)?|bao giờ|bao lâu|mấy(?: \w+)?|khi nào|thế nào|ra sao"
    r"|vì sao|tại sao|không$|chưa$",
    "en": r"which|what|who(?:m|se)?|when|where|why|how(?: many \w+| much \w+| long| \w+)?",
}
_JOINS = {
    "vi": frozenset("cua do tai o trong cho voi boi tu ve la ma va thi co duoc bi".split()),
    "en": frozenset("of by in at from to for with on and is was are were did does do has".split()),
}
_NAME, _TERM, _MISS = 2.0, 1.0, -0.7
"""What a word of a name, any other word and one that a sentence lacks weigh in a stretch."""
_LINKS = frozenset("da dang ma that who which do duoc".split())
"""Words between a noun and what limits it."""
_EMPTY = frozenset("nam tai dat ten name called located situated".split())
"""Words that ask for no more than the word that asks does ("nằm ở đâu", "tên gì")."""


@dataclass(frozen=True)
class Stretch:
    """Start and end in the question's text, what it is worth, and where its phrase begins."""

    start: int
    end: int
    worth: float
    wide: int


def stretch_told(ask: Ask, text: str, context: str) -> Stretch | None:
    """The stretch of the question that a sentence covers best, if that describes something.

    It holds a name or three words, no name that the passage lacks, and a word besides names.
    """
    question = ask.text.rstrip(" ?.")
    words = list(_WORD.finditer(question))
    blocked, named = _blocked(ask, question), _named(ask, question, f"{context} {text}")
    told = _told(ask, question, words, text)
    values = [_value(one, blocked, named, told) for one in words]
    best: Stretch | None = None
    for first, value in enumerate(values):
        if value <= 0:
            continue
        for last in range(first, len(words)):
            if values[last] < -9:
                break
            worth = sum(values[first : last + 1])
            span = (words[first].start(), words[last].end())
            better = values[last] > 0 and worth > (best.worth if best else 0.0)
            if better and _describes(question, span, named, told):
                best = Stretch(*span, worth, span[0])
    if best is None:
        return None
    return Stretch(best.start, best.end, best.worth, _phrase_start(ask, question, best, blocked))


def _value(
    word: re.Match[str],
    blocked: list[tuple[int, int]],
    named: list[tuple[int, int, bool]],
    told: set[int],
) -> float:
    at = word.start()
    if any(left <= at < right for left, right in blocked):
        return -99.0
    for left, right, held in named:
        if left <= at < right:
            return _NAME if held else -99.0
    if is_stop(word[0]):
        return 0.0
    return _TERM if at in told else _MISS


def _describes(
    question: str, span: tuple[int, int], named: list[tuple[int, int, bool]], told: set[int]
) -> bool:
    own = [one for one in told if span[0] <= one < span[1]]
    own = [one for one in own if not any(left <= one < right for left, right, _ in named)]
    words = [found[0] for one in own if (found := _WORD.match(question, one))]
    own_words = [one for one in words if bare(one) not in _OF_SERIES and not is_stop(one)]
    holds_name = any(span[0] <= left < span[1] for left, _, _ in named)
    return bool(own_words) if holds_name else len(own_words) >= 4


_OF_SERIES = frozenset(word for one in SERIES for word in one.split())


def _told(ask: Ask, question: str, words: list[re.Match[str]], text: str) -> set[int]:
    """Starts of the question's words that a sentence holds, or whose relation it expresses.

    A Vietnamese syllable counts together with one beside it, because alone it may be a piece of
    any word.
    """
    folded = typed_bare(question)
    plain = f" {' '.join(stem(bare(one)) for one in _WORD.findall(text))} "
    found = set()
    for number, word in enumerate(words):
        if ask.language == "en":
            if f" {stem(bare(word[0]))} " in plain:
                found.add(word.start())
            continue
        for one, other in ((number - 1, number), (number, number + 1)):
            if one < 0 or other >= len(words):
                continue
            pair = f"{stem(bare(words[one][0]))} {stem(bare(words[other][0]))}"
            if f" {pair} " in plain and not (is_stop(words[one][0]) and is_stop(words[other][0])):
                found.add(word.start())
    for left, right, kind in kind_spans(question):
        if any(re.search(rf"(?<!\w){one} [{UPPER}]", text, re.IGNORECASE) for one in kind):
            found |= {word.start() for word in words if left <= word.start() < right}
    for name in ask.relations & relations(text):
        shape = pattern(rf"(?<!\w)(?:{RELATIONS[name]})(?!\w)", folded and ask.language == "vi")
        for place in shape.finditer(question):
            left, right = place.span()
            found |= {word.start() for word in words if left <= word.start() < right}
    return found


def is_stop(word: str) -> bool:
    """Whether a word says nothing by itself; folded only where it has no accents."""
    return comparable(word) in (FOLDED_STOP_WORDS if typed_bare(word) else STOP_WORDS)


def _blocked(ask: Ask, question: str) -> list[tuple[int, int]]:
    """Places of the words that ask, and of the noun that they ask for."""
    folded = typed_bare(question) and ask.language == "vi"
    head = re.escape(ask.head) if ask.head else ""
    shape = rf"(?<!\w)(?:{_ASKS[ask.language]})(?!\w)"
    if head and ask.language == "vi":
        shape = rf"(?<!\w)(?:{head} (?:\w+ )?(?:nào|gì)|{_ASKS['vi']})(?!\w)"
    elif head:
        shape = rf"(?<!\w)(?:(?:which|what) {head}|{_ASKS['en']})(?!\w)"
    return [one.span() for one in pattern(shape, folded).finditer(question)]


def _named(ask: Ask, question: str, text: str) -> list[tuple[int, int, bool]]:
    """Start, end and whether the text holds it, of each name of a question.

    The words before a name belong to it where the text writes them so, with a capital at the
    first of them ("Thủy sản Vàm Nâu").
    """
    places = []
    for anchor in ask.anchors:
        for found in re.finditer(rf"(?<!\w){re.escape(anchor)}(?!\w)", question):
            held = mentions(text, anchor, ask)
            places.append(
                (_name_start(question, found, text) if held else found.start(), found.end(), held)
            )
    return places


def _name_start(question: str, name: re.Match[str], text: str) -> int:
    start, words = name.start(), list(_WORD.finditer(question[: name.start()]))[-3:]
    for word in words:
        longer = question[word.start() : name.end()]
        same = re.search(rf"(?<!\w){re.escape(longer)}(?!\w)", text, re.IGNORECASE)
        if same and same[0][0].isupper() and not seek(rf"^(?:{PERSONS})(?!\w)", longer):
            return word.start()
    return start


def _phrase_start(ask: Ask, question: str, one: Stretch, blocked: list[tuple[int, int]]) -> int:
    """Where the phrase begins that a stretch closes: "the man who" before what he did."""
    start = one.start
    for word in reversed(list(_WORD.finditer(question[: one.start]))):
        plain = bare(word[0])
        if any(left <= word.start() < right for left, right in blocked):
            break
        if plain in _LINKS and start == one.start:
            start = word.start()
            continue
        if plain in _JOINS[ask.language] or re.search(r"[,:;(]", question[word.end() : start]):
            break
        start = word.start()
        if len(question[start : one.start].split()) >= 3:
            break
    return start


def phrase_of(question: str, one: Stretch, name: str) -> int:
    """Where the phrase begins that a name takes the place of: at the noun of its kind."""
    before = [word for word in _WORD.finditer(question[: one.end]) if word.start() >= one.wide]
    fold = bare if typed_bare(question) else comparable
    opening = fold(name).split()[:1]
    own = [word.start() for word in before if [fold(word[0])] == opening]
    if own:
        return own[0]
    kind = [
        word.start()
        for word in before
        if word.start() < one.start
        and (is_kind(word[0].lower()) or seek(rf"^(?:{PERSONS})$", word[0].lower()))
    ]
    links = [word.start() for word in before if bare(word[0]) in _LINKS]
    return with_modifiers(question, min([*kind, *links[:1], one.start]))


_DOES = rf"^(?!(?:do|mà|đã|đang|được|có|in|chỉ|máy)(?!\w))(?:{VERB})(?!\w)"
_TIME_OPENS = (
    r"^(?:(?:vào |trong )?(?:năm|tháng|quý|ngày) )?\d[\d/]*(?!\w)(?! (?:của|do|tại)(?!\w))"
)


def _is_clause(question: str, left: int, right: int) -> bool:
    """Whether a Vietnamese stretch is no noun phrase: a name and what it does, a time, half a
    bracket.

    The noun stands first there, so that what opens with a name goes on with its verb.
    """
    part = question[left:right].strip(" ,")
    if part.count("(") != part.count(")") or seek(_TIME_OPENS, part):
        return True
    if not typed_bare(question) and (re.search(r",(?!\d)", part) or seek(_DOES, part)):
        return True
    code = re.match(rf"[{UPPER}]+[-_]\w*\d\w* (?=[^\W\dA-Z_])", part)
    if code or seek(r"(?<!\w)thì(?!\w)", part):
        return True
    opening = re.match(rf"[{UPPER}][^\W\d_]*(?: [{UPPER}][^\W\d_]*)+ (?=[^\W\dA-Z_])", part)
    return opening is not None and not is_organisation(opening[0])


def opens_phrase(question: str, left: int, right: int) -> bool:
    """Whether a phrase may begin there: at a noun or name, or after a word that joins phrases."""
    if _is_clause(question, left, right):
        return False
    before = question[:left].rstrip()
    word = _WORD.match(question, left)
    previous = _WORD.findall(before)[-1:]
    if not before or not previous or before[-1] in ",:;(" or word is None:
        return True
    noun = is_kind(word[0].lower()) or seek(rf"^(?:{PERSONS})$", word[0].lower()) is not None
    joins = bare(previous[0]) in _JOINS["vi"] | _JOINS["en"] | _LINKS
    return noun or word[0][0].isupper() or joins or is_stop(previous[0])


def left_open(ask: Ask, one: Stretch, name: str) -> tuple[str, bool]:
    """The question with a name in the place of what a sentence tells, and whether it asks more.

    It does not where only words that ask are left: "Lab Delta is which lab".
    """
    question = ask.text.rstrip(" ?.")
    left = phrase_of(question, one, name)
    before, after = question[:left], question[one.end :]
    if not re.match(r"[a-z]", name):
        before = re.sub(r"\b(?:the|an?) $", "", before, flags=re.IGNORECASE)
    rest = f"{before}{name}{after}"
    asked = _blocked(ask, rest)
    outside = [
        word[0]
        for word in _WORD.finditer(rest)
        if not any(a <= word.start() < b for a, b in asked)
        and not len(before) <= word.start() < len(before) + len(name)
    ]
    content = [word for word in terms(" ".join(outside)) if word not in _EMPTY]
    return f"{rest[:1].upper()}{rest[1:]}?", bool(content) or not asked


def lacks_verb(question: str, name: str) -> bool:
    """Whether an English question has "do" and no verb left: "How much do Salt Marsh Grant"."""
    plain = (
        rf"\b(?:do|does|did) (?:the )?{re.escape(name)}(?: (?:per|a|in|on|at|of|for|by|with)\b|$)"
    )
    return re.search(plain, question.rstrip(" ?."), re.IGNORECASE) is not None


def told_share(ask: Ask, texts: Sequence[tuple[str, str]]) -> float:
    """The share of a question's words, those that ask aside, that sentences tell together.

    `texts` are pairs of a sentence (with its columns) and its context, which tells names only.
    """
    question = ask.text.rstrip(" ?.")
    words = list(_WORD.finditer(question))
    blocked = _blocked(ask, question)
    found: set[int] = set()
    asked: set[int] = set()
    for text, context in texts:
        named = _named(ask, question, f"{context} {text}")
        own = _told(ask, question, words, text)
        for word in words:
            value = _value(word, blocked, named, own)
            if value > 0:
                found.add(word.start())
            if value and not any(left <= word.start() < right for left, right in blocked):
                asked.add(word.start())
    return len(found & asked) / len(asked) if asked else 1.0
