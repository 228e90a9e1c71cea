"""Values that stand in text: dates, numbers with units, and how two of them compare."""

import re
from dataclasses import dataclass
from typing import Literal

from policy.language.wording import bare
from state.differences import plain_number

Measure = Literal["date", "money", "time", "share", "count"]

_MONTHS = {
    name: number
    for number, name in enumerate(
        "january february march april may june july august september october november "
        "december".split(), 1,
    )
}  # fmt: skip
_MONTH = "|".join(name.capitalize() for name in _MONTHS)
DATE = re.compile(
    rf"(?:ngày )?(?<![\w/])\d{{1,2}}[/.-]\d{{1,2}}[/.-]\d{{4}}(?![\w/])"
    rf"|(?<![\w-])\d{{4}}-\d{{2}}-\d{{2}}(?!\w)"
    rf"|(?<!\w)\d{{1,2}} (?:{_MONTH})(?:,? \d{{4}})?(?!\w)"
    rf"|(?<!\w)(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}(?!\w)"
    rf"|(?<!\w)(?:{_MONTH}),? \d{{4}}(?!\w)"
    r"|(?:ngày )?\d{1,2} tháng \d{1,2}(?: năm \d{4})?(?!\w)|tháng \d{1,2}(?:[/ ]| năm )\d{4}(?!\w)"
    r"|(?:ngày |mùng )\d{1,2}(?: hằng tháng| hàng tháng)?(?![\w/])"
    r"|(?:[Qq]uý \d (?:năm )?\d{4})|(?<![\w.,/-])(?:1\d{3}|20\d{2})(?![\w%]|[.,]\d)"
)
_UNIT = (
    r"nghìn tỷ đồng|tỷ đồng|triệu đồng|nghìn đồng|ngàn đồng|đồng|đô la mỹ|đô la|đô|tỷ|tỉ|triệu"
    r"|nghìn|ngàn"
    r"|(?:million|billion|thousand) (?:euros?|dollars?|pounds?|people|tonnes?)"
    r"|million|billion|thousand|euros?|dollars?|pounds?|usd|eur|vnd|percent|per cent|%|phần trăm"
    r"|ngày làm việc|giờ làm việc|ngày|tháng|năm|tuần|giờ|phút|giây|lần|người|khách hàng|nhân viên"
    r"|(?:square |cubic )?(?:kilo|centi|milli|nano)?(?:metres?|meters?)|mét vuông|mét khối|mét"
    r"|kilograms?|grams?|lit(?:re|er)s?|lít|héc-ta|hectares?|kg|km|cm|mm|m2|m3|tonnes?|gb|tb|mb"
    r"|years?|months?|weeks?|days?|hours?|minutes?|seconds?|degrees? celsius|degrees?|times"
)
_SPELLED = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"
)
_SPELLED_VI = "một hai ba bốn năm sáu bảy tám chín mười"
_WORDS: dict[str, int] = {
    **dict(zip(_SPELLED.split(), [*range(1, 21), *range(30, 100, 10)], strict=True)),
    **dict(zip(_SPELLED_VI.split(), range(1, 11), strict=True)),
}
NUMBER = re.compile(
    rf"(?:[€$£] ?)?(?<![\w.,/-])(?:\d+(?:[.,]\d+)*)(?![\w/]|-\w)(?:[ ]?(?:{_UNIT})(?!\w))*"
    rf"|(?<![\w.,/-])\d+(?:[.,]\d+)*%"
    rf"|(?<!\w)(?:{'|'.join(_WORDS)})(?: (?:{_UNIT})(?!\w))+"
    rf"|(?<!\w)(?:{'|'.join(_SPELLED.split()[1:])})(?!\w)",
    re.IGNORECASE,
)
CLOCK = re.compile(r"\d{1,2} giờ(?: \d{1,2})?|\d{1,2}[:h]\d{2}")
_SCALE = (
    ("nghin ty", 1e12), ("ty", 1e9), ("ti", 1e9), ("billion", 1e9), ("trieu", 1e6),
    ("million", 1e6), ("nghin", 1e3), ("ngan", 1e3), ("thousand", 1e3),
)  # fmt: skip
_TIME = (
    ("nam", 365.0), ("year", 365.0), ("thang", 30.4), ("month", 30.4), ("tuan", 7.0),
    ("week", 7.0), ("ngay", 1.0), ("day", 1.0), ("gio", 1 / 24), ("hour", 1 / 24),
    ("phut", 1 / 1440), ("minute", 1 / 1440), ("giay", 1 / 86400), ("second", 1 / 86400),
)  # fmt: skip


