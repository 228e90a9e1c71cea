"""Making something sane of a plan: what a policy proposes, cut down by code."""

from collections.abc import Iterable
from typing import Any

from policy.protocol import Lead, PlannedSubgoal
from state.budget import affordable_searches
from state.coverage import PLACEHOLDER, fill_in, open_placeholders, ready
from state.plain import is_plain
from state.queries import normal_query, shown_arguments, was_seen
from state.types import Budget, QueuedSearch, SeenQuery, Subgoal

MAX_SUBGOALS = 8
MAX_QUERY_CHARACTERS = 500


def accept_plan(
    planned: Iterable[PlannedSubgoal],
    known: list[Subgoal],
    question: str,
    parent: str | None = None,
) -> tuple[list[Subgoal], list[str]]:
    """Updates for the state's subgoals, and a note for everything that was cut.

    Empty and repeated questions are dropped, long ones cut, dependencies on unknown or later
    subgoals and on those that wait for the same one removed, and no more than `MAX_SUBGOALS`
    kept in all. A first plan without any usable subgoal becomes the question itself.
    `parent` is the subgoal that will wait for all of `planned`.
    """
    notes: list[str] = []
    updates: dict[str, Subgoal] = {}
    by_id = {item["id"]: item for item in known}
    depends = {item["id"]: item.get("depends_on", []) for item in known}
    questions = {normal_query(item["question"]) for item in known}
    for part in planned:
        text = part.question.strip()[:MAX_QUERY_CHARACTERS]
        earlier = {one for one in depends if not {part.id, parent} & _needs(one, depends)}
        if not is_plain(part.arguments):
            part = part.model_copy(update={"arguments": {}})
            notes.append(f"dropped the arguments of {part.id!r}: they cannot be kept")
        if part.id in by_id:
            if by_id[part.id]["status"] == "pending" and text:
                updates[part.id] = _made_concrete(part, text, earlier)
                template = by_id[part.id].get("template") or by_id[part.id]["question"]
                if open_placeholders(template):
                    updates[part.id]["template"] = template
                depends[part.id] = updates[part.id]["depends_on"]
            continue
        if not text or normal_query(text) in questions or part.id in updates:
            notes.append(f"dropped subgoal {part.id!r}: empty or repeated")
        elif len(by_id) + len(updates) >= MAX_SUBGOALS:
            notes.append(f"dropped subgoal {part.id!r}: more than {MAX_SUBGOALS}")
        else:
            updates[part.id] = _new(part, text, earlier)
            depends[part.id] = updates[part.id]["depends_on"]
            questions.add(normal_query(text))
    if not known and not updates:
        updates["s1"] = _new(PlannedSubgoal(id="s1", question=question), question, set())
        notes.append("no usable subgoal planned: the question itself is searched")
    if not any(item.get("required", True) for item in [*known, *updates.values()]):
        for item in updates.values():
            item["required"] = True
        notes.append("no subgoal was required: all are")
    return list(updates.values()), notes


def follow_lead(
    lead: Lead, subgoal: Subgoal, known: list[Subgoal], evidence_ids: list[str]
) -> list[Subgoal]:
    """Updates that solve the told part of a subgoal and ask the rest in its place.

    None where the plan is full, or where the rest is nothing or what was asked before.
    """
    if not lead.rest or len(known) + len(lead.rest) > MAX_SUBGOALS:
        return []
    *before, last = renamed(lead.rest, subgoal["id"], len(known) + 1)
    asked = {normal_query(one.get("question", "")) for one in known}
    if normal_query(last.question) in asked or not last.question.strip():
        return []
    name = f"{subgoal['id']}_{len(known) + 1}"
    part = PlannedSubgoal(id=name, question=lead.part, depends_on=subgoal.get("depends_on", []))
    told: Subgoal = {
        **_new(part, lead.part[:MAX_QUERY_CHARACTERS], set(part.depends_on)),
        "status": "solved",
        "answer": lead.answer,
        "reason": "a passage tells this part",
        "evidence_ids": evidence_ids,
    }
    ids = {item["id"] for item in known} | {name}
    between = [_new(one, one.question, ids | {other.id for other in before}) for one in before]
    needs = [name, *(one["id"] for one in between)]
    rest: Subgoal = {
        "id": subgoal["id"],
        "question": last.question[:MAX_QUERY_CHARACTERS],
        "query": last.query[:MAX_QUERY_CHARACTERS],
        "depends_on": list(dict.fromkeys([*subgoal.get("depends_on", []), *needs])),
        "status": "pending",
        "answer": "",
    }
    dropped: list[Subgoal] = [
        {
            "id": item["id"],
            "status": "unanswerable",
            "required": False,
            "reason": "the question was taken apart in another way",
        }
        for item in known
        if lead.instead and item["status"] == "pending" and item["id"] != subgoal["id"]
    ]
    return [told, *between, *dropped, rest]


