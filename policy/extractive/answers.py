"""The short answer inside a sentence: what the next hop and the reply are built from."""

import re

from policy.extractive.answer_names import called, headed, name_answer, subject_studied
from policy.extractive.answer_values import date_answer, number_answer, of_life
from policy.extractive.calibration import SURE
from policy.extractive.locating import after_copula, distance, in_question, relation_places
from policy.extractive.naming import part_of
from policy.extractive.nations import is_of, nation_in
from policy.extractive.regions import region_in
from policy.language.kinds import is_organisation, same_kind
from policy.language.lives import life_in
from policy.language.questions import Ask
from policy.language.values import DATE, NUMBER
from policy.language.wording import UPPER, holds, pattern, seek, terms, typed_bare
from state.anchors import negated

_CAUSE = re.compile(
    r"(?:nguyên nhân|lý do|the (?:cause|reason))[^.]*? (?:là|was|is)(?: that)? (?P<a>.+)"
    r"|(?:because(?: of)?|due to|caused by|owing to|bởi vì|vì|do) (?P<b>.+)"
    r"|^(?P<c>.+?) was to blame",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"(?<!\w)(?:in|at|from|of|to|near|ở|tại|về|vào|trong) (?:the (?=[a-z]*[A-Z ]))?"
    rf"(?P<place>(?:the |town of |city of )?[{UPPER}][^,.;()|]*?)"
    r"(?=,? (?:in|on|at|and|where|which|with|since|for|by|as|to|from|và|có|từ|do|nên|vào|năm) "
    r"|[,.;()|]|$)"
)


_NUMBERED_PLACE = re.compile(
    r"(?<!\w)(?:ở|tại|in|at|on) (?:the )?"
    rf"(?P<place>(?:[^\W\dA-Z_]\w* ){{1,2}}[{UPPER}]{{0,2}}\d[\w-]*)"
)
"""A place that has a noun and a number for its name: "hầm B1", "room 12"."""
_ASKS_ADDRESS = r"(?<!\w)(?:địa chỉ|address)(?!\w)"
_ADDRESS = re.compile(
    r"(?<!\w)(?:(?:tầng|lô|số|tòa nhà|ngõ) [^.;|()]*?(?:đường|phố|khu|tòa nhà)(?!\w)[^.;|()]*"
    r"|(?:lô|số|ngõ) [A-Z]{0,2}\d[^.;|()]*"
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|\d+[A-Za-z]? (?:[A-Z][\w'’-]* )+(?:Street|Road|Lane|Avenue|Square|Quay|Row)\b)",
    re.IGNORECASE,
)
_SITE = re.compile(rf"([{UPPER}][^,.;:|()]*?) (?:là (?:nơi|chỗ|địa điểm)|is (?:the place )?where) ")


def address_in(text: str) -> str:
    """The postal or e-mail address that a text holds, or ""."""
    found = _ADDRESS.search(text)
    return found[0].strip(" .") if found else ""


def lacks_address(ask: Ask, answer: str) -> bool:
    """Whether an address is asked for and an answer is none ("Văn phòng Hà Nội")."""
    return seek(_ASKS_ADDRESS, ask.text) is not None and not address_in(answer)


def extract(ask: Ask, sentence: str) -> tuple[str, float]:
    """The answer that a sentence holds and how well its type fits: 0 (none) to 1."""
    text = " ".join(sentence.split()).strip("|").strip()
    finder = {
        "name": name_answer,
        "place": _place,
        "date": date_answer,
        "number": number_answer,
        "cause": _cause,
        "yesno": _yes_or_no,
        "thing": _thing,
    }[ask.kind]
    return finder(ask, text)


def has_rival(ask: Ask, sentence: str, answer: str) -> bool:
    """Whether a sentence without its answer would give another one that fits as well."""
    rest = sentence.replace(answer, " … ")
    return rest != sentence and extract(ask, rest)[1] >= SURE


def _place(ask: Ask, text: str) -> tuple[str, float]:
    if seek(_ASKS_ADDRESS, ask.text):
        address = address_in(text)
        return (address, 1.0) if address else ("", 0.0)
    if place := nation_in(ask, text) or region_in(ask, text):
        return place, 1.0
    if ask.head:
        phrase = headed(ask, text)
        if phrase:
            return phrase, 1.0
    if (life := life_in(text)) and (own := of_life(ask, text, life.birthplace, life.deathplace)):
        return own, 1.0
    site = _SITE.match(text)
    if site and not in_question(ask, site[1]):
        return site[1], 1.0
    places = relation_places(ask, text)
    towns = bool(same_kind(ask.head) & same_kind("town")) if ask.head else False
    scored = []
    for found in _PLACE.finditer(text):
        place = found["place"].strip()
        if towns and (is_organisation(place) or len(place) < 3):
            continue
        if in_question(ask, place) or NUMBER.fullmatch(place) or DATE.fullmatch(place):
            continue
        behind = any(0 <= found.start() - right <= 25 for _, right in places)
        scored.append((behind, -distance(found.start(), found.end(), places), place))
    if scored:
        best = max(scored)
        alone = towns and len(scored) == 1
        return best[2], 1.0 if alone or best[0] or best[1] > -40 else 0.6
    numbered = _NUMBERED_PLACE.search(text)
    dated = numbered is not None and DATE.search(numbered["place"]) is not None
    if numbered and not dated and not in_question(ask, numbered["place"]):
        return numbered["place"], 0.8
    if ask.relations & {"employ", "study"}:
        return name_answer(ask, text)
    if "seat" in ask.relations or "address" in ask.text.lower():
        return after_copula(ask, text), 0.5 if NUMBER.search(text) else 0.3
    return "", 0.0


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
        return text.rstrip(" ."), 0.5
    of_nation = is_of(ask, text)
    if not of_nation:
        return (word, 0.5) if of_nation is None else ("No", 0.8)
    asked, held = set(ask.terms), set(terms(text))
    if any(one.isdigit() for one in asked - held):
        return word, 0.5
    return word, 0.8 if len(asked & held) >= 0.75 * len(asked) else 0.5


def _is_defined(ask: Ask, subject: str) -> bool:
    """Whether a subject names what is asked about and what of it: "Cách xử lý ERR_5130"."""
    named = [one for one in ask.anchors if not one.isdigit()]
    return (
        bool(named)
        and all(holds(one, subject) for one in named)
        and bool(relation_places(ask, subject))
    )


def _thing(ask: Ask, text: str) -> tuple[str, float]:
    known = subject_studied(ask, text) or called(ask, text) or nation_in(ask, text)
    if known:
        return known, 1.0
    about = pattern(r"(?<!\w)về (?:chuyện|điều|việc|cái|vấn đề) gì", typed_bare(ask.text))
    if about.search(ask.text) and " về " in text:
        return text.partition(" về ")[2].strip(" .;"), 1.0
    answer = after_copula(ask, text)
    if answer != text.strip(" .;") and _is_defined(ask, text[: text.find(answer)]):
        return answer, 0.8
    asked = holds(answer, ask.text) or any(part_of(answer, one) for one in ask.anchors)
    return ("", 0.0) if asked else (answer, 0.5)
