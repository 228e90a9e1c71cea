"""Numbers and dates as answers, with the unit that was asked for."""

import re

from policy.extractive.locating import distance, relation_places
from policy.extractive.naming import part_of
from policy.language.lives import life_in
from policy.language.questions import PHONE_VI, Ask
from policy.language.values import CLOCK, DATE, NUMBER, parse_number
from policy.language.wording import UPPER, bare, holds, seek, stem
from state.language import detect_language

_MONEY = (
    r"tiền|khoản tài trợ|trị giá|giá trị|ngân sách|kinh phí|(?<!đánh )giá|chi phí|doanh thu"
    r"|lương|thưởng|phụ cấp|money|cost|price|budget|worth|salary|revenue|amount|fee|pay|fund"
)
_TIME = r"bao lâu|how long (?!is|are|was|were)|how soon|thời hạn|thời gian"
_INTERVAL = r"how often|interval|how frequently|bao lâu .*một lần|mấy .*một lần"
_WHEN_CLAUSE = re.compile(r"(?<!\w)(?:khi|when|once|sau khi|trước khi|ngay khi) .+", re.IGNORECASE)
_LABELLED = re.compile(
    r"(?<!\w)(?:tầng|bàn|số nhà|phòng|mục|điều|đường|phố|quý|ca|floor|room"
    r"|page|number|no\.|step) $",
    re.IGNORECASE,
)
_NUMBERED = (
    r"(?<!\w)(?P<noun>(?:(?!(?:một|con|là)(?!\w))[^\W\d_]+ ){1,3})số (?:mấy|bao nhiêu)(?!\w)"
    r"|(?<!\w)(?P<place>tầng|phòng|bàn|ca|điều|mục) mấy(?!\w)"
)
_ASKS_PHONE = (
    rf"{PHONE_VI}"
    r"|(?:phone|telephone|extension) number|what number (?:do|should|can) (?:i|we) (?:call|ring)"
)
_LIMIT = re.compile(
    r"(?<!\w)(?:trước|sau|trong vòng|within|before|after)(?: ít nhất| tối thiểu| at least)? $",
    re.IGNORECASE,
)
_BELOW_ZERO = re.compile(r"(?<!\w)(?:minus |âm |[-−])$", re.IGNORECASE)
_WEEKDAY = re.compile(
    r"(?<!\w)(?:(?:buổi )?(?:sáng|trưa|chiều|tối) )?"
    r"(?:(?:các )?(?:ngày )?thứ (?:hai|ba|tư|năm|sáu|bảy)|chủ nhật)(?!\w)"
    r"(?: (?:và|,) (?:thứ (?:hai|ba|tư|năm|sáu|bảy)|chủ nhật))?"
    r"(?: (?:đầu tiên|cuối|hằng tuần|hàng tuần|cuối cùng))?"
    r"|(?<!\w)(?:the )?(?:(?:first|second|third|fourth|last|every|each|every other) )?"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?!\w)(?: of (?:the|each|every) (?:month|week))?",
    re.IGNORECASE,
)
_PERSONS = frozenset(
    "people persons participants attendees guests visitors members employees staff workers "
    "nguoi".split()
)
_SPOKEN_MONEY = frozenset("tram nghin ngan trieu ty ti".split())
"""What Vietnamese counts money in without saying so: "mấy trăm nghìn", "bao nhiêu triệu"."""
_OF_DAYS = frozenset("day ngay buoi thu hom weekday".split())
_HAPPENS_ONCE = frozenset({"found", "end", "born", "die"})
"""What is on a date, not on a day of the week."""
_TIME_UNITS = frozenset(
    "ngay thang nam tuan gio phut giay day days month months year years week weeks hour hours "
    "minute minutes".split()
)


_WITHOUT_BRACKET = re.compile(r"\([^)]*\)")


def date_answer(ask: Ask, text: str) -> tuple[str, float]:
    """A date, else the clause that says when, and how well it fits."""
    if life := life_in(text):
        own = of_life(ask, text, life.born, life.died)
        if own is not None:
            return (own, 1.0) if own else ("", 0.0)
        if not ask.relations & {"born", "die"}:
            text = _WITHOUT_BRACKET.sub(lambda one: " " * len(one[0]), text, count=1)
    places = relation_places(ask, text)
    dated = [found[0] for found in DATE.finditer(text)]
    span = re.search(r"(?<!\w)(?:between|from|từ)(?!\w)", text, re.IGNORECASE)
    if len(dated) == 2 and span and len(ask.relations & {"start", "end"}) == 1:
        return dated[1 if "end" in ask.relations else 0], 1.0
    if len(dated) == 2 and "found" in ask.relations:
        between = rf"(?:from|từ) {re.escape(dated[0])} (?:to|until|đến|–|-) {re.escape(dated[1])}"
        if re.search(between, text):
            return dated[0], 1.0
    day = bool(_OF_DAYS & set(bare(ask.head).split()))
    recurs = not ask.relations & _HAPPENS_ONCE
    weekday = _WEEKDAY.search(text) if recurs and (day or not dated) else None
    if weekday:
        return weekday[0].strip(), 1.0
    scored = []
    for found in DATE.finditer(text):
        date = found[0]
        if day and not _names_a_day(date):
            continue
        if any(part_of(date, anchor) for anchor in ask.anchors):
            continue
        after = any(found.start() - right >= 0 for _, right in places)
        scored.append((-distance(*found.span(), places) + (5 if after else 0), date))
    if scored:
        return _with_year(max(scored)[1], text), 1.0
    clause = _WHEN_CLAUSE.search(text)
    if clause:
        return clause[0].rstrip(" .;"), 0.6
    length = NUMBER.search(text) if re.search(r"hạn|deadline|soon", ask.text) else None
    return (length[0], 0.6) if length else ("", 0.0)


