"""What `resume` and a new question mean for every state that a thread can be in."""

from pathlib import Path

import pytest

from graph.agent import Agent
from graph.context import Context
from graph.lease import ThreadBusyError, lease
from graph.store import SqliteStore
from graph.threads import UnknownThreadError
from retrieval.errors import GroundhopError, UsageError
from tests.graph.scenes import (
    ANSWER,
    QUESTION,
    TEXT,
    Crash,
    Documents,
    agent_on,
    crashing_once,
    honest_script,
)
from tests.nodes.scripting import Script, Search, honest, quoting, rewritten


def crashed(home: Path, thread: str = "t", context: Context | None = None) -> Agent:
    """An agent with a thread whose process died while the answer was being written."""
    agent = agent_on(home, honest_script(write=crashing_once(quoting)))
    with pytest.raises(Crash):
        agent.ask(QUESTION, thread=thread, context=context)
    return agent


def calls(script: Script) -> dict[str, int]:
    return {role: len(views) for role, views in script.views.items()}


def test_a_finished_thread_gives_its_result_again_and_runs_nothing(tmp_path: Path) -> None:
    script = honest_script()
    agent = agent_on(tmp_path, script)
    first = agent.ask(QUESTION, thread="t")
    before = calls(script)
    again = agent.resume("t")
    agent.close()
    assert again.answer == first.answer
    assert calls(script) == before
    assert again.notes == [
        "Thread t is finished (answered): this is its result again, nothing was run."
    ]


def test_a_thread_that_was_never_begun_is_named(tmp_path: Path) -> None:
    agent = agent_on(tmp_path)
    with pytest.raises(UnknownThreadError, match="There is no thread 'mới'"):
        agent.resume("mới")
    agent.close()


def test_a_crashed_thread_goes_on_where_it_was(tmp_path: Path) -> None:
    agent = crashed(tmp_path)
    result = agent.resume("t")
    agent.close()
    assert result.status == "answered"
    assert TEXT in result.text
    assert result.notes == ["Thread t was interrupted: it goes on at generate."]
    assert result.state["budget"]["spent"]["tool_calls"] == 1


def test_an_asker_whose_group_is_named_twice_goes_on(tmp_path: Path) -> None:
    twice = Context(user="an", groups=["nhân sự", "nhân sự"])
    agent = crashed(tmp_path, context=twice)
    result = agent.resume("t", context=twice)
    agent.close()
    assert result.status == "answered"


def test_a_thread_that_crashed_before_anything_was_saved_is_asked_again(tmp_path: Path) -> None:
    agent = agent_on(tmp_path)
    with pytest.raises(UnknownThreadError):
        agent.resume("t")
    assert agent.ask(QUESTION, thread="t").status == "answered"
    agent.close()


def test_a_running_thread_is_not_run_twice(tmp_path: Path) -> None:
    agent = crashed(tmp_path)
    store = SqliteStore(tmp_path / "runs.sqlite")
    with lease(store, "t"), pytest.raises(ThreadBusyError, match="is being run by process"):
        agent.resume("t")
    store.close()
    assert agent.resume("t").status == "answered"
    agent.close()


def test_another_identity_cannot_resume_a_thread_nor_read_its_result_again(
    tmp_path: Path,
) -> None:
    agent = crashed(tmp_path, context=Context(user="an", groups=["hr"]))
    for other in (Context(), Context(user="bình"), Context(user="an", groups=["hr", "it"])):
        with pytest.raises(UsageError, match="begun by another identity"):
            agent.resume("t", context=other)
    assert agent.resume("t", context=Context(user="an", groups=["hr"])).status == "answered"
    with pytest.raises(UsageError, match="begun by another identity"):
        agent.resume("t", context=Context(user="bình"))
    agent.close()


