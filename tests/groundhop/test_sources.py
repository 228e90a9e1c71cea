"""`sources`, `show`, `remove`, and the options of `ingest` and `doctor` about them."""

import json
import shutil
from pathlib import Path

import pytest

from tests.groundhop.conftest import Run


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """A folder with a public and a restricted document."""
    folder = tmp_path / "tài liệu"
    (folder / "mật").mkdir(parents=True)
    (folder / "phép.md").write_text("# Nghỉ phép 2026\n\nĐược nghỉ 15 ngày.\n", "utf-8")
    (folder / "mật" / "lương.md").write_text("# Lương\n\nTrả ngày 5.\n", "utf-8")
    return folder


RULES = """
[[ingest.rules]]
match = "mật/**"
access = ["kế toán"]
department = "Kế toán"
effective_from = 2026-01-01
"""


def test_sources_lists_what_is_known_of_each_document(
    cli: Run, documents: Path, tmp_path: Path
) -> None:
    (tmp_path / "groundhop.toml").write_text(RULES, "utf-8")
    assert cli("ingest", str(documents)).code == 0
    said = cli("sources").said
    assert "tài liệu/mật/lương.md" in said
    assert "in force from 2026-01-01 · Kế toán · readers: kế toán · vi · 1 chunk" in said
    assert "version 2026" in said
    assert "2 documents, 2 chunks" in said
    assert "1 document, 1 chunk" in cli("sources", "tài liệu/mật/").said
    rows = json.loads(cli("sources", "--json").stdout)["documents"]
    assert [row["access"] for row in rows] == [["kế toán"], None]


def test_a_malformed_rule_takes_nothing_in(cli: Run, documents: Path, tmp_path: Path) -> None:
    (tmp_path / "groundhop.toml").write_text(RULES.replace("access", "acess"), "utf-8")
    ended = cli("ingest", str(documents))
    assert ended.code == 2
    assert "Rule 1 ('mật/**') of [[ingest.rules]]" in ended.stderr
    assert cli("sources").code == 2


@pytest.mark.parametrize(
    "text", ["[ingest", "[ingest]\nrulez = []", "ingest = 3", "[ingest]\nrules = 1"]
)
def test_settings_whose_rules_cannot_be_found_take_nothing_in(
    cli: Run, documents: Path, tmp_path: Path, text: str
) -> None:
    (tmp_path / "groundhop.toml").write_text(text, "utf-8")
    assert cli("ingest", str(documents)).code == 2


def test_show_prints_passages_with_their_places_or_the_text(cli: Run, documents: Path) -> None:
    cli("ingest", str(documents))
    said = cli("show", "tài liệu/phép.md").said
    assert "[1] Nghỉ phép 2026 (0-36)" in said
    assert "Được nghỉ 15 ngày." in said
    assert cli("show", "tài liệu/phép.md", "--text").stdout == (
        "# Nghỉ phép 2026\n\nĐược nghỉ 15 ngày.\n"
    )
    shown = json.loads(cli("show", "tài liệu/phép.md", "--json").stdout)
    assert shown["text"][shown["chunks"][0]["start"] :].startswith("# Nghỉ phép")


def test_a_source_that_is_not_there_is_a_usage_error(cli: Run, documents: Path) -> None:
    cli("ingest", str(documents))
    for name in ("show", "remove"):
        ended = cli(name, "tài liệu/khác.md")
        assert (ended.code, "groundhop sources" in ended.stderr) == (2, True)


def test_remove_takes_a_folder_out(cli: Run, documents: Path) -> None:
    cli("ingest", str(documents))
    assert "removed tài liệu/mật/lương.md" in cli("remove", "tài liệu/mật/").said
    assert "1 document, 1 chunk" in cli("sources").said


def test_a_dry_run_says_what_would_be_done_and_does_nothing(cli: Run, documents: Path) -> None:
    ended = cli("ingest", str(documents), "--dry-run")
    assert ended.code == 0
    assert "+ tài liệu/phép.md" in ended.said
    assert "2 added, 0 changed, 0 moved, 0 unchanged, 0 removed, 0 failed" in ended.said
    assert cli("sources").code == 2


def test_watching_takes_in_what_changes_until_it_is_stopped(
    cli: Run, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def changes(*_: object):
        (documents / "mới.md").write_text("# Mới\n\nThêm.\n", "utf-8")
        yield {}
        raise KeyboardInterrupt

    monkeypatch.setattr("ingest.watching.changes", changes)
    ended = cli("ingest", str(documents), "--watch")
    assert ended.code == 0
    assert "1 added, 0 changed, 2 unchanged" in ended.said
    assert "Stopped." in ended.stderr


def test_doctor_repairs_indexes_that_do_not_agree(cli: Run, documents: Path, home: Path) -> None:
    cli("ingest", str(documents))
    for folder in home.glob("vectors*"):
        shutil.rmtree(folder)
    broken = cli("doctor")
    assert (broken.code, "groundhop doctor --repair" in broken.said) == (1, True)
    repaired = cli("doctor", "--repair")
    assert "indexes restored from the catalogue (2 documents, 2 chunks)" in repaired.said
    assert "the three agree" in repaired.said