@dataclass(frozen=True)
class Value:
    """A value in a common unit: days for time, yyyymmdd for dates, plain amounts otherwise."""

    measure: Measure
    amount: float


def parse_date(text: str) -> Value | None:
    """The first date of a text as yyyymmdd; missing parts count as the first of their kind."""
    plain = bare(text)
    for expression, order in (
        (r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})", "dmy"),
        (r"(\d{4})-(\d{2})-(\d{2})", "ymd"),
        (r"(\d{1,2}) thang (\d{1,2}) nam (\d{4})", "dmy"),
        (rf"(\d{{1,2}}) ({'|'.join(_MONTHS)}),? (\d{{4}})", "dmy"),
        (rf"({'|'.join(_MONTHS)}) (\d{{1,2}})\w*,? (\d{{4}})", "mdy"),
        (rf"({'|'.join(_MONTHS)}),? (\d{{4}})", "my"),
        (r"thang (\d{1,2})(?:/| nam | )(\d{4})", "my"),
        (r"(?<!\d)(\d{4})(?![\d])", "y"),
    ):
        found = re.search(expression, plain)
        if found:
            parts = dict(zip(order, found.groups(), strict=True))
            month = parts.get("m", "1")
            number = _MONTHS.get(month) or int(month)
            day = int(parts.get("d", "1"))
            return Value("date", int(parts["y"]) * 10_000 + number * 100 + day)
    return None


def parse_number(text: str) -> Value | None:
    """The first number of a text with its unit: "4,2 tỷ đồng", "1,200,000 euros", "72 hours"."""
    plain = bare(text)
    found = re.search(r"\d+(?:[.,]\d+)*", plain)
    if found:
        amount, rest = plain_number(found[0]), plain[found.end() :]
    else:
        word = re.search(rf"\b({'|'.join(bare(w) for w in _WORDS)})\b", plain)
        if not word:
            return None
        amount = next(n for w, n in _WORDS.items() if bare(w) == word[1])
        rest = plain[word.end() :]
    suffix = re.match(r"\s?([km])\b", rest)
    if suffix:
        amount *= {"k": 1e3, "m": 1e6}[suffix[1]]
    for name, factor in _SCALE:
        if re.match(rf"\s*{name}\b", rest):
            amount *= factor
            break
    return _with_measure(amount, plain, rest)


def _with_measure(amount: float, plain: str, rest: str) -> Value:
    if re.search(r"dong|do la|euro|dollar|pound|usd|eur\b|vnd|[€$£]|\bty\b|trieu", plain):
        return Value("money", amount)
    if re.match(r"\s*(?:%|percent|per cent|phan tram)", rest):
        return Value("share", amount)
    for name, days in _TIME:
        if re.match(rf"\s*{name}s?\b", rest):
            return Value("time", amount * days)
    return Value("count", amount)


def parse_value(text: str) -> Value | None:
    """A date where the text looks like one, else a number."""
    if re.fullmatch(r"\W*(?:in |nam )?\d{4}\W*", bare(text)):
        return parse_date(text)
    if DATE.search(text) and not re.search(r"đồng|euro|%", text):
        return parse_date(text) or parse_number(text)
    return parse_number(text)


def order(first: str, second: str) -> int | None:
    """-1, 0 or 1 as the first value is less, equal or more; None where that cannot be told:

    the measures differ, or one date is only the year of the other.
    """
    one, two = parse_value(first), parse_value(second)
    if one is None or two is None:
        return None
    if one.measure != two.measure and {one.measure, two.measure} & {"date", "time", "share"}:
        return None
    if one.measure == "date" and 0 in (one.amount % 10_000 - 101, two.amount % 10_000 - 101):
        one_year, two_year = one.amount // 10_000, two.amount // 10_000
        if one_year != two_year:
            return (one_year > two_year) - (one_year < two_year)
        return 0 if one.amount == two.amount else None
    return (one.amount > two.amount) - (one.amount < two.amount)
