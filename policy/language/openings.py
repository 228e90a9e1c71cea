"""What is asked, without the words around it: reasons for asking, politeness, imperatives.

A message is cut into the question and its background. The background says what "she", "that
grant" or "bên đó" of the question stand for; otherwise it is left out.
"""

import re
from typing import NamedTuple

from policy.language.wording import language_of, pattern, typed_bare
from state.sentences import goes_on
from state.text import nfc

_STOP = re.compile(r"(?<=[.?!;…])\s+(?=\S)")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”")
_IN_A_TITLE = re.compile(r"!\s+(?:or|and|hay|hoặc|và)\b")
"""An exclamation mark that a question goes on after: "Which is older, Help! or Stop"."""
_SAY_EN = (
    r"(?:(?:can|could|would) (?:you|someone|anyone|somebody)(?: please)? (?:tell me|find out|say"
    r"|check)(?: about)?|(?:please )?tell me(?: about)?|i(?:['’]d| would) like to ask(?: about)?"
    r"|i(?:['’]d| would| should) (?:like|love|need) to"
    r" (?:know|understand|find out|learn)|i(?:['’]m| am) trying to (?:find out|figure out|work out)"
    r"|i (?:want|need|have) to (?:know|find out)|do you (?:happen to )?know|does anyone know"
    r"|let me know|i wonder|i(?:['’]m| am) wondering|(?:just )?wondering|any idea|may i ask"
    r"|(?:a )?(?:quick|small|short|simple) (?:question|one)|question)"
)
_SAY_VI = (
    r"(?:(?:(?:anh chị|mọi người|cả nhà|các bạn|bạn|anh|chị|ad|sếp)(?: ơi)?,? )?(?:làm ơn "
    r"|vui lòng |hãy )?(?:cho|cho phép) (?:mình|tôi"
    r"|em|anh|chị|tui|tớ|hỏi)(?: xin)?(?: (?:hỏi|biết|xem|xin))?(?: chút| tí| với)?|cho (?:hỏi"
    r"|biết|xin)|xin (?:cho )?(?:hỏi|biết)|xin thông tin(?: về)?|(?:mình|tôi|em|tớ) (?:muốn|cần"
    r"|định) (?:hỏi|biết)"
    r"|(?:làm ơn|vui lòng|hãy) (?:cho biết|nêu|kể tên)|ai biết)"
)
_HELLO = re.compile(
    r"^(?:(?:please|hi|hello|hey|so|ok(?:ay)?|well|and|now|also|um|xin chào|chào(?: bạn| mọi người"
    r"| anh chị| cả nhà)?|dạ|thưa|ạ|alo|à|ủa|ê|vậy"
    r"|thế(?! mạnh| giới| hệ| kỷ))\b[,!:.]*\s+)+(?!about\b|of\b|còn\b|thì\b"
    r"|sánh\b|với\b|sanh\b)",
    re.IGNORECASE,
)
_LEAD = rf"(?:{_SAY_EN}|{_SAY_VI})(?:[,:]| -| –| —)? (?:là |rằng |xem |that )?"
_TAIL_EN = re.compile(
    r"[, ]*(?:,? (?:please|pls|asap|thanks|thank you|thx|cheers|i gather|by the way|btw"
    r"|yes or no|exactly"
    r"|again|if you know|in pages)|, (?:do you know|any idea))$",
    re.IGNORECASE,
)
_TAIL_VI = (
    r"[, ]*(?:(?<= )(?:ạ|vậy ta|vậy|thế|nhỉ|nhé|nha|hả|z|dợ|ha|hen|a|ấy nhỉ|đấy|đây|luôn"
    r"|không biết|mọi người|anh em|anh chị|cả nhà|ad|ơi|với|để (?:em|mình|tôi) .*)"
    r"| ?\((?:(?:cho )?(?:xin |ghi |nêu )?(?:rõ )?(?:họ )?tên(?! miền| lửa| gọi| của)"
    r"[^)]*|chỉ cần [^)]*)\)"
    r"|(?<=nào), (?:họ )?tên (?:là )?gì"
    r"|, (?:cho (?:(?:em|mình|tôi|tui|tớ|anh|chị) )?xin .*"
    r"|nghe (?:nói|đâu) (?!.*(?<!\w)(?:ai|gì|nào|đâu|bao nhiêu|mấy|không|chưa|sao)(?!\w)).*"
    r"|ai biết .*|(?:em|mình|tôi) (?:mới|chưa|đang|cần)"
    r" (?!.*(?<!\w)(?:ai|gì|nào|đâu|bao nhiêu|mấy)(?!\w)).*))$"
)
_ASKS_EN = (
    r"\b(?:who|whom|whose|what|which|when|where|why|how)\b|^(?:is|are|was|were|do|does|did|can"
    r"|could|has|have|had|will|should|must|may)\b"
)
_ASKS_VI = (
    r"(?<!\w)(?:ai|gì|nào(?! đó)|đâu|bao nhiêu|bao giờ|bao lâu|bao xa|mấy|vì sao|tại sao"
    r"|làm sao|thế nào|ra sao|sao|không(?= *$)|chưa(?= *$))(?!\w)"
)
_STARTS_EN = re.compile(
    r"^(?:(?:in|at|from|for|on|with|by|to|since|under|above|below|about|of|down to|up to) )?"
    r"(?:who|whom|whose|what|which|when|where|why|how)(?:['’]s)?\b"
    r"|^(?:is|are|was|were|do|does|did|can|could|has|have|had|will|should|must)\b",
    re.IGNORECASE,
)
PERSONAL = re.compile(
    r"^(?:i\b|i['’]|we\b|we['’]|my\b|our\b|gotta\b|trying\b|looking\b|fun\b|just\b|for (?:a|an|my"
    r"|our|the (?:report|record|minutes|newsletter))\b|(?:em|mình|minh|tôi|toi|tớ) (?-i:[^A-Z])"
    r"|khách (?:hỏi|mình|em)\b|bên em\b|sếp (?:em|hỏi)\b|quick\b)",
    re.IGNORECASE,
)
_IMPERATIVE = re.compile(
    r"^(?:please )?(?:i(?:['’]m| am) looking for|looking for|need|give me|list|name|state"
    r"|show me|show|find|tell me about|tell me|provide|get me"
    r"|i need)"
    r" (?:me )?(?:out )?(?:the |all )?(?P<rest>.+)$", re.IGNORECASE,
)  # fmt: skip
_AMOUNT = re.compile(
    r"^(?:the )?(?![Aa]n? )(?P<noun>[A-Za-z-]+(?: [a-z-]+){0,2}) (?P<rest>(?:of|for|at|in|on|to"
    r"|behind) .+)$"
)
_WHETHER = re.compile(
    r"^(?:whether|if) (?P<what>(?:the |an? |my |our )?\S+(?: \S+){0,3}?) (?P<verb>is|are|was"
    r"|were|can"
    r"|has|will|may|must) (?P<rest>[^,]+)$", re.IGNORECASE,
)  # fmt: skip
_ASKS_AFTER_NOUN = re.compile(
    r"\b(?:of|in|at|for|by|to|from) (?:which|what|whom?)\b|\b(?:how|why|when|what)\b"
    r"|\bwho\b(?= \w+$|$)",
    re.IGNORECASE,
)
_PEOPLE = re.compile(
    r"^(?:winner|founder|director|rector|head|leader|author|manager|owner|member|boss|person|people"
    r"|chair|inventor|teacher|instructor|president|mayor|minister|editor|artist|trustee|captain"
    r"|speaker|judge|player|officer|doctor|nurse|trainer|lecturer|engineer|scientist)s?\b",
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
    r"|have any idea|think|recall)\b|,? (?:right|correct|ok(?:ay)?|yes|no|you know"
    r"|(?:is|are|was|were|do|does|did|has|have)n['’]t (?:it|he|she|they|that))$"
    r"|^(?:(?:bạn|anh|chị|các bạn|mọi người|ai|có ai) )+(?:có )?(?:biết|nhớ|nghe)(?!\w).*"
    r"(?:không|chưa)$|(?:đúng|phải) (?:không|chưa|chứ)(?: ạ| vậy| nhỉ)?$|(?<!\w)(?:nhỉ|hả|chứ|à)$"
)
"""Asks the reader for help, or to agree; it may tell what the next question is about."""
_NUMBERED = re.compile(
    r"^(?:(?:(?:câu(?: hỏi)?|question|q)\s*\d{1,2}\s*[:.)]|\(?\d{1,2}\)|[a-e]\)|[-•*])\s*)",
    re.IGNORECASE,
)
_PAIR = re.compile(r" (?:or|vs\.?|versus|and|hay|và|với|va|voi) ", re.IGNORECASE)
_ABOUT = re.compile(r"^(?:regarding|concerning|about|as for|as to|về|đối với) ", re.IGNORECASE)
_MARKS = "\"'“”‘’ ,;:-–—.?!…"


