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
_PLAIN = r"(?!(?:of|the|an?|in|on|at|for|to|and|or|by|with|from|about)\b)[a-z][\w-]*"
_CAPITAL = rf"[{UPPER}0-9][\w'’.-]*"
_ANCHOR = rf"(?:\{{s\d\}}|{_CAPITAL}(?: (?:of |the |de |van )?{_CAPITAL})*(?: \([^)]*\))?)"
_TAIL_NOUN = (
    r"(?:project|lab|laboratory|team|group|study(?= \w)|department|company|programme|program"
    r"|grant|policy|foundation|university|office|award|prize|event|conference|instrument|service"
    r"|sensor|unit|division|section|band|series|novel|film|school|hospital|club|line|fleet|works)"
)
_TAIL = rf"(?: (?:[a-z-]+ ){{0,2}}?{_TAIL_NOUN}\b)?"
_FINITE = (
    r"(?:is|are|was|were|has|have|had|does|did|do|can|could|will|would|should|may|might|must"
    r"|used to|came|went|became)"
)
_BASE_VERB = (
    r"(?:get|take|study|work|live|die|graduate|go|grow|come|attend|receive|win|earn|belong|start"
    r"|begin|end|open|employ|lie|stand|weigh|cost|have|hold|make|give|join|leave|report|sit|use"
    r"|sell|pay|charge|speak|play|write|teach|lead|run|own|produce|release|retire|marry|move"
    r"|measure|carry|last|need|offer|provide|serve|become|call|appear|flow|rise|border|sign|record"
    r"|found|establish|develop|build|buy|fund|spend|employ|read|meet|host|train|export|stop)"
)
_PARTICIPLE_END = (
    r"(?:born|founded|established|located|based|headquartered|built|published|set up|educated"
    r"|opened|created|situated|buried|made|held|named|called|paid|signed|completed|launched"
    r"|formed|written|released|developed|funded|killed|elected|married|trained|kept|stored)"
)
_INVERTED_BE = re.compile(
    r"^(?:(?:in|at|from|for|on|by|to|since) )?(?:where|when|why|who|whom|how(?: \w+)?"
    r"|(?:which|what)(?: [\w-]+){1,3}?)"
    r" (?:is|was|are|were|has|have)\b", re.IGNORECASE,
)  # fmt: skip
_PAST = r"(?:(?!led\b|used\b)[a-z]+ed|won|died|ran|took|got|left|began|wrote|sold|met|gave|stood|lay)"
_OWN_VERB = re.compile(
    rf" (?:{_FINITE}|[a-z]+(?:s|ed)|studied|won|built|made|gave)\b(?: {_PARTICIPLE_END}| [a-z]+ed)?"
)
_INVERTED_DO = re.compile(r"\b(?:did|does|do)\b", re.IGNORECASE)
_RELATIVE = re.compile(
    rf"(?:\b(?:[Tt]he|[Aa]n?) )?(?P<head>(?:{_NOUN} ){{0,2}}?(?!of\b|in\b|at\b|by\b|for\b|to\b){_NOUN})"
    r" (?P<moved>(?:born|founded|established|located|built|published|opened) )?"
    r"(?P<rel>that|who|which|whose|where|(?:at|in|from|for|with|by|to|under) which) "
    r"(?P<clause>[^,?]+)"
)
_WHOEVER = re.compile(
    r"\b(?P<rel>whoever|the one who|the person who|the people who) (?P<clause>[^,?]+)"
)
_PARTICIPLE = re.compile(
    rf"\b(?:the|a|an) (?P<head>{_NOUN}(?: {_NOUN})?) (?P<verb>(?:\w{{2,}}ed|led|built|run|made|won|"
    rf"written|given|held|sold|lent|sent|bought|taught|shot|drawn|cast|set up) (?:by|in|at|with|for"
    rf"|to|as|from|after|near|out by)) (?P<object>(?:the )?{_ANCHOR}(?:(?<=['’]s) [a-z-]+)?{_TAIL})"
)
_ROLE_OF = re.compile(
    rf"\b(?P<the>[Tt]he )?(?P<role>(?:(?:current|main|first|former|present|direct|chief|head) )?{ROLE})"
    rf" (?:of|at|for|behind) (?P<of>(?:the )?(?:(?!that\b|who\b|which\b"
    rf"|of\b){_NOUN} ){{0,3}}?{_ANCHOR}"
    rf"(?:['’]s?)?{_TAIL}(?:(?<=['’]s)(?: {_NOUN}){{1,2}}?(?= (?:used|was|is|did|had|has|{_BASE_VERB})\b"
    rf"|[?,]|$))?)"
)
_REDUCED = re.compile(
    rf"\b[Tt]he (?P<head>{_PLAIN}(?: {_PLAIN})?) (?P<clause>(?P<who>(?:the [a-z]+ )?{_ANCHOR}) (?P<verb>(?!{_FINITE}\b)"
    rf"[a-z]{{3,}}(?<!ss)(?:s|ed))\b(?! {_FINITE}\b)(?P<rest>[^,?]*))"
)
_BEHIND = re.compile(rf"\b[Tt]he (?P<head>{_NOUN}) behind (?P<clause>(?:the )?{_ANCHOR}{_TAIL})")
_POSSESSIVE = re.compile(
    rf"(?P<of>(?:the )?{_ANCHOR})['’]s? (?P<adjective>(?:previous|former|first|last|current|direct|"
    rf"old) )?(?P<role>{ROLE})(?!\w)"
)
_TRIVIAL = re.compile(
    r"^(?:(?:who|what|which(?: \w+){1,2})[ '’])?(?:is|was|are|were|has been|s)? ?(?:the )?"
    r"(?:name of )?\{s\d\}"
    r"(?: called| named)?(?: (?:now|today|before|currently|previously|earlier))?"
    r"(?: (?:is|was) (?:who|what|which \w+))?$",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"(?:person|man|woman|scientist|researcher|engineer|one|individual|employee|people|official)$"
)
_PLACE_ROLE = re.compile(r"^(?:birthplace|alma mater|headquarters|capital|employer|record label)$")
_CAUSE = re.compile(r"^(?:why\b|what (?:caused|was to blame|made|led to))", re.IGNORECASE)
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
    if _CAUSE.match(text):
        return None
    found = [
        one
        for finder in (_relatives, _behind, _reduced, _roles, _possessives, _participles)
        for one in finder(text, name)
    ]
    return max(found, key=lambda one: (one.start, -one.end), default=None)


