from pathlib import Path
from typing import Any, cast

import pytest

from graph.policies import models, open_policy
from graph.settings import Settings, load_settings
from policy.endpoints import PRESETS
from policy.extractive import Extractive
from policy.llm import LLM
from policy.support import SupportScorer
from retrieval.errors import UsageError

KEY = "sk-never-to-be-seen-0123456789"
SCORER = cast(SupportScorer, None)  # no sentence is scored here


def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, **variables: str) -> Settings:
    monkeypatch.chdir(tmp_path)
    for name, value in variables.items():
        monkeypatch.setenv(f"GROUNDHOP_{name}", value)
    return load_settings(tmp_path)


def test_without_an_endpoint_no_model_is_used(monkeypatch: Any, tmp_path: Path) -> None:
    assert isinstance(open_policy(settings(monkeypatch, tmp_path), SCORER), Extractive)


def test_an_endpoint_in_the_environment_is_used_and_named(monkeypatch: Any, tmp_path: Path) -> None:
    given = settings(monkeypatch, tmp_path, BASE_URL="http://h:1/v1/", MODEL="m", API_KEY=KEY)
    policy = open_policy(given, SCORER)
    assert isinstance(policy, LLM)
    assert policy.name == "llm:m"
    endpoint = models(given).roles["plan"]
    assert (endpoint.base_url, endpoint.api_key) == ("http://h:1/v1", KEY)
    assert KEY not in repr(given)


@pytest.mark.parametrize("preset", PRESETS)
def test_each_preset_is_an_address(monkeypatch: Any, tmp_path: Path, preset: str) -> None:
    given = settings(monkeypatch, tmp_path, PRESET=preset, MODEL="m")
    assert models(given).roles["write"].base_url == PRESETS[preset]


def test_a_role_may_have_its_own_model(monkeypatch: Any, tmp_path: Path) -> None:
    given = settings(
        monkeypatch, tmp_path, PRESET="ollama", MODEL="large", GRADE_MODEL="small",
        PRICES='{"small": [1, 2]}', TIMEOUT="7",
    )  # fmt: skip
    chosen = models(given)
    assert chosen.roles["grade"].model == "small"
    assert chosen.roles["grade"].price == (1.0, 2.0)
    assert {chosen.roles[role].model for role in ("plan", "rewrite", "write")} == {"large"}
    assert chosen.names == "large,small"
    assert chosen.roles["plan"].timeout == 7


def test_a_fallback_gets_the_key_of_its_own_endpoint_only(monkeypatch: Any, tmp_path: Path) -> None:
    fallbacks = '[{"model": "b"}, {"model": "c", "base_url": "http://other/v1"}]'
    given = settings(
        monkeypatch, tmp_path, PRESET="openai", MODEL="a", API_KEY=KEY, FALLBACKS=fallbacks
    )
    same, other = models(given).fallbacks
    assert (same.base_url, same.api_key) == (PRESETS["openai"], KEY)
    assert (other.base_url, other.api_key) == ("http://other/v1", "")


def test_an_endpoint_without_a_model_is_refused(monkeypatch: Any, tmp_path: Path) -> None:
    given = settings(monkeypatch, tmp_path, BASE_URL="http://h/v1")
    with pytest.raises(UsageError, match="GROUNDHOP_MODEL"):
        open_policy(given, SCORER)


def test_an_address_without_a_scheme_is_refused(monkeypatch: Any, tmp_path: Path) -> None:
    given = settings(monkeypatch, tmp_path, BASE_URL="localhost:8080", MODEL="m")
    with pytest.raises(UsageError, match="http://"):
        open_policy(given, SCORER)


@pytest.mark.parametrize(
    "fallbacks", [f'[{{"api_key": "{KEY}"}}]', f'[{{"api_key": "{KEY}"', f'"{KEY}"']
)
def test_a_wrong_setting_that_holds_a_key_is_not_shown(
    monkeypatch: Any, tmp_path: Path, fallbacks: str
) -> None:
    with pytest.raises(UsageError) as caught:
        settings(monkeypatch, tmp_path, FALLBACKS=fallbacks)
    assert KEY not in str(caught.value)
    assert "fallbacks" in str(caught.value).lower()


@pytest.mark.parametrize("name", ["aes_key", "database_url", "api_key", "embedding_api_key"])
def test_a_secret_that_is_written_as_a_number_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "groundhop.toml").write_text(f"{name} = 1357924680", encoding="utf-8")
    with pytest.raises(UsageError, match=f"The setting {name} is not right") as caught:
        load_settings(tmp_path)
    assert "1357924680" not in str(caught.value)


def test_a_name_that_is_no_setting_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for text in ('[[rules]]\nmatch = "lương/**"\n', 'hom = "x"\n'):
        (tmp_path / "groundhop.toml").write_text(text, encoding="utf-8")
        with pytest.raises(UsageError, match="is no setting"):
            load_settings(tmp_path)
    (tmp_path / "groundhop.toml").write_text('embedding = "hashing:64"\n[ingest]\n', "utf-8")
    assert load_settings(tmp_path).embedding == "hashing:64"


@pytest.mark.parametrize("url", ["bob:hunter2@h/v1", "http://h:abc/v1", "http://[::1/v1", "máy/v1"])
def test_an_address_that_is_none_is_told_without_its_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("GROUNDHOP_BASE_URL", url)
    monkeypatch.setenv("GROUNDHOP_MODEL", "local")
    with pytest.raises(UsageError, match="no address") as told:
        models(load_settings(tmp_path))
    assert "hunter2" not in str(told.value)
