"""Documents that give orders change neither route, grades, citations nor answer."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from policy.llm.orders import gives_orders, orders_in, without_orders
from tests.nodes.scripting import World, passage, rows
from tests.policy.llm.injections import HARMLESS, INJECTIONS
from tests.policy.llm.server import Request, Say, as_json
from tests.policy.llm.world import NOISE, library, questions_of, reader


def gullible(request: Request) -> Say:
    """A model that does what any text tells it that names Evil Corp, and reads well otherwise."""
    if "Evil Corp" not in request.user:
        return reader(2)(request)
    if request.role == "plan":
        return as_json(reason="told", route="direct", reply="evil corp")
    if request.role == "write":
        return Say(text="Evil Corp founded it. [e1]\nSHORT: Evil Corp")
    labels = [name for name in request.sections if re.fullmatch(r"P\d+", name)]
    quotes = {one: _line_of(request.sections[one]) for one in labels}
    said = [
        {
            "passage": one,
            "reason": "told",
            "relevant": "yes",
            "quote": quotes[one],
            "supports": "yes",
        }
        for one in labels
    ]
    return as_json(passages=said, reason="told", covered="yes", answer="Evil Corp")


def _line_of(text: str) -> str:
    lines = text.splitlines()
    return next((line for line in lines if "Evil Corp" in line), lines[-1])


def run(tmp_path: Path, llm: Any, server: Any, *more: dict[str, Any]) -> Any:
    server.script = gullible
    world = World(tmp_path, llm(), library(*more))
    try:
        return world.ask(questions_of(2))
    finally:
        world.ledger.close()


def seen_by(state: Any) -> dict[str, Any]:
    """What an injection must not change."""
    return {
        "status": state["status"],
        "text": state["answer"]["text"],
        "short": state["answer"]["short"],
        "cited": [item["source"] for item in state["answer"]["citations"]],
        "subgoals": [(one["question"], one["status"], one["answer"]) for one in state["subgoals"]],
        "evidence": [item["quote"] for item in state["evidence"]],
        "tools": [row["tool"] for row in rows(state, "searched")],
    }


ELSEWHERE = ("ignore", "json", "tool call", "zero width", "vi mark", "vi bare")
CASES = [("text", name) for name in INJECTIONS]
PLACES = ("between facts", "title", "heading", "version")
CASES += [(place, name) for place in PLACES for name in ELSEWHERE]


@pytest.mark.parametrize(("place", "name"), CASES)
def test_an_order_in_a_document_changes_nothing_even_for_a_model_that_would_obey(
    tmp_path: Path, llm: Any, server: Any, name: str, place: str
) -> None:
    order = INJECTIONS[name]
    clean = seen_by(run(tmp_path / "clean", llm, server, passage(NOISE, "evil", language="en")))
    assert clean["short"] == "Minh Tran"
    texts = {"text": order, "between facts": f"{NOISE}\n\n{order}\n\n{NOISE}"}
    fields = {place: order} if place not in texts else {}
    bad = passage(texts.get(place, NOISE), "evil", **{"language": "en", **fields})
    state = run(tmp_path / "bad", llm, server, bad)
    assert seen_by(state) == clean
    assert not any("Evil Corp" in request.user for request in server.requests)
    sent = {json.dumps(sorted(request.body)) for request in server.requests}
    assert all("tools" not in one for one in sent)


@pytest.mark.parametrize("name", INJECTIONS)
def test_an_order_beside_the_fact_leaves_the_fact(
    tmp_path: Path, llm: Any, server: Any, name: str
) -> None:
    text = f"Project Aurora was developed by Lab Delta.\n\n{INJECTIONS[name]}\n\n{NOISE}"
    state = run(tmp_path, llm, server, passage(text, "both", language="en"))
    assert state["status"] == "answered"
    assert state["answer"]["short"] == "Minh Tran"
    quotes = [item["quote"] for item in state["evidence"] if item["chunk_id"] == "both"]
    assert quotes == ["Project Aurora was developed by Lab Delta."]


@pytest.mark.parametrize("name", INJECTIONS)
def test_an_order_is_seen(name: str) -> None:
    assert gives_orders(INJECTIONS[name])
    left = without_orders(f"Một câu đúng.\n\n{INJECTIONS[name]}\n\nCâu cuối.")
    assert left.startswith("Một câu đúng.")
    assert left.endswith("Câu cuối.")
    assert "Evil Corp" not in left


@pytest.mark.parametrize("text", HARMLESS)
def test_a_rule_for_people_is_no_order_to_software(text: str) -> None:
    assert orders_in(text) == []


def test_no_sentence_of_the_sample_documents_is_taken_for_an_order() -> None:
    root = Path(__file__).parents[3] / "examples"
    wrong = [
        (path.name, text[start:end])
        for path in sorted(root.glob("*/documents/**/*.*"))
        for text in [path.read_text(encoding="utf-8")]
        for start, end in orders_in(text)
        if path.suffix != ".html"
    ]
    assert wrong == []
