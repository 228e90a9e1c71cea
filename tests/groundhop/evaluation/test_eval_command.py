"""The commands as a person types them."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graph.agent import Agent
from groundhop.evaluation.golden import case_of
from tests.groundhop.conftest import Run


def test_eval_prints_the_table_and_writes_a_page_that_needs_nothing_else(
    cli: Run, dataset: Path, tmp_path: Path
) -> None:
    page = tmp_path / "out" / "report.html"
    found = cli("eval", str(dataset), "--report", str(page), "--parallel", "2")
    assert found.code == 0
    assert "labs: 4 questions" in found.stdout
    assert "balanced accuracy" in found.stdout
    html = page.read_text(encoding="utf-8")
    assert "<svg" in html
    assert "http://" not in html.replace("http://www.w3.org", "")
    assert "https://" not in html
    assert "<script" not in html


def test_held_out_questions_are_counted_and_never_shown(
    cli: Run, dataset: Path, tmp_path: Path
) -> None:
    page = tmp_path / "report.html"
    found = cli("eval", str(dataset), "--report", str(page))
    html = page.read_text(encoding="utf-8")
    assert "1 questions are held out" in html
    assert "Ai sáng lập" in html, "a question that may be shown is"
    for shown in (html, found.said):
        assert "Who founded Lab Sigma" not in shown
        assert "Ana Costa" not in shown


def test_results_can_be_queried(cli: Run, dataset: Path, home: Path) -> None:
    assert cli("eval", str(dataset), "--system", "agent").code == 0
    connection = sqlite3.connect(home / "evaluation.sqlite")
    query = "select count(*), avg(value) from measures where measure = 'right' and system = 'agent'"
    count, share = connection.execute(query).fetchone()
    connection.close()
    assert count == 4
    assert 0 <= share <= 1


def test_the_seconds_of_a_question_are_those_of_the_option_or_the_environment(
    cli: Run, dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float] = []
    ask = Agent.ask

    def watched(self: Agent, question: str, **options: Any) -> Any:
        given.append(options["context"].seconds)
        return ask(self, question, **options)

    monkeypatch.setattr(Agent, "ask", watched)
    cli("eval", str(dataset), "--system", "agent", "--limit", "1", "--seconds", "900")
    monkeypatch.setenv("GROUNDHOP_SECONDS", "700")
    cli("eval", str(dataset), "--system", "single", "--limit", "1")
    assert given == [900, 700]


def test_saved_runs_are_put_side_by_side_without_asking_again(
    cli: Run, dataset: Path, tmp_path: Path
) -> None:
    cli("eval", str(dataset), "--system", "agent", "--run", "before")
    cli("eval", str(dataset), "--system", "agent", "--run", "after")
    found = cli("eval", "--system", "run:before", "--system", "run:after")
    assert found.code == 0
    assert "before/agent" in found.stdout
    assert "after/agent" in found.stdout
    assert "no difference shown" in found.said
    alone = cli("eval", "--system", "run:before")
    assert "before/agent" not in alone.stdout
    missing = cli("eval", "--system", "run:other")
    assert missing.code == 2
    assert "no results of a run 'other'" in missing.said


def test_a_gate_that_is_not_met_fails_the_command(cli: Run, dataset: Path, tmp_path: Path) -> None:
    gates = tmp_path / "gates.toml"
    gates.write_text(
        '[never]\ncases = ["leak", "invented_citation", "write"]\n'
        '[[gate]]\nmeasure = "right"\nsystem = "closed"\nat_least = 0.9\n',
        encoding="utf-8",
    )
    found = cli("eval", str(dataset), "--system", "closed", "--gate", str(gates))
    assert found.code == 1
    assert "right (system closed): 0.250, wanted >= 0.9" in found.said
    assert "leak: none in 4 answers" in found.said


def test_bad_lines_are_named_and_the_rest_is_asked(cli: Run, dataset: Path) -> None:
    file = dataset / "questions.jsonl"
    file.write_text(file.read_text(encoding="utf-8") + '{"id": "x"\n', encoding="utf-8")
    found = cli("eval", str(dataset), "--system", "closed")
    assert found.code == 0
    assert "questions.jsonl, line 5: it is not JSON" in found.said
    assert "labs: 4 questions" in found.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "There is no data set 'nowhere'"),
        ([], "Name at least one data set"),
        (["DATASET", "--half", "left"], "--half is odd or even"),
        (["DATASET", "--system", "magic"], "There is no system 'magic'"),
        (["DATASET", "--gate", "none.toml"], "none.toml cannot be read"),
        (["DATASET", "--split", "none"], "no question of split 'none'"),
        (["DATASET", "DATASET"], "same name"),
    ],
)
def test_wrong_use_is_answered_in_a_sentence(
    cli: Run, dataset: Path, arguments: list[str], said: str
) -> None:
    found = cli("eval", *[str(dataset) if one == "DATASET" else one for one in arguments])
    assert found.code == 2
    assert said in found.said


def test_golden_add_keeps_a_run_as_a_case(
    cli: Run, scripted: Callable[..., None], tmp_path: Path
) -> None:
    scripted(refusal="không nói đến")
    cli("ask", "Ai sáng lập Lab Delta?", "--thread", "t-1")
    found = cli("golden", "add", "t-1", "--answer", "Minh Tran", "--document", "labs/delta.md")
    assert found.code == 0
    case = json.loads((tmp_path / "golden.jsonl").read_text(encoding="utf-8"))
    assert case["question"] == "Ai sáng lập Lab Delta?"
    assert case["supporting"] == [{"document": "labs/delta.md"}]
    assert cli("golden", "add", "t-1", "--unanswerable").code == 2
    assert cli("golden", "add", "nothing", "--unanswerable").code == 2


@pytest.mark.parametrize(
    ("number", "question"), [(1, "Còn Lab Omicron?"), (2, "Ai sáng lập Lab Omicron?")]
)
def test_the_case_of_a_follow_up_can_be_asked_alone(number: int, question: str) -> None:
    state = {
        "original_question": "Còn Lab Omicron?",
        "resolved_question": "Ai sáng lập Lab Omicron?",
        "question_number": number,
    }
    assert case_of(state, [], [], "no", "t-1")["question"] == question
