"""Comparisons: one question per side, and the decision between their two values."""

import re

from policy.language.comparing_vietnamese import vietnamese_comparison
from policy.language.comparison import Comparison, Direction, named, pair, restored
from policy.language.nested_english import ROLE
from policy.language.questions import read
from policy.language.sameness import is_same, sameness
from policy.language.values import order, parse_number
from policy.language.wording import UPPER, language_of
from state.text import nfc

_LESS = re.compile(
    r"\b(?:earlier|earliest|first|older|elder|oldest|before|sooner|fewer|less|smaller|lower|shorter"
    r"|cheaper|lighter|faster|quicker|smallest|lowest|fewest|least|shortest|cheapest|narrower)\b",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"\b(?:later|latest|last|younger|youngest|after|more|larger|largest|bigger|biggest|greater"
    r"|higher"
    r"|highest|longer|longest|heavier|taller|newer|most|costlier|dearer|slower|wider|warmer)\b",
    re.IGNORECASE,
)
_CAPITAL = rf"[{UPPER}0-9][\w'’.-]*"
_NAME = (
    rf"(?:(?i:the) )?(?:[a-z]+ (?:of|at|for|behind) (?:the )?)?(?:[a-z]+ )?{_CAPITAL}"
    rf"(?: (?:(?:of|the|and|de|v\.?|[–—]) )*{_CAPITAL})*(?: \([^)]*\))?"
)
_AUX = r"(?P<verb>(?i:is|was|are|were|does|did|has|had))"
_OR_EN = re.compile(rf"^(?P<ask>.+?),? (?:(?:between|out of) )?(?P<one>{_NAME}),? or (?P<two>.+)$")
_SIDES_EN = re.compile(
    r"^(?i:between|of|out of|comparing) (?P<one>[^,]+?) (?:and"
    r"|or) (?P<two>[^,]+), (?P<ask>(?:which|who|what)\b.+)$"
)
_NAMES_FIRST = re.compile(
    rf"^(?:.*, )?(?P<one>{_NAME}),? (?:and|or|vs\.?|versus) (?P<two>{_NAME})(?:,|:| -| –|) ?"
    r"(?P<ask>(?i:which|who|what|whose)\b.+)$"
)
_WAS_IT = re.compile(
    rf"^(?i:is|was) it (?P<one>{_NAME}) or (?P<two>{_NAME}) (?i:that|which|who) (?P<rest>.+)$"
)
_WHICH_OF = re.compile(
    rf"^(?P<ask>(?i:which|who)(?: one)?) of (?P<one>.+?) (?:and|or) (?P<two>{_NAME}) (?P<rest>.+)$"
)
_WAS_OR = re.compile(rf"^{_AUX} (?P<one>{_NAME}) or (?P<two>{_NAME}) (?P<rest>.+)$")
_WAS_OR_PLAIN = re.compile(
    rf"^{_AUX} (?P<one>[^,]+?) or (?P<two>[^,]+?) (?P<rest>(?:the )?(?:more \w+|less \w+"
    rf"|\w+er)\b.*)$"
)
_THAN = re.compile(
    rf"^{_AUX} (?P<one>{_NAME}) (?P<rest>(?:\w+ ){{0,3}}?(?:\w+er|more|less"
    rf"|fewer)(?: \w+){{0,2}}) than "
    r"(?P<two>.+)$"
)
_BEFORE = re.compile(
    rf"^{_AUX} (?P<one>.+?) (?P<rest>\w+ (?:before or after"
    rf"|earlier or later than|before|after)) (?P<two>{_NAME})$"
)
_OF_THE_TWO = re.compile(
    r"^(?P<ask>(?i:which|who)(?: one)?) of (?:the|these) two(?: [a-z]+){0,2}, (?P<sides>[^,]+),? "
    r"(?P<rest>.+)$"
)
_BY_HOW_MUCH = re.compile(r",? (?:and )?by how (?:much|many [a-z]+)$")
_DIFFER = re.compile(
    r"^(?i:how (?:do|does|did) (?P<one>.+?) (?:and|differ from) (?P<two>.+?)(?: differ)?"
    r"(?: in (?P<about>.+))?|what(?: is|'s) the difference (?:in (?P<about2>.+?) )?between "
    r"(?P<one2>.+?) and (?P<two2>.+))$"
)

