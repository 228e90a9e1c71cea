"""What a sentence names that a question does not: whom or what the next hop may be about."""

import re
from dataclasses import dataclass
from itertools import pairwise

from policy.extractive.answer_names import opened_by_kind
from policy.extractive.locating import after_copula, in_question
from policy.extractive.naming import SERIES, name_spans
from policy.extractive.nations import is_demonym
from policy.extractive.objections import mentions
from policy.extractive.parents import CHILD_OF
from policy.extractive.tables import Row
from policy.language.kinds import PERSONS, is_organisation, same_kind
from policy.language.questions import Ask
from policy.language.relations import relations
from policy.language.values import DATE, NUMBER
from policy.language.wording import UPPER, bare, holds, seek, typed_bare
from policy.protocol import PassageView
from state.language import detect_language
from state.text import comparable

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


_HE_OR_SHE = r"(?<!\w)(?:he|she|his|her|him|(?:anh|cô|ông|bà|chị)(?: ấy)?)(?!\w)"
_IT = (
    r"(?<!\w)(?:its?|they|their|the (?:lab|laboratory|project|foundation|university|institute"
    r"|company|programme|instrument|grant)|(?:dự án|nhóm|phòng|công ty|chương trình|quỹ|trường"
    rf"|phòng thí nghiệm)(?! (?-i:[{UPPER}])))(?!\w)"
)


def subject_of(ask: Ask, sentence: str, passage: PassageView) -> str:
    """The person or thing that a passage is about, where a sentence says "she" or "it" of it.

    "Since 2022 she has chaired the Alliance." under "Helena Brandt" tells who chairs it.
    """
    person = not ask.head or seek(rf"(?<!\w)(?:{PERSONS})(?!\w)", ask.head) is not None
    if ask.kind != "name" or ("parent" in ask.relations and seek(CHILD_OF, sentence)):
        return ""
    named = [one for one in ask.anchors if not one.isdigit()]
    told = bool(named) and all(mentions(sentence, one, ask) for one in named)
    told = told and not person and bool(ask.relations & relations(sentence))
    if not told and not seek(_HE_OR_SHE if person else _IT, sentence):
        return ""
    titles = (passage["heading"].split(">")[-1].strip(), passage["title"])
    return next((one for title in titles if (one := _subject(ask, title, person))), "")


def _subject(ask: Ask, title: str, person: bool) -> str:
    """The name or code in a title, where it is what is asked for."""
    code = _CODED.match(title)
    if person:
        named = _is_titled(title) and title.replace(" ", "").isalpha()
        subject = title if named and not is_organisation(title) else ""
    elif not set(bare(title).split()) & same_kind(ask.head):
        subject = ""
    else:
        of_kind = comparable(title).removeprefix(f"{comparable(ask.head)} ")
        rest = title[len(title) - len(of_kind) :]
        named = _is_titled(title) or (rest != title and all(w[:1].isupper() for w in rest.split()))
        subject = code[0] if code else title if named else ""
    known = in_question(ask, subject) or _extends(ask, subject) if subject else True
    return "" if known else subject


_KINDS = frozenset(bare(one) for one in _UNITS)


def _named_in(ask: Ask, text: str) -> list[Named]:
    found = [one[0] for one in _QUARTER.finditer(text)]
    complement = after_copula(ask, text)
    if complement[:1].isupper() and len(complement.split()) <= 6 and complement != text.strip(" ."):
        found.append(complement)
    unit = opened_by_kind(ask, text, _KINDS) if detect_language(text) == "vi" else ""
    found += [unit] if unit else []
    found += [one[0] for one in _CODED.finditer(text)]
    found += [
        name
        for name, _, end in name_spans(text)
        if _is_name(name) and not is_demonym(name, text[end:])
    ]
    return [Named(one) for one in found]


_A_TIME = (
    r"^(?:\d+ |một |hai |ba |bốn |sáu )?(?:tháng|năm|ngày|tuần|giờ|phút|quý|months?|years?|days?"
    r"|weeks?|hours?)(?!\w)"
)


def suits(one: Named, head: str) -> float:
    """How well a name suits what a description calls it: 1 for its kind, 0 for another one."""
    words = bare(head).split()
    if seek(_A_TIME, head) and not any(letter.isdigit() for letter in one.name):
        return 0.0
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
        if words[0] == bare(anchor).split()[0] and _other_number(words, bare(anchor).split()):
            return True
        shorter = min(len(own), len(other))
        if shorter and own[:shorter] == other[:shorter]:
            return True
    return False


def _other_number(words: list[str], others: list[str]) -> bool:
    """Whether two names of one series have another number: "Quý 1" and "Quý 2"."""
    numbers = [next((one for one in each if one.isdigit()), "") for each in (words, others)]
    return bool(numbers[0] and numbers[1]) and numbers[0] != numbers[1]


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
