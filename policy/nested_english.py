"""Questions inside English questions: relative clauses, roles and possessives, by grammar."""

import re
from typing import NamedTuple

from policy.wording import UPPER

ROLE = (
    r"(?:co-?founder|founder|director|head|leader|manager|employer|supervisor|boss|author|writer"
    r"|inventor|developer|creator|maker|builder|designer|owner|funder|sponsor|president|chair"
    r"|chairman|chairwoman|chairperson|rector|principal|dean|ceo|chief executive|captain"
    r"|instructor|teacher|trainer|mentor|advisor|adviser|winner|recipient|successor|predecessor"
    r"|father|mother|parent|spouse|wife|husband|son|daughter|brother|sister|birthplace|alma mater"
    r"|headquarters|capital|supplier|manufacturer|publisher|composer|performer|operator"
    r"|line manager"
    r"|product owner|team lead|editor|coach|architect|deputy|parent company|record label)"
)
_NOUN = r"[a-zà-ỹ][\w-]*"
_CAPITAL = rf"[{UPPER}0-9][\w'’.-]*"
_ANCHOR = rf"(?:\{{s\d\}}|{_CAPITAL}(?: (?:of |the |de |van )?{_CAPITAL})*(?: \([^)]*\))?)"
_TAIL_NOUN = (
    r"(?:project|lab|laboratory|team|group|study(?= \w)|department|company|programme|program"
    r"|grant|policy"
    r"|foundation|university|office|award|prize|event|conference|instrument|service|sensor)"
)
_STRANDED = re.compile(
    r" (?:born|founded|established|located|based|headquartered|built|published|set up|educated"
    r"|opened|created|situated|studied|buried|(?:study|work|live|die|graduate|go|grow up|come"
    r"|attend|receive|win|earn|belong|start|begin|end|open|employ|lie|stand|weigh|cost|get)"
    r"(?: (?:from|to|in|at|for|of|on|with|before))?)$"
)
_PASSIVE = re.compile(
    r"(?<! is)(?<! was)(?<! were) (?:born|founded|established|located|based|headquartered|built"
    r"|opened)$"
)
_INVERTED = re.compile(
    r"^(?:(?:in|at|from|for|on) )?(?:where|when|why|how(?: \w+)?|(?:which|what)(?: [\w-]+){1,3}?)"
    r" (?:is|was|are|were|did|does|do|has|have)\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    rf"(?:\b(?:the|a|an) )?(?P<head>(?:{_NOUN} ){{0,2}}?(?!of\b|in\b|at\b|by\b|for\b|to\b){_NOUN})"
    r" (?P<moved>(?:born|founded|established|located|built|published|opened) )?"
    r"(?P<rel>that|who|which|whose|behind|where|(?:at|in|from|for|with|by|to|under) which) "
    r"(?P<clause>[^,?]+)"
)
_WHOEVER = re.compile(
    r"\b(?P<rel>whoever|the one who|the person who|the people who) (?P<clause>[^,?]+)"
)
_PARTICIPLE = re.compile(
    rf"\b(?:the|a|an) (?P<head>{_NOUN}(?: {_NOUN})?) (?P<verb>(?:\w{{2,}}ed|led|built|run|made|won|"
    rf"written|given|held|sold|set up) (?:by|in|at|with|for|to|as|out by)) (?P<object>{_ANCHOR}"
    rf"(?: {_TAIL_NOUN})?)"
)
_ROLE_OF = re.compile(
    rf"\b(?:[Tt]he )?(?P<role>(?:(?:current|main|first|former|present|direct|chief|head) )?{ROLE})"
    rf" (?:of|at|for|behind) (?P<of>(?:the )?(?:(?!that\b|who\b|which\b"
    rf"|of\b){_NOUN} ){{0,3}}?{_ANCHOR}"
    rf"(?:['’]s?)?(?: {_TAIL_NOUN})*(?:(?<=['’]s)(?: {_NOUN}){{1,2}}?(?= (?:used|was|is|did|had"
    rf"|has|"
    r"work|come|stud|live|grow)|[?,]|$))?)"
)
_POSSESSIVE = re.compile(
    rf"(?P<of>(?:the )?{_ANCHOR})['’]s? (?P<adjective>(?:previous|former|first|last|current|direct|"
    rf"old) )?(?P<role>{ROLE})(?!\w)"
)
_TRIVIAL = re.compile(
    r"^(?:(?:who|what|which(?: \w+){1,2})[ '’])?(?:is|was|are|were|has been|s)? ?(?:the )?\{s\d\}"
    r"(?: called| named)?(?: (?:now|today|before|currently|previously|earlier))?"
    r"(?: (?:is|was) (?:who|what|which \w+))?$",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"(?:person|man|woman|scientist|researcher|engineer|one|individual|employee|people|official)$"
)
_PLACE_ROLE = re.compile(r"^(?:birthplace|alma mater|headquarters|capital|employer|record label)$")
_WH = re.compile(r"\b(?:who|whom|what|which|when|where|how|why)\b", re.IGNORECASE)