_LONGEST_VALUE = 8
"""Words of a value at most; a number somewhere in a longer sentence may be any number."""


def read_comparison(question: str) -> Comparison | None:
    """The comparison that a question makes, or None."""
    text = _with_capitals(" ".join(nfc(question).split()).rstrip(" ?."))
    vietnamese = language_of(text) == "vi"
    if common := sameness(text, vietnamese):
        return common
    return vietnamese_comparison(text) if vietnamese else _english(text)


_PLAIN_SIDES = (
    re.compile(
        r"^(?P<one>[\w ]{3,30}?) or (?P<two>[\w ]{3,30}?)(?:,|:| -| –|) "
        r"(?=(?:which|who|what|whose)\b)", re.IGNORECASE,
    ),
    re.compile(
        r"(?<=, )(?P<one>[\w ]{3,30}?) or (?P<two>[\w ]{3,30})$", re.IGNORECASE
    ),
)  # fmt: skip


def _with_capitals(text: str) -> str:
    """An English comparison typed without capitals, with those of the two names it compares."""
    if text[1:] != text[1:].lower() or language_of(text) != "en":
        return text
    for shape in _PLAIN_SIDES:
        found = shape.search(text)
        if found and not _ARTICLE.match(found["one"]):
            sides = f"{found['one'].title()} or {found['two'].title()}"
            return f"{text[: found.start()]}{sides}{text[found.end('two') :]}"
    return text


_ARTICLE = re.compile(r"(?:is|are|was|were|the|an?|which|who|what|does|did|do)\b", re.IGNORECASE)


def decide(comparison: Comparison, first: str, second: str) -> int | None:
    """0 or 1 for the side that is asked for, -1 for a tie, None where it cannot be told."""
    sentences = any(len(answer.split()) > _LONGEST_VALUE for answer in (first, second))
    if comparison.direction in ("none", "difference", "same", "both") or sentences:
        return None
    found = order(first, second)
    if found is None or found == 0:
        return None if found is None else -1
    smaller = 0 if found < 0 else 1
    return smaller if comparison.direction == "less" else 1 - smaller


def decided(comparison: Comparison, first: str, second: str, language: str) -> tuple[str, str]:
    """The side that is asked for with both values, in a sentence, and its bare name.

    Where the values do not compare, the sentence is only the values, and there is no name.
    """
    answers = (first.strip(" ."), second.strip(" ."))
    winner = decide(comparison, *answers)
    sides = "; ".join(
        f"{name}: {answer}" for name, answer in zip(comparison.names, answers, strict=True)
    )
    if comparison.direction == "difference" and (apart := difference(*answers)):
        return f"{apart} ({sides}).", apart
    if comparison.direction == "both" and (all_of := _both(*answers)):
        return f"{all_of} ({sides}).", all_of
    if comparison.direction == "same" and (same := is_same(*answers)) is not None:
        short = _YES_OR_NO[language == "vi", same]
        return f"{short} ({sides}).", short
    if winner is None:
        return f"{sides}.", ""
    tie = "bằng nhau" if language == "vi" else "the same"
    short = tie if winner < 0 else comparison.names[winner]
    return f"{short[:1].upper()}{short[1:]} ({sides}).", short


def _both(first: str, second: str) -> str:
    """ "Yes" where two answers are, "No" where one is; "" where one is a sentence."""
    if not {first, second} <= {"Yes", "No"}:
        return ""
    return "Yes" if first == second == "Yes" else "No"


_YES_OR_NO = {
    (True, True): "Có", (True, False): "Không", (False, True): "Yes", (False, False): "No"
}  # fmt: skip
_AMOUNT = re.compile(r"(?P<number>\d[\d.,]*)(?P<unit> ?\D*)")


