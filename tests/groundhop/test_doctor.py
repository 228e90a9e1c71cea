"""`groundhop doctor` names what is broken and the command that helps, and changes nothing."""

import json
import os
import sqlite3
import subprocess
from pathlib import Path

import pytest

from groundhop import checks
from tests.groundhop.conftest import Run


@pytest.fixture
def built(cli: Run, home: Path, tmp_path: Path) -> Path:
    """A home with a small knowledge base in it."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "nghỉ phép.md").write_text("# Nghỉ phép\n\nMỗi năm 12 ngày.\n", encoding="utf-8")
    assert cli("ingest", str(folder)).code == 0
    return home


def _checks(cli: Run) -> dict[str, dict[str, str]]:
    return {one["name"]: one for one in json.loads(cli("doctor", "--json").stdout)["checks"]}


def test_a_sound_installation_has_no_problem(cli: Run, built: Path) -> None:
    shown = cli("doctor")
    assert shown.code == 0
    assert "1 document, 1 chunk, 1 vector, 1 lexical row; the three agree" in shown.said
    assert "hashing:256 starts" in shown.said
    assert "nothing is contacted" in shown.said
    assert "langgraph " in shown.said
    assert "python 3." in shown.said


def test_before_the_first_ingest_there_are_notes_and_no_files(cli: Run, home: Path) -> None:
    shown = cli("doctor")
    assert shown.code == 0
    assert "index: nothing has been ingested yet next: groundhop ingest PATH" in shown.said
    assert "encryption (cryptography)" in shown.said
    assert not home.exists()


def test_vectors_that_are_missing_are_a_problem_with_a_command(cli: Run, built: Path) -> None:
    from retrieval.dense import DenseIndex

    dense = DenseIndex(built / "vectors", "hashing-256")
    dense.delete(list(dense.ids()))
    dense.close()
    assert cli("doctor").code == 1
    found = _checks(cli)["index"]
    assert "1 chunk, 0 vectors" in found["detail"]
    assert found["next"] == "groundhop doctor --repair"


@pytest.mark.parametrize("damage", ["header", "pages"])
def test_a_damaged_catalogue_is_moved_aside_by_the_command_that_doctor_names(
    cli: Run, built: Path, tmp_path: Path, damage: str
) -> None:
    path = built / "catalogue.sqlite"
    content = bytearray(path.read_bytes())
    start = 0 if damage == "header" else 4096
    content[start : start + 40_000] = b"x" * len(content[start : start + 40_000])
    path.write_bytes(content)
    found = _checks(cli)["index"]
    assert "damaged" in found["detail"]
    assert "doctor" not in found["next"]
    aside, _, ingest = found["next"].rpartition("; ")
    assert ingest == "groundhop ingest PATH"
    subprocess.run(aside, shell=True, check=True)
    assert cli("ingest", str(tmp_path / "docs")).code == 0
    assert _checks(cli)["index"]["level"] == "ok"


def test_what_doctor_names_next_is_for_the_same_data_folder(cli: Run, tmp_path: Path) -> None:
    other = tmp_path / "kho khác"
    shown = cli("--home", str(other), "doctor").said
    assert f"next: groundhop --home '{other}' ingest PATH" in shown
    told = json.loads(cli("--home", str(other), "doctor", "--json").stdout)["checks"]
    assert f"groundhop --home '{other}' ingest PATH" in [one["next"] for one in told]


def test_a_home_that_others_may_read_is_a_problem(cli: Run, built: Path) -> None:
    os.chmod(built / "catalogue.sqlite", 0o644)
    found = _checks(cli)["home"]
    assert found["level"] == "problem"
    assert "catalogue.sqlite" in found["detail"]
    assert found["next"].startswith("chmod -R go= ")


def test_an_embedding_model_that_does_not_start_is_a_problem(
    cli: Run, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDHOP_EMBEDDING", "mô-hình-lạ")
    assert _checks(cli)["embedding"]["level"] == "problem"


def test_an_endpoint_is_named_and_not_contacted(
    cli: Run, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDHOP_EMBEDDING", "openai:some-model")
    monkeypatch.setenv("GROUNDHOP_EMBEDDING_BASE_URL", "http://127.0.0.1:9/v1")
    found = _checks(cli)
    assert "not tried" in found["embedding"]["detail"]
    assert "http://127.0.0.1:9/v1" in found["network"]["detail"]


def test_a_check_that_fails_itself_does_not_stop_the_others(
    cli: Run, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(name: str) -> str:
        raise ValueError("hỏng")

    monkeypatch.setattr(checks, "version", broken)
    found = _checks(cli)
    assert "ValueError: hỏng" in found["versions"]["detail"]
    assert found["index"]["level"] == "ok"


DATABASE = """
[[tools.databases]]
name = "hr"
url = "sqlite:///hr.sqlite"
[[tools.databases.queries]]
name = "leave_left"
sql = "SELECT 15 - days AS rest FROM leave_taken WHERE who = :user_id"
says.vi = "Bạn còn {rest} ngày."
[[tools.databases.tables]]
name = "leave_taken"
columns = ["days"]
where = "who = :user_id"
"""


def _with_database(home: Path, text: str) -> None:
    (home / "groundhop.toml").write_text(text, encoding="utf-8")
    (home / "groundhop.toml").chmod(0o600)
    if not (home / "hr.sqlite").exists():
        with sqlite3.connect(home / "hr.sqlite") as opened:
            opened.execute("CREATE TABLE leave_taken (who TEXT, days INTEGER)")
        opened.close()


def test_a_database_that_understands_its_statements_is_sound(cli: Run, built: Path) -> None:
    _with_database(built, DATABASE)
    found = _checks(cli)["databases"]
    assert found["level"] == "ok"
    assert "only read; 1 statement and 1 table understood" in found["detail"]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("hr.sqlite", "mất.sqlite", "there is no such file"),
        ("15 - days", "15 - ngày", "query leave_left: The database hr"),
        ("{rest}", "{còn}", "its wording names còn, which is no column"),
        ('["days"]', '["lương"]', "table leave_taken: The database hr"),
        ('where = "who = :user_id"', 'where = "who = = 1"', "rule on rows of leave_taken"),
        ("sqlite:///hr.sqlite", "postgresql://lan:bimat@127.0.0.1:1/hr", "the connection failed"),
        ("sqlite:///hr.sqlite", "mysql://lan:bimat@host/hr", "must be like sqlite:///"),
    ],
)
def test_what_is_wrong_with_a_database_is_told_with_the_file_to_correct(
    cli: Run, built: Path, old: str, new: str, says: str
) -> None:
    _with_database(built, DATABASE.replace(old, new))
    shown = cli("doctor", "--json")
    assert shown.code == 1
    found = {one["name"]: one for one in json.loads(shown.stdout)["checks"]}["databases"]
    assert found["level"] == "problem"
    assert says in found["detail"]
    assert "[[tools.databases]]" in found["next"]
    assert "bimat" not in shown.said


def test_a_database_on_a_server_is_told_to_be_contacted(cli: Run, built: Path) -> None:
    _with_database(built, DATABASE.replace("sqlite:///", "postgresql://lan:bimat@127.0.0.1:1/"))
    found = _checks(cli)["network"]
    assert "databases are asked on postgresql://lan@127.0.0.1:1/hr.sqlite" in found["detail"]


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (
            'base_url = "http://lan:bimat@127.0.0.1:9/v1"\nmodel = "m"\n',
            "questions and passages are sent to http://127.0.0.1:9/v1",
        ),
        ('preset = "openrouter"\nmodel = "m"\n', "sent to https://openrouter.ai/api/v1"),
        (
            '[tools.web_search]\nurl = "http://lan:bimat@127.0.0.1:9"\n',
            "tools are asked: web_search (http://127.0.0.1:9)",
        ),
        (
            '[[tools.mcp]]\nname = "ve"\nurl = "http://127.0.0.1:9/mcp"\n',
            "tools are asked: ve (http://127.0.0.1:9/mcp)",
        ),
        (
            '[[tools.mcp]]\nname = "ve"\ncommand = ["ve"]\n',
            "tools are asked: ve (a program)",
        ),
    ],
)
def test_everything_that_the_settings_let_contact_is_told(
    cli: Run, built: Path, settings: str, told: str
) -> None:
    _with_database(built, settings)
    shown = cli("doctor", "--json")
    found = {one["name"]: one for one in json.loads(shown.stdout)["checks"]}["network"]
    assert found["level"] == "note"
    assert told in found["detail"]
    assert "nothing is contacted" not in found["detail"]
    assert "bimat" not in shown.said
