"""`groundhop trace`: how an answer, or a refusal, came about."""

import sys
from pathlib import Path
from typing import Any

from rich.text import Text
from rich.tree import Tree

from groundhop import answers
from groundhop.printing import count, one_line, out, printable, to_json
from groundhop.progress import asked, place, use_of
from groundhop.stored import stored_runs

Json = dict[str, Any]
_FIELDS = (
    "original_question",
    "resolved_question",
    "question_number",
    "status",
    "stop_reason",
    "subgoals",
    "seen_queries",
    "evidence",
    "history",
    "budget",
    "answer",
    "conversation",
)


def trace(thread: str, home: Path | None, as_json: bool) -> None:
    """Show what a thread did in its last question."""
    state, rows = _stored(home, thread)
    if as_json:
        fields = {name: state.get(name) for name in _FIELDS}
        sys.stdout.write(to_json({"thread": thread, **fields, "ledger": rows}) + "\n")
    else:
        out().print(_tree(thread, state, rows))


def _stored(home: Path | None, thread: str) -> tuple[Json, list[Json]]:
    """The state of a thread and its calls; an interrupted one has the status "interrupted"."""
    from graph.threads import UnknownThreadError, read_thread, thread_name, unfinished

    with stored_runs(home) as found:
        if found is None:
            raise UnknownThreadError(thread)
        from graph.ledger import Ledger

        store, graph = found
        snapshot = read_thread(graph, thread)
        state = {**snapshot.values}
        if unfinished(snapshot):
            state["status"] = "paused" if snapshot.interrupts else "interrupted"
        return state, Ledger(store).rows(thread_name(thread))


def _tree(thread: str, state: Json, rows: list[Json]) -> Tree:
    tree = Tree(_text(f"thread {printable(thread)}", "bold"))
    question = state.get("original_question") or state.get("question", "")
    _add(tree, f"question: {printable(question)}", "bold")
    resolved = state.get("resolved_question", "")
    if resolved and resolved != question:
        _add(tree, f"understood as: {printable(resolved)}")
    _add_subgoals(tree, state)
    evidence = {item["id"]: item for item in state.get("evidence", [])}
    steps = _add(tree, "what happened", "bold")
    for row in state.get("history", []):
        _add_row(steps, row, evidence)
    _add_answer(tree, state)
    _add_cost(tree, state, rows)
    return tree


def _add_subgoals(tree: Tree, state: Json) -> None:
    if not state.get("subgoals"):
        return
    branch = _add(tree, "subgoals", "bold")
    for item in state["subgoals"]:
        mark = {"solved": "✓", "unanswerable": "✗"}.get(item["status"], "…")
        node = _add(branch, f"{mark} {item['id']}: {printable(item['question'])}")
        if item["depends_on"]:
            _add(node, f"after {', '.join(item['depends_on'])}", "dim")
        if item["answer"]:
            _add(node, f"answer: {printable(item['answer'])}")
        elif item["reason"]:
            _add(node, f"{item['status']}: {one_line(item['reason'])}", "dim")


def _add_row(steps: Tree, row: Json, evidence: dict[str, Json]) -> None:
    """One row of the audit trail; the kinds that are listed elsewhere add nothing here."""
    match row.get("action"):
        case "plan":
            node = _add(steps, f"plan: {one_line(row['reason'])}")
            for note in row["notes"]:
                _add(node, one_line(note), "dim")
        case "searched":
            again = ", from the record" if row["replayed"] else ""
            noun = "result" if row.get("arguments") else "passage"
            node = _add(steps, f"{_asked(row)}: {count(row['hits'], noun)}{again}")
            for sentence in row["degraded"]:
                _add(node, one_line(sentence, 300), "yellow")
        case "tool_error":
            _add(steps, f"{_asked(row)} failed: {one_line(row['error'], 300)}", "red")
        case "not_allowed":
            _add(steps, f"{_asked(row)} is not allowed: {one_line(row['reason'], 300)}", "yellow")
        case "refused_by_person" | "not_affordable":
            _add(steps, f"{_asked(row)} was not made: {one_line(row['reason'], 300)}", "yellow")
        case "graded":
            _add_graded(steps, row, evidence)
        case "judged_sources":
            _add_sources(steps, row)
        case "web_step":
            text = f"web for {row['subgoal_id']}: “{one_line(row['query'])}”"
            _add(_add(steps, text), f"because {one_line(row['reason'])}", "dim")
        case "rewritten" | "refused":
            what = f"“{one_line(row['query'])}”" if row["query"] else "new subgoals"
            refused = f"; refused: {one_line(row['refusal'])}" if "refusal" in row else ""
            text = f"rewrite {row['subgoal_id']} ({row['strategy']}): {what}{refused}"
            _add(_add(steps, text), f"because {one_line(row['reason'])}", "dim")
        case "completeness":
            parts = "; ".join(item["question"] for item in row["subgoals"])
            _add(steps, f"forgotten part of the question: {one_line(parts, 500)}")
        case "not_graded" | "direct" | "refused_question" | "no_budget":
            _add(steps, f"{row['action'].replace('_', ' ')}: {one_line(row.get('reason', ''))}")