def is_trivial(text: str) -> bool:
    """Whether a question only asks for its placeholder ("Who is {s1}")."""
    return bool(_TRIVIAL.match(text.strip(" ?.")))


def _clause_end(text: str, start: int, clause: str, subject_first: bool) -> int:
    """Where a relative clause ends: before a verb that belongs to the outer question.

    `subject_first` says that the clause brings its own subject ("where Ann Lee was born"), so
    that the first verb after its name is its own.
    """
    end = start + len(clause.rstrip())
    anchor = re.compile(_ANCHOR).search(text, start, end)
    if anchor is None:
        outer = "|".join(_outer_verbs(text, start)[1:]) or "$^"
        last = re.compile(rf" (?:{outer})(?: \w+)?$").search(text, start, end)
        return last.start() if last else end
    after = anchor.end() - 1
    if subject_first:
        own = _OWN_VERB.search(text, anchor.end(), end)
        after = own.end() - 1 if own else end
    return _outer_verb(text, after, end)


def _outer_verb(text: str, after: int, end: int) -> int:
    verb = re.compile(rf"(?<!\bto) (?:{'|'.join(_outer_verbs(text, after))})(?!\w)")
    found = verb.search(text, after, end)
    return found.start() if found else end


def _outer_verbs(text: str, start: int) -> list[str]:
    """Forms that the outer verb can have: any finite one; the base form where "do" was fronted
    ("What did the man who runs Acme study"); a participle where "be" was.
    """
    forms = [rf"(?:and that|{_FINITE})"]
    if _INVERTED_DO.search(text, 0, start):
        return [*forms, _BASE_VERB]
    return [*forms, _PARTICIPLE_END if _INVERTED_BE.match(text) else _PAST]