_ON_A_DATE = re.compile(
    rf"[ ,]*(?:(?:in|on|about|around|năm|ngày|vào) )*(?:{DATE.pattern})", DATE.flags
)
_AT_A_PLACE = re.compile(rf"[ ,]*(?:[^.;]{{0,30}} )?(?:in|at|ở|tại) (?:the )?[{UPPER}]")


def of_life(ask: Ask, text: str, born: str, died: str) -> str | None:
    """What a life's bracket holds of a birth or a death; None where neither alone is asked for,
    or where the sentence tells it in words as well.

    "(1932 – 2003) was a director born in Puglia" has the year in the bracket, the place in words.
    """
    asked = ask.relations & {"born", "die"}
    behind = text.partition(")")[2]
    told = _ON_A_DATE if ask.kind == "date" else _AT_A_PLACE
    if len(asked) != 1 or any(
        told.match(behind[end : end + 50]) for _, end in relation_places(ask, behind)
    ):
        return None
    return born if "born" in asked else died


def _with_year(date: str, text: str) -> str:
    """A bare year with the word "năm" before it, where the text writes it so."""
    found = re.search(rf"(?<!\w)năm {re.escape(date)}(?!\w)", text) if date.isdigit() else None
    return found[0] if found else date


def _names_a_day(date: str) -> bool:
    """Whether a date says more than a month or a year."""
    without_months = re.sub(r"(?:tháng|quý) \d+", " ", date, flags=re.IGNORECASE)
    return re.search(r"(?<!\d)\d{1,2}(?!\d)", without_months) is not None


def number_answer(ask: Ask, text: str) -> tuple[str, float]:
    """A number with its unit and how well its measure fits the one asked for."""
    if seek(r"mấy giờ|what time", ask.text) and CLOCK.search(text):
        return CLOCK.findall(text)[0], 1.0
    labelled = _label(ask, text)
    if labelled:
        return labelled, 1.0
    dates = [found.span() for found in DATE.finditer(text) if not _is_amount(text, found.end())]
    places = relation_places(ask, text)
    scored = []
    for found in NUMBER.finditer(text):
        start, end = found.span()
        if any(left <= start and end <= right for left, right in dates):
            continue
        if _LABELLED.search(text[:start]):
            continue
        if holds(found[0], ask.text):
            continue
        fit = _number_fit(ask, found[0], text[end : end + 40])
        if ask.relations & {"staff", "employ"} and ask.unit:
            fit = _staff_fit(ask, fit, text[:start], text[end : end + 40])
        if _LIMIT.search(text[:start]) and not ask.relations & {"deadline", "duration"}:
            fit -= 2
        if not any(letter.isdigit() for letter in found[0]) and fit < 2:
            fit -= 0.3  # "where two rivers meet"
        below = _BELOW_ZERO.search(text[:start])
        value = f"{below[0] if below else ''}{found[0].strip()}"
        scored.append((fit, -distance(start, end, places), value, start, end))
    spelled = _spelled_count(ask, text)
    if spelled and all(fit < 3 for fit, *_ in scored):
        return spelled, 1.0
    if not scored:
        return "", 0.0
    fit, _, value, start, end = max(scored)
    if fit < 0:
        return "", 0.0
    whole = _with_noun(_every(value, text[:start], ask), text[end:], ask)
    return whole, 1.0 if fit >= 2 else 0.7 if fit >= 1 else 0.4


def _label(ask: Ask, text: str) -> str:
    """What stands behind a noun, where its number is asked for: "bàn H9-12" of "bàn số mấy"."""
    asked = seek(_NUMBERED, ask.text)
    if not asked:
        return ""
    for noun in (asked["noun"] or asked["place"]).split():
        found = re.search(
            rf"(?<!\w){re.escape(noun)} (?:số )?[{UPPER}]{{0,3}}-?\d[\w.-]*", text, re.IGNORECASE
        )
        if found and not holds(found[0], ask.text):
            return found[0].rstrip(".")
    return ""


