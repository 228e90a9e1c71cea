"""Pruning, deleting and forking threads, and replying to pauses, on the command line."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from groundhop import ask
from tests.graph.scenes import QUESTION, TEXT, Documents, agent_on, honest_script
from tests.groundhop.conftest import Run
from tests.nodes.scripting import Search, planned, rewritten

Scripted = Callable[..., None]


def approving(home: Path, monkeypatch: object, *, ambiguous: bool = False) -> None:
    """Lets `ask` and `resume` use a tool that needs approval."""
    home.mkdir(exist_ok=True)

    def plan(view: dict) -> object:
        if ambiguous and "clarified" not in view:
            return planned(QUESTION, clarify=["Lab Delta ở Huế?", "Lab Delta ở Hà Nội?"])
        return planned(view.get("clarified", QUESTION))

    def open_agent(_: object) -> object:
        search = Search(Documents(d=TEXT).found).tool()
        tool = replace(search, needs_approval=not ambiguous)
        script = honest_script(plan=plan, rewrite=lambda view: rewritten("Lab Delta"))
        return agent_on(home, script, tool)

    monkeypatch.setattr(ask, "open_agent", open_agent)  # type: ignore[attr-defined]


def test_a_tool_is_approved_by_resuming(cli: Run, home: Path, monkeypatch: object) -> None:
    approving(home, monkeypatch)
    paused = cli("ask", QUESTION, "--thread", "t")
    assert paused.code == 4
    assert f"May search_documents be called with “{QUESTION}”?" in paused.said
    assert "groundhop resume t --approve" in paused.said
    assert paused.stdout == ""
    assert "paused" in cli("threads").stdout
    answered = cli("resume", "t", "--approve")
    assert answered.code == 0
    assert TEXT in answered.stdout


def test_a_call_is_refused_or_edited_by_resuming(cli: Run, home: Path, monkeypatch: object) -> None:
    approving(home, monkeypatch)
    cli("ask", QUESTION, "--thread", "t")
    assert cli("resume", "t", "--query", "Người lập Lab Delta").code == 0
    cli("ask", QUESTION, "--thread", "u")
    assert cli("resume", "u", "--approve", "--refuse", "không").code == 2
    refused = json.loads(cli("resume", "u", "--refuse", "dữ liệu mật", "--json").stdout)
    assert refused["status"] == "paused", "the rewrite asks again"


def test_an_ambiguous_question_shows_its_readings(
    cli: Run, home: Path, monkeypatch: object
) -> None:
    approving(home, monkeypatch, ambiguous=True)
    paused = cli("ask", QUESTION, "--thread", "t", "--pause")
    assert paused.code == 4
    assert "2: Lab Delta ở Hà Nội?" in paused.said
    assert "groundhop resume t --pause --choose 1" in paused.said
    assert cli("resume", "t", "--pause", "--choose", "2").code == 0


def test_a_used_up_budget_says_how_to_go_on(cli: Run, scripted: Scripted) -> None:
    scripted(refusal="không liên quan")
    ended = cli("ask", QUESTION, "--thread", "t", "--steps", "1")
    assert ended.code == 3
    assert "groundhop resume t --add-steps 4" in ended.said
    extended = cli("resume", "t", "--add-steps", "1")
    assert "The budget of thread t is extended by 1 step." in extended.said
    assert extended.code == 3


def test_a_paused_budget_is_extended_without_asking_for_pauses_again(
    cli: Run, scripted: Scripted
) -> None:
    scripted(refusal="không liên quan")
    paused = cli("ask", QUESTION, "--thread", "t", "--steps", "1", "--pause")
    assert paused.code == 4
    extended = cli("resume", "t", "--add-steps", "1")
    assert "steps: 2 allowed, all used" in extended.said, "one more step was made"


def test_threads_are_pruned_and_deleted(cli: Run, scripted: Scripted) -> None:
    scripted()
    for thread in ("a", "b"):
        cli("ask", QUESTION, "--thread", thread)
    assert "0 threads pruned" in cli("prune", "--older-than", "1").said
    assert "2 threads pruned" in cli("prune").said
    assert cli("resume", "a").code == 0
    assert "1 thread deleted" in cli("delete", "a").said
    missing = cli("delete", "b", "a")
    assert missing.code == 2
    assert "There is no thread 'a'" in missing.said
    assert "b" in cli("threads").stdout, "nothing is deleted where one name is wrong"


def test_a_thread_is_forked_at_a_moment(cli: Run, scripted: Scripted) -> None:
    scripted()
    cli("ask", QUESTION, "--thread", "a")
    listed = cli("fork", "a")
    assert "1 decide plan, then retrieve" in listed.said
    forked = cli("fork", "a", "--at", "1")
    name = forked.stdout.split()[-1]
    assert forked.stdout.strip().endswith(f"groundhop resume {name}")
    assert cli("resume", name).code == 0
    assert cli("fork", "a", "--at", "99").code == 2
    assert cli("fork", "a", "--without", "e9").code == 2
    assert cli("fork", "a", "--query", "s1").code == 2


def test_where_nothing_was_asked_there_is_nothing_to_keep(cli: Run) -> None:
    assert "There are no threads yet" in cli("prune").said
    assert cli("delete", "a").code == 2
    assert cli("fork", "a").code == 2