def _asked(row: Json) -> str:
    return asked(row) if row.get("arguments") else f"{asked(row)} ({row['tool']})"


def _add_graded(steps: Tree, row: Json, evidence: dict[str, Json]) -> None:
    node = _add(steps, f"grade {row['subgoal_id']}: {row['level']}, {one_line(row['reason'])}")
    for one in row["accepted"]:
        item = evidence[one]
        kept = _add(node, f"✓ {one} “{printable(item['quote'])}”", "green")
        _add(kept, place(item), "dim")
        _add(kept, one_line(item["reason"]), "dim")
    for one in row["rejected"]:
        title = one_line(one["heading"] or one["title"], 120)
        _add(node, f"✗ {title} ({one_line(one['source'])}): {one_line(one['reason'])}", "dim")


def _add_sources(steps: Tree, row: Json) -> None:
    counted = f"{count(row['sources'], 'independent source')} of {row['needed']} needed"
    node = _add(steps, f"sources {row['subgoal_id']}: {counted}")
    for item in row["judged"]:
        _add(node, f"{item['id']} {use_of(item)}", "dim")
    if row["more"]:
        _add(node, f"more is needed: {one_line(row['more'])}", "dim")


def _add_answer(tree: Tree, state: Json) -> None:
    answer = state.get("answer") or {}
    if not answer:
        _add(tree, "no answer yet", "bold")
        return
    node = _add(_add(tree, "answer", "bold"), printable(answer["text"]))
    for item in answer.get("citations", []):
        _add(node, f"[{item['number']}] {place(item)} “{one_line(item['quote'], 1000)}”")
    for sentence in answer.get("dropped", []):
        _add(node, f"left out, because no evidence holds it: {one_line(sentence)}", "dim")


def _add_cost(tree: Tree, state: Json, rows: list[Json]) -> None:
    rule = state.get("stop_reason", "").replace("_", " ")
    ended = [state.get("status", "").replace("_", " "), f"stopped by: {rule}" if rule else ""]
    spent = answers.spent_of(state.get("budget", {}))
    node = _add(tree, " · ".join(part for part in [*ended, *spent] if part), "bold")
    for row in rows:
        if row["question"] != state.get("question_number"):
            continue
        took = f"{row['finished'] - row['started']:.2f} s" if row["finished"] else "not finished"
        attempt = f", attempt {row['attempt']}" if row["attempt"] > 1 else ""
        failed = f", failed: {one_line(row['error'])}" if row["error"] else ""
        _add(node, f"{row['kind']} {printable(row['name'])}: {took}{attempt}{failed}", "dim")
    for row in state.get("history", []):
        if "cost" in row:
            _add(node, f"model in {row['node']}: {_priced(row['cost'])}", "dim")
    limits = answers.policy_limits(state)
    if limits:
        _add(tree, limits, "dim")


def _priced(cost: Json) -> str:
    """What one judgement of a model cost."""
    parts = [one_line(cost["model"], 80)]
    if cost.get("calls"):
        parts.append(count(cost["calls"], "call"))
    if cost.get("one_token_calls"):
        parts.append(count(cost["one_token_calls"], "one-token call"))
    parts.append(f"{cost.get('input_tokens', 0):,} tokens in")
    parts.append(f"{cost.get('output_tokens', 0):,} out")
    if cost.get("money"):
        parts.append(f"{cost['money']:.6f} in money")
    return ", ".join(parts) + (" (estimated)" if cost.get("estimated") else "")


def _add(tree: Tree, text: str, style: str = "") -> Tree:
    return tree.add(_text(text, style))


def _text(text: str, style: str = "") -> Text:
    return Text(printable(text), style=style)
