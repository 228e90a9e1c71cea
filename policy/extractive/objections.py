"""What speaks against a passage or a sentence: another name, year or condition."""

import re
from collections.abc import Sequence

from policy.extractive.naming import SERIES, holds_name, name_spans, part_of
from policy.extractive.posts import other_post, other_unit
from policy.language.kinds import is_organisation
from policy.language.questions import Ask
from policy.language.ranges import asked_amounts, read_range
from policy.language.relations import relations
from policy.language.wording import UPPER, bare, seek, typed_bare
from policy.protocol import PassageView
from state.anchors import conditions

_EXAMPLE = re.compile(
    r"\W*(?:chẳng hạn|ví dụ|for (?:example|instance)|e\.g\.)(?!\w)", re.IGNORECASE
)
_SO_FAR = (
    r"(?<!\w)(?:tính (?:tới|đến)|đến (?:giờ|nay)|cho đến nay|so far|to date|until now"
    r"|up to now|by now)(?!\w)"
)
_AIM = (
    r"(?<!\w)(?:đặt mục tiêu|mục tiêu là|dự kiến|aims? (?:to|at)|targets?|plans? to|goal is"
    r"|intends? to)(?!\w)"
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_FEAST_DAY = r"^(?:mùng|mồng|ngày|rằm|giao thừa)(?: \d+)?(?: tết)?$"
_CODE = re.compile(r"^[^\W\d_]+[-_]?\w*\d")
MEASURES = frozenset(
    {"weight", "height", "width", "length", "depth", "area", "speed", "revenue", "profit"}
)
_OPPOSED = (
    {"thử việc", "probation"}, {"chính thức", "permanent"},
    {"part-time", "bán thời gian"}, {"full-time", "toàn thời gian"},
    {"thực tập", "intern"}, {"thời vụ", "contractor"},
)  # fmt: skip


def headings_of(passage: PassageView) -> str:
    """Title and headings, under which a passage's sentences are scored."""
    return f"{passage['title']} > {passage['heading']}"


def context_of(passage: PassageView) -> str:
    """Title, headings and version: what a passage is about without saying it."""
    return f"{headings_of(passage)} {passage['version']}"


def holds_anchor(text: str, anchor: str, ask: Ask) -> bool:
    """Whether a text holds an anchor; what was typed without accents matches with them."""
    accents = not typed_bare(ask.text)
    if holds_name(text, anchor, accents=accents):
        return True
    joined = " " in anchor and "-" in text  # "Oxi 18" is "oxi-18"
    if joined and holds_name(text.replace("-", " "), anchor, accents=accents):
        return True
    if anchor.endswith("s") and len(anchor) > 4 and holds_name(text, anchor[:-1], accents=accents):
        return True
    quarter = re.fullmatch(r"[Qq]([1-4])", anchor)
    if quarter:
        return re.search(rf"(?<!\w)(?:quy|quarter) {quarter[1]}(?!\w)", bare(text)) is not None
    head, _, rest = anchor.partition(" ")
    return bool(rest) and bare(head) in SERIES and holds_name(text, rest, accents=accents)


def is_firm(anchor: str) -> bool:
    """Codes and years must stand in the passage itself."""
    return bool(_CODE.match(anchor) or _YEAR.fullmatch(anchor))


def unknown_names(ask: Ask, passages: Sequence[PassageView]) -> list[str]:
    """Anchors that no passage names, titles and headings included.

    A capitalised word that the passages write in lower case is no name.
    """
    everything = " ".join(f"{context_of(one)} {one['text']}" for one in passages)
    return [
        name
        for name in ask.anchors
        if not holds_anchor(everything, name, ask)
        and not re.search(rf"(?<!\w){re.escape(name.lower())}(?!\w)", everything)
    ]


_USUAL_SHARE = 0.5
"""The share of the passages that hold a name which tells none of them from the others."""


def names_everywhere(ask: Ask, passages: Sequence[PassageView]) -> list[str]:
    """Names that most passages hold, beside one that fewer do: the company in its own handbook."""
    texts = [f"{context_of(one)} {one['text']}" for one in passages]
    named = [one for one in ask.anchors if not any(letter.isdigit() for letter in one)]
    shares = {one: sum(holds_anchor(text, one, ask) for text in texts) for one in named}
    usual = [one for one in named if shares[one] > _USUAL_SHARE * max(3, len(texts))]
    rarest = min(shares.values(), default=0)
    return [one for one in usual if 2 * rarest <= shares[one]]


def objection(ask: Ask, passage: PassageView) -> str:
    """Why a passage cannot answer, whatever its words: "" where nothing speaks against it.

    It lacks a code or year of the question, or is about another year or condition.
    """
    firm = [one for one in _unheld(ask, passage) if is_firm(one)]
    if firm:
        return f"the passage does not name {firm[0]}"
    return _wrong_year(ask, passage) or _wrong_condition(ask, passage)


def unheld_name(ask: Ask, passage: PassageView, unknown: Sequence[str]) -> str:
    """A name that no passage holds, or one of those of which this one holds none, or ""."""
    missing = _unheld(ask, passage)
    names = [one for one in _named(ask) if not one.isdigit()]
    nothing_named = bool(names) and set(names) <= set(missing)
    return next((one for one in missing if nothing_named or one in unknown), "")


def _unheld(ask: Ask, passage: PassageView) -> list[str]:
    whole = f"{context_of(passage)} {passage['source']} {passage['text']}"
    return [
        one for one in _named(ask) if not holds_anchor(whole, one, ask) and not is_soft(one, ask)
    ]


def _named(ask: Ask) -> list[str]:
    return [anchor for anchor in ask.anchors if bare(anchor) not in _all_conditions()]


def is_soft(anchor: str, ask: Ask) -> bool:
    """Day and month numbers are written in other ways ("tháng 12", "December").

    A single Vietnamese syllable ("Tết") is a word with a capital rather than a name. An amount
    ("25 triệu đồng") may lie in the range that a rule states.
    """
    if (anchor.isdigit() and len(anchor) < 3) or (anchor.isalpha() and not anchor.isascii()):
        return True
    if seek(_FEAST_DAY, anchor):
        return True
    return anchor[:1].isdigit() and any(
        re.match(rf"{re.escape(anchor)}(?!\d)", written) for written, _ in asked_amounts(ask.text)
    )


def _all_conditions() -> frozenset[str]:
    return frozenset(bare(one) for group in _OPPOSED for one in group)


def _wrong_year(ask: Ask, passage: PassageView) -> str:
    asked = {anchor for anchor in ask.anchors if _YEAR.fullmatch(anchor)}
    own = set(_YEAR.findall(f"{passage['title']} {passage['version']}"))
    if asked and own and not asked & own:
        return f"the passage is about {', '.join(sorted(own))}, the question about {min(asked)}"
    return ""


def _wrong_condition(ask: Ask, passage: PassageView) -> str:
    asked = _condition_groups(ask.text)
    if not asked:
        return ""
    found = _condition_groups(f"{context_of(passage)} {passage['text']}")
    if found and not asked & found:
        return f"the passage is about {_label(found)}, the question about {_label(asked)}"
    return ""


def _condition_groups(text: str) -> frozenset[int]:
    named = set(conditions(text))
    return frozenset(number for number, group in enumerate(_OPPOSED) if group & named)


def _label(groups: frozenset[int]) -> str:
    return ", ".join(sorted(_OPPOSED[number])[-1] for number in sorted(groups))


def mentions(text: str, anchor: str, ask: Ask) -> bool:
    """An anchor, or for a person's name its last word ("Tran" for "Minh Tran")."""
    if holds_anchor(text, anchor, ask):
        return True
    words = anchor.split()
    return (
        len(words) in (2, 3)
        and words[-1][:1].isupper()
        and not is_organisation(words[-1])
        and len(words[-1]) > 3
        and re.search(
            rf"(?:(?<![\w ])|^){re.escape(words[-1])}(?!\w)(?! (?:[IVX]+|\d+)(?!\w))", text
        )
        is not None
    )


def spells_out(sentence: str, name: str, context: str) -> bool:
    """Whether a sentence opens with the full form of the name that its passage is titled with.

    "Krasimir Genchev Balakov (born 29 March 1966) is …" under "Krasimir Balakov".
    """
    words = name.split()
    if len(words) < 2 or not holds_name(context, name) or is_organisation(name):
        return False
    between = rf"(?: [{UPPER}][\w.’'-]*| [\"“][^\"”]{{1,20}}[\"”])"
    first, last = re.escape(words[0]), re.escape(words[-1])
    opening = rf"(?:[{UPPER}]\w*\.? )?{first}{between}{{0,4}} {last}(?!\w)"
    return re.match(opening, sentence) is not None


def sentence_conflict(ask: Ask, sentence: str, answer: str, context: str) -> str:
    """Another year, condition or thing ("Lab Zeta" for "Lab Theta") in the sentence itself."""
    asked_years = {anchor for anchor in ask.anchors if _YEAR.fullmatch(anchor)}
    years = set(_YEAR.findall(sentence))
    if asked_years and years and not asked_years & years and ask.kind != "date":
        return f"the sentence is about {', '.join(sorted(years))}"
    asked, found = _condition_groups(ask.text), _condition_groups(sentence)
    if asked and found and not asked & found:
        return f"the sentence is about {_label(found)}, the question about {_label(asked)}"
    asked_measure, measures = ask.relations & MEASURES, relations(sentence) & MEASURES
    if asked_measure and measures and not asked_measure & measures:
        return f"the sentence states the {min(measures)}, the question asks for another measure"
    if seek(_SO_FAR, ask.text) and seek(_AIM, sentence):
        return "the sentence states an aim, the question asks what has come of it"
    if _EXAMPLE.match(sentence):
        return "the sentence gives an example"
    if _out_of_range(ask, sentence):
        return "the rule is for other amounts"
    if ask.kind == "number" and "carry" in relations(sentence) - relations(ask.text):
        return "the sentence is about what may be carried over"
    post = other_post(ask, sentence) or other_unit(ask, f"{context} {sentence}")
    if post:
        return f"the sentence is about another post than {post}"
    named = [one for one in ask.anchors if not one.isdigit()]
    if any(mentions(sentence, one, ask) or spells_out(sentence, one, context) for one in named):
        return ""
    for anchor in named:
        other = sibling_of(ask, anchor, sentence)
        if other and not part_of(answer, other):
            return f"the sentence is about {other}, the question about {anchor}"
    if any(holds_anchor(context, one, ask) for one in named):
        return ""
    subject = _subject(sentence)
    if named and subject and not part_of(subject, answer) and not part_of(answer, subject):
        return f"the sentence is about {subject}, the question about {named[0]}"
    return ""


def _out_of_range(ask: Ask, sentence: str) -> bool:
    return _holds_amount(ask, sentence) is False


def in_range(ask: Ask, sentence: str) -> bool:
    """Whether a sentence states a rule for amounts that the one in the question is among."""
    return _holds_amount(ask, sentence) is True


def _holds_amount(ask: Ask, sentence: str) -> bool | None:
    """Whether the amount of the question lies in a sentence's range; None without either."""
    stated = read_range(sentence) if ask.kind != "date" else None
    if stated is None:
        return None
    amounts = [value for _, value in asked_amounts(ask.text) if value.measure == stated.measure]
    return any(stated.holds(value) for value in amounts) if amounts else None


def _subject(sentence: str) -> str:
    """The person or thing whose name opens a sentence."""
    spans = name_spans(sentence)
    return spans[0][0] if spans and spans[0][1] <= 1 and len(spans[0][0].split()) > 1 else ""


def holds_sibling(ask: Ask, text: str) -> bool:
    """Whether a text holds another code of the series that the question names one of."""
    codes = [one for one in ask.anchors if _CODE.match(one)]
    return any(sibling_of(ask, one, text) and not holds_anchor(text, one, ask) for one in codes)


def sibling_of(ask: Ask, anchor: str, sentence: str) -> str:
    """Another thing of the same series: same letters of a code, or the same noun before it."""
    code = re.fullmatch(r"([^\W\d]+[_-])\d+\w*", anchor)
    if code:
        found = re.search(rf"(?<!\w){re.escape(code[1])}\d+\w*", sentence)
        return found[0] if found else ""
    words = anchor.split()
    heads = [words[0]] if len(words) == 2 else []
    before = re.search(rf"((?:[^\W\d_]+ )?[^\W\d_]+) {re.escape(anchor)}", ask.text)
    if before:
        heads += [one for one in (before[1], before[1].split()[-1]) if bare(one) in SERIES]
    for head in heads:
        found = re.search(
            rf"(?<!\w)(?i:{re.escape(head)}) [{UPPER}][\w-]*(?: [{UPPER}][\w-]*)*", sentence
        )
        if found:
            return found[0]
    return ""
