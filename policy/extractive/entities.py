"""What a sentence names that a question does not: whom or what the next hop may be about."""

import re
from dataclasses import dataclass
from itertools import pairwise

from policy.extractive.answer_names import opened_by_kind
from policy.extractive.locating import after_copula, in_question
from policy.extractive.naming import name_spans
from policy.extractive.objections import SERIES
from policy.extractive.tables import Row
from policy.language.kinds import PERSONS, is_organisation, same_kind
from policy.language.questions import Ask
from policy.language.values import DATE, NUMBER
from policy.language.wording import UPPER, bare, holds, seek, typed_bare
from policy.protocol import PassageView
from state.language import detect_language

_UNITS = frozenset(
    (
        "phòng|nhóm|văn phòng|công ty|hợp đồng|chương trình|khối|xưởng|trụ sở|dự án|giám đốc"
        "|trưởng phòng|trưởng nhóm|tổng giám đốc|kho|bệnh viện|trường|viện|quỹ|ban|đội|lab"
    ).split("|")
)
_QUARTER = re.compile(r"(?<!\w)(?:[Qq]uý|[Qq]uarter) \d(?: năm \d{4}| of \d{4})?")
_CODED = re.compile(rf"(?<!\w)[{UPPER}][{UPPER}\d]*[-_]\d\w*(?:-\d+)*")
_LONGEST = 9
"""Words of a name at most; a longer cell is a description."""


@dataclass(frozen=True)
class Named:
    """Something that a sentence names, and the words that tell its kind (a column's header)."""

    name: str
    kind: str = ""


def entities(ask: Ask, sentence: str, row: Row | None, passage: PassageView) -> list[Named]:
    """Names, posts, codes, cells and the thing that a passage is about, each once."""
    text = " ".join(sentence.split())
    if row:
        found = [
            Named(cell, header)
            for header, cell in zip(row.headers, row.cells, strict=True)
            if _is_name(cell)
        ]
    else:
        found = _named_in(ask, text)
    titles = (passage["heading"].split(">")[-1].strip(), passage["title"])
    found += [Named(one) for one in titles if _is_titled(one)]
    kept: list[Named] = []
    for one in found:
        name = re.sub(r" \([^)]*\)$", "", one.name.strip(" .,;"))
        if not name or in_question(ask, name) or holds(name, ask.text) or _extends(ask, name):
            continue
        known = any(holds(name, other.name) for other in kept)
        if known or _is_lone_syllable(name) or len(name.split()) > _LONGEST:
            continue
        kept.append(Named(name, one.kind))
    return kept[:6]


_KINDS = frozenset(bare(one) for one in _UNITS)


def _named_in(ask: Ask, text: str) -> list[Named]:
    found = [one[0] for one in _QUARTER.finditer(text)]
    complement = after_copula(ask, text)
    if complement[:1].isupper() and len(complement.split()) <= 6 and complement != text.strip(" ."):
        found.append(complement)
    unit = opened_by_kind(ask, text, _KINDS) if detect_language(text) == "vi" else ""
    found += [unit] if unit else []
    found += [one[0] for one in _CODED.finditer(text)]
    found += [name for name, _, _ in name_spans(text) if _is_name(name)]
    return [Named(one) for one in found]


def suits(one: Named, head: str) -> float:
    """How well a name suits what a description calls it: 1 for its kind, 0 for another one."""
    words = bare(head).split()
    told = set(bare(f"{one.kind} {one.name}").split())
    kinds = set().union(*(same_kind(word) for word in words)) if words else set()
    pairs = [" ".join(pair) for pair in pairwise(words)]
    kinds |= set().union(*(same_kind(pair) for pair in pairs)) if pairs else set()
    if seek(rf"(?<!\w)(?:{PERSONS})(?!\w)", head):
        other = (
            is_organisation(one.name)
            or _CODED.match(one.name)
            or any(letter.isdigit() for letter in one.name)
        )
        return 0.0 if other else 1.0
    if told & kinds:
        return 1.0
    if is_organisation(one.name) and any(word in _THINGS for word in words):
        return 0.2
    return 0.6


_THINGS = frozenset(
    "lab laboratory university project grant team department company office prize award contract"
    " product du an phong nhom cong ty hop dong san pham khach hang".split()
)


def _extends(ask: Ask, name: str) -> bool:
    """Whether a name is that of a sibling of what is asked about: "Halo II" for "Halo"."""
    words = bare(name).split()
    for anchor in ask.anchors:
        own = [word for word in bare(anchor).split() if word not in SERIES]
        other = [word for word in words if word not in SERIES]
        shorter = min(len(own), len(other))
        if shorter and own[:shorter] == other[:shorter]:
            return True
    return False


def _is_titled(title: str) -> bool:
    """Whether a heading is a name: two words or more, each with a capital or a number."""
    words = title.split()
    capitals = all(word[:1].isupper() or word[:1].isdigit() for word in words)
    return len(words) > 1 and capitals


def _is_lone_syllable(name: str) -> bool:
    alone = len(name.split()) == 1 and not any(letter.isdigit() for letter in name)
    return alone and (len(name) < 3 or (not typed_bare(name) and name.isalpha()))


def _is_name(text: str) -> bool:
    return text[:1].isupper() and not NUMBER.fullmatch(text) and not DATE.fullmatch(text)
