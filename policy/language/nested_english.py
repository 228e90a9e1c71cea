"""Questions inside English questions: relative clauses, roles and possessives, by grammar."""

import re
from typing import NamedTuple

from policy.language.english_phrases import (
    ANCHOR,
    BASE_VERB,
    BEHIND,
    CAUSE,
    COUNTRY_OF,
    DOING,
    FINITE,
    INVERTED_BE,
    INVERTED_DO,
    MANY,
    MOVED,
    OWN_VERB,
    PARTICIPLE,
    PARTICIPLE_END,
    PAST,
    PERSON,
    PLACE_OF,
    PLACE_ROLE,
    POSSESSIVE,
    REDUCED,
    REDUCED_BE,
    RELATIVE,
    ROLE,
    ROLE_OF,
    TRIVIAL,
    WH,
    WHOEVER,
)
from policy.language.kinds import is_organisation
from policy.language.questions import question_anchors
from state.coverage import PLACEHOLDER

_YES_OR_NO = re.compile(r"(?:is|are|was|were|do|does|did|can|may|must|has|have)\b", re.IGNORECASE)
_ADJUNCT = re.compile(
    r"(?:under|according to|as per|per|following|in line with) [^,]+,(?= (?:who|whom|what|which"
    r"|when|where|how|is|are|may|can|must|do|does)\b)",
    re.IGNORECASE,
)
"""A rule that a question appeals to ("Under the policy that has applied since 2025, how many")."""


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
    cause = CAUSE.match(text) is not None
    if cause and not re.match(r"why (?:did|do|does)\b", text, re.IGNORECASE):
        return None
    finders = _BY_ROLE if cause else _FINDERS
    found = [one for finder in finders for one in finder(text, name)]
    if cause:
        found = [one for one in found if text[one.end :].strip()]
    adjunct = _ADJUNCT.match(text)
    found = [one for one in found if not adjunct or one.start >= adjunct.end()]
    return max(found, key=lambda one: (one.start, -one.end), default=None)


def is_trivial(text: str) -> bool:
    """Whether a question only asks for its placeholder ("Who is {s1}")."""
    return bool(TRIVIAL.match(text.strip(" ?.")))


def _clause_end(text: str, start: int, clause: str, subject_first: bool) -> int:
    """Where a relative clause ends: before a verb that belongs to the outer question.

    `subject_first` says that the clause brings its own subject ("where Ann Lee was born"), so
    that the first verb after its name is its own.
    """
    end = start + len(clause.rstrip())
    anchor = re.compile(ANCHOR).search(text, start, end)
    if anchor is None:
        outer = "|".join(_outer_verbs(text, start)[1:]) or "$^"
        last = re.compile(rf" (?:{outer})(?: \w+)?$").search(text, start, end)
        return last.start() if last else end
    after = anchor.end() - 1
    if subject_first:
        own = OWN_VERB.search(text, anchor.end(), end)
        after = own.end() - 1 if own else end
        if own and INVERTED_DO.search(text, 0, start):
            goes_on = _ANY_VERB.match(text, own.end(), end)
            return own.end() if goes_on else _outer_verb(text, after, end)
    return _outer_verb(text, after, end)


_ANY_VERB = re.compile(
    r" (?!(?:in|on|at|by|to|from|for|with|of|as|and|or|near|the|an?|under|after|before|during|that"
    r"|which|who|when|where|while|since)\b)[a-z]+(?<!ly)(?<!ed)\b"
)
"""After the own verb of a clause, where "did" was fronted: "where he was born refuse"."""


def _outer_verb(text: str, after: int, end: int) -> int:
    verb = re.compile(rf"(?<!\bto) (?:{'|'.join(_outer_verbs(text, after))})(?!\w)")
    found = verb.search(text, after, end)
    return found.start() if found else end


def _outer_verbs(text: str, start: int) -> list[str]:
    """Forms that the outer verb can have: any finite one; the base form where "do" was fronted
    ("What did the man who runs Acme study"); a participle where "be" was.
    """
    forms = [rf"(?:and that|{FINITE}|[a-z]+s(?= {WH.pattern}))"]
    if INVERTED_DO.search(text, 0, start):
        return [*forms, BASE_VERB]
    return [*forms, PARTICIPLE_END if INVERTED_BE.match(text) else PAST]


def _behind(text: str, name: str) -> list[Found]:
    behind = [
        Found(one.start(), one.end(), f"Which {one['head']} is behind {one['clause']}?", name)
        for one in BEHIND.finditer(text)
        if not re.fullmatch(ROLE, one["head"])
    ]
    stranded = [
        Found(one.start(), one.end(), f"Which {one['head']} {one['clause']}?", name)
        for one in REDUCED_BE.finditer(text)
        if not re.fullmatch(ROLE, one["head"])
    ]
    return behind + stranded


def _reduced(text: str, name: str) -> list[Found]:
    """ "the university Acme belongs to": a relative clause without its pronoun."""
    found = []
    for match in REDUCED.finditer(text):
        if re.fullmatch(ROLE, match["head"]) or PERSON.search(match["head"]):
            continue
        if re.search(r"\b[Tt]he [a-z]+ $", text[: match.start()]):
            continue
        if INVERTED_BE.match(text) and re.fullmatch(PARTICIPLE_END, match["verb"]):
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
    found = _moved(text, name)
    for start in (match.start() for match in re.finditer(r"(?<!\w)(?=\w)", text)):
        match = WHOEVER.match(text, start) or RELATIVE.match(text, start)
        if match is None:
            continue
        own_subject = re.match(r"where$|.* which$", match["rel"]) or re.match(
            rf"(?:the [a-z]+ )?{ANCHOR}", match["clause"]
        )
        end = _clause_end(text, match.start("clause"), match["clause"], own_subject is not None)
        clause = text[match.start("clause") : end].strip()
        apposed = re.match(r"the one\b", match[0]) and re.search(r", $", text[:start])
        if apposed or not _opens_phrase(match, clause):
            continue
        question, instead = _taken_out(match, clause, name)
        found.append(Found(start, end, question, instead))
    return found