def _spelled_count(ask: Ask, text: str) -> str:
    """A Vietnamese number in letters before the noun that is counted: "hai đội", "bốn quốc gia".

    "Một" is as often an article, so that it does not count.
    """
    if ask.language != "vi" or not ask.unit:
        return ""
    shape = rf"(?<!\w)(?:hai|ba|bốn|năm|sáu|bảy|tám|chín|mười)(?: \w+)? {re.escape(ask.unit)}(?!\w)"
    found = re.search(shape, text, re.IGNORECASE)
    return found[0] if found and not holds(found[0], ask.text) else ""


def _is_amount(text: str, end: int) -> bool:
    return re.match(r" (?:euro|dollar|đồng|người|people|trang|pages)", text[end:]) is not None


def _number_fit(ask: Ask, number: str, after: str) -> float:
    """How well a number fits the unit asked for: below 0 where its measure is another one."""
    if seek(_ASKS_PHONE, ask.text):
        return _phone_fit(ask, number, after)
    value = parse_number(number + after[:12])
    measure = value.measure if value else "count"
    unit = bare(ask.unit)
    if unit and re.match(rf"\W*(?:\w+ ){{0,2}}?{re.escape(unit.split()[-1][:5])}", bare(after)):
        return 3
    if unit and unit.split()[-1].rstrip("s") in bare(number):
        return 3
    points = seek(r"^(?:tổng )?điểm(?!\w)", ask.text) is not None
    if points and not unit and re.match(r" diem(?!\w)", bare(after)):
        return 3
    if unit and measure == "count" and _counts_another(ask, after):
        return -1
    counted = re.match(r"\W*((?:\w+ ?){1,2})", bare(after))
    people = counted and (_PERSONS & set(counted[1].split()) or "nguoi" in bare(number))
    if people and set(unit.split()[-1:]) & _PERSONS:
        return 3
    if seek(r"phần trăm|tỷ lệ|percent", ask.text):
        return 2 if measure == "share" else -0.5
    if seek(rf"(?<!\w)(?:{_MONEY})(?:e?s|e?d|ing)?(?!\w)", ask.text) and unit not in _TIME_UNITS:
        return 2 if measure == "money" else 1 if measure == "share" else -0.5
    if unit in _SPOKEN_MONEY:
        return 2 if measure == "money" else -0.5
    if seek(_TIME, ask.text) or unit in _TIME_UNITS:
        return 2 if measure == "time" else -1
    if measure in ("money", "share", "time") and unit:
        return -0.5
    if unit == "money" or unit == "tien":
        return 2 if measure == "money" else -1
    return 1 if not unit else 0.5


def _phone_fit(ask: Ask, number: str, after: str) -> float:
    """How well a number fits as one to call: an extension may be short, an amount is none."""
    digits = len(re.findall(r"\d", number))
    value = parse_number(number + after[:12])
    short = seek(r"máy lẻ|extension", ask.text) is not None
    amount = value is not None and value.measure != "count"
    return -1 if amount or digits < (2 if short else 4) else 2


_HEADCOUNT = re.compile(
    r"\b(?:staff|workforce|headcount|payroll)\b[\w ]{0,30}\b(?:to|of|at|is|was|numbers?|counts?) $"
)
_SOME_OF_THEM = re.compile(
    r" (?:[a-z]+ )?(?:employees|people|staff|colleagues|members)"
    r" (?P<did>moved|joined|left|came|went"
    r"|attended|signed|followed|lost|changed|returned|volunteered)\b"
)


def _staff_fit(ask: Ask, fit: float, before: str, after: str) -> float:
    """The fit of a number where a headcount is asked for: those who moved are not all.

    They are where the question asks who moved.
    """
    some = _SOME_OF_THEM.match(after)
    if some and stem(some["did"]) not in {stem(one) for one in ask.terms}:
        return -1
    return max(fit, 3) if _HEADCOUNT.search(before) else fit


def _counts_another(ask: Ask, after: str) -> bool:
    """Whether an English number counts something else that the question names: "three ferries"."""
    noun = re.match(r" ([a-z]{4,})(?!\w)", after)
    if noun is None or detect_language(after) != "en" or ask.language != "en":
        return False
    return stem(noun[1]) in {stem(one) for one in ask.terms} - {
        stem(one) for one in ask.unit.split()
    }


def _every(value: str, before: str, ask: Ask) -> str:
    """The number with the word before it that makes an interval of it: "every two years"."""
    word = re.search(r"(?<!\w)(?:every|mỗi|cứ) $", before, re.IGNORECASE)
    return f"{word[0]}{value}" if word and seek(_INTERVAL, ask.text) else value


def _with_noun(value: str, after: str, ask: Ask) -> str:
    """The number with the noun it counts, where the question named that noun."""
    unit = ask.unit.split()[-1] if ask.unit else ""
    if unit and bare(unit) not in bare(value):
        found = re.match(rf" ((?:[^\W\d]+ ){{0,2}}?{re.escape(unit)})(?!\w)", after, re.IGNORECASE)
        return f"{value} {found[1]}" if found else value
    return value
