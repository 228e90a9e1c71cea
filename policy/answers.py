"""The short answer inside a sentence: what the next hop and the reply are built from."""

import re

from policy.kinds import is_organisation, same_kind
from policy.naming import name_spans, part_of
from policy.questions import Ask
from policy.relations import RELATIONS
from policy.values import CLOCK, DATE, NUMBER, parse_number
from policy.wording import UPPER, bare, holds, pattern, seek
from state.anchors import negated
from state.language import detect_language

_MONEY = r"tiền|ngân sách|kinh phí|giá|chi phí|doanh thu|lương|thưởng|phụ cấp|money|cost|price|budget" \
    r"|worth|salary|revenue|amount|fee|pay|fund"
_TIME = r"bao lâu|how long|how soon|thời hạn|thời gian"
_COPULA = re.compile(
    r"(?<!\w)(?:là|gồm|bao gồm|is|was|are|were|means|amounts to|consists of|includes?)(?!\w)|: ",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"(?:nguyên nhân|lý do|the (?:cause|reason))[^.]*? (?:là|was|is)(?: that)? (?P<a>.+)"
    r"|(?:because(?: of)?|due to|caused by|owing to|bởi vì|vì|do) (?P<b>.+)"
    r"|^(?P<c>.+?) was to blame",
    re.IGNORECASE,
)
_WHEN_CLAUSE = re.compile(r"(?<!\w)(?:khi|when|once|sau khi|trước khi|ngay khi) .+", re.IGNORECASE)
_PLACE = re.compile(
    r"(?<!\w)(?:in|at|from|of|to|near|ở|tại|về|vào|trong) (?:the (?=[a-z]*[A-Z ]))?"
    rf"(?P<place>(?:the |town of |city of )?[{UPPER}][^,.;()|]*?)"
    r"(?=,? (?:in|on|at|and|where|which|with|since|for|by|as|to|from|và|có|từ|do|nên|vào|năm) |[,.;()|]|$)"
)
_STOP_VI = (
    r"là|chịu|và|do|có|được|đã|đang|sẽ|phụ trách|cung cấp|nhận|đạt|xử lý|phát triển|với|cho|từ|ở"
    r"|tại|không|chưa|chỉ|phải|đặt|ký|duyệt|gồm|hết|bắt đầu|thì|nên|trong|vào|để|cần|quản lý|lo"
)


def extract(ask: Ask, sentence: str) -> tuple[str, float]:
    """The answer that a sentence holds and how well its type fits: 0 (none) to 1."""
    text = " ".join(sentence.split()).strip("|").strip()
    finder = {
        "name": _name, "place": _place, "date": _date, "number": _number, "cause": _cause,
        "yesno": _yes_or_no, "thing": _thing,
    }[ask.kind]  # fmt: skip
    return finder(ask, text)


def _relation_places(ask: Ask, text: str) -> list[tuple[int, int]]:
    places = []
    for name in ask.relations:
        for found in pattern(rf"(?<!\w)(?:{RELATIONS[name]})(?!\w)").finditer(text):
            places.append(found.span())
    return places


def _distance(start: int, end: int, places: list[tuple[int, int]]) -> int:
    gaps = [min(abs(start - right), abs(left - end)) for left, right in places]
    return min(gaps, default=60)


def _in_question(ask: Ask, name: str) -> bool:
    return any(part_of(name, anchor) or part_of(anchor, name) for anchor in ask.anchors
               if not anchor.isdigit()) or holds(name, ask.text)  # fmt: skip


def _name(ask: Ask, text: str) -> tuple[str, float]:
    if ask.head:
        phrase = _headed(ask, text)
        if phrase:
            return phrase, 1.0
    places = _relation_places(ask, text)
    scored = [
        (_name_score(ask, text, span, places), name)
        for name, *span in name_spans(text)
        if not _in_question(ask, name) and _may_answer(ask, name, text)
    ]
    if scored:
        score, name = max(scored, key=lambda one: one[0])
        if ask.head:
            return name, _head_fit(ask, name)
        if score > 0 or not ask.relations & _OF_PERSONS:
            return name, 1.0 if score > 0 else 0.6
    if ask.head:
        return _after_copula(ask, text), 0.4
    role = _role(text, places)
    return (role, 0.8) if role and not _in_question(ask, role) else ("", 0.0)


_ROLE = (
    r"(?:the |a )?(?:(?:line|project|general|human|office|chief|deputy|head) )*(?:manager|director"
    r"|supervisor|officer|head|leader|committee|board|department|team|secretary|accountant)"
    r"(?: of [\w ]+?)?"
    r"|(?:tổng )?giám đốc(?: [\w ]+?)?|trưởng (?:phòng|nhóm|ban|bộ phận)(?: [\w ]+?)?|quản lý trực tiếp"
    r"|quản lý|cấp trên(?: [\w ]+?)?|phòng [\w ]+?|ban [\w ]+?|bộ phận [\w ]+?|kế toán(?: trưởng)?"
    r"|hội đồng [\w ]+?"
)