def renamed(parts: list[PlannedSubgoal], parent: str, taken: int) -> list[PlannedSubgoal]:
    """The parts under ids of their own: who proposed them does not see which are taken."""
    names = {part.id: f"{parent}_{taken + number}" for number, part in enumerate(parts, 1)}

    def rename(text: str) -> str:
        return PLACEHOLDER.sub(lambda found: f"{{{names.get(found[1], found[1])}}}", text)

    return [
        part.model_copy(
            update={
                "id": names[part.id],
                "question": rename(part.question),
                "query": rename(part.query),
                "depends_on": [names.get(one, one) for one in part.depends_on],
            }
        )
        for part in parts
    ]


def _needs(name: str, depends: dict[str, list[str]]) -> set[str]:
    """A subgoal and all that it waits for."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += depends.get(one, [])
    return found


def _new(part: PlannedSubgoal, text: str, earlier: set[str]) -> Subgoal:
    leaned_on = open_placeholders(f"{text} {shown_arguments(part.arguments)}")
    wanted = dict.fromkeys([*part.depends_on, *leaned_on])
    needed = [one for one in wanted if one in earlier]
    return {
        "id": part.id,
        "question": text,
        "query": part.query.strip()[:MAX_QUERY_CHARACTERS],
        "tool": part.tool,
        **_arguments(part),
        "status": "pending",
        "required": part.required,
        **({"important": True} if part.important else {}),
        "depends_on": needed,
        "answer": "",
        "reason": "",
        "evidence_ids": [],
        "rewrites": 0,
    }


def _made_concrete(part: PlannedSubgoal, text: str, earlier: set[str]) -> Subgoal:
    fresh = _new(part, text, earlier)
    return {
        "id": part.id,
        "question": text,
        "query": fresh["query"],
        "tool": part.tool,
        **_arguments(part),
        "depends_on": fresh["depends_on"],
    }


def _arguments(part: PlannedSubgoal) -> Subgoal:
    return {"arguments": part.arguments} if part.arguments else {}


def next_round(
    subgoals: list[Subgoal], seen: list[SeenQuery], budget: Budget
) -> list[QueuedSearch]:
    """The searches that are ready, new and affordable, at most one a subgoal."""
    queue = [
        search
        for item in ready(subgoals)
        if (search := search_for(item, subgoals)) and not _known(search, seen)
    ]
    return queue[: affordable_searches(budget)]


def search_for(item: Subgoal, subgoals: list[Subgoal]) -> QueuedSearch:
    """What is searched for a subgoal: its query, or else its question, with answers filled in.

    A call with arguments of its own is known by them: they stand in the place of the query.
    """
    tool = item.get("tool", "search_documents")
    if arguments := item.get("arguments"):
        filled = filled_in(arguments, subgoals)
        query = shown_arguments(filled)[:MAX_QUERY_CHARACTERS]
        return {"subgoal_id": item["id"], "query": query, "tool": tool, "arguments": filled}
    query = fill_in(item.get("query") or item["question"], subgoals)
    return {"subgoal_id": item["id"], "query": query[:MAX_QUERY_CHARACTERS], "tool": tool}


def filled_in(value: Any, subgoals: list[Subgoal]) -> Any:
    """Arguments with answers filled in, in every text of them."""
    if isinstance(value, str):
        return fill_in(value, subgoals)
    if isinstance(value, dict):
        return {name: filled_in(one, subgoals) for name, one in value.items()}
    return [filled_in(one, subgoals) for one in value] if isinstance(value, list) else value


def untried(subgoals: list[Subgoal], seen: list[SeenQuery]) -> list[Subgoal]:
    """Ready subgoals whose present query was not searched yet."""
    return [item for item in ready(subgoals) if not _known(search_for(item, subgoals), seen)]


def _known(search: QueuedSearch, seen: list[SeenQuery]) -> bool:
    return was_seen(search["query"], search["tool"], search["subgoal_id"], seen)