def difference(first: str, second: str) -> str:
    """How far two amounts of one unit are apart ("3 ngày"), or "" where that cannot be told."""
    one, two = _AMOUNT.fullmatch(first), _AMOUNT.fullmatch(second)
    if one is None or two is None or one["unit"] != two["unit"] or not one["unit"].strip():
        return ""
    values = [parse_number(found["number"]) for found in (one, two)]
    if values[0] is None or values[1] is None:
        return ""
    return f"{_written(abs(values[0].amount - values[1].amount), first + second)}{one['unit']}"


def _written(amount: float, like: str) -> str:
    """A number as the others are written: "2.500.000", "2,500,000", "1,5"."""
    groups = re.search(r"\d([.,])\d{3}(?!\d)", like)
    if amount == int(amount):
        plain = f"{int(amount):,}" if groups else str(int(amount))
        return plain.replace(",", groups[1]) if groups else plain
    decimal = re.search(r"\d([.,])\d{1,2}(?!\d)", like)
    return f"{amount:.6g}".replace(".", decimal[1] if decimal else ".")


def _english(text: str) -> Comparison | None:
    text = _OF_THE_TWO.sub(r"\g<sides>: \g<ask> \g<rest>", _BY_HOW_MUCH.sub("", text))
    differ = _DIFFER.match(text)
    if differ:
        one, two = differ["one"] or differ["one2"], differ["two"] or differ["two2"]
        about = differ["about"] or differ["about2"]
        if not about:
            return None
        first, second = (f"What is the {about} of {side}?" for side in (one, two))
        return pair(one, two, first, second, "none")
    for shape in (
        _SIDES_EN,
        _NAMES_FIRST,
        _WHICH_OF,
        _WAS_IT,
        _WAS_OR,
        _WAS_OR_PLAIN,
        _THAN,
        _BEFORE,
        _OR_EN,
    ):
        match = shape.match(text)
        if match is None:
            continue
        groups = match.groupdict()
        ask = " ".join(groups[part] for part in ("ask", "rest") if groups.get(part))
        less, more = _LESS.search(ask), _MORE.search(ask)
        if (
            " both " in text
            or not (less or more)
            or not named(groups["one"])
            or not named(groups["two"])
        ):
            continue
        one, two = groups["one"].strip(), groups["two"].strip()
        less_asked = bool(less) and not re.search(r"\bmore (?!than)|\blast longer\b", ask)
        return _english_sides(one, restored(one, two), ask, less_asked)
    return None


def _english_sides(one: str, two: str, ask: str, less: bool) -> Comparison:
    found = re.match(r"(?:which|what) ([a-z]+)(?<!s) ", ask, re.IGNORECASE)
    head = found[1] if found and not _NO_KIND.match(found[1]) else ""
    head = head if read(f"Which {head}?").head else ""
    if head and not _OF_MONEY.match(head):
        ask = _SIZE.sub(r"\1 in size", ask)
    role = re.search(r"\b(?:has|have) (?:the|a) ([a-z]+)\b|\bwhose ([a-z]+)\b", ask)
    owned = (role[1] or role[2]) if role else ""
    if re.fullmatch(ROLE, owned):
        ask = f"who {ask[role.end() :].strip()}" if role else ask
        one, two = (f"the {owned} of {side.removeprefix('the ')}" for side in (one, two))
        head = ""
    sides = []
    for name in (one, two):
        side = re.sub(r"^(?:in|at|on|for|by|from) ", "", name)
        named = side if not head or head.split()[-1].lower() in side.lower() else f"{side} {head}"
        sides.append(_english_question(named, ask))
    direction: Direction = "less" if less else "more"
    return pair(one, two, sides[0], sides[1], direction)


