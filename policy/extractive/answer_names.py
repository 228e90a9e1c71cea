"""Names as answers: of people, organisations and things of the asked kind."""

import re
from collections.abc import Callable

from policy.extractive.locating import after_copula, distance, in_question, relation_places
from policy.extractive.naming import name_spans
from policy.extractive.nations import asks_nation, is_demonym, nation_in
from policy.extractive.parents import parent_in, spouse_in
from policy.extractive.people import NEAR, as_a_person, as_the_doer
from policy.extractive.regions import region_in
from policy.language.kinds import PERSONS, SURNAME, is_organisation, same_kind
from policy.language.questions import Ask
from policy.language.wording import UPPER, bare, seek
from state.language import detect_language

_STOP_VI = (
    r"là|chịu|và|do|có|được|đã|đang|sẽ|phụ trách|cung cấp|nhận|đạt|xử lý|phát triển|với|cho|từ|ở"
    r"|tại|không|chưa|chỉ|phải|đặt|ký|duyệt|gồm|hết|bắt đầu|thì|nên|trong|vào|để|cần|quản lý|lo"
)
_OF_UNIT = r"(?: (?!(?:do|là|của|tại|ở|cho|với|trong|để|thì)(?!\w))\w+){1,6}?(?: của \w+(?: \w+)?)?"
_ROLE = (
    r"(?:the |a )?(?:(?:line|project|general|human|office|chief|deputy|head) )*(?:manager|director"
    r"|supervisor|officer|head|leader|committee|board|department|team|secretary|accountant)"
    r"(?: of [\w ]+?)??"
    r"|(?:tổng )?giám đốc(?: [\w ]+?)??|trưởng (?:phòng|nhóm|ban|bộ phận)(?: [\w ]+?)??"
    r"|quản lý trực tiếp"
    rf"|quản lý|cấp trên(?: [\w ]+?)??|phòng{_OF_UNIT}|ban{_OF_UNIT}|bộ phận{_OF_UNIT}"
    rf"|kế toán(?: trưởng)?|hội đồng{_OF_UNIT}"
)
_SAYS_MORE = r" (?:không|nhất thiết|ngồi|hưởng|là|có|được|phải|duyệt|ký|nhận)(?!\w)"
_VAGUE_TITLE = (
    r"(?:giám đốc(?: khối)?|trưởng (?:phòng|nhóm|ban|bộ phận)|(?:người )?quản lý(?: trực tiếp)?"
    r"|cấp trên(?: trực tiếp)?)(?: (?:của )?(?:mình|đó|này|trực tiếp))?"
)
_TITLE = (
    rf"(?:{_VAGUE_TITLE}|tổng giám đốc|kế toán trưởng|(?:phó )?(?:tổng )?giám đốc [\w ]+"
    r"|(?:trưởng|phó) (?:phòng|nhóm|ban|bộ phận) [\w ]+)"
)
_FAR = -0.6
"""The score below which a name only tells where something is."""
_ANY_ORGANISATION = frozenset(
    "organisation organization company firm employer body agency supplier sponsor funder "
    "institution business".split()
) | {"cong ty", "to chuc", "don vi", "hang", "doanh nghiep", "co quan", "noi", "nha cung cap"}
"""Heads that a name without a word for its kind may answer ("Corvane Power")."""
_OF_PEOPLE_AND_PLACES = same_kind("người") | same_kind("thành phố") | same_kind("tỉnh")
_NAMED_AFTER_KIND = frozenset(
    same_kind("university") | same_kind("laboratory") | same_kind("grant") | same_kind("prize")
)
"""What is seldom named without the word for what it is: "Marrow University"."""
_OF_PERSONS = frozenset({"lead", "manage", "chair", "born", "approve", "found"})


