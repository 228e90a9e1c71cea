"""Running: every question once for every system, whatever cuts the run short."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from graph.settings import load_settings
from groundhop.evaluation import runner
from groundhop.evaluation.datasets import load
from groundhop.evaluation.recording import Record
from groundhop.evaluation.runner import Finished, Plan, run
from groundhop.evaluation.running import Step
from groundhop.evaluation.schema import Question
from groundhop.evaluation.store import Results
from groundhop.evaluation.summary import answers_of
from groundhop.evaluation.systems import parse
from retrieval.catalogue import open_catalogue
from retrieval.embeddings.hashing import HashingEmbedder
from retrieval.errors import GroundhopError, UsageError


@pytest.fixture
def results(home: Path) -> Iterator[Results]:
    found = Results(home / "evaluation.sqlite")
    yield found
    found.close()


def evaluated(
    home: Path, results: Results, dataset: Path, *systems: str, name: str | None = None
) -> Finished:
    plan = Plan((load(str(dataset)),), tuple(map(parse, systems)), 2, "groundhop eval", name)
    return run(plan, load_settings(home), HashingEmbedder(256), results, lambda step: None)


def test_every_system_answers_every_question_on_the_passages_of_the_set(
    home: Path, results: Results, dataset: Path
) -> None:
    finished = evaluated(home, results, dataset, "closed", "single", "agent")
    answers = answers_of(results, finished.run)
    assert len(answers) == 12
    assert len({(one.question, one.system) for one in answers}) == 12
    searched = [one for one in answers if one.system == "agent" and one.question == "vi-1"]
    assert searched[0].record["searches"][0][0]["source"] == "p1"
    assert searched[0].values["recall@5"] == 1
    assert all(one.status == "gave_up" for one in answers if one.system == "closed")


def test_one_search_is_one_search(home: Path, results: Results, dataset: Path) -> None:
    finished = evaluated(home, results, dataset, "single", "agent")
    for one in answers_of(results, finished.run, ["single"]):
        assert one.values["tool_calls"] == 1
        assert one.values["rewrites"] == 0
        assert one.stop_reason != "budget_exhausted"


def test_the_thread_of_an_answer_can_be_opened(home: Path, results: Results, dataset: Path) -> None:
    finished = evaluated(home, results, dataset, "agent")
    from groundhop.golden import _state

    first = answers_of(results, finished.run)[0]
    assert _state(Path(first.home), first.thread)["original_question"] == first.asked


class Killed(BaseException):
    """What a kill looks like from inside."""


@contextmanager
def answering(asked: list[str], die_after: int | None = None) -> Iterator[Any]:
    """Systems that note what they are asked, and perhaps take the process down."""

    def ask(question: Question) -> Record:
        if die_after is not None and len(asked) >= die_after:
            raise Killed
        asked.append(question.id)
        return Record("gave_up", "no_progress", seconds=0.01)

    yield {"agent": (ask, {})}


def test_a_killed_run_goes_on_where_it_was_and_counts_nothing_twice(
    home: Path, results: Results, dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(runner, "opened", lambda *_, **__: answering(asked, die_after=2))
    with pytest.raises(Killed):
        evaluated(home, results, dataset, "agent")
    kept = len(results.rows("select * from results"))
    assert kept <= 2
    asked.clear()
    monkeypatch.setattr(runner, "opened", lambda *_, **__: answering(asked))
    finished = evaluated(home, results, dataset, "agent")
    assert len(asked) == 4 - kept, "only what has no result is asked"
    assert len(results.rows("select * from runs")) == 1
    assert len(answers_of(results, finished.run)) == 4


def test_a_finished_run_is_not_gone_on_with(home: Path, results: Results, dataset: Path) -> None:
    first = evaluated(home, results, dataset, "closed", name="a")
    second = evaluated(home, results, dataset, "closed")
    assert first.run != second.run


def test_a_named_run_keeps_to_what_it_set_out_to_do(
    home: Path, results: Results, dataset: Path
) -> None:
    evaluated(home, results, dataset, "closed", name="mine")
    again = evaluated(home, results, dataset, "closed", name="mine")
    assert len(answers_of(results, again.run)) == 4
    with pytest.raises(UsageError, match="was begun with other questions"):
        evaluated(home, results, dataset, "closed", "single", name="mine")


def test_a_question_that_breaks_the_run_is_a_result_and_the_rest_goes_on(
    home: Path, results: Results, dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def breaking(*_: Any, **__: Any) -> Iterator[Any]:
        def ask(question: Question) -> Record:
            if question.id == "vi-2":
                raise GroundhopError("the model endpoint is gone")
            return Record("gave_up", "no_progress")

        yield {"agent": (ask, {})}

    monkeypatch.setattr(runner, "opened", breaking)
    finished = evaluated(home, results, dataset, "agent")
    by_id = {one.question: one for one in answers_of(results, finished.run)}
    assert len(by_id) == 4
    assert by_id["vi-2"].cause == "tool_failed"
    assert by_id["vi-2"].record["error"] == "the model endpoint is gone"


def test_the_estimate_counts_down_and_ends_at_nothing(
    home: Path, results: Results, dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "opened", lambda *_, **__: answering([]))
    steps: list[Step] = []
    plan = Plan((load(str(dataset)),), (parse("agent"),), 1, "groundhop eval")
    run(plan, load_settings(home), HashingEmbedder(256), results, steps.append)
    asked = [one for one in steps if not one.text]
    assert [one.done for one in asked] == [0, 1, 2, 3, 4]
    assert asked[0].seconds_left is None, "nothing is known before the first answer"
    assert asked[2].seconds_left == pytest.approx(0.02)
    assert asked[-1].seconds_left == 0


def test_a_file_that_is_no_database_is_named(home: Path) -> None:
    home.mkdir(exist_ok=True)
    (home / "evaluation.sqlite").write_text("not a database, but long enough to look" * 40)
    with pytest.raises(GroundhopError, match="name another file with --results"):
        Results(home / "evaluation.sqlite")


def test_a_system_is_a_kind_or_a_settings_file(tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text('embedding = "hashing:64"\n', encoding="utf-8")
    assert parse("single").kind == "single"
    assert (parse(str(file)).name, parse(str(file)).kind) == ("agent:small", "agent")
    assert parse(f"single:{file}").name == "single:small"
    with pytest.raises(UsageError, match="There is no system 'tool'"):
        parse("tool")


def test_documents_beside_the_questions_make_a_knowledge_base_of_their_own(
    home: Path, results: Results, tmp_path: Path
) -> None:
    folder = tmp_path / "so-tay"
    (folder / "documents").mkdir(parents=True)
    text = "# Nghỉ phép\n\nNhân viên chính thức được nghỉ phép 15 ngày mỗi năm.\n"
    (folder / "documents" / "nghi-phep.md").write_text(text, encoding="utf-8")
    question = {
        "id": "q1",
        "question": "Nhân viên chính thức được nghỉ phép mấy ngày?",
        "answers": ["15 ngày"],
        "supporting": [{"document": "documents/nghi-phep.md"}],
        "answerable": "yes",
    }
    (folder / "questions.jsonl").write_text(json.dumps(question), encoding="utf-8")
    finished = evaluated(home, results, folder, "single")
    answer = answers_of(results, finished.run)[0]
    assert answer.home == str(home / "evaluation" / "so-tay")
    assert answer.values["recall@5"] == 1
    assert not (home / "catalogue.sqlite").exists(), "the user's own knowledge base is left alone"


def test_a_set_of_the_same_name_elsewhere_leaves_no_document_behind(
    home: Path, results: Results, tmp_path: Path
) -> None:
    for place, days in (("cu", 12), ("moi", 15)):
        folder = tmp_path / place / "so-tay"
        (folder / "documents").mkdir(parents=True)
        text = f"# Nghỉ phép\n\nNhân viên chính thức được nghỉ phép {days} ngày mỗi năm.\n"
        (folder / "documents" / "nghi-phep.md").write_text(text, encoding="utf-8")
        question = {
            "id": "q1",
            "question": "Nhân viên chính thức được nghỉ phép mấy ngày?",
            "answers": [f"{days} ngày"],
            "supporting": [{"document": "documents/nghi-phep.md"}],
            "answerable": "yes",
        }
        (folder / "questions.jsonl").write_text(json.dumps(question), encoding="utf-8")
        evaluated(home, results, folder, "single")
    catalogue = open_catalogue(home / "evaluation" / "so-tay" / "catalogue.sqlite")
    try:
        texts = [catalogue.text(one.id) for one in catalogue.documents()]
    finally:
        catalogue.close()
    assert len(texts) == 1
    assert "15 ngày" in texts[0]
