import re
from datetime import date
from pathlib import Path

import pytest

from ingest.errors import RefusedError
from ingest.front_matter import read_sidecar
from ingest.loaders import load
from ingest.planning import plan
from ingest.rules import read_rules
from ingest.stated import Stated, combined
from ingest.sync import sync
from retrieval.errors import UsageError
from tests.ingest.conftest import Base, Write

PHEP = "# Nghỉ phép\n\nNhân viên được nghỉ 15 ngày.\n"


def matched(pattern: str, path: str, folder: str = "/kho") -> bool:
    return bool(read_rules([{"match": pattern, "version": "1"}], Path(folder)).of(Path(path)))


@pytest.mark.parametrize(
    ("pattern", "path", "covers"),
    [
        ("hr/**", "/kho/hr/a.md", True),
        ("hr/**", "/kho/tài liệu/hr/sâu/a.md", True),
        ("HR/**", "/kho/hr/a.md", True),
        ("hr", "/kho/x/hr/a.md", True),
        ("hr/", "/kho/hr", False),
        ("hr/**", "/kho/chr/a.md", False),
        ("/hr/**", "/kho/x/hr/a.md", False),
        ("*.pdf", "/kho/x/a.pdf", True),
        ("a/*.md", "/kho/a/b/c.md", False),
        ("a/**/c.md", "/kho/a/c.md", True),
        ("lương-20??.md", "/kho/lương-2026.md", True),
        ("[ab]*.md", "/kho/c.md", False),
        ("hr/**", "/nơi khác/hr/a.md", True),
    ],
)
def test_a_pattern_covers_files_at_any_depth(pattern: str, path: str, covers: bool) -> None:
    assert matched(pattern, path) is covers


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ({"match": "hr/**", "acess": ["hr"]}, "'acess' is not known"),
        ({"match": "hr/**", "access": "hr"}, "`access` in it must be a list"),
        ({"access": ["hr"]}, "it needs `match`"),
        ({"match": "hr/**"}, "states nothing"),
        ({"match": "/", "version": "1"}, "names nothing"),
        ({"match": "!hr/**", "version": "1"}, "must not begin with"),
        ({"match": "hr/**", "effective_from": "hôm qua"}, "must be a date"),
        ({"match": "hr/**", "effective_to": "2026-02-30"}, "must be a date"),
        (
            {"match": "hr", "effective_from": "2027", "effective_to": "2026"},
            "later than `effective_to`",
        ),
        ({"match": "hr/**", "version": True}, "version must be a text"),
        ({"match": "*.json", "fields": {"body": "x"}}, "`fields` must be a table"),
        ({"match": "[z-a].md", "version": "1"}, "bad character range"),
    ],
)
def test_a_rule_that_cannot_be_read_is_named_in_one_sentence(rule: dict, reason: str) -> None:
    good = {"match": "*.md", "version": "1"}
    with pytest.raises(UsageError, match=reason) as refusal:
        read_rules([good, rule], Path("/kho"))
    assert str(refusal.value).startswith("Rule 2")
    assert "nothing was taken in" in str(refusal.value)


def test_a_year_or_month_stands_for_its_first_and_last_day() -> None:
    rules = read_rules(
        [{"match": "*", "effective_from": "2024-02", "effective_to": "2024"}], Path("/")
    )
    stated = rules.rules[0].stated
    assert (stated.effective_from, stated.effective_to) == ("2024-02-01", "2024-12-31")


def test_a_date_of_toml_is_read() -> None:
    rules = read_rules([{"match": "*", "effective_to": date(2026, 2, 28)}], Path("/"))
    assert rules.rules[0].stated.effective_to == "2026-02-28"


def test_what_stands_nearest_to_the_text_counts() -> None:
    rule, sidecar = Stated(version="2024", department="NS"), Stated(version="2025", authority="GĐ")
    found = load("a.md", "---\nversion: 2026\n---\nĐiều 1".encode(), [rule, sidecar])
    assert (found.version, found.stated.department, found.stated.authority) == ("2026", "NS", "GĐ")


