"""The sentences of a message: where they end, and which of them only ask to be heard."""

import re

from policy.language.wording import pattern, typed_bare
from state.sentences import goes_on

_STOP = re.compile(r"(?<=[.?!;…])\s+(?=\S)")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”")
_IN_A_TITLE = re.compile(r"!\s+(?:or|and|hay|hoặc|và)\b")
"""An exclamation mark that a question goes on after: "Which is older, Help! or Stop"."""
HELLO = re.compile(
    r"^(?:(?:please|hi|hello|hey|so|ok(?:ay)?|well|and|now|also|um|xin chào|chào(?: bạn| mọi người"
    r"| anh chị| cả nhà)?|dạ|thưa|ạ|alo|à|ủa|ê|vậy"
    r"|thế(?! mạnh| giới| hệ| kỷ))\b[,!:.]*\s+)+(?!about\b|of\b|còn\b|thì\b"
    r"|sánh\b|với\b|sanh\b)",
    re.IGNORECASE,
)
_HEARD_EN = re.compile(
    r"^(?:can|could|would|will|may|might|do|does|did|is|are|have|has) (?:you|i|we|anyone|anybody"
    r"|someone|somebody|any of you)\b(?: [a-z]+){0,4}? (?:help|ask|questions?|there|time|moment"
    r"|here|know|assist|say|look|clarify|heard?|mind|see)(?: (?:me|us|out|something|anything"
    r"|this|that|it|with|you|please|about|for|an?|quick|one|moment|second|minute|question))*$"
    r"|^(?:what|how) (?:about it|now|do you think|are you(?: doing)?|is it going)$|^(?:what|huh)$",
    re.IGNORECASE,
)
_HEARD_VI = (
    r"^(?:(?:mình|em|tôi|cho|anh|chị|bạn|ai|có|xin|các|mọi người|được) )*(?:hỏi|giúp|nhờ|rảnh|biết"
    r"|ở đó|làm phiền|tư vấn|khỏe)(?: (?:mình|em|tôi|chút|tí|với|một|câu|này|bạn|anh|chị|ai|cái"
    r"|xíu))*(?: (?:được|gì))? (?:không|chưa)(?: ạ| vậy| nhỉ)?$"
    r"|^(?:có )?ai (?:ở đây|rảnh|ở đó|biết)(?: không)?$|^sao$"
)
"""Only asks to be heard, so that nothing can refer to it."""
_TO_THE_READER = (
    r"^(?:can|could|would|will) you\b|^do(?:es)? (?:you|anyone|anybody|somebody) (?:know|remember"
    r"|have any idea|think|recall)\b|, (?:right|correct|ok(?:ay)?|yes|no|you know"
    r"|(?:is|are|was|were|do|does|did|has|have)n['’]t (?:it|he|she|they|that))$"
    r"|^(?:(?:bạn|anh|chị|các bạn|mọi người|ai|có ai) )+(?:có )?(?:biết|nhớ|nghe)(?!\w).*"
    r"(?:không|chưa)$|(?:đúng|phải) (?:không|chưa|chứ)(?: ạ| vậy| nhỉ)?$|(?<!\w)(?:nhỉ|hả|chứ|à)$"
)
"""Asks the reader for help, or to agree; it may tell what the next question is about."""
_NUMBERED = re.compile(
    r"^(?:(?:(?:câu(?: hỏi)?|question|q)\s*\d{1,2}\s*[:.)]|\(?\d{1,2}\)|[a-e]\))\s*|[-•*]\s+)",
    re.IGNORECASE,
)
MARKS = "\"'“”‘’ ,;:-–—.?!…"


def sentences(text: str) -> list[str]:
    """The sentences of a message, a title or a quotation in one piece."""
    quoted = [one.span() for one in _QUOTED.finditer(text)]
    pieces, opening = [], 0
    for stop in _STOP.finditer(text):
        at = stop.start()
        if _goes_on(text, at) or any(left < at < right for left, right in quoted):
            continue
        pieces.append(text[opening:at])
        opening = stop.end()
    pieces = [_NUMBERED.sub("", one) for one in (*pieces, text[opening:])]
    return [one for one in pieces if one.strip(MARKS)]


def _goes_on(text: str, at: int) -> bool:
    """Whether a sentence goes on behind the mark before `at`; never where a question begins."""
    if text[at - 1] == "…" or text[at - 3 : at] == "..." or _ASKS_NEXT.match(text, at):
        return False
    return goes_on(text, at, len(text)) or _IN_A_TITLE.match(text, at - 1) is not None


_ASKS_NEXT = re.compile(r"\s+(?:Who|What|Which|When|Where|Why|How|Is|Are|Does|Do|Did|Can|Ai|Khi)\b")


def is_marked(sentence: str) -> bool:
    """Whether a sentence ends in a question mark, quotation marks aside."""
    return sentence.rstrip("\"'”’ ").endswith("?")


def is_chat(question: str) -> bool:
    """Whether a question is put to the reader only, or a statement that asks to be agreed with."""
    text = HELLO.sub("", question.strip(MARKS))
    to_the_reader = pattern(_TO_THE_READER, typed_bare(text))
    return _asks_to_be_heard(text) or to_the_reader.search(text) is not None


def _asks_to_be_heard(text: str) -> bool:
    text = text.strip(MARKS)
    return (
        _HEARD_EN.match(text) is not None
        or pattern(_HEARD_VI, typed_bare(text)).search(text) is not None
    )


def only_chat(sentence: str) -> bool:
    """Whether a sentence only asks to be heard, so that nothing can refer to it."""
    return is_marked(sentence) and _asks_to_be_heard(HELLO.sub("", sentence))
