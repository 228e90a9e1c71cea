"""Values of a ready call's parameters, found in a question by their schemas."""

import re
from functools import lru_cache
from typing import NamedTuple

from policy.language.wording import bare, language_of, pattern, typed_bare
from state.types import Json

_MONTHS = (
    "january february march april may june july august september october november december"
).split()
_YEAR = (
    r"(?:(?:trong |của |vào |cho |từ )?năm |(?:in|for|of|during) (?:the year )?|(?<=\d)/)?"
    r"(?<![\d-])(?P<value>(?:19|20)\d\d)(?:['’]s)?(?![\d-])"
)
_MONTH = (
    r"(?:(?:in|for|of|during) )?(?:the month of )?(?:(?:vào |trong |của )?tháng (?P<value>\d{1,2})"
    rf"(?!\d)|month (?P<second>\d{{1,2}})|(?<!\w)(?P<name>{'|'.join(_MONTHS)})"
    r"(?= (?:of )?\d{4}|$))"
)
_QUARTER = (
    r"(?:(?:in|for|of|during) )?(?:the )?(?:(?:vào |trong |của )?quý (?P<value>[1-4])(?!\d)"
    r"|quarter (?P<second>[1-4])|\bQ(?P<third>[1-4])\b)"
)
_BY_NAME = {"year": _YEAR, "month": _MONTH, "quarter": _QUARTER}
_WORD = re.compile(r"[\w-]+")
_DATE = r"(?P<value>\d{1,2}/\d{1,2}/\d{4}|\d{4}-\d{2}-\d{2})"
_NUMBER = (
    r"(?<![\w./,-])(?P<value>\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d{1,3}(?:,\d{3})+(?:\.\d+)?"
    r"|\d+(?:[.,]\d+)?)(?![\w/-]|[.,]\d)"
)


class Found(NamedTuple):
    """A value and the words of the question that said it, with what leads in to them."""

    value: str | int | float
    said: str


def find(name: str, schema: Json, question: str) -> Found | None:
    """The one value of a parameter that a question names; None where it names none, or several.

    A year, month or quarter is told by the parameter's name, a listed value by its words
    (accents and case aside), a code by its pattern, a date by its form, another number by being
    the only one. A value that the schema does not allow is none.
    """
    if schema.get("enum"):
        return _listed(schema["enum"], question)
    if schema.get("type") == "string" and schema.get("format") != "date":
        return _code(schema["pattern"], question) if schema.get("pattern") else None
    if schema.get("type") in ("integer", "number"):
        kind = next((one for one in _BY_NAME if one in name.lower().split("_")), "")
        return _number(_BY_NAME.get(kind, _NUMBER), schema, question)
    if schema.get("format") == "date":
        dates = list(re.finditer(_DATE, question))
        return Found(dates[0]["value"], dates[0][0]) if len(dates) == 1 else None
    return None


def _listed(values: list[str], question: str) -> Found | None:
    """The listed value whose words stand in the question, the longest where one holds another."""
    words = _words(question)
    held = [one for one in values if _words(one) in words]
    longest = [
        one
        for one in held
        if not any(one != other and _words(one) in _words(other) for other in held)
    ]
    if len(longest) != 1:
        return None
    return Found(longest[0], _as_said(longest[0], question))


@lru_cache(maxsize=4096)
def _words(text: str) -> str:
    """The words of a text, folded, each between spaces."""
    return f" {' '.join(_WORD.findall(bare(text)))} "


def _as_said(value: str, question: str) -> str:
    """The words of the question that a listed value stands for."""
    wanted = bare(value).split()
    words = question.split()
    for at in range(len(words)):
        window = words[at : at + len(wanted)]
        if bare(" ".join(window)).strip(" ,.?!;:\"'“”’") == " ".join(wanted):
            return " ".join(window).strip(" ,.?!;:\"'“”")
    return value


def _code(shape: str, question: str) -> Found | None:
    try:
        found = {one[0] for one in re.finditer(rf"(?<!\w)(?:{shape})(?!\w)", question)} - {""}
    except re.error:
        return None
    one = found.pop() if len(found) == 1 else ""
    return Found(one, one) if one else None


def _number(shape: str, schema: Json, question: str) -> Found | None:
    vietnamese = language_of(question) == "vi"
    found = [
        Found(_value(one, schema, vietnamese), one[0])
        for one in pattern(shape, typed_bare(question)).finditer(question)
    ]
    values = {one.value for one in found}
    if len(values) != 1 or not _allowed(found[0].value, schema):
        return None
    return found[0]


def _value(match: re.Match[str], schema: Json, vietnamese: bool) -> int | float:
    """The number that was said: 5.000 is five thousand in Vietnamese, 5,000 in English."""
    named = match.groupdict()
    if named.get("name"):
        return _MONTHS.index(named["name"].lower()) + 1
    text = next(named[one] for one in ("value", "second", "third") if named.get(one))
    groups, point = (".", ",") if vietnamese else (",", ".")
    if re.fullmatch(rf"\d{{1,3}}(?:{re.escape(groups)}\d{{3}})+(?:{re.escape(point)}\d+)?", text):
        text = text.replace(groups, "")
    if schema.get("type") == "integer" and text.isdigit():
        return int(text)
    try:
        return float(text.replace(",", "."))
    except ValueError:  # grouped as in the other language
        return float(re.sub(r"[.,](?=\d{3}(?!\d))", "", text).replace(",", "."))


def _allowed(value: str | int | float, schema: Json) -> bool:
    low, high = schema.get("minimum"), schema.get("maximum")
    if isinstance(value, str) or (schema.get("type") == "integer" and value != int(value)):
        return False
    return (low is None or value >= low) and (high is None or value <= high)
