"""Questions whether two things have something in common: "born in the same year"."""

import re

from policy.language import nested_vietnamese
from policy.language.comparison import Comparison, named, pair, restored
from policy.language.english_phrases import BASE_VERB, ROLE
from policy.language.kinds import is_kind
from policy.language.nested_english import role_question
from policy.language.openings import asks
from policy.language.wording import UPPER, pattern, typed_bare
from state.differences import plain_number
from state.text import comparable, fold_accents

_SAME_EN = re.compile(
    r"^(?P<aux>(?i:are|were|do|did)) (?P<sides>.+? and .+?),? (?:both )?"
    rf"(?:have (?:the )?(?P<whose>{ROLE})s? (?:that|who) (?:are |were )?)?"
    r"(?P<verb>(?:have |share |[a-z]+ed |born |built |set up |(?:come|report|belong|work|live|study"
    r"|sit|speak|use|start|join|take|begin|end|attend) ))?"
    rf"(?:(?:the )?(?P<owned>{ROLE})s? )?(?P<by>(?:in|from|of|at|by|to|for|with) )?"
    r"the same (?P<noun>[a-z]+(?: [a-z]+)?)$"
)
_BOTH_EN = re.compile(
    r"^(?P<aux>(?i:are|were)) (?P<sides>.+? and [^,]+?),? both (?P<before>(?:[\w-]+ ){0,3}?)"
    r"(?P<noun>[a-z]+[^s\W]s)$"
)
_BOTH_DO = re.compile(
    rf"^(?P<aux>(?i:did|do)) (?P<sides>[^,]+? and [^,]+?),? both (?P<rest>{BASE_VERB}\b.*)$"
)
_WHAT_BOTH = re.compile(
    r"^(?:(?P<both>[Bb]oth) )?(?P<sides>[^,]+? and [^,]+?)(?: (?:films|movies|songs|books|albums"
    r"|novels|bands))? (?P<aux>are|were) (?P<too>both )?"
    r"(?P<rest>(?!members|parts|owners)(?:[a-z]+ ){0,4}(?:which|what)\b"
    r"(?!.*\b(?:which|what|who|when|where|how|why)\b).*)$"
)
_ROLE_OF = re.compile(rf"(?:the )?(?P<role>{ROLE})s? of (?:both )?")
_CATEGORY = re.compile(rf"(?:(?:the|both) )?(?:two )?(?:[a-z]+ )?[a-z]+s?,? (?=[\"“{UPPER}\d{{])")
_AFTER = re.compile(r" (?:films|movies|songs|books|people|places|companies|projects|labs|teams)$")
_SINGULAR = {"are": "is", "were": "was", "do": "does", "did": "did"}
_SAME_VI = (
    r"^(?P<one>[^,]+?) (?:và|với) (?P<two>[^,]+?) (?:có )?(?:phải )?(?:đều )?(?:được )?"
    r"(?P<verb>(?:(?:sinh|dùng|sử dụng|làm việc|làm|ở|sống|thuộc|học|ngồi|báo cáo|đặt|nằm|do"
    r"|tốt nghiệp|thành lập)(?: (?:ở|tại|cho|với|vào|trong))? )?)"
    r"(?:cùng|chung) (?:một )?(?P<noun>(?!(?:với )?nhau(?!\w)|ký(?!\w)|làm(?!\w))[^\W\d]+"
    r"(?: [^\W\d]+){0,2}?)(?: với nhau)? (?:không|chứ|phải không|đúng không)$"
)
ONE_LAND = (
    frozenset({"england", "scotland", "wales", "britain", "great britain", "united kingdom", "uk",
               "british", "english", "scottish", "welsh"}),
    frozenset({"united states", "usa", "us", "america", "american"}),
)  # fmt: skip
"""Names that may stand for one country, so that two of them do not say that it is another."""
_LONGEST = 5
"""Words of an answer at most that is compared with another one."""


def sameness(text: str, vietnamese: bool) -> Comparison | None:
    """The question for each of the two things, or None where none in common is asked about."""
    return _vietnamese(text) if vietnamese else _english(text) or _both(text)


def _is_side(side: str) -> bool:
    """Whether a side ends with its name, so that no verb is left in it."""
    return named(side) and re.search(rf"(?:[{UPPER}0-9}}][^ ]*|\))$", side) is not None


def _english(text: str) -> Comparison | None:
    found = _SAME_EN.match(text)
    halves = _halves(found["sides"]) if found else None
    if found is None or halves is None:
        return None
    role = _ROLE_OF.match(re.sub(r"^both ", "", halves[0]))
    owned = role["role"] if role else found["owned"] or found["whose"] or ""
    one, two = (_thing(half) for half in halves)
    two = restored(one, two) if one[:1].islower() else two
    if not _is_side(one) or not _is_side(two):
        return None
    sides = [f"the {owned} of {side}" if owned else side for side in (one, two)]
    first, second = (_english_side(found, side) for side in sides)
    return pair(sides[0], sides[1], first, second, "same")


def _both(text: str) -> Comparison | None:
    """Each of two things asked about: "Are A and B both board games", "Did A and B both win".

    "Both A and B were released by which label" asks for a value of each, which nothing decides.
    """
    found = _BOTH_EN.match(text) or _BOTH_DO.match(text) or _WHAT_BOTH.match(text)
    halves = _halves(found["sides"]) if found else None
    if found is None or halves is None or not all(_is_side(half) for half in halves):
        return None
    aux = _SINGULAR[found["aux"].lower()]
    if found.re is _WHAT_BOTH:
        first, second = (f"{side} {aux} {found['rest']}?" for side in halves)
        return pair(*halves, first, second, "none") if found["both"] or found["too"] else None
    rest = found["rest"] if found.re is _BOTH_DO else _one_of(found["before"], found["noun"])
    first, second = (f"{aux.capitalize()} {side} {rest}?" for side in halves)
    return pair(*halves, first, second, "both")


