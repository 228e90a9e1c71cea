"""The question put to the model alone."""

from pathlib import Path

import pytest

from graph.settings import load_settings
from groundhop.evaluation.closed import ask_closed
from groundhop.evaluation.outcomes import outcome
from policy.errors import PolicyError
from policy.llm.chat import Chat, Reply
from tests.groundhop.evaluation.cases import FOUNDER


@pytest.fixture
def endpoint(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDHOP_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("GROUNDHOP_MODEL", "small")


def replying(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(Chat, "complete", lambda *_, **__: Reply(text))


def test_without_a_model_nothing_is_known(home: Path) -> None:
    ask, made_of = ask_closed(load_settings(home))
    assert ask(FOUNDER).status == "gave_up"
    assert made_of["policy"] == "none"


@pytest.mark.usefixtures("endpoint")
def test_what_the_model_knows_counts_without_a_citation(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replying(monkeypatch, "Minh Trần")
    found = ask_closed(load_settings(home))[0](FOUNDER)
    assert outcome(FOUNDER, found.status, found.answer, needs_support=False) == "right"


@pytest.mark.usefixtures("endpoint")
@pytest.mark.parametrize("reply", ["unknown", "Unknown.", "  "])
def test_a_model_that_is_not_sure_refuses(
    home: Path, monkeypatch: pytest.MonkeyPatch, reply: str
) -> None:
    replying(monkeypatch, reply)
    assert ask_closed(load_settings(home))[0](FOUNDER).status == "gave_up"


@pytest.mark.usefixtures("endpoint")
def test_an_endpoint_that_is_down_is_a_result(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> Reply:
        raise PolicyError("small at http://127.0.0.1:9/v1 does not answer")

    monkeypatch.setattr(Chat, "complete", fail)
    found = ask_closed(load_settings(home))[0](FOUNDER)
    assert (found.status, "does not answer" in found.error) == ("failed", True)
