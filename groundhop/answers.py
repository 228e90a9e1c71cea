"""An answer with its citations and what it cost, for people and for programs."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from groundhop.printing import command, one_line, say, show
from groundhop.progress import place

if TYPE_CHECKING:
    from graph.agent import Result

Json = dict[str, Any]


def show_answer(result: "Result", console: Console) -> None:
    """The answer and the numbered passages that it rests on."""
    show(console, result.text or "(no answer yet)")
    citations = result.answer.get("citations", [])
    if citations:
        console.print()
    for item in citations:
        lead = f"[{item['number']}] "
        show(console, place(dict(item)), lead=lead)
        show(console, f"“{one_line(item['quote'], 1000)}”", lead=" " * len(lead))


def show_status(result: "Result", home: Path | None, console: Console) -> None:
    """How the run ended and what it used; what the policy cannot do; how to see the trace."""
    console.print()
    show(console, status_line(result), style="bold")
    limits = policy_limits(result.state)
    if limits:
        show(console, limits, style="dim")
    say(console, f"trace this thread: {command(home, 'trace', result.thread)}", style="dim")


def status_line(result: "Result") -> str:
    """Status, stop rule, what was spent of the budget, and the policy that judged."""
    parts = [result.status.replace("_", " "), result.stop_reason.replace("_", " ")]
    parts += spent_of(result.state.get("budget", {}))
    names = policies(result.state)
    parts.append(f"policy: {', '.join(names)}" if names else "")
    return " · ".join(one_line(part) for part in parts if part)


def spent_of(budget: Any) -> list[str]:
    """The budget, limit by limit; seconds are those inside tool and policy calls."""
    spent, limits = budget.get("spent", {}), budget.get("limits", {})
    words = {"steps": "steps", "tool_calls": "tool calls", "model_calls": "policy calls"}
    parts = [
        f"{spent.get(name, 0)} of {limits[name]} {word}"
        for name, word in words.items()
        if name in limits
    ]
    if spent.get("one_token_calls"):
        parts.append(f"and {spent['one_token_calls']} one-token calls")
    if spent.get("tokens"):
        parts.append(f"{spent['tokens']:,} of {limits.get('tokens', 0):,} tokens")
    if spent.get("money"):
        parts.append(f"{spent['money']:.6f} in money")
    return [*parts, f"{spent.get('seconds', 0):.2f} s in calls"] if parts else []


def policies(state: Any) -> list[str]:
    """The names of the policies that planned, in order."""
    return list(dict.fromkeys(row["policy"] for row in state.get("history", []) if "policy" in row))


def policy_limits(state: Any) -> str:
    """What the policy without a model cannot do, where it was used."""
    from policy import extractive

    return extractive.LIMITS if extractive.Extractive.name in policies(state) else ""


def as_json(result: "Result") -> Json:
    """What `--json` prints."""
    return {
        "thread": result.thread,
        "status": result.status,
        "stop_reason": result.stop_reason,
        "question": result.state.get("original_question", ""),
        "answer": result.answer,
        "budget": result.state.get("budget", {}),
        "policy": policies(result.state),
        "pauses": result.pauses,
    }