class Message(NamedTuple):
    """What is asked (without "?"), and what was said before it."""

    question: str
    background: str


def read_message(message: str) -> Message:
    """The question of a message and its background, both without polite words."""
    text = " ".join(nfc(message).split())
    sentences = _sentences(text)
    at = _asking(sentences)
    if at is None:
        return Message(text.strip(" .?!"), "")
    return _read(sentences, at)


def read_messages(message: str) -> list[Message]:
    """Every question of a message that stands on its own, each with what was said before it.

    "What is the budget of Aurora? Who leads it?" holds two; one that only asks to be heard
    ("Can you help me?") or to be agreed with ("…, right?") is background.
    """
    sentences = _sentences(" ".join(nfc(message).split()))
    marked = [
        at for at, one in enumerate(sentences) if _is_marked(one) and asks(_HELLO.sub("", one))
    ]
    own = [at for at in marked if not _is_chat(sentences[at])]
    if len(own) < 2:
        return [read_message(message)]
    return [
        _read(sentences[before + 1 : at + 1], at - before - 1)
        for before, at in zip((-1, *own), own, strict=False)
    ]


def _sentences(text: str) -> list[str]:
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
    return [one for one in pieces if one.strip(_MARKS)]


def _goes_on(text: str, at: int) -> bool:
    """Whether a sentence goes on behind the mark before `at`; never where a question begins."""
    if text[at - 1] == "…" or text[at - 3 : at] == "..." or _ASKS_NEXT.match(text, at):
        return False
    return goes_on(text, at, len(text)) or _IN_A_TITLE.match(text, at - 1) is not None