def _one_of(before: str, nouns: str) -> str:
    """ "an American director" for "American directors"."""
    noun = re.sub(r"ies$", "y", nouns) if nouns.endswith("ies") else nouns[:-1]
    article = "an" if re.match(r"[AEIOaeio]|[uU]n", before or noun) else "a"
    return f"{article} {before}{noun}"


def _halves(sides: str) -> tuple[str, str] | None:
    """The text before and after the "and" that lies nearest to the middle."""
    places = [one.span() for one in re.finditer(r",? and ", sides)]
    uneven = [
        (abs(len(sides[:left].split()) - len(sides[right:].split())), left, right)
        for left, right in places
    ]
    if not uneven or [one[0] for one in uneven].count(min(uneven)[0]) > 1:
        return None
    _, left, right = min(uneven)
    return sides[:left].strip(), sides[right:].strip()


def _thing(half: str) -> str:
    """A side without "both", its role and the noun of its kind: "both directors of films A"."""
    half = re.sub(r"^both ", "", half)
    role = _ROLE_OF.match(half)
    half = half[role.end() if role else 0 :]
    category = _CATEGORY.match(half)
    return _AFTER.sub("", half[category.end() if category else 0 :]).strip(" ,")


def _english_side(found: re.Match[str], side: str) -> str:
    aux, verb = _SINGULAR[found["aux"].lower()], (found["verb"] or "").strip()
    by, noun = (found["by"] or "").strip(), found["noun"]
    if noun == "nationality":
        return f"What nationality is {side}?"
    if noun in ("country", "nation") and (by in ("from", "of") or not verb):
        return f"Which country is {side} from?"
    if verb in ("have", "share", "") and not by:
        if re.fullmatch(ROLE, noun):
            return role_question(noun, side)
        return f"What is the {noun} of {side}?"
    if noun in ("place", "person"):
        words = ["Who", aux, side, verb, "by"] if by == "by" else ["Where", aux, side, verb]
    elif aux in ("does", "did"):
        words = ["Which", noun, aux, side, verb, by]
    else:
        words = [by.capitalize(), "which", noun, aux, side, verb]
    return " ".join(filter(None, words)) + "?"


def _vietnamese(text: str) -> Comparison | None:
    folded = typed_bare(text)
    found = pattern(_SAME_VI, folded).match(text)
    if found is None or not named(found["one"]) or not named(found["two"]) or asks(found["noun"]):
        return None
    one, two = found["one"], restored(found["one"], found["two"])
    verb, noun = found["verb"].strip(), found["noun"]
    if verb:
        asked = f"{{side}} {verb} {noun} nào?"
    elif comparable(noun) in ("quốc tịch", "quoc tich"):
        asked = "{side} có quốc tịch gì?"
    else:
        asked = f"{noun} của {{side}} là {'ai' if nested_vietnamese.is_role(noun) else 'gì'}?"
    asked = fold_accents(asked) if folded else asked
    first, second = (asked.format(side=side) for side in (one, two))
    return pair(one, two, first[:1].upper() + first[1:], second[:1].upper() + second[1:], "same")


def is_same(first: str, second: str) -> bool | None:
    """Whether two short answers are one; None where that cannot be told from their words.

    It cannot where one is a sentence, may be another word or the short form of the other, or
    where two amounts have different units.
    """
    one, two = (
        re.sub(r"^the |[\"“”.]", "", comparable(answer)).strip() for answer in (first, second)
    )
    if not one or not two or max(len(one.split()), len(two.split())) > _LONGEST:
        return None
    if _joined(one) == _joined(two):
        return True
    numbers = _NUMBER.findall(one), _NUMBER.findall(two)
    if numbers[0] or numbers[1]:
        return _is_same_amount(one, two, *numbers)
    return None if _may_be_one(one.split(), two.split(), (first, second)) else False


_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def _joined(text: str) -> str:
    """Without accents and spaces: "Hà Nội" and "Hanoi" are one name."""
    return fold_accents(text).replace(" ", "")


def _is_same_amount(one: str, two: str, *numbers: list[str]) -> bool | None:
    """Two values with one number each, and the same words and signs around it."""
    if [len(found) for found in numbers] != [1, 1]:
        return None
    around = _NUMBER.sub("#", one), _NUMBER.sub("#", two)
    if around[0] != around[1]:
        return None
    return plain_number(numbers[0][0]) == plain_number(numbers[1][0])


def _may_be_one(one: list[str], two: list[str], written: tuple[str, str]) -> bool:
    """Whether two names share more than the noun of their kind, or one may shorten the other."""
    if one[0] == two[0] and len(one) > 1 and len(two) > 1 and is_kind(one[0]):
        one, two = one[1:], two[1:]
    groups = any({" ".join(one), " ".join(two)} <= land for land in ONE_LAND)
    short = any(len(text) <= 5 and text.isupper() for text in written)
    alike = any(left[:4] == right[:4] for left in one for right in two if len(left) > 3)
    return groups or short or alike or bool(set(one) & set(two))
