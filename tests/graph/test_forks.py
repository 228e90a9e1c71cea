"""Going on from an earlier moment, with other evidence or another query."""

from pathlib import Path

import pytest

from retrieval.errors import UsageError
from tests.graph.scenes import ANSWER, QUESTION, TEXT, Documents, agent_on, honest_script
from tests.graph.three_hops import QUESTION as HOPS
from tests.graph.three_hops import three_hop_agent
from tests.nodes.scripting import Search, honest, rewritten

RUMOUR = "Theo tin đồn, Lab Delta do Nam Le sáng lập."


def test_the_moments_of_a_thread_read_like_a_story(tmp_path: Path) -> None:
    agent = agent_on(tmp_path)
    agent.ask(QUESTION, thread="t")
    told = [(moment.number, moment.did, moment.next) for moment in agent.moments("t")]
    agent.close()
    assert told == [
        (1, "decide plan", ("retrieve",)),
        (2, "retrieve searched", ("grade",)),
        (3, "grade round", ("generate",)),
        (4, "generate answered", ()),
    ]


def test_a_fork_goes_on_from_a_moment_and_leaves_the_old_thread_alone(tmp_path: Path) -> None:
    agent = three_hop_agent(tmp_path, 0.0)
    whole = agent.ask(HOPS, thread="t")
    calls = len((tmp_path / "begun.jsonl").read_text().splitlines())
    moment = next(one for one in agent.moments("t") if one.next == ("decide",))
    name = agent.fork("t", moment.number)
    forked = agent.resume(name)
    after = len((tmp_path / "begun.jsonl").read_text().splitlines())
    assert forked.answer == whole.answer
    assert agent.state("t") == whole.state
    assert 0 < after - calls < calls, "what came before the fork was not run again"
    spent = forked.state["budget"]["spent"]
    rows = agent._services.ledger.rows(name)  # type: ignore[attr-defined]
    agent.close()
    assert spent["tool_calls"] == sum(row["kind"] == "tool" for row in rows)
    assert spent["model_calls"] == sum(row["kind"] == "policy" for row in rows)


def test_disbelieved_evidence_opens_its_part_again(tmp_path: Path) -> None:
    documents = Documents(tin=RUMOUR)
    script = honest_script(grade=honest({RUMOUR: "Nam Le", TEXT: ANSWER}))
    agent = agent_on(tmp_path, script, Search(documents.found).tool(), documents=documents)
    first = agent.ask(QUESTION, thread="t")
    assert "Nam Le" in first.text
    documents.texts = {"tin": RUMOUR, "d": TEXT}
    documents.found = lambda query: Documents(d=TEXT).found(query)  # type: ignore[method-assign]
    agent.close()
    agent = agent_on(tmp_path, script, Search(documents.found).tool(), documents=documents)
    name = agent.fork("t", without=["e1"])
    result = agent.resume(name)
    agent.close()
    assert result.status == "answered"
    assert "Nam Le" not in result.text
    assert TEXT in result.text
    assert result.state["evidence"][0]["stale"] == "disbelieved by a person"


def test_a_disbelieved_passage_that_is_found_again_is_not_believed_again(tmp_path: Path) -> None:
    documents = Documents(d=TEXT)
    script = honest_script(rewrite=lambda view: rewritten("Người lập Lab Delta"))
    agent = agent_on(tmp_path, script, Search(documents.found).tool(), documents=documents)
    agent.ask(QUESTION, thread="t")
    result = agent.resume(agent.fork("t", without=["e1"]))
    agent.close()
    assert result.status == "gave_up"
    assert result.answer["citations"] == []


def test_another_query_is_searched_next(tmp_path: Path) -> None:
    search = Search(Documents(d=TEXT).found)
    agent = agent_on(tmp_path, honest_script(), search.tool())
    agent.ask(QUESTION, thread="t")
    name = agent.fork("t", 1, queries={"s1": "Người lập Lab Delta"})
    result = agent.resume(name)
    agent.close()
    assert search.queries == [QUESTION, "Người lập Lab Delta"]
    assert result.status == "answered"
    assert result.state["budget"]["spent"]["steps"] == 2


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"at": 9}, "has the moments 1 to 4, not 9"),
        ({"without": ["e7"]}, "There is no evidence 'e7' at this moment; there is: e1"),
        ({"queries": {"s9": "x"}}, "There is no subgoal 's9' at this moment; there is: s1"),
        ({"edits": {"answer": {}}}, "There is no field that can be edited 'answer'"),
        ({"queries": {"s1": QUESTION}}, "None of these queries can be searched from here"),
    ],
)
def test_what_the_moment_does_not_have_is_named(tmp_path: Path, wrong: dict, sentence: str) -> None:
    agent = agent_on(tmp_path)
    agent.ask(QUESTION, thread="t")
    with pytest.raises(UsageError, match=sentence):
        agent.fork("t", **wrong)
    assert [info.thread for info in agent.threads()] == ["t"]
    agent.close()
