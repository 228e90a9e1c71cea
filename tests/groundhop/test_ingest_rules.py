"""Which rules on paths hold, wherever `groundhop ingest` is run."""

import json
from pathlib import Path

import pytest

from tests.groundhop.conftest import Run

RULES = '[[ingest.rules]]\nmatch = "mật/**"\naccess = ["giám đốc"]\n'


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A folder with a restricted file."""
    path = tmp_path / "kho" / "mật" / "lương.md"
    path.parent.mkdir(parents=True)
    path.write_text("# Lương\n\nLương giám đốc là 90 triệu đồng.\n", encoding="utf-8")
    return tmp_path / "kho"


def shown(cli: Run) -> bool:
    """Whether somebody without a name finds the restricted file."""
    return bool(json.loads(cli("search", "lương giám đốc", "--json").stdout)["hits"])


def test_an_ingest_from_where_the_rules_do_not_hold_is_refused(
    cli: Run, tmp_path: Path, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "groundhop.toml").write_text(RULES, encoding="utf-8")
    assert cli("ingest", str(secret)).code == 0
    assert not shown(cli)
    elsewhere = tmp_path / "nơi khác"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    for options in ([], ["--dry-run"]):
        refused = cli("ingest", str(secret), *options)
        assert refused.code == 2
        assert f"run the ingest in {tmp_path}" in refused.said
    assert not shown(cli)


def test_rules_in_the_data_folder_hold_from_everywhere(
    cli: Run, home: Path, tmp_path: Path, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.mkdir()
    (home / "groundhop.toml").write_text(RULES, encoding="utf-8")
    for place in (tmp_path, secret):
        monkeypatch.chdir(place)
        assert cli("ingest", str(secret)).code == 0
        assert not shown(cli)


def test_rules_may_be_moved_to_the_data_folder_and_taken_away(
    cli: Run, home: Path, tmp_path: Path, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "groundhop.toml"
    path.write_text(RULES, encoding="utf-8")
    assert cli("ingest", str(secret)).code == 0
    path.rename(home / "groundhop.toml")
    monkeypatch.chdir(secret)
    assert "1 unchanged" in cli("ingest", str(secret)).said
    assert not shown(cli)
    (home / "groundhop.toml").write_text("", encoding="utf-8")
    assert "EVERYBODY MAY READ IT NOW" in cli("ingest", str(secret)).said
    (home / "groundhop.toml").unlink()
    assert cli("ingest", str(secret)).code == 0
    assert shown(cli)


def test_a_misspelt_name_beside_the_rules_is_refused(
    cli: Run, tmp_path: Path, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "groundhop.toml").write_text(RULES.replace("rules", "rule"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    refused = cli("ingest", str(secret))
    assert refused.code == 2
    assert "holds 'rule' what is not known: it has [[ingest.rules]]" in refused.said