def _behind(text: str, name: str) -> list[Found]:
    return [
        Found(one.start(), one.end(), f"Which {one['head']} is behind {one['clause']}?", name)
        for one in _BEHIND.finditer(text)
        if not re.fullmatch(ROLE, one["head"])
    ]


def _reduced(text: str, name: str) -> list[Found]:
    """ "the university Acme belongs to": a relative clause without its pronoun."""
    found = []
    for match in _REDUCED.finditer(text):
        if re.fullmatch(ROLE, match["head"]) or _PERSON.search(match["head"]):
            continue
        if re.search(r"\b[Tt]he [a-z]+ $", text[: match.start()]):
            continue
        end = _outer_verb(text, match.end("verb"), match.start("rest") + len(match["rest"]))
        rest = text[match.start("rest") : end].rstrip()
        verb = match["verb"]
        if verb.endswith("s"):
            base = re.sub(r"ies$", "y", verb) if verb.endswith("ies") else verb[:-1]
            question = f"Which {match['head']} does {match['who']} {base}{rest}?"
        else:
            question = f"Which {match['head']} {match['who']} {verb}{rest}?"
        found.append(Found(match.start(), end, question, name))
    return found


def _relatives(text: str, name: str) -> list[Found]:
    found = []
    for start in (match.start() for match in re.finditer(r"(?<!\w)(?=\w)", text)):
        match = _WHOEVER.match(text, start) or _RELATIVE.match(text, start)
        if match is None:
            continue
        own_subject = re.match(r"where$|.* which$", match["rel"]) or re.match(
            rf"(?:the [a-z]+ )?{_ANCHOR}", match["clause"]
        )
        end = _clause_end(text, match.start("clause"), match["clause"], own_subject is not None)
        clause = text[match.start("clause") : end].strip()
        if not _opens_phrase(match, clause):
            continue
        question, instead = _taken_out(match, clause, name)
        found.append(Found(start, end, question, instead))
    return found


def _opens_phrase(match: re.Match[str], clause: str) -> bool:
    """Whether a relative clause hangs on a noun phrase rather than on the question itself."""
    head = match.groupdict().get("head") or ""
    if head and (_WH.match(head) or head.split(" ")[0] in _NO_HEAD):
        return False
    if _WH.search(clause):
        return False
    return re.match(r"(?:the|a|an) |whoever|the ", match[0], re.IGNORECASE) is not None


def _taken_out(match: re.Match[str], clause: str, name: str) -> tuple[str, str]:
    """The question that a relative clause asks, and what stands in its place."""
    groups = match.groupdict()
    head = groups.get("head") or ""
    if match["rel"] == "whose":
        noun, _, rest = clause.partition(" ")
        if re.fullmatch(ROLE, noun) or re.match(r"(?:is|was|are|were)\b", rest):
            return f"Which {head}'s {clause}?", name
        return f"Which {clause}?", f"the {head} that gave {name}"
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
    if relative == "where":
        return f"In which {head} {clause}?"
    preposition = relative.removesuffix("which").strip()
    if relative.endswith(" which"):
        return f"{preposition.capitalize()} which {head} {clause}?"
    return f"Which {head} {clause}?"


def role_question(role: str, of: str) -> str:
    """The question for whoever has a role."""
    word = "What" if _PLACE_ROLE.match(role) else "Who"
    return f"{word} is the {role} of {of}?"


def _roles(text: str, name: str) -> list[Found]:
    return [
        Found(match.start(), match.end(), role_question(match["role"], match["of"]), name)
        for match in _ROLE_OF.finditer(text)
        if match["the"] or not re.search(r"\b(?:of|as|an?|office|post|title|role) $",
                                         text[: match.start()])
    ]


def _possessives(text: str, name: str) -> list[Found]:
    return [
        Found(
            match.start(),
            match.end(),
            role_question((match["adjective"] or "") + match["role"], match["of"]),
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


def is_role(noun: str) -> bool:
    """Whether a noun says what somebody or something is to another ("founder")."""
    return re.fullmatch(ROLE, noun) is not None