def _moved(text: str, name: str) -> list[Found]:
    """ "How much was the grant worth that bought it": the clause stands behind the outer verb."""
    found = []
    for match in MOVED.finditer(text):
        if WH.search(match["clause"]) or re.fullmatch(ROLE, match["outer"]):
            continue
        question = _relative_question(match["head"], match["rel"], match["clause"])
        found.append(Found(match.start(), match.end(), question, f"{name} {match['outer']}"))
    return found


def _opens_phrase(match: re.Match[str], clause: str) -> bool:
    """Whether a relative clause hangs on a noun phrase rather than on the question itself."""
    head = match.groupdict().get("head") or ""
    if head and (WH.match(head) or head.split(" ")[0] in _NO_HEAD):
        return False
    if WH.search(clause) or MANY.search(head):
        return False
    if re.match(r"An? ", match[0]) and not _names_something(clause):
        return False  # "An employee who joins in July" is anybody.
    return re.match(r"(?:the|a|an) |whoever|the ", match[0], re.IGNORECASE) is not None


def _names_something(clause: str) -> bool:
    """Whether a clause holds a name or placeholder; months and numbers are none."""
    return "{s" in clause or any(not one[0].isdigit() for one in question_anchors(clause))


def _taken_out(match: re.Match[str], clause: str, name: str) -> tuple[str, str]:
    """The question that a relative clause asks, and what stands in its place."""
    groups = match.groupdict()
    head = groups.get("head") or ""
    if match["rel"] == "whose":
        noun, _, rest = clause.partition(" ")
        if re.fullmatch(ROLE, noun) or re.match(r"(?:[a-z-]+ ){0,3}(?:is|was|are|were)\b", rest):
            return f"Which {head}'s {clause}?", name
        return f"Which {clause}?", f"the {head} that gave {name}"
    moved = (groups.get("moved") or "").strip()
    return _relative_question(head, match["rel"], clause), f"{name} {moved}".strip()


_NO_HEAD = frozenset(
    "is was are were did does do has have had be know say tell said so in at of by for to most "
    "least maximum minimum "
    "than".split()
)


def _relative_question(head: str, relative: str, clause: str) -> str:
    if relative in ("whoever", "the one who", "the person who"):
        return f"Who {clause}?"
    if relative == "who" or PERSON.search(head):
        return f"Who {clause}?"
    if relative == "where":
        return f"In which {head} {clause}?"
    preposition = relative.removesuffix("which").strip()
    if relative.endswith(" which"):
        return f"{preposition.capitalize()} which {head} {clause}?"
    return f"Which {head} {clause}?"


def role_question(role: str, of: str) -> str:
    """The question for whoever has a role."""
    word = "What" if PLACE_ROLE.match(role) else "Who"
    return f"{word} is the {role} of {of}?"


def _roles(text: str, name: str) -> list[Found]:
    return [
        Found(match.start(), match.end(), role_question(match["role"], match["of"]), name)
        for match in ROLE_OF.finditer(text)
        if match["the"]
        or not re.search(r"\b(?:of|as|an?|office|post|title|role) $", text[: match.start()])
    ]


def _possessives(text: str, name: str) -> list[Found]:
    return [
        Found(
            match.start(),
            match.end(),
            role_question((match["adjective"] or "") + match["role"], match["of"]),
            name,
        )
        for match in POSSESSIVE.finditer(text)
    ]


def _participles(text: str, name: str) -> list[Found]:
    return [
        Found(
            match.start(), match.end(),
            f"Which {match['head']} was {match['verb']} {match['object']}?", name,
        )
        for match in PARTICIPLE.finditer(text)
        if match.start() > 0
        and not _YES_OR_NO.match(text)
        and not re.match(ROLE, match["head"])
        and not WH.search(match["object"])
    ]  # fmt: skip


def _doing(text: str, name: str) -> list[Found]:
    """ "the woman leading Acme", "the person in charge of Acme"."""
    found = []
    for match in DOING.finditer(text):
        if match["head"].endswith(" is") or WH.search(match["object"]):
            continue
        head = re.sub(r" (?:now|currently|presently|then)$", "", match["head"])
        who = "Who" if PERSON.search(head) else f"Which {head}"
        question = f"{who} is {match['doing']} {match['object']}?"
        found.append(Found(match.start(), match.end(), question, name))
    return found


def _seats(text: str, name: str) -> list[Found]:
    """ "the town of Marrow University"; "the town of Brennick" names the town itself."""
    return [
        Found(one.start(), one.end(), f"In which {one['head']} is {one['of']}?", name)
        for one in COUNTRY_OF.finditer(text)
        if not is_trivial(f"{text[: one.start()]}{{s1}}{text[one.end() :]}")
        and not re.search(r"\d", PLACEHOLDER.sub("", one["of"]))
    ] + [
        Found(match.start(), match.end(), f"In which {match['head']} is {match['of']}?", name)
        for match in PLACE_OF.finditer(text)
        if is_organisation(match["of"]) or match["of"].startswith("{")
    ]


def is_role(noun: str) -> bool:
    """Whether a noun says what somebody or something is to another ("founder")."""
    return re.fullmatch(ROLE, noun) is not None


_BY_ROLE = (_roles, _possessives)
_FINDERS = (_relatives, _behind, _reduced, *_BY_ROLE, _participles, _doing, _seats)
"""What finds a nested question, in the order in which the earlier wins; for a cause only roles."""