_NO_KIND = re.compile(r"(?:one|person|man|woman|people|individual)$")
_OF_MONEY = re.compile(r"(?:grant|fund|award|budget|prize|amount|sum|cost|contract|loan|fee)s?$")
_SIZE = re.compile(r"\b(larger|bigger|greater|smaller|largest|biggest|smallest)$")
"""Asks for the size of a thing, and for the amount of a grant."""


def _english_question(side: str, ask: str) -> str:
    plain = ask.lower()
    for words, question in _EN_SIDES:
        found = re.search(words, plain)
        if found:
            word = (found.groups() or ("",))[0] or ""
            if word and len(plain) == len(ask):
                word = ask[slice(*found.span(1))]  # With the capitals of its names.
            return question.format(side=side, word=word)
    return f"{ask.rstrip(' ?')} ({side})?"


_EN_SIDES = (
    (r"\bwent ((?:into|to|on|in) .+?)(?: at an? (?:later|earlier) date| earlier| later| first)$",
     "When did {side} go {word}?"),
    (r"\bwho\b.*\b(?:older|elder|younger|oldest|youngest)\b|\bborn\b", "When was {side} born?"),
    (r"\b(?:older|younger|oldest|youngest)\b|into (?:being|existence)|came about|been around"
     r"|came first|existed", "When was {side} founded?"),
    (
        r"worth|more money|(?:larger|bigger|smaller) (?:sum|amount|grant)",
        "What is the amount of {side}?",
    ),
    (r"\b(?:larger|bigger|smaller|largest|smallest|more|fewer) (?:staff|workforce|headcount)\b",
     "How many employees does {side} have?"),
    (r"\b(?:more|fewer|most|fewest|less) (?!expensive|recent|recently|money|heavily|often|than|or)"
     r"([a-z]+s|people|staff|children)\b", "How many {word} does {side} have?"),
    (
        r"(?:last|take|run|stay|keep|go on|work)(?:s|ed)? (?:going |on |in use )?"
        r"(?:longer|shorter)( (?:on|in|without|with) .+)?|(?:longer|shorter) to",
        "How long does {side} last{word}?",
    ),
    (r"(?:larger|bigger|higher|lower|greater|smaller|longer|shorter|highest|largest|lowest)"
     r" ((?!(?:one|than|of|on|in|at|for|to|by|with|from|a|the|when|if|after|before)\b)"
     r"[a-z]+(?: (?!of\b|in\b|on\b|at\b|for\b)[a-z]+)?)", "What is the {word} of {side}?"),
    (r"came out|released|published", "When was {side} released?"),
    (r"expensive|cheap|costl|dear|\bcosts?\b", "How much does {side} cost?"),
    (r"heav|light|weigh", "How much does {side} weigh?"),
    (r"\b(?:longer|shorter|longest|shortest)\b", "How long is {side}?"),
    (r"\b(?:taller|higher|tallest|highest)\b", "How high is {side}?"),
    (r"deep", "How deep is {side}?"), (r"\bwide|broader", "How wide is {side}?"),
    (r"\b(?:faster|quicker|slower)\b", "How fast is {side}?"),
    (r"\b(?:warmer|hotter|colder|cooler)\b", "What is the temperature of {side}?"),
    (
        r"\bone\b|\b(?:larger|bigger|greater|smaller|largest|biggest)$",
        "What is the amount of {side}?",
    ),
    (r"\b(?:larger|bigger|greater|smaller|largest|biggest|smallest)\b", "How large is {side}?"),
    (r"\b(?:opened|open|opens)\b", "When did {side} open?"),
    (r"\bdied\b", "When did {side} die?"),
    (r"\b(start|end|happen|finish)ed\b", "When did {side} {word}?"),
    (r"set up", "When was {side} set up?"),
    (r"\b([a-z]+ed|built|begun|made|written|sold|bought|won|held)\b", "When was {side} {word}?"),
    (r"\b(start|end|begin|finish|die|expire|close)\w*\b", "When did {side} {word}?"),
    (r"earlier|later|first|last|before|after|sooner|newer", "When did {side} start?"),
)  # fmt: skip