@pytest.mark.parametrize(
    ("lists", "readers"),
    [
        ([None, ("hr",)], ("hr",)),
        ([("hr",), None], ("hr",)),
        ([("hr", "legal"), ("legal", "it")], ("legal",)),
        ([("hr",), ()], ()),
        ([None, None], None),
    ],
)
def test_each_list_of_readers_narrows_and_none_widens(lists: list, readers: object) -> None:
    assert combined([Stated(access=one) for one in lists]).access == readers


def test_lists_without_a_common_name_are_noted() -> None:
    found = load("a.md", b"---\naccess: [legal]\n---\nx", [Stated(access=("hr",))])
    assert found.stated.access == ()
    assert "nobody may read it" in found.note


def test_a_sidecar_describes_the_file_beside_it(base: Base, write: Write) -> None:
    write("bảng lương.csv", "Tên,Lương\nLan,10\n")
    write(
        "bảng lương.csv.meta.yaml",
        "title: Bảng lương\naccess: [kế toán]\neffective_from: 2026-01-01\nngười lập: Lan\n",
    )
    report = base.sync()
    found = base.documents()["tài liệu/bảng lương.csv"]
    assert (report.added, report.failed, report.other_kinds) == (1, [], {})
    assert (found.title, found.access) == ("Bảng lương", ("kế toán",))
    assert found.effective_from == "2026-01-01"
    assert found.metadata == {"người lập": "Lan"}


def test_a_sidecar_that_changes_is_read_anew(base: Base, write: Write) -> None:
    write("phép.md", PHEP)
    write("phép.md.meta.yml", "version: 1")
    base.sync()
    write("phép.md.meta.yml", "version: 2")
    assert base.sync().changed == 1
    assert base.documents()["tài liệu/phép.md"].version == "2"
    (base.folder / "phép.md.meta.yml").unlink()
    assert base.sync().changed == 1
    assert base.documents()["tài liệu/phép.md"].version == ""


def test_a_sidecar_spelt_in_capitals_counts(base: Base, write: Write) -> None:
    write("lương.md", PHEP)
    write("lương.md.META.yaml", "access: [kế toán]")
    base.sync()
    assert base.documents()["tài liệu/lương.md"].access == ("kế toán",)


def test_a_sidecar_that_cannot_be_opened_takes_the_public_document_out(
    base: Base, write: Write
) -> None:
    write("lương.md", PHEP)
    base.sync()
    (base.folder / "lương.md.meta.yaml").symlink_to("/nonexistent")
    assert len(base.sync().failed) == 1
    assert "tài liệu/lương.md" not in base.documents()


def test_a_document_that_loses_its_readers_list_is_named(base: Base, write: Write) -> None:
    write("lương.md", PHEP)
    write("lương.md.meta.yml", "access: [kế toán]")
    base.sync()
    (base.folder / "lương.md.meta.yml").unlink()
    ((source, sentence),) = base.sync().notes
    assert source == "tài liệu/lương.md"
    assert "EVERYBODY MAY READ IT NOW" in sentence
    assert "kế toán" in sentence


@pytest.mark.parametrize(
    "text",
    [
        "access: hr",
        "access: [hr",
        "- hr",
        "acces: [hr]",
        "access: [hr]\naccess: null",
        "a:\n  access: [hr]",
    ],
)
def test_a_sidecar_that_cannot_be_read_keeps_the_file_out(
    base: Base, write: Write, text: str
) -> None:
    write("phép.md", PHEP)
    write("phép.md.meta.yaml", text)
    [(source, reason)] = base.sync().failed
    assert source == "tài liệu/phép.md"
    assert "phép.md.meta.yaml" in reason
    assert base.documents() == {}


def test_a_sidecar_that_describes_no_file_is_reported(base: Base, write: Write) -> None:
    write("phép.md", PHEP)
    write("phep.md.meta.yaml", "access: [hr]")
    [(source, reason)] = base.sync().failed
    assert source == "tài liệu/phep.md.meta.yaml"
    assert "there is no such file" in reason