class Found(NamedTuple):
    """A nested question: the span it takes, itself, and what stands in the span's place."""

    start: int
    end: int
    question: str
    instead: str


def innermost(text: str, name: str) -> Found | None:
    """The innermost noun phrase of a question that is a question of its own.

    `name` is the placeholder ("{s1}") for its answer. The text has no final "?".
    """
    found = [
        one
        for finder in (_relatives, _roles, _possessives, _participles)
        for one in finder(text, name)
    ]
    return max(found, key=lambda one: (one.start, -one.end), default=None)


def is_trivial(text: str) -> bool:
    """Whether a question only asks for its placeholder ("Who is {s1}")."""
    return bool(_TRIVIAL.match(text.strip(" ?.")))


def _clause_end(text: str, start: int, clause: str, prepositional: bool) -> int:
    """Where a relative clause ends: before a verb that belongs to the outer question."""
    end = start + len(clause.rstrip())
    stranded = (_PASSIVE if prepositional else _STRANDED).search(text, start, end)
    if stranded and _INVERTED.match(text) and _has_anchor(text[start : stranded.start()]):
        return stranded.start()
    return end


def _has_anchor(text: str) -> bool:
    return re.search(_ANCHOR, text) is not None


def _relatives(text: str, name: str) -> list[Found]:
    found = []
    for start in (match.start() for match in re.finditer(r"(?<!\w)(?=\w)", text)):
        match = _WHOEVER.match(text, start) or _RELATIVE.match(text, start)
        if match is None or not _opens_phrase(match, start):
            continue
        prepositional = match["rel"].endswith(" which") or match["rel"] == "where"
        end = _clause_end(text, match.start("clause"), match["clause"], prepositional)
        clause = text[match.start("clause") : end].strip()
        question, instead = _taken_out(match, clause, name)
        found.append(Found(start, end, question, instead))
    return found


def _opens_phrase(match: re.Match[str], start: int) -> bool:
    """Whether a relative clause hangs on a noun phrase rather than on the question itself."""
    head = match.groupdict().get("head") or ""
    if head and (_WH.match(head) or head.split(" ")[0] in _NO_HEAD):
        return False
    if _WH.search(match["clause"]):
        return False
    return re.match(r"(?:the|a|an) |whoever|the ", match[0], re.IGNORECASE) is not None


def _taken_out(match: re.Match[str], clause: str, name: str) -> tuple[str, str]:
    """The question that a relative clause asks, and what stands in its place."""
    groups = match.groupdict()
    head = groups.get("head") or ""
    if match["rel"] == "whose":
        return _whose_question(clause), f"the {head} that gave {name}"
    moved = (groups.get("moved") or "").strip()
    return _relative_question(head, match["rel"], clause), f"{name} {moved}".strip()


_NO_HEAD = frozenset(
    "is was are were did does do has have had be know say tell said so in at of by for to "
    "than".split()
)


def _relative_question(head: str, relative: str, clause: str) -> str:
    if relative in ("whoever", "the one who", "the person who", "the people who"):
        return f"Who {clause}?"
    if relative == "who" or _PERSON.search(head):
        return f"Who {clause}?"
    if relative == "behind":
        return f"Which {head} is behind {clause}?"
    if relative == "where":
        return f"In which {head} {clause}?"
    preposition = relative.removesuffix("which").strip()
    if relative.endswith(" which"):
        return f"{preposition.capitalize()} which {head} {clause}?"
    return f"Which {head} {clause}?"


def _whose_question(clause: str) -> str:
    noun, _, rest = clause.partition(" ")
    return f"Who {rest}?" if re.fullmatch(ROLE, noun) else f"Which {noun} {rest}?"


def _role_question(role: str, of: str) -> str:
    word = "What" if _PLACE_ROLE.match(role) else "Who"
    return f"{word} is the {role} of {of}?"


def _roles(text: str, name: str) -> list[Found]:
    return [
        Found(match.start(), match.end(), _role_question(match["role"], match["of"]), name)
        for match in _ROLE_OF.finditer(text)
    ]


def _possessives(text: str, name: str) -> list[Found]:
    return [
        Found(
            match.start(),
            match.end(),
            _role_question((match["adjective"] or "") + match["role"], match["of"]),
            name,
        )
        for match in _POSSESSIVE.finditer(text)
    ]


def _participles(text: str, name: str) -> list[Found]:
    return [
        Found(
            match.start(), match.end(),
            f"Which {match['head']} was {match['verb']} {match['object']}?", name,
        )
        for match in _PARTICIPLE.finditer(text)
        if match.start() > 0 and not re.match(ROLE, match["head"])
    ]  # fmt: skip