def _role(text: str, places: list[tuple[int, int]]) -> str:
    """The title of whoever does it: "Giám đốc khối duyệt …", "approved by the line manager"."""
    found = re.search(
        rf"(?:^|(?<!\w)(?:do|by|là|is) )(?P<role>{_ROLE})"
        r"(?= (?:ký|duyệt|là|phê|chấp|chịu|quyết|sẽ|phụ|xử|nhận|signs?|approves?|is|decides?|must"
        r"|handles?)(?!\w)|[.,;]|$)", text, re.IGNORECASE,
    )  # fmt: skip
    return found["role"].strip() if found and places else ""


_OF_PERSONS = frozenset({"lead", "manage", "chair", "born", "approve"})


def _head_fit(ask: Ask, name: str) -> float:
    """How well a name that lacks the asked noun fits it: an organisation may go without."""
    if {"organisation", "company", "employer"} & same_kind(ask.head):
        return 1.0 if is_organisation(name) else 0.7
    return 0.5


def _may_answer(ask: Ask, name: str, text: str) -> bool:
    """No codes, and no single Vietnamese syllable, which is a piece of a longer term."""
    if re.match(r"[^\W\d_]+[_-]?\d", name):
        return False
    alone = len(name.split()) == 1 and not any(letter.isdigit() for letter in name)
    return not (alone and detect_language(text) == "vi" and name[1:].islower())


def _name_score(ask: Ask, text: str, span: list[int], places: list[tuple[int, int]]) -> float:
    start, end = span
    name, before, after = text[start:end], text[:start].rstrip(), text[end:]
    score = 1.5 - _distance(start, end, places) / 30
    if re.search(r"(?<!\w)(?:by|là|do|is|was|:)$", before, re.IGNORECASE):
        score += 2
    if re.search(r"(?<!\w)(?:in|at|from|ở|tại|near)(?: the)?$", before, re.IGNORECASE):
        score -= 2 if not ask.head else 0.5
    wanted_person = not ask.head and bool(ask.relations & _OF_PERSONS)
    if not ask.head and re.search(r"(?<!\w)(?:nhóm|phòng|dự án|ban|công ty|khối|lỗi|mã)$", before):
        score -= 3
    if is_organisation(name) and (wanted_person or (ask.head in ("person", "người"))):
        score -= 2
    subject = re.match(r"(?: \([^)]*\))? (?:hiện )?(?:là|is|was|became) (?:the |a )?(.{0,30})", after)
    if subject and any(0 <= left - end <= 25 for left, _ in places):
        score += 3.5
    if ask.head and same_kind(ask.head) & set(bare(name).split()):
        score += 3
    return score


def _headed(ask: Ask, text: str) -> str:
    """A phrase that opens or closes with the asked noun: "Nhóm Lưu trữ", "Ferrel Medal"."""
    kinds = sorted(same_kind(ask.head), key=len, reverse=True)
    places = _relation_places(ask, text)
    named = [
        (_distance(start, end, places), name)
        for name, start, end in name_spans(text)
        if not _in_question(ask, name)
        and set(bare(name).split()) & set(kinds)
        and len(name.split()) > 1
    ]
    if named:
        return min(named)[1]
    for kind in kinds:
        found = re.search(
            rf"(?<!\w){re.escape(kind)} (?=[{UPPER}\d])", _folded_same_length(text), re.IGNORECASE
        )
        if not found or not re.match(rf"[{UPPER}\d]", text[found.end() :]):
            continue
        rest = text[found.end() :]
        stop = re.search(rf" (?:{_STOP_VI})(?!\w)|[,.;:()|]|$", rest)
        phrase = text[found.start() : found.end() + (stop.start() if stop else len(rest))].strip()
        if not _in_question(ask, phrase) and len(phrase.split()) <= 9:
            return phrase
    return ""


def _folded_same_length(text: str) -> str:
    folded = "".join(bare(letter) if letter.isalpha() else letter for letter in text)
    return folded if len(folded) == len(text) else text


def _place(ask: Ask, text: str) -> tuple[str, float]:
    if ask.head:
        phrase = _headed(ask, text)
        if phrase:
            return phrase, 1.0
    places = _relation_places(ask, text)
    scored = []
    for found in _PLACE.finditer(text):
        place = found["place"].strip()
        if _in_question(ask, place) or NUMBER.fullmatch(place) or DATE.fullmatch(place):
            continue
        behind = any(0 <= found.start() - right <= 25 for _, right in places)
        scored.append((behind, -_distance(found.start(), found.end(), places), place))
    if scored:
        best = max(scored)
        return best[2], 1.0 if best[0] or best[1] > -40 else 0.6
    if "seat" in ask.relations or "address" in ask.text.lower():
        return _after_copula(ask, text), 0.5
    return "", 0.0


