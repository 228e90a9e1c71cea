"""Years: "this year" by the day of asking, and what differs between two of them."""

import re

from policy.language.openings import asks
from policy.language.wording import bare, language_of, pattern, typed_bare
from policy.plans import renamed
from policy.protocol import PlannedSubgoal
from state.coverage import PLACEHOLDER
from state.text import fold_accents

_NOW = r"(?<!\w)(?:năm nay|this year)(?!\w)"
_BEFORE = r"(?<!\w)(?:năm ngoái|năm rồi|last year)(?!\w)"
_SOON = (
    r"(?<!\w)(?:hôm (?:nay|qua)|(?:tuần|tháng|quý) (?:này|trước)|today|yesterday|now"
    r"|(?:this|last|next) (?:week|month|quarter|year))(?!\w)"
)
_YEAR = rf"(?<![\d/-])(?:19|20)\d\d(?![\d/-])|{_NOW}|{_BEFORE}"
_LEAD = r"(?:(?:của|trong|cho|từ|trong các|ở|in|of|for|from) )?(?:the )?(?:years? |năm )?"
_DIFFERS = (
    r"(?<!\w)(?:khác(?: biệt)?(?: (?:gì|nhau|với|so với|với nhau))*|thay đổi|so sánh|so với"
    r"|tăng(?: lên)?|giảm(?: đi)?|how (?:do|does|did)|differs? from|differs?|different|differences?"
    r"|changed?|compared? (?:to|with)|compared?|increased?|between)(?!\w)"
)
_SURELY_DIFFERS = r"(?<!\w)(?:khác|thay đổi|so với|so sánh|differ\w*|chang\w*|compar\w*)(?!\w)"
_ASKING = (
    r"(?<!\w)(?:như thế nào|thế nào|ra sao|ở (?:điểm|chỗ) nào|(?:điểm|chỗ) nào|là gì|có gì|gì|về"
    r"|bao nhiêu|mấy|thì|là|what(?:'s)?|is|are|was|were|has|have|the|in|from|to|how many|how much"
    r"|how|và|với|and|of|by|it|been|một số|những|các|nhau|năm|lên|quy định|chính sách|quy chế"
    r"|policy|policies|rules?|regulations?|so|do|does|did|that|those)(?!\w)"
)
_UNIT = r"(?<!\w)(?:bao nhiêu|mấy|how many) (?P<unit>[^\W\d]+)"


def with_years(question: str, today: str) -> str:
    """The question with "năm nay" and "last year" as years, counted from a day (2026-02-28).

    Unchanged where `today` is empty.
    """
    if not today:
        return question
    folded = typed_bare(question)
    for words, year in ((_NOW, int(today[:4])), (_BEFORE, int(today[:4]) - 1)):
        said = "nam" if folded else "năm"
        named = f"{said} {year}" if language_of(question) == "vi" else str(year)
        question = pattern(words, folded).sub(named, question)
    return question


def counts_from_now(question: str) -> bool:
    """Whether a question speaks of a time that only the day of asking tells."""
    words = rf"{_NOW}|{_BEFORE}|{_SOON}"
    return pattern(words, typed_bare(question)).search(question) is not None


def by_year(parts: list[PlannedSubgoal], beside: str = "") -> list[PlannedSubgoal]:
    """The plan with two searches in the place of one that asks how two years differ.

    `beside` holds what was asked beside these parts.
    """
    plan: list[PlannedSubgoal] = []
    names: dict[str, str] = {}
    for part in parts:
        around = [other.question for other in parts if other is not part]
        questions = differing(part.question, " ".join([*around, beside]))
        for question in questions or [part.question]:
            names[part.id] = f"s{len(plan) + 1}"
            query = question if questions else part.query
            update = {"id": names[part.id], "question": question, "query": query}
            plan.append(part.model_copy(update=update))
    if len(plan) == len(parts):
        return parts
    return [renamed(part, names).model_copy(update={"id": part.id}) for part in plan]


def differing(question: str, beside: str = "") -> list[str]:
    """The questions about two years of which a question asks how they differ; else none.

    `beside` holds the other parts of the whole question: their unit ("bao nhiêu ngày") tells
    which value is meant where this part names none.
    """
    folded = typed_bare(question)
    found = list(pattern(_YEAR, folded).finditer(question))
    years = list(dict.fromkeys(one[0] for one in found))
    if len(years) != 2 or not pattern(_SURELY_DIFFERS, folded).search(question):
        return []
    if PLACEHOLDER.search(question):
        return []
    topic = _topic(question, folded)
    if not topic or len(topic.split()) > 6 or asks(topic):
        return []
    unit = _unit(question) or _unit(beside)
    unit = fold_accents(unit) if folded else unit
    return [_about(topic, year, unit, question) for year in years]


def _topic(question: str, folded: bool) -> str:
    """What differs: the question without its years and what asks."""
    text = question.strip(" ?.!")
    text = pattern(rf"{_UNIT}", folded).sub(" ", text)
    text = pattern(rf"{_LEAD}(?:{_YEAR})(?:['’]s)?", folded).sub(" ", text)
    for words in (_DIFFERS, _ASKING):
        text = pattern(words, folded).sub(" ", text)
    left = re.sub(r"[,;:()?'’]", " ", text).split()
    return " ".join(left if language_of(question) == "vi" else dict.fromkeys(left))


def _unit(text: str) -> str:
    found = pattern(_UNIT, typed_bare(text)).search(text) if text else None
    return found["unit"] if found and bare(found["unit"]) not in ("tien", "la", "thi") else ""


def _about(topic: str, year: str, unit: str, question: str) -> str:
    if language_of(question) == "vi":
        folded = typed_bare(question)
        year = year if not year.isdigit() else f"{'nam' if folded else 'năm'} {year}"
        asks = f"{'bao nhieu' if folded else 'bao nhiêu'} {unit}".strip()
        copula = "" if unit else ("la " if folded else "là ")
        return f"{topic[:1].upper()}{topic[1:]} {year} {copula}{asks}?"
    topic = "annual leave" if topic.lower() in ("leave", "vacation", "leave days") else topic
    in_year = f"in {year}" if year.isdigit() else year
    if unit:
        return f"How many {unit} of {topic} are there {in_year}?"
    return f"How much {topic} is there {in_year}?"
