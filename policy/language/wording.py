"""Small helpers for matching words in questions and passages of either language.

People type Vietnamese without accents. Patterns are written with accents and folded only for
a text that has none, because folding makes different words one ("đầu" and "đâu").
"""

import re
from functools import lru_cache

from state.language import detect_language
from state.text import comparable, fold_accents

STOP_WORDS = frozenset(
    "used before previous earlier a an the of in on at to for by with from into and or but is "
    "are was were be been being am "
    "do does did done has have had having can could will would shall should may might must who "
    "whom whose whoever what when where which why how it its this that these those there as than "
    "then i me my you your we us our they them their he him his she her please tell s much many "
    "large big money worth "
    "ai gì nào đâu sao mấy bao nhiêu khi giờ là của cho trong ngoài và hay hoặc các những cái "
    "chiếc được bị với về tại ở từ đến thì mà có không này đó ấy kia thế vậy đã đang sẽ vẫn còn "
    "cũng rồi một do để nếu như bởi theo tôi mình em anh chị bạn ta nó họ xin hãy ạ nhỉ à "
    "bằng trên dưới".split()
)
FOLDED_STOP_WORDS = frozenset(fold_accents(word) for word in STOP_WORDS) | STOP_WORDS
UPPER = "A-Z" + "".join(chr(code) for code in range(0xC0, 0x1EFA) if chr(code).isupper())
"""Upper-case letters of Latin script for a character class of a pattern."""
_WORD = re.compile(r"\w+(?:[_-]\w+)*")


def bare(text: str) -> str:
    """The text in its folded form: case, white space and accents aside."""
    return fold_accents(comparable(text))


@lru_cache(maxsize=4096)
def typed_bare(text: str) -> bool:
    """Whether a text has no accents at all, so that its Vietnamese must be read folded."""
    plain = comparable(text)
    return plain == fold_accents(plain)


@lru_cache(maxsize=4096)
def pattern(source: str, folded: bool = False) -> re.Pattern[str]:
    """The compiled pattern, case aside; `folded` takes the accents out of it."""
    return re.compile(fold_accents(source) if folded else source, re.IGNORECASE)


def seek(source: str, text: str) -> re.Match[str] | None:
    """The first place where a pattern stands in a text, accents optional if the text has none."""
    return pattern(source, typed_bare(text)).search(text)


def holds(phrase: str, text: str) -> bool:
    """Whether the whole words of a phrase stand in a text, accents and case aside."""
    return re.search(rf"(?<!\w){re.escape(bare(phrase))}(?!\w)", bare(text)) is not None


_ASKS_IN_ENGLISH = re.compile(
    r"^(?:(?:in|at|for|from|by|with|under|on|to|and) )?(?:who|whose|what|which|when|where|why"
    r"|how|is|are"
    r"|was|were|does|did|do|can|could|please|tell|has|have|the|between)\b|\b(?:does|did|what"
    r"|which|who)\b",
    re.IGNORECASE,
)
_ASKS_IN_VIETNAMESE = re.compile(
    r"(?<!\w)(?:ai|gi|nao|bao nhieu|bao lau|bao gio|khi nao|o dau|la ai|the nao|ra sao|thi sao"
    r"|nhu nao|co duoc|khong)(?!\w)"
)


@lru_cache(maxsize=4096)
def language_of(question: str) -> str:
    """ "vi" or "en": the language a question is asked in, whatever names it holds."""
    detected = detect_language(question)
    english = _ASKS_IN_ENGLISH.search(question)
    if detected == "vi":
        vietnamese = _ASKS_IN_VIETNAMESE.search(bare(question))
        return "en" if english and not vietnamese else "vi"
    return "vi" if not english and _ASKS_IN_VIETNAMESE.search(bare(question)) else "en"


@lru_cache(maxsize=4096)
def terms(text: str) -> tuple[str, ...]:
    """Content words in their folded form, in order, without repeats."""
    plain = comparable(text)
    words = [word for word in _WORD.findall(plain) if len(word) > 1 or word.isdigit()]
    stop = FOLDED_STOP_WORDS if typed_bare(text) else STOP_WORDS
    return tuple(dict.fromkeys(fold_accents(word) for word in words if word not in stop))


def stem(term: str) -> str:
    """A word without its ending, roughly: long ones of the Latin alphabet by their beginning."""
    return term[:5] if term.isascii() and len(term) > 5 else term
