"""From a model's plan to one that code can trust: anchored, without invented tools or facts."""

import json
import re

from policy.language.decompose import decompose
from policy.language.wording import language_of, terms
from policy.llm.prompting import ADDED, Prompt, load
from policy.llm.schemas import PlannedReply, PlanReply
from policy.llm.tools import arguments_of, take_arguments
from policy.protocol import Plan, PlannedSubgoal, PlanView, ToolView
from state.anchors import hard_anchors, lost_anchors
from state.coverage import fill_in, open_placeholders, pending, solved
from state.language import detect_language
from state.text import comparable
from state.types import Json, Subgoal

MOST_WORDS = 12
"""An answer with more words is no name to search with: the model plans that hop itself."""
_OURSELVES = {"groundhop"}
_DIRECT_WORDS = 14


def plan_prompt(view: PlanView) -> Prompt:
    """The planner's instructions, with those that only some questions need."""
    wanted = {
        "plan_follow_up": bool(view["conversation"]),
        "plan_clarify": view.get("may_ask", False),
        "plan_tools": len(view["tools"]) > 1,
        "plan_arguments": take_arguments(view["tools"]),
    }
    return load("plan", *(name for name in ADDED if wanted[name]))


def unasked(view: PlanView) -> tuple[str, ...]:
    """The fields of a plan that this question has no use for: a weak model would fill them."""
    wanted = {
        "question": bool(view["conversation"] or view.get("clarified")),
        "clarify": view.get("may_ask", False),
        "subgoals.query": len(view["tools"]) > 1,
        "subgoals.tool": len(view["tools"]) > 1,
        "subgoals.arguments": take_arguments(view["tools"]),
    }
    return tuple(name for name, asked in wanted.items() if not asked)


def next_hop(view: PlanView) -> Plan | None:
    """The pending subgoals with the answers they waited for written in, where that is all it takes.

    A later hop needs no model where the plan said what it is and the answers are short.
    """
    subgoals = view["subgoals"]
    answers = {item["id"]: item.get("answer", "") for item in solved(subgoals)}
    parts = []
    for item in pending(subgoals):
        needed = open_placeholders(f"{item['question']} {item.get('query', '')}")
        if not needed or not all(one in answers for one in needed):
            continue
        if any(len(answers[one].split()) > MOST_WORDS for one in needed):
            return None
        parts.append(_made_concrete(item, subgoals))
    reason = "the answers found complete the plan" if parts else "the plan stands as it is"
    return Plan(reason=reason, route="retrieve", subgoals=parts)


def _made_concrete(item: Subgoal, subgoals: list[Subgoal]) -> PlannedSubgoal:
    return PlannedSubgoal(
        id=item["id"],
        question=fill_in(item["question"], subgoals),
        query=fill_in(item.get("query", ""), subgoals),
        tool=item.get("tool", "search_documents"),
        arguments=item.get("arguments", {}),
        depends_on=item.get("depends_on", []),
        required=item.get("required", True),
    )


def lost_by(reply: PlanReply, view: PlanView) -> str | None:
    """What is wrong with a plan: what it dropped of the question's names, numbers and conditions,
    or that it is in another language."""
    if reply.route == "direct":
        return None if is_small_talk(reply.reply, view["original_question"]) else _NOT_DIRECT
    if not reply.subgoals:
        return "subgoals is empty although the route is search"
    question = _meant(reply, view) or view["original_question"]
    planned = " ".join(f"{part.question} {part.query}" for part in reply.subgoals)
    known = " ".join(f"{item['question']} {item.get('answer', '')}" for item in view["subgoals"])
    if lost := lost_anchors(question, f"{planned} {known}"):
        return f"the subgoals lost {', '.join(lost)} of the question"
    asked = language_of(question)
    said = " ".join(part.question for part in reply.subgoals)  # a query may be a SELECT
    if len(reply.subgoals) > 1 and language_of(said) != asked:
        return f"the subgoals must be in {'Vietnamese' if asked == 'vi' else 'English'}"
    return None


def _corrected(
    subgoals: list[PlannedSubgoal], question: str, lost: bool, notes: list[str]
) -> list[PlannedSubgoal]:
    """A first plan, or what grammar makes of the question where a weak model did not cut it,
    translated it or lost a part of it; one fact that became another is the question as it was
    asked."""
    if any(part.arguments for part in subgoals):
        return subgoals
    own = decompose(question)
    said = " ".join(part.question for part in subgoals)
    told = f"{said} {' '.join(part.query for part in subgoals)}"
    kept = not lost_anchors(question, " ".join(part.question for part in own))
    uncut = any(comparable(part.question) == comparable(question) for part in subgoals)
    one, nested = len(subgoals) == 1, any(part.depends_on for part in own)
    astray = bool(subgoals) and (
        (kept and (lost or bool(lost_anchors(question, told))))
        or language_of(said) != language_of(question)
        or (one and _strays(said, question))
    )
    if len(own) > 1 and (astray or len(subgoals) < 2 or (uncut and nested)):
        notes.append("taken apart by grammar")
        return own
    if astray:
        notes.append("looked up as it was asked")
        return [PlannedSubgoal(id="s1", question=question, tool=subgoals[0].tool)]
    return subgoals