def name_answer(ask: Ask, text: str) -> tuple[str, float]:
    """A name, of the asked kind where the question names one, and how well it fits."""
    known = subject_studied(ask, text) or called(ask, text) or nation_in(ask, text)
    known = known or region_in(ask, text) or parent_in(ask, text) or spouse_in(ask, text)
    if known:
        return known, 1.0
    if ask.head == "nationality" and asks_nation(ask):
        return "", 0.0
    if ask.head:
        phrase = headed(ask, text)
        if phrase:
            return phrase, 1.0
    places = relation_places(ask, text)
    scored = [
        (_name_score(ask, text, span, places), name)
        for name, *span in name_spans(text)
        if not in_question(ask, name)
        and _may_answer(ask, name, text)
        and not is_demonym(name, text[span[1] :])
    ]
    if scored:
        score, name = max(scored, key=lambda one: one[0])
        whole = _whole_complement(ask, text, name) if ask.head else ""
        if whole:
            return whole, 1.0
        if ask.head:
            return name, _head_fit(ask, name)
        role = _role(text, places) if score <= 0 else ""
        if role and not in_question(ask, role):
            return role, 0.8
        name = _with_others(ask, text, name)
        if score > 0 or not ask.relations & _OF_PERSONS:
            return name, 1.0 if score > 0 else 0.6 if score > _FAR else 0.3
    if ask.head and ask.head not in ("người", "person", "chức danh", "chức vụ", "position"):
        told = after_copula(ask, text) if places else ""
        return told, 0.0 if not told else 0.4 if told != text.strip(" .;") else 0.3
    role = _role(text, places)
    return (role, 0.8) if role and not in_question(ask, role) else ("", 0.0)


def _with_others(ask: Ask, text: str, name: str) -> str:
    """The name with those that "và" joins to it, where several are asked for ("những ai")."""
    if not seek(_ASKS_SEVERAL, ask.text):
        return name
    person, joined = rf"[{UPPER}][^\W\d_]*(?: [{UPPER}][^\W\d_]*)+", "(?:, | và | and )"
    found = re.search(rf"(?:{person}{joined})*{re.escape(name)}(?:{joined}{person})*", text)
    return found[0] if found else name


def _whole_complement(ask: Ask, text: str, name: str) -> str:
    """What the sentence says that the asked thing is: "… đầu tiên là Thủy sản Vàm Nâu."."""
    found = re.search(rf"(?<!\w)(?:là|is|was) (?P<whole>[{UPPER}][^,.;:|()]*)[.]?$", text.strip())
    if not found or name not in found["whole"] or len(found["whole"].split()) > 6:
        return ""
    subject = bare(text[: found.start()]).split()
    asked = bare(ask.head).split()[-1:]
    return found["whole"].strip() if set(asked) & set(subject) else ""


_ASKS_NAME = (
    r"tên (?:là )?gì|(?<!\w)(?:called|named|entitled|titled)(?= *\?*$)|the (?:title|name) of"
)
_CALLED = re.compile(
    r"(?<!\w)(?:tên (?:gọi )?là|called|named|entitled|titled) "
    r"(?:[\"“](?P<title>[^\"”]+)[\"”]"
    rf"|(?P<name>(?:the )?(?:[^\W\dA-Z_]+ ){{0,2}}?[{UPPER}][^,.;()|]*))"
)


def called(ask: Ask, text: str) -> str:
    """What something is called, where that is asked for: "tên là phòng Thông Già"."""
    found = _CALLED.search(text) if seek(_ASKS_NAME, ask.text) else None
    name = (found["title"] or found["name"]).strip() if found else ""
    return "" if len(name.split()) > 8 or in_question(ask, name) else name


_ASKS_SEVERAL = r"(?<!\w)(?:những ai|những người nào|ai và ai|hai người|which people)(?!\w)"
_STUDIED = re.compile(
    r"(?<!\w)(?:studied|degree in|doctorate in|read|học ngành|ngành|tốt nghiệp ngành) "
    r"(?P<subject>[^\W\dA-Z][^,.;]*?)(?= at | from | in | and | tại | ở |[,.;]|$)"
)


def subject_studied(ask: Ask, text: str) -> str:
    """The field of study, where that is asked for ("What did she study?", "học ngành gì")."""
    asked = ask.kind == "thing" or {"subject", "nganh"} & same_kind(ask.head)
    found = _STUDIED.search(text) if asked and "study" in ask.relations else None
    return found["subject"].strip() if found else ""


