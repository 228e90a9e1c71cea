"""A question that refers to the conversation, made self-contained."""

import re
from collections.abc import Sequence

from policy.extractive.naming import name_spans
from policy.language.questions import question_anchors
from policy.language.wording import bare, language_of, pattern, typed_bare
from state.anchors import conditions
from state.text import nfc
from state.types import Turn

_CHANGED_EN = re.compile(
    r"^(?:and|but|so|ok(?:ay)?,?)?,? ?(?:(?:what|how) about|and|what of|same for|then)"
    r"(?: (?:for|in|of|with|the))? (?P<changed>.+?)(?: then| instead| too)?[ ?.!]*$",
    re.IGNORECASE,
)
_CHANGED_VI = (
    r"^(?:vậy |thế |ủa |ờ |ok,? )*(?:(?:còn|với|và) )?(?:nếu (?:là )?)?(?P<changed>.+?)(?: thì)? "
    r"(?:thì sao|thế nào|sao|ra sao)(?: ạ| vậy)?[ ?.!]*$"
)
_CHANGED_SHORT_VI = r"^(?:vậy |thế )*còn (?:của |về |ở )?(?P<changed>.+?)[ ?.!]*$"
_LEADING = re.compile(
    r"^(?:in|for|of|at|on|the|của|ở|tại|cho|với|về|đối với|trong|là|cua|cho)\s+", re.IGNORECASE
)
_PERSON_EN = re.compile(
    r"\b(?P<whose>his|her)\b|\b(?P<who>he|she|him|that person)\b", re.IGNORECASE
)
_THING_EN = re.compile(
    r"\b(?P<whose>its|their)\b|\b(?P<who>it|they|them|that (?:project|lab|company|grant|team|policy"
    r"|university|office|one)|there)\b", re.IGNORECASE,
)  # fmt: skip
_PERSON_VI = (
    r"(?<!\w)(?:anh ấy|anh ta|cô ấy|cô ta|ông ấy|ông ta|bà ấy|chị ấy|người (?:đó|này|ấy))(?!\w)"
)
_THING_VI = (
    r"(?<!\w)(?:(?:dự án|phòng|nhóm|công ty|lab|tổ chức|quy định|văn phòng|lỗi|hợp đồng|khoản) "
    r"(?:đó|này|ấy)|nó|ở đó|chỗ đó)(?!\w)"
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_QUARTER = re.compile(r"(?:quý|quy|Q)\s?\d", re.IGNORECASE)


def resolve(question: str, conversation: Sequence[Turn]) -> str:
    """The question itself, or, if it leans on an earlier one, its self-contained form."""
    question = " ".join(nfc(question).split())
    if not conversation:
        return question
    previous = conversation[-1]
    changed = _changed(question)
    if changed:
        return substitute(nfc(previous["question"]), changed)
    return _fill_pronoun(question, previous)


def _changed(question: str) -> str:
    """The part that a question like "còn năm 2025 thì sao?" changes; "" where it is none."""
    if len(question.split()) > 12:
        return ""
    folded = typed_bare(question)
    shapes = [pattern(_CHANGED_VI, folded), pattern(_CHANGED_SHORT_VI, folded), _CHANGED_EN]
    for shape in shapes:
        found = shape.match(question)
        if found:
            changed = found["changed"].strip(" ,?")
            while _LEADING.match(changed):
                changed = _LEADING.sub("", changed, count=1)
            asks = re.search(
                r"(?<!\w)(?:who|what|which|when|where|how|why|ai|nào|đâu|bao nhiêu|mấy)(?!\w)",
                changed,
            )
            return "" if asks else changed
    return ""


def substitute(previous: str, changed: str) -> str:
    """The previous question with the anchor of the same sort replaced by the changed one."""
    for shape in (_QUARTER, _YEAR):
        new, old = shape.search(changed), shape.search(previous)
        if new and old:
            rest = (changed[: new.start()] + changed[new.end() :]).strip(" ,")
            text = previous[: old.start()] + new[0] + previous[old.end() :]
            return text if len(rest.split()) < 2 else substitute(text, rest)
        if new and len(changed.split()) <= 2:
            year = f"năm {new[0]}" if shape is _YEAR else new[0]
            added = f" {year}" if language_of(previous) == "vi" else f" in {new[0]}"
            return previous.rstrip(" ?.") + added + "?"
    return _substitute_words(previous, changed)


def _substitute_words(previous: str, changed: str) -> str:
    for new in conditions(changed):
        for old in conditions(previous):
            if bare(old) != bare(new):
                return re.sub(re.escape(old), new, previous, count=1, flags=re.IGNORECASE)
    named = [one for one in question_anchors(previous) if not one.isdigit()]
    old_name = _replaced(named, changed)
    if old_name and question_anchors(changed):
        return previous.replace(old_name, _without_shared_head(previous, old_name, changed), 1)
    added = "đối với" if language_of(previous) == "vi" else "for"
    if old_name and not conditions(changed):
        return f"{changed[:1].upper()}{changed[1:]} ({old_name})?"
    return f"{previous.rstrip(' ?.')} {added} {changed}?"


def _replaced(named: list[str], changed: str) -> str:
    """The name of the previous question that the new one stands for: the same series first."""
    first = bare(changed).split()[:1]
    same = [one for one in named if bare(one).split()[:1] == first or _code_head(one, changed)]
    return (same or named[-1:] or [""])[0]


def _code_head(one: str, other: str) -> bool:
    head = re.match(r"[^\W\d]+[_-]", one)
    return head is not None and head[0] in other


def _without_shared_head(previous: str, old: str, changed: str) -> str:
    """Without "dự án" where the previous question has it before the name already."""
    before = previous[: previous.find(old)].rstrip()
    words = changed.split()
    for size in (2, 1):
        head = " ".join(words[:size])
        if len(words) > size and before.casefold().endswith(head.casefold()):
            return " ".join(words[size:])
    return changed


def _fill_pronoun(question: str, previous: Turn) -> str:
    folded = typed_bare(question)
    if [one for one in question_anchors(question) if not one.isdigit()]:
        return question
    answer, subject = _names_of(previous)
    vietnamese = language_of(question) == "vi"
    person = pattern(_PERSON_VI, folded) if vietnamese else _PERSON_EN
    thing = pattern(_THING_VI, folded) if vietnamese else _THING_EN
    found = person.search(question)
    stands_for = answer or subject
    if found is None:
        found, stands_for = thing.search(question), subject or answer
    if found is None or not stands_for:
        return question
    if not vietnamese and found["whose"]:
        stands_for = f"{stands_for}'s"
    if found[0].casefold() == "there":
        stands_for = f"at {stands_for}"
    return question[: found.start()] + stands_for + question[found.end() :]


def _names_of(previous: Turn) -> tuple[str, str]:
    """The first new name of the previous answer, and what the previous question was about."""
    asked = [one for one in question_anchors(previous["question"]) if not one.isdigit()]
    text = " " + re.sub(r"^\W+", "", nfc(previous["answer"]))
    opening = re.match(r" ([^.–—:;(\[]{2,60}?)(?:\.| [–—(\[]|$)", text)
    if opening and opening[1][:1].isupper() and len(opening[1].split()) <= 5:
        return opening[1].strip(), asked[-1] if asked else ""
    new = [name for name, _, _ in name_spans(text) if name not in asked]
    return new[0] if new else "", asked[-1] if asked else ""