def _strays(said: str, question: str) -> bool:
    """Whether a subgoal holds less than half of the question's words, names aside."""
    named = set(terms(" ".join(hard_anchors(question))))
    words = set(terms(question)) - named
    told = detect_language(question) in ("vi", "en")  # others are not cut into words
    return told and 2 * len(words & set(terms(said))) < len(words)


def _meant(reply: PlanReply, view: PlanView) -> str:
    """The question made complete; "" where it stands alone, whatever the model makes of it."""
    return "" if "question" in unasked(view) else reply.question.strip()


_NOT_DIRECT = 'this asks for a fact, so the route must be "search" with subgoals'


def is_small_talk(reply: str, question: str) -> bool:
    """Whether a reply may leave without a source: nobody and nothing but Groundhop is named."""
    named = [*hard_anchors(_uncapitalised(question)), *hard_anchors(reply)]
    strange = [one for one in named if one.casefold() not in _OURSELVES]
    return not strange and len(question.split()) <= _DIRECT_WORDS


def _uncapitalised(question: str) -> str:
    """ "Thanks!" is no name only because it opens a sentence."""
    return question if len(question.split()) != 1 else question.casefold()


def plan_of(reply: PlanReply, view: PlanView) -> Plan:
    """The plan that code takes over, with a note in its reason for everything it changed."""
    notes = [lost] if (lost := lost_by(reply, view)) else []
    if reply.route == "direct" and not lost:
        return Plan(reason=reply.reason, route="direct", reply=reply.reply)
    names = _names(reply.subgoals, view)
    subgoals = [_part(part, names, view["tools"], notes) for part in reply.subgoals]
    if not view["subgoals"]:
        question = _meant(reply, view) or view["original_question"]
        subgoals = _corrected(subgoals, question, lost is not None, notes)
    return Plan(
        reason="; ".join([reply.reason, *notes]),
        route="retrieve",
        question=_meant(reply, view),
        subgoals=subgoals,
        clarify=reply.clarify,
    )


def _names(parts: list[PlannedReply], view: PlanView) -> dict[str, str]:
    """Ids as the state takes them (s1, s2, …), free of those that are in use."""
    known = {item["id"] for item in view["subgoals"]}
    names: dict[str, str] = {}
    number = len(known)
    for part in parts:
        if part.id in known or part.id in names:
            names.setdefault(part.id, part.id)
            continue
        number += 1
        names[part.id] = f"s{number}"
    return names


def _part(
    part: PlannedReply, names: dict[str, str], tools: list[ToolView], notes: list[str]
) -> PlannedSubgoal:
    question, query = _renamed(part.question, names), _renamed(part.query, names)
    known = [tool["name"] for tool in tools] or ["search_documents"]
    if query and (lost_anchors(question, query) or any(one in query for one in known)):
        query = ""
    if part.tool.strip() not in ("", *known):
        notes.append(f"there is no tool {part.tool.strip()!r}")
    name = part.tool.strip() if part.tool.strip() in known else known[0]
    tool = next((one for one in tools if one["name"] == name), None)
    return PlannedSubgoal(
        id=names.get(part.id, part.id),
        question=question,
        query=query,
        tool=name,
        arguments=_arguments(part, tool, names, notes),
        depends_on=[names[one] for one in part.depends_on if one in names],
    )


def _arguments(
    part: PlannedReply, tool: ToolView | None, names: dict[str, str], notes: list[str]
) -> Json:
    found = arguments_of(part, tool, notes)
    renamed: Json = json.loads(_renamed(json.dumps(found, ensure_ascii=False), names))
    return renamed


def _renamed(text: str, names: dict[str, str]) -> str:
    return re.sub(r"\{([^{}]+)\}", lambda found: f"{{{names.get(found[1], found[1])}}}", text)


def parts_of_rewrite(
    parts: list[PlannedReply], taken: str, tools: list[ToolView]
) -> list[PlannedSubgoal]:
    """The smaller facts of a decomposed subgoal, under ids that no other subgoal has."""
    names = {part.id: f"{taken}{chr(97 + number)}" for number, part in enumerate(parts)}
    return [_part(part, names, tools, []) for part in parts]
