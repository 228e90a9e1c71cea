"""What `ask` and `trace` say of sources, and the tools that no command starts with."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.groundhop.conftest import Outcome
from tests.groundhop.scripts import SOURCE, TEXT

QUESTION = "Ai sáng lập Lab Delta?"
Run = Callable[..., Outcome]
Script = Callable[..., None]


def told(text: str) -> str:
    """A tree without its lines."""
    return " ".join(text.replace("│", " ").replace("├──", " ").replace("└──", " ").split())


def test_a_trace_says_what_each_source_counts_for(cli: Run, scripted: Script) -> None:
    scripted()
    assert cli("ask", QUESTION, "--thread", "t").code == 0
    shown = told(cli("trace", "t").stdout)
    assert "sources s1: 1 independent source of 1 needed" in shown
    assert "e1 is used: relevant; authority 0.5" in shown


def test_one_source_where_two_are_asked_for_is_no_answer_and_says_so(
    cli: Run, scripted: Script
) -> None:
    scripted()
    asked = cli("ask", QUESTION, "--thread", "t", "--independent", "2")
    assert asked.code == 3
    assert f"Chưa đủ nguồn độc lập xác nhận: {QUESTION}" in asked.said
    assert f"“{TEXT}” ({SOURCE})" in asked.said
    reason = f"one source says so: {SOURCE}; two independent ones are asked for"
    assert reason in asked.said
    assert f"more is needed: {reason}" in told(cli("trace", "t").stdout)


def test_the_json_of_a_trace_has_the_judgement_on_the_evidence(cli: Run, scripted: Script) -> None:
    scripted()
    cli("ask", QUESTION, "--thread", "t")
    traced = json.loads(cli("trace", "t", "--json").stdout)
    assert traced["evidence"][0]["use"] == "USE"
    rows = [row for row in traced["history"] if row.get("action") == "judged_sources"]
    assert rows[0]["judged"][0]["id"] == "e1"


@pytest.mark.parametrize("number", ["0", "4", "hai"])
def test_one_to_three_sources_can_be_asked_for(cli: Run, number: str) -> None:
    assert cli("ask", QUESTION, "--independent", number).code == 2


def test_no_command_asks_with_tools_that_must_not_stand_together(cli: Run, home: Path) -> None:
    documents = home.parent / "sổ tay"
    documents.mkdir()
    (documents / "a.md").write_text("# Lab Delta\n\nLab Delta do Minh Tran sáng lập.\n", "utf-8")
    assert cli("ingest", str(documents)).code == 0
    settings = home.parent / "groundhop.toml"
    web = '[tools.web_search]\nurl = "http://127.0.0.1:9"\n'
    settings.write_text(web, "utf-8")
    refused = cli("ask", QUESTION)
    assert refused.code == 2
    assert 'accept the way out by name: `allow = ["web_search"]`' in refused.said
    settings.write_text(f'[tools]\nallow = ["web_search"]\n{web}', "utf-8")
    assert cli("ask", QUESTION).code in (0, 3)


def test_an_authority_out_of_bounds_is_told(cli: Run, home: Path) -> None:
    (home.parent / "groundhop.toml").write_text("[authority]\nboard = 3\n", "utf-8")
    outcome = cli("ask", QUESTION)
    assert outcome.code == 2
    assert "authority.board" in outcome.said