_ASKS_NEXT = re.compile(r"\s+(?:Who|What|Which|When|Where|Why|How|Is|Are|Does|Do|Did|Can|Ai|Khi)\b")


def _is_marked(sentence: str) -> bool:
    return sentence.rstrip("\"'”’ ").endswith("?")


def _is_chat(question: str) -> bool:
    """Whether a question is put to the reader only, or a statement that asks to be agreed with."""
    text = _HELLO.sub("", question.strip(_MARKS))
    to_the_reader = pattern(_TO_THE_READER, typed_bare(text))
    return _asks_to_be_heard(text) or to_the_reader.search(text) is not None


def _asks_to_be_heard(text: str) -> bool:
    text = text.strip(_MARKS)
    return (
        _HEARD_EN.match(text) is not None
        or pattern(_HEARD_VI, typed_bare(text)).search(text) is not None
    )


def _only_chat(sentence: str) -> bool:
    """Whether a sentence only asks to be heard, so that nothing can refer to it."""
    return _is_marked(sentence) and _asks_to_be_heard(_HELLO.sub("", sentence))


def _told(sentence: str) -> str:
    """What a sentence before the question says: "Lab Theta" of "Do you know Lab Theta?"."""
    if not _is_marked(sentence):
        return sentence
    told = _within(sentence.strip(" ?"))[0]
    explain = _EXPLAIN.match(told)
    return explain["what"] if explain else told


_EXPLAIN = re.compile(
    r"^(?:can|could|would|will) you (?:please )?(?:explain|describe|check|show|clarify"
    r"|help me with) (?P<what>.+)$",
    re.IGNORECASE,
)


def _read(sentences: list[str], at: int) -> Message:
    background = " ".join(_told(one) for one in sentences[:at] if not _only_chat(one))
    question, before = _within(sentences[at].strip(" .?!;…"))
    said, _, meant = question.rpartition(" i.e. ")
    if said and asks(meant):
        question, before = meant, f"{before} {said}".strip(" ,")
    question = _imperative(_without_tail(question))
    background = " ".join(_without_tail(part) for part in (background, before) if part)
    return Message(question, _ABOUT.sub("", background))