def test_two_sidecars_of_one_file_are_refused(base: Base, write: Write) -> None:
    write("phép.md", PHEP)
    for suffix in ("yaml", "yml"):
        write(f"phép.md.meta.{suffix}", "version: 1")
    [(_, reason)] = base.sync().failed
    assert "two files describe it" in reason


def test_a_line_of_a_sidecar_is_counted_from_its_first() -> None:
    with pytest.raises(RefusedError, match="line 2"):
        read_sidecar("a.meta.yaml", "title: ok\nlương: a: b\n")


def test_a_rule_restricts_a_folder_whichever_path_is_given(base: Base, write: Write) -> None:
    write("mật/lương.md", "Lương trả ngày 5.")
    rules = read_rules([{"match": "mật/**", "access": ["kế toán"]}], base.folder)
    for given in (base.folder, base.folder / "mật", base.folder / "mật" / "lương.md"):
        base.sync(given, rules=rules)
        [found] = base.documents().values()
        assert found.access == ("kế toán",)


def test_an_ingest_without_the_rules_of_an_earlier_one_is_refused_while_their_file_is_there(
    base: Base, write: Write, tmp_path: Path
) -> None:
    write("mật/lương.md", "Lương trả ngày 5.")
    file = tmp_path / "groundhop.toml"
    file.touch()
    restricted = [{"match": "mật/**", "access": ["kế toán"]}]
    base.sync(rules=read_rules(restricted, tmp_path))
    for rules in (None, read_rules([], base.folder), read_rules(restricted, base.folder)):
        for ingest in (sync, plan):
            with pytest.raises(UsageError, match=re.escape(f"the rules on paths in {file}")):
                ingest(base.home, [base.folder], base.embedder, rules=rules)
    assert base.documents()["tài liệu/mật/lương.md"].access == ("kế toán",)
    file.unlink()
    [(_, note)] = base.sync().notes
    assert "EVERYBODY MAY READ IT NOW" in note


def test_a_plan_does_not_remember_where_its_rules_stand(
    base: Base, write: Write, tmp_path: Path
) -> None:
    write("lương.md", "Lương trả ngày 5.")
    (tmp_path / "groundhop.toml").touch()
    base.sync()
    rules = read_rules([{"match": "*.md", "access": ["kế toán"]}], tmp_path)
    assert plan(base.home, [base.folder], base.embedder, rules=rules).changed
    assert base.sync().unchanged == 1


def test_a_rule_restricts_a_file_that_a_link_leads_to(base: Base, write: Write) -> None:
    write("mật/lương.md", "Lương trả ngày 5.")
    (base.folder / "chung").mkdir()
    (base.folder / "chung" / "lương.md").symlink_to(base.folder / "mật" / "lương.md")
    rules = read_rules([{"match": "mật/**", "access": ["kế toán"]}], base.folder)
    base.sync(base.folder / "chung", rules=rules)
    assert [one.access for one in base.documents().values()] == [("kế toán",)]


def test_a_restricted_file_that_can_no_longer_be_read_is_not_left_public(
    base: Base, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("phép.md", PHEP)
    base.sync()

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("ingest.documents.read_bytes", refuse)
    rules = read_rules([{"match": "*.md", "access": ["nhân sự"]}], base.folder)
    [(_, reason)] = base.sync(rules=rules).failed
    assert "was taken out" in reason
    assert base.documents() == {}


def test_a_rule_that_covers_nothing_is_noted(base: Base, write: Write) -> None:
    write("phép.md", PHEP)
    rules = read_rules([{"match": "nhan-su/**", "access": ["hr"]}], base.folder)
    [(_, note)] = base.sync(rules=rules).notes
    assert "'nhan-su/**' covers none of these files" in note


def test_the_fields_of_json_records_come_from_a_rule(base: Base, write: Write) -> None:
    write("faq.jsonl", '{"q": "Nghỉ mấy ngày?", "a": "15 ngày.", "id": 7}\n')
    fields = {"title": "q", "text": ["a"]}
    rules = read_rules([{"match": "faq.jsonl", "fields": fields}], base.folder)
    base.sync(rules=rules)
    assert base.text("tài liệu/faq.jsonl") == "## Nghỉ mấy ngày?\n\n15 ngày.\n"