def _role(text: str, places: list[tuple[int, int]]) -> str:
    """The title of whoever does it: "Giám đốc khối duyệt …", "approved by the line manager"."""
    found = re.search(
        rf"(?:^(?:chỉ )?|(?<!\w)(?:do|by|là|is|(?:thuận|ý|phép) của) |, )"
        rf"(?P<role>{_ROLE}(?: và {_ROLE})?)"
        r"(?= (?:ký|duyệt|quản lý|là|phê|chấp|chịu|quyết|sẽ|phụ|xử|nhận|giữ|cấp|phát"
        r"|chủ trì|chủ tọa"
        r"|signs?|approves?|is|decides?|must|handles?)(?!\w)|[.,;]|$)", text, re.IGNORECASE,
    )  # fmt: skip
    if (
        not found
        or not (places or found[0].lower().startswith("chỉ "))
        or re.search(_SAYS_MORE, found["role"])
    ):
        return ""
    return found["role"].strip()


def is_title(answer: str) -> bool:
    """Whether an answer is a post ("Trưởng phòng Kế toán") and not the name of who holds it."""
    return re.fullmatch(_TITLE, answer.strip(" ."), re.IGNORECASE) is not None


def is_vague_title(answer: str) -> bool:
    """Whether a post is that of many people: "Trưởng phòng", "quản lý trực tiếp"."""
    return re.fullmatch(_VAGUE_TITLE, answer.strip(" ."), re.IGNORECASE) is not None


def _head_fit(ask: Ask, name: str) -> float:
    """How well a name that lacks the asked noun fits it: an organisation may go without."""
    if {bare(ask.head), *bare(ask.head).split()[-1:]} & _ANY_ORGANISATION:
        thing = same_kind("grant") | same_kind("award") | same_kind("project")
        if set(bare(name).split()) & thing:
            return 0.4
        return 1.0 if is_organisation(name) else 0.7
    person = re.match(rf"(?:{SURNAME}) (?:[{UPPER}]\S* ?){{2,3}}$", name) is not None
    if person and seek(rf"^(?:{PERSONS})$", ask.head):
        return 1.0
    if person and not same_kind(ask.head) & _OF_PEOPLE_AND_PLACES:
        return 0.2
    return 0.3 if same_kind(ask.head) & _NAMED_AFTER_KIND and not is_organisation(name) else 0.5


def _may_answer(ask: Ask, name: str, text: str) -> bool:
    """No codes, and no single Vietnamese syllable, which is a piece of a longer term."""
    if re.match(r"[^\W\d_]+[_-]?\d", name):
        return False
    if not ask.head and any(_same_kind_of_name(name, anchor) for anchor in ask.anchors):
        return False
    alone = len(name.split()) == 1 and not any(letter.isdigit() for letter in name)
    return not (alone and detect_language(text) == "vi" and name[1:].islower())


def _same_kind_of_name(name: str, anchor: str) -> bool:
    """Whether both are organisations of one kind: "Marrow University", "Port Averil University"."""
    return is_organisation(name) and bare(name).split()[-1] == bare(anchor).split()[-1]


def _name_score(ask: Ask, text: str, span: list[int], places: list[tuple[int, int]]) -> float:
    start, end = span
    name, before, after = text[start:end], text[:start].rstrip(), text[end:]
    score = 1.5 - distance(start, end, places) / 30
    if re.search(r"(?<!\w)(?:by|là|do|is|was|:)$", before, re.IGNORECASE):
        score += 2
    if not ask.head:
        score += as_a_person(text, span) + as_the_doer(ask, text, span, places)
    if not ask.head and re.match(r", (?:who|người) (?!was|is|had|sinh)", after):
        score += 3
    elif re.search(r"(?<!\w)(?:in|at|from|of|ở|tại|near)(?: the)?$", before, re.IGNORECASE):
        score -= 2 if not ask.head else 0.5
    elif not ask.head and re.search(r"(?<!\w)(?:của|cho|với|về)$", before):
        score -= 3
    wanted_person = not ask.head and bool(ask.relations & _OF_PERSONS)
    if not ask.head and re.search(
        r"(?<!\w)(?:nhóm|phòng|dự án|ban|công ty|khối|lỗi|mã|cổng|hệ thống"
        r"|ứng dụng|phần mềm|trang|app)$",
        before,
    ):
        score -= 3
    if is_organisation(name) and (wanted_person or (ask.head in ("person", "người"))):
        score -= 2
    subject = re.match(
        r"(?: \([^)]*\))? (?:hiện )?(?:là|is|was|became) (?:the |a )?(.{0,30})", after
    )
    if subject and any(0 <= left - end <= 25 for left, _ in places):
        score += 3.5
    if ask.head and same_kind(ask.head) & set(bare(name).split()):
        score += 3
    return score


