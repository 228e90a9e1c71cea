"""Help, version and the public names, all without importing the graph."""

import os
import subprocess
import sys

import pytest

from groundhop.cli import app
from groundhop.quiet import SILENT, keep_quiet
from tests.groundhop.conftest import Run

COMMANDS = [
    "ingest",
    "ask",
    "resume",
    "threads",
    "trace",
    "doctor",
    "eval",
    "prune",
    "delete",
    "fork",
    "sources",
    "show",
    "remove",
    "search",
]
NESTED = [["golden"], ["golden", "add"], ["tools"], ["tools", "approve"]]


@pytest.mark.parametrize("name", [[], *[[command] for command in COMMANDS], *NESTED])
def test_every_help_has_examples_and_fits_eighty_columns(cli: Run, name: list[str]) -> None:
    shown = cli(*name, "--help")
    assert shown.code == 0
    assert "Examples:\n" in shown.stdout
    assert max(len(line) for line in shown.stdout.splitlines()) <= 80


def test_the_help_names_every_command(cli: Run) -> None:
    assert {one.name or one.callback.__name__ for one in app.registered_commands} == set(COMMANDS)  # type: ignore[union-attr]
    assert all(f"  {command}" in cli("--help").stdout for command in COMMANDS)


def test_no_line_on_a_command_is_cut_short(cli: Run) -> None:
    shown = cli("--help").stdout
    assert "Take documents out of the knowledge base." in shown
    assert "..." not in shown.replace("[ARGS]...", "")


def test_the_version_is_printed(cli: Run) -> None:
    assert cli("--version").stdout.startswith("groundhop 0.")


@pytest.mark.parametrize("statement", ["import groundhop", "from groundhop.cli import app"])
def test_importing_loads_nothing_heavy(statement: str) -> None:
    heavy = "{'langgraph', 'langchain_core', 'chromadb', 'numpy', 'sqlalchemy', 'pydantic'}"
    check = f"{statement}; import sys; print(sorted({heavy} & set(sys.modules)))"
    loaded = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True)
    assert loaded.stdout.strip() == "[]"


def test_the_public_names_are_those_of_the_graph() -> None:
    import groundhop
    from graph.agent import Agent, Result
    from graph.context import Context
    from retrieval.errors import GroundhopError

    assert (groundhop.Agent, groundhop.Result) == (Agent, Result)
    assert (groundhop.Context, groundhop.GroundhopError) == (Context, GroundhopError)
    assert {"Agent", "Context", "Result", "GroundhopError"} <= set(dir(groundhop))
    with pytest.raises(AttributeError, match="Agenda"):
        groundhop.Agenda  # noqa: B018


def test_telemetry_is_off_unless_the_user_chose_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = {"LANGSMITH_TRACING": "true"}
    monkeypatch.setattr(os, "environ", chosen)
    keep_quiet()
    assert chosen == {**SILENT, "LANGSMITH_TRACING": "true"}
    assert SILENT["ANONYMIZED_TELEMETRY"] == "False"