def asks(text: str) -> bool:
    """Whether a question word stands in a text, or it opens with an auxiliary."""
    text = text.strip(" ?.!")
    return bool(
        pattern(_ASKS_EN).search(text)
        or any(word[0].islower() or word.start() == 0
               for word in pattern(_ASKS_VI, typed_bare(text)).finditer(text)
               if language_of(text) == "vi")
    )  # fmt: skip


def _asking(sentences: list[str]) -> int | None:
    """Which sentence asks: the last that ends in "?", else the last with a question word."""
    marked = [at for at, one in enumerate(sentences) if _is_marked(one)]
    marked = [at for at in marked if not _is_chat(sentences[at])] or marked
    worded = [at for at, one in enumerate(sentences) if asks(one) or _lead(one)]
    commands = [at for at, one in enumerate(sentences) if _IMPERATIVE.match(one)]
    for found in (marked, worded, commands):
        if found:
            return found[-1]
    return len(sentences) - 1 if sentences else None


def _lead(text: str) -> re.Match[str] | None:
    return pattern(rf"(?:^|(?<=[,:;.–—-] )|(?<=\band )){_LEAD}", typed_bare(text)).search(text)


def _within(text: str) -> tuple[str, str]:
    """A sentence without what leads in to its question, and that lead-in."""
    text, before = _HELLO.sub("", text), ""
    for _ in range(3):
        lead = _lead(text)
        if lead and text[lead.end() :].strip(_MARKS) and not asks(_tailless(text[: lead.start()])):
            before = f"{before} {text[: lead.start()]}".strip()
            text = _HELLO.sub("", re.sub(r"^in [\w ]{3,20}, (?=\w)", "", text[lead.end() :]))
    for cut in re.finditer(r"(?::| -| –| —|,) (?=\S)", text):
        first, rest = text[: cut.start()], text[cut.end() :]
        personal_opening = PERSONAL.match(first)
        personal = cut[0] != ", " or personal_opening
        if _PAIR.search(first) and not personal_opening:
            continue
        if personal and asks(rest) and not asks(first) and _opens(rest, cut[0]):
            return rest, f"{before} {first}".strip(" ,")
    return text, before.strip(" ,")


def _tailless(text: str) -> str:
    return re.sub(r"\b(?:and|và)\s*$", "", text)


def _opens(rest: str, cut: str) -> bool:
    """Whether what follows a comma is a question of its own; any other mark says so itself."""
    return cut != ", " or language_of(rest) == "vi" or _STARTS_EN.match(rest) is not None


def _without_tail(text: str) -> str:
    for _ in range(4):
        shorter = _TAIL_EN.sub("", text)
        if language_of(text) == "vi":
            shorter = pattern(_TAIL_VI, typed_bare(text)).sub("", shorter)
        shorter = shorter.strip(" ,.?!")
        if shorter == text or len(shorter.split()) < 2:
            break
        text = shorter
    return text


def _imperative(text: str) -> str:
    """ "Give me the names of …" and "Population of …" as questions; Vietnamese as it is."""
    if language_of(text) == "vi" and not re.match(r"[A-Za-z ]+ of ", text):
        return text
    command = _IMPERATIVE.match(text)
    rest = command["rest"] if command else text
    if _STARTS_EN.match(rest):
        return rest
    person = re.match(r"(?:person|people|one) who (?P<what>.+)$", rest)
    if command and person:
        return f"Who {person['what']}"
    relative = re.match(r"(?P<noun>[a-z]+(?: [a-z]+)?) (?:that|which|who) (?P<what>[^,]+)$", rest)
    if command and relative:
        return f"Which {relative['noun']} {relative['what']}"
    whether = _WHETHER.match(rest)
    if whether:
        return f"{whether['verb'].capitalize()} {whether['what']} {whether['rest']}"
    if _ASKS_AFTER_NOUN.search(rest) or not (command or _AMOUNT.match(rest)):
        return rest
    rest = re.sub(r"^(?:the )?(?:names? of )?(?:the )?", "", rest, flags=re.IGNORECASE)
    rest = rest if rest[:2].isupper() else f"{rest[:1].lower()}{rest[1:]}"
    several = re.match(r"[a-z]+s\b|[\w -]+? and [\w -]+? (?:of|for) ", rest)
    word = "Who" if _PEOPLE.match(rest) else "What"
    return f"{word} {'are' if several else 'is'} the {rest}"
