"""What is asked, without the words around it: reasons for asking, politeness, imperatives.

A message is cut into the question and its background. The background says what "she", "that
grant" or "bên đó" of the question stand for; otherwise it is left out.
"""

import re
from itertools import pairwise
from typing import NamedTuple

from policy.language.messages import HELLO, MARKS, is_chat, is_marked, only_chat, sentences
from policy.language.wording import language_of, pattern, typed_bare
from state.text import nfc

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
_PAIR = re.compile(r" (?:or|vs\.?|versus|and|hay|và|với|va|voi) ", re.IGNORECASE)
_ABOUT = re.compile(r"^(?:regarding|concerning|about|as for|as to|về|đối với) ", re.IGNORECASE)


class Message(NamedTuple):
    """What is asked (without "?"), and what was said before it."""

    question: str
    background: str


def read_message(message: str) -> Message:
    """The question of a message and its background, both without polite words."""
    text = " ".join(nfc(message).split())
    said = sentences(text)
    at = _asking(said)
    if at is None:
        return Message(text.strip(" .?!"), "")
    return _read(said, at)


def read_messages(message: str) -> list[Message]:
    """Every question of a message that stands on its own, each with what was said before it.

    "What is the budget of Aurora? Who leads it?" holds two; one that only asks to be heard
    ("Can you help me?") or to be agreed with ("…, right?") is background.
    """
    said = sentences(" ".join(nfc(message).split()))
    marked = [at for at, one in enumerate(said) if is_marked(one) and asks(HELLO.sub("", one))]
    own = [at for at in marked if not is_chat(said[at])]
    if len(own) < 2:
        return [read_message(message)]
    return [
        _read(said[before + 1 : at + 1], at - before - 1) for before, at in pairwise((-1, *own))
    ]


def _told(sentence: str) -> str:
    """What a sentence before the question says: "Lab Theta" of "Do you know Lab Theta?"."""
    if not is_marked(sentence):
        return sentence
    told = _within(sentence.strip(" ?"))[0]
    explain = _EXPLAIN.match(told)
    return explain["what"] if explain else told


_EXPLAIN = re.compile(
    r"^(?:can|could|would|will) you (?:please )?(?:explain|describe|check|show|clarify"
    r"|help me with) (?P<what>.+)$",
    re.IGNORECASE,
)


def _read(said: list[str], at: int) -> Message:
    """The sentence of a message that asks, and what those before it tell."""
    background = " ".join(_told(one) for one in said[:at] if not only_chat(one))
    question, before = _within(said[at].strip(" .?!;…"))
    unclear, _, meant = question.rpartition(" i.e. ")
    if unclear and asks(meant):
        question, before = meant, f"{before} {unclear}".strip(" ,")
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


def _asking(said: list[str]) -> int | None:
    """Which sentence asks: the last that ends in "?", else the last with a question word."""
    marked = [at for at, one in enumerate(said) if is_marked(one)]
    marked = [at for at in marked if not is_chat(said[at])] or marked
    worded = [at for at, one in enumerate(said) if asks(one) or _lead(one)]
    commands = [at for at, one in enumerate(said) if _IMPERATIVE.match(one)]
    for found in (marked, worded, commands):
        if found:
            return found[-1]
    return len(said) - 1 if said else None


def _lead(text: str) -> re.Match[str] | None:
    return pattern(rf"(?:^|(?<=[,:;.–—-] )|(?<=\band )){_LEAD}", typed_bare(text)).search(text)


def _within(text: str) -> tuple[str, str]:
    """A sentence without what leads in to its question, and that lead-in."""
    text, before = HELLO.sub("", text), ""
    for _ in range(3):
        lead = _lead(text)
        if lead and text[lead.end() :].strip(MARKS) and not asks(_tailless(text[: lead.start()])):
            before = f"{before} {text[: lead.start()]}".strip()
            text = HELLO.sub("", re.sub(r"^in [\w ]{3,20}, (?=\w)", "", text[lead.end() :]))
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