def test_a_new_question_does_not_throw_an_unfinished_one_away(tmp_path: Path) -> None:
    agent = crashed(tmp_path)
    with pytest.raises(UsageError, match="has not finished its question"):
        agent.ask("Câu khác?", thread="t")
    assert agent.resume("t").state["original_question"] == QUESTION
    agent.close()


def test_a_reply_to_a_thread_that_asked_nothing_is_refused(tmp_path: Path) -> None:
    agent = crashed(tmp_path)
    with pytest.raises(UsageError, match="does not wait for a reply"):
        agent.resume("t", reply="approve")
    agent.close()


def of_a_newer_version(home: Path) -> Agent:
    """An agent with a thread `t` that crashed while a newer version ran it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nodes.decide.SCHEMA_VERSION", 99)
        patch.setattr("graph.newer.SCHEMA_VERSION", 99)
        return crashed(home)


def test_a_thread_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    agent = of_a_newer_version(tmp_path)
    before = agent.state("t")
    with pytest.raises(GroundhopError, match="written by a newer version of groundhop"):
        agent.resume("t")
    assert agent.state("t") == before
    agent.close()


def test_a_server_refuses_a_thread_of_a_newer_version_and_may_ask_anew(tmp_path: Path) -> None:
    """Servers run the graph without `Agent`, which would have refused."""
    agent = of_a_newer_version(tmp_path)
    graph, config = agent._graph, {"configurable": {"thread_id": "t"}}
    calls = len(agent._services.ledger.rows("t"))  # type: ignore[attr-defined]
    with pytest.raises(GroundhopError, match="written by a newer version of groundhop"):
        graph.invoke(None, config, context=Context(), durability="sync")
    assert len(agent._services.ledger.rows("t")) == calls  # type: ignore[attr-defined]
    asked = graph.invoke({"question": QUESTION}, config, context=Context(), durability="sync")
    assert asked["status"] == "answered"
    agent.close()


def test_a_thread_from_before_a_field_was_added_goes_on(tmp_path: Path) -> None:
    """A first version knew neither templates nor stale evidence, and kept no asker."""
    agent = crashed(tmp_path)
    graph = agent._graph
    config = {"configurable": {"thread_id": "t"}}
    stored = agent._store.saver.get_tuple(config)  # type: ignore[arg-type]
    assert stored
    values = stored.checkpoint["channel_values"]
    for name in ("asked_as", "schema_version", "resolved_question", "conversation"):
        values.pop(name, None)
    agent._store.saver.put(
        {"configurable": {"thread_id": "old", "checkpoint_ns": ""}},
        stored.checkpoint,
        stored.metadata,
        stored.checkpoint["channel_versions"],
    )
    assert "asked_as" not in graph.get_state({"configurable": {"thread_id": "old"}}).values
    assert agent.resume("old").status == "answered"
    agent.close()


def test_another_judge_goes_on_and_says_so(tmp_path: Path) -> None:
    agent = crashed(tmp_path)
    agent.close()
    other = honest_script()
    other.name, other.version = "llm", "7"
    agent = agent_on(tmp_path, other)
    result = agent.resume("t")
    agent.close()
    assert result.status == "answered"
    assert any("judged by script 1 so far" in note and "llm 7" in note for note in result.notes)
    assert calls(other)["plan"] == 0, "what the first one planned stands"


def test_a_judge_that_was_replaced_in_the_middle_of_a_call_is_still_paid_for(
    tmp_path: Path,
) -> None:
    agent = crashed(tmp_path)
    agent.close()
    other = honest_script()
    other.version = "2"
    agent = agent_on(tmp_path, other)
    spent = agent.resume("t").state["budget"]["spent"]
    rows = agent._services.ledger.rows("t")  # type: ignore[attr-defined]
    agent.close()
    assert spent["model_calls"] == sum(row["kind"] == "policy" for row in rows)
    assert [row["finished"] is None for row in rows if row["name"] == "script.write"] == [
        True,
        False,
    ]


def test_a_document_that_changed_during_the_pause_is_judged_again(tmp_path: Path) -> None:
    documents = Documents(d=TEXT)
    later = "Lab Delta do Minh Tran và Lan Pham sáng lập năm 2018."
    script = honest_script(
        grade=honest({TEXT: ANSWER, later: "Minh Tran và Lan Pham"}),
        write=crashing_once(quoting),
    )
    agent = agent_on(tmp_path, script, documents=documents)
    with pytest.raises(Crash):
        agent.ask(QUESTION, thread="t")
    documents.put("d", later)
    result = agent.resume("t")
    agent.close()
    assert result.status == "answered"
    assert later in result.text
    assert TEXT not in result.text
    assert [item.get("stale", "") for item in result.state["evidence"]] == [
        "its document changed",
        "",
    ]
    assert [row for row in result.state["history"] if row["action"] == "stale"]


def test_a_document_that_vanished_leaves_its_part_unanswered(tmp_path: Path) -> None:
    documents = Documents(d=TEXT, e="Lab Omega ở Huế.")
    script = honest_script(
        rewrite=lambda view: pytest.fail("a rewrite was not expected"),
        write=crashing_once(quoting),
    )
    agent = agent_on(tmp_path, script, documents=documents)
    context = Context(rewrites=0)
    with pytest.raises(Crash):
        agent.ask(QUESTION, thread="t", context=context)
    documents.put("d", None)
    result = agent.resume("t", context=context)
    agent.close()
    assert result.status == "gave_up"
    assert "Minh Tran" not in result.text


def test_a_document_that_the_asker_may_no_longer_read_is_no_evidence(tmp_path: Path) -> None:
    documents = Documents(d=TEXT)
    agent = agent_on(tmp_path, honest_script(write=crashing_once(quoting)), documents=documents)
    with pytest.raises(Crash):
        agent.ask(QUESTION, thread="t", context=Context(rewrites=0))
    documents.hashes = lambda ids, identity: {}  # type: ignore[method-assign]
    documents.found = lambda query: []  # type: ignore[method-assign]
    agent.close()
    agent = agent_on(tmp_path, honest_script(), Search(documents.found).tool(), documents=documents)
    result = agent.resume("t", context=Context(rewrites=0))
    agent.close()
    assert result.status == "gave_up"
    assert result.answer["report"]["found"] == []


def test_a_change_that_does_not_touch_the_evidence_changes_nothing(tmp_path: Path) -> None:
    documents = Documents(d=TEXT)
    agent = agent_on(tmp_path, honest_script(write=crashing_once(quoting)), documents=documents)
    with pytest.raises(Crash):
        agent.ask(QUESTION, thread="t")
    documents.put("e", "Một tài liệu mới.")
    result = agent.resume("t")
    agent.close()
    assert result.status == "answered"
    assert result.state["budget"]["spent"]["tool_calls"] == 1


def test_thread_ids_with_path_characters_are_only_names(tmp_path: Path) -> None:
    agent = agent_on(tmp_path)
    names = ["../../etc/passwd", "a/b\\c", "C:\\x", "phòng nhân sự", "'; drop table ledger; --"]
    for name in names:
        assert agent.ask(QUESTION, thread=name).status == "answered"
    assert sorted(info.thread for info in agent.threads()) == sorted(names)
    agent.close()
    assert {one.name.partition("-")[0] for one in tmp_path.iterdir()} == {"runs.sqlite"}


def test_the_sources_that_a_question_needs_are_those_that_it_was_asked_with(tmp_path: Path) -> None:
    script = honest_script(grade=crashing_once(honest({TEXT: ANSWER})), rewrite=[rewritten("")] * 2)
    agent = agent_on(tmp_path, script)
    with pytest.raises(Crash):
        agent.ask(QUESTION, thread="t", context=Context(independent=2))
    result = agent.resume("t")
    assert result.status == "gave_up"
    assert result.state["subgoals"][0]["reason"].startswith("one source says so")
    agent.close()