def _date(ask: Ask, text: str) -> tuple[str, float]:
    places = _relation_places(ask, text)
    dated = [found[0] for found in DATE.finditer(text)]
    span = re.search(r"(?<!\w)(?:between|from|từ)(?!\w)", text, re.IGNORECASE)
    if len(dated) == 2 and span and len(ask.relations & {"start", "end"}) == 1:
        return dated[1 if "end" in ask.relations else 0], 1.0
    scored = []
    for found in DATE.finditer(text):
        date = found[0]
        if any(part_of(date, anchor) for anchor in ask.anchors):
            continue
        after = any(found.start() - right >= 0 for _, right in places)
        scored.append((-_distance(*found.span(), places) + (5 if after else 0), date))
    if scored:
        return max(scored)[1], 1.0
    clause = _WHEN_CLAUSE.search(text)
    if clause:
        return clause[0].rstrip(" .;"), 0.6
    length = NUMBER.search(text) if re.search(r"hạn|deadline|soon", ask.text) else None
    return (length[0], 0.6) if length else ("", 0.0)


def _number(ask: Ask, text: str) -> tuple[str, float]:
    if seek(r"mấy giờ|what time", ask.text) and CLOCK.search(text):
        return CLOCK.findall(text)[0], 1.0
    dates = [found.span() for found in DATE.finditer(text) if not _is_amount(text, found.end())]
    places = _relation_places(ask, text)
    scored = []
    for found in NUMBER.finditer(text):
        start, end = found.span()
        if any(left <= start and end <= right for left, right in dates):
            continue
        if any(bare(found[0]) == bare(anchor) for anchor in ask.anchors):
            continue
        fit = _number_fit(ask, found[0], text[end : end + 40])
        if _LIMIT.search(text[:start]) and not ask.relations & {"deadline", "duration"}:
            fit -= 2
        scored.append((fit, -_distance(start, end, places), found[0].strip(), end))
    if not scored:
        return "", 0.0
    fit, _, value, end = max(scored)
    if fit < 0:
        return "", 0.0
    return _with_noun(value, text[end:], ask), 1.0 if fit >= 2 else 0.7 if fit >= 1 else 0.4


_LIMIT = re.compile(
    r"(?<!\w)(?:trước|sau|trong vòng|within|before|after)(?: ít nhất| tối thiểu| at least)? $",
    re.IGNORECASE,
)


def _is_amount(text: str, end: int) -> bool:
    return re.match(r" (?:euro|dollar|đồng|người|people|trang|pages)", text[end:]) is not None


def _number_fit(ask: Ask, number: str, after: str) -> float:
    """How well a number fits the unit asked for: below 0 where its measure is another one."""
    value = parse_number(number + after[:12])
    measure = value.measure if value else "count"
    unit = bare(ask.unit)
    if unit and re.match(rf"\W*(?:\w+ ){{0,2}}?{re.escape(unit.split()[-1][:5])}", bare(after)):
        return 3
    if unit and unit.split()[-1].rstrip("s") in bare(number):
        return 3
    if seek(rf"(?<!\w)(?:{_MONEY})", ask.text) and unit not in _TIME_UNITS:
        return 2 if measure == "money" else 1 if measure == "share" else -0.5
    if seek(_TIME, ask.text) or unit in _TIME_UNITS:
        return 2 if measure == "time" else -1
    if seek(r"phần trăm|tỷ lệ|percent", ask.text):
        return 2 if measure == "share" else -0.5
    if measure in ("money", "share") and unit:
        return -0.5
    if unit == "money" or unit == "tien":
        return 2 if measure == "money" else -1
    return 1 if not unit else 0.5


_TIME_UNITS = frozenset(
    "ngay thang nam tuan gio phut giay day days month months year years week weeks hour hours "
    "minute minutes".split()
)


def _with_noun(value: str, after: str, ask: Ask) -> str:
    """The number with the noun it counts, where the question named that noun."""
    unit = ask.unit.split()[-1] if ask.unit else ""
    if unit and bare(unit) not in bare(value):
        found = re.match(rf" ((?:[^\W\d]+ ){{0,2}}?{re.escape(unit)})(?!\w)", after, re.IGNORECASE)
        return f"{value} {found[1]}" if found else value
    return value


def _cause(ask: Ask, text: str) -> tuple[str, float]:
    found = _CAUSE.search(text)
    if found is None:
        return text, 0.3
    clause = next(part for part in found.groups() if part)
    return clause.rstrip(" .;"), 1.0


def _yes_or_no(ask: Ask, text: str) -> tuple[str, float]:
    denied = negated(text)
    word = {("vi", True): "Không", ("vi", False): "Có", ("en", True): "No", ("en", False): "Yes"}[
        (ask.language, denied)
    ]
    if negated(ask.text):
        return text.rstrip(" ."), 0.7
    return word, 0.8


def _thing(ask: Ask, text: str) -> tuple[str, float]:
    return _after_copula(ask, text), 0.7


def _after_copula(ask: Ask, text: str) -> str:
    """What stands after "là", "is" or ":", if the words before it are those of the question."""
    found = _COPULA.search(text)
    if found and (
        any(holds(word, text[: found.start()]) for word in (*ask.anchors, *ask.terms))
        or any(left < found.start() for left, _ in _relation_places(ask, text))
    ):
        clause = text[found.end() :].strip(" .;")
        if clause:
            return clause
    return text.strip(" .;")