_ALSO_ENGLISH = frozenset({"to", "ban"})
"""Vietnamese nouns without accents ("tổ", "ban") that are English words."""


def headed(ask: Ask, text: str) -> str:
    """A phrase that holds the asked noun: "Nhóm Lưu trữ", "Ferrel Medal"."""
    if ask.head in ("mã", "code"):
        return _code_behind(ask, text)
    kinds = same_kind(ask.head)
    finders: tuple[Callable[[Ask, str, frozenset[str]], str], ...]
    if detect_language(text) == "vi":
        finders = (opened_by_kind, _named_kind)
    else:
        kinds -= _ALSO_ENGLISH
        finders = (_named_kind, _behind_kind, opened_by_kind)
    return next((phrase for find in finders if (phrase := find(ask, text, kinds))), "")


def _code_behind(ask: Ask, text: str) -> str:
    """The code in brackets behind a name: "Trương Gia Minh (E046)"."""
    for anchor in ask.anchors:
        found = re.search(rf"(?<!\w){re.escape(anchor)} \(([{UPPER}]+[-_]?\d[\w-]*)\)", text)
        if found:
            return found[1]
    return ""


def _named_kind(ask: Ask, text: str, kinds: frozenset[str]) -> str:
    places = relation_places(ask, text)
    named = [
        (distance(start, end, places), name)
        for name, start, end in name_spans(text)
        if not in_question(ask, name) and set(bare(name).split()) & kinds and len(name.split()) > 1
    ]
    return min(named)[1] if named else _coded(ask, text, kinds)


def _behind_kind(ask: Ask, text: str, kinds: frozenset[str]) -> str:
    """The name that an English text has behind the asked noun: "their third album, X&Y"."""
    places = relation_places(ask, text)
    found = [
        (distance(start, end, places), name)
        for name, start, end in name_spans(text)
        if (before := _KIND_BEFORE.search(text[:start][-NEAR:]))
        and bare(before["kind"]) in kinds
        and not in_question(ask, name)
    ]
    return min(found)[1] if found else ""


_KIND_BEFORE = re.compile(r"(?<!\w)(?P<kind>[a-z]+)(?:,| named| called|, called)? [\"“]?$")


def _coded(ask: Ask, text: str, kinds: frozenset[str]) -> str:
    """The code beside the asked noun: "an SPX-210 spectrometer", "the sensor on top, an LX-2"."""
    code = rf"[{UPPER}][{UPPER}\d]*-\d\w*"
    for kind in kinds:
        noun = rf"(?<!\w)(?i:{re.escape(kind)})(?!\w)"
        found = re.search(
            rf"({code}) {noun}|{noun}(?: [a-z]+){{0,2}},?(?: an?| the)? ({code})", text
        )
        named = (found[1] or found[2]) if found else ""
        if named and not in_question(ask, named):
            return named
    return ""


def opened_by_kind(ask: Ask, text: str, kinds: frozenset[str]) -> str:
    """The noun and what follows it up to a verb: Vietnamese names are lower-case inside."""
    plain = _folded_same_length(text)
    for kind in sorted(kinds, key=len, reverse=True):
        for found in re.finditer(rf"(?<!\w){re.escape(kind)} ", plain, re.IGNORECASE):
            rest = text[found.end() :]
            if not re.match(rf"[{UPPER}\d]", rest):
                continue
            goes_on = rf" và(?= (?!{re.escape(found[0].strip())}(?!\w))[{UPPER}])"
            stop = re.search(rf"(?!{goes_on}) (?:{_STOP_VI})(?!\w)|[,.;:()|]|$", rest)
            end = found.end() + (stop.start() if stop else len(rest))
            phrase = text[found.start() : end].strip()
            if not in_question(ask, phrase) and len(phrase.split()) <= 9:
                return phrase
    return ""


def _folded_same_length(text: str) -> str:
    folded = "".join(bare(letter) if letter.isalpha() else letter for letter in text)
    return folded if len(folded) == len(text) else text
