"""Parts of the knowledge base, and what else a question can be narrowed to, on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from graph.context import Context
from groundhop import ask
from tests.groundhop.conftest import Run

LEAVE = "# Nghỉ phép\n\nNhân viên chính thức được nghỉ phép năm 12 ngày.\n"
OLD_LEAVE = (
    "---\nversion: '2024'\neffective_from: 2024\neffective_to: 2024\ndepartment: Nhân sự\n---\n"
    "# Nghỉ phép 2024\n\nNhân viên chính thức được nghỉ phép năm 10 ngày.\n"
)
ENGLISH = "# Leave\n\nPermanent employees have 14 days of annual leave.\n"
QUESTION = "Nhân viên chính thức được nghỉ phép năm mấy ngày?"


@pytest.fixture
def base(cli: Run, tmp_path: Path) -> Run:
    """The command line over two collections: `nhan-su`, and the one of documents put nowhere."""
    for name, text in {
        "nhân sự/phép.md": LEAVE,
        "nhân sự/phép-2024.md": OLD_LEAVE,
        "khác/leave.md": ENGLISH,
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert cli("ingest", "nhân sự", "--collection", "nhan-su").code == 0
    assert cli("ingest", "khác").code == 0
    return cli


def found(cli: Run, query: str, *options: str) -> set[str]:
    told = json.loads(cli("search", query, "--json", *options).stdout)
    return {hit["source"] for hit in told["hits"]}


def cited(cli: Run, *options: str) -> set[str]:
    told: Any = json.loads(cli("ask", QUESTION, "--json", *options).stdout)
    return {one["source"] for one in told["answer"].get("citations", [])}


def test_a_search_in_a_collection_finds_its_documents_only(base: Run) -> None:
    everywhere = found(base, "nghỉ phép annual leave")
    assert everywhere == {"nhân sự/phép.md", "nhân sự/phép-2024.md", "khác/leave.md"}
    inside = found(base, "nghỉ phép annual leave", "--collection", "nhan-su")
    assert inside == {"nhân sự/phép.md", "nhân sự/phép-2024.md"}
    assert found(base, "nghỉ phép annual leave", "--collection", "documents") == {"khác/leave.md"}
    both = ("--collection", "nhan-su", "--collection", "documents")
    assert found(base, "nghỉ phép annual leave", *both) == everywhere
    assert found(base, "nghỉ phép", "--collection", "không có") == set()


def test_a_document_stays_in_its_collection_until_another_is_named(base: Run) -> None:
    assert "2 unchanged" in base("ingest", "nhân sự").said
    assert found(base, "nghỉ phép", "--collection", "nhan-su")
    assert "2 changed" in base("ingest", "nhân sự", "--collection", "lưu trữ", "--dry-run").said
    assert "2 changed" in base("ingest", "nhân sự", "--collection", "lưu trữ").said
    assert found(base, "nghỉ phép", "--collection", "nhan-su") == set()
    assert found(base, "nghỉ phép", "--collection", "LƯU TRỮ")
    assert "in lưu trữ" in base("sources").said


def test_a_collection_without_a_name_is_refused(base: Run) -> None:
    refused = base("ingest", "khác", "--collection", "  ")
    assert refused.code == 2
    assert "no name" in refused.said


@pytest.mark.parametrize(
    ("options", "source"),
    [
        (("--version", "2024"), "nhân sự/phép-2024.md"),
        (("--as-of", "2024-06-30", "--source", "nhân sự/*2024*"), "nhân sự/phép-2024.md"),
        (("--department", "nhân sự"), "nhân sự/phép-2024.md"),
        (("--source", "nhân sự/phép.md"), "nhân sự/phép.md"),
        (("--collection", "nhan-su", "--as-of", "2026-01-01"), "nhân sự/phép.md"),
    ],
)
def test_an_answer_comes_from_what_the_question_was_narrowed_to(
    base: Run, options: tuple[str, ...], source: str
) -> None:
    assert cited(base, *options) == {source}


def test_what_lies_outside_of_the_filters_is_no_evidence(base: Run) -> None:
    asked = base("ask", QUESTION, "--language", "ja", "--json")
    assert asked.code == 3
    assert json.loads(asked.stdout)["answer"]["citations"] == []
    told = base("ask", QUESTION, "--collection", "nhan-su", "--language", "vi").said
    assert "only these documents were searched: --collection nhan-su --language vi" in told
    assert "only these documents" not in base("ask", QUESTION).said


def test_options_that_leave_no_document_are_named_with_the_command_that_lists_documents(
    base: Run,
) -> None:
    said = base("ask", QUESTION, "--collection", "nội quy", "--language", "ja").said
    assert "nothing was found with --collection 'nội quy' --language ja: `groundhop" in said
    assert "sources` shows what documents there are" in said


def test_a_tool_may_be_set_to_search_in_a_collection(
    base: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from graph.services import open_services
    from retrieval.access import Identity
    from retrieval.filters import Filters
    from retrieval.tools.registry import call

    settings = (
        '[tools.documents.search_rules]\ndescription = "Quy định."\ncollections = ["nhan-su"]\n'
    )
    (tmp_path / "groundhop.toml").write_text(settings, encoding="utf-8")
    services = open_services()
    ask: Any = ("search_rules", {"query": "nghỉ phép annual leave"}, Identity(), 9)
    inside = {one["source"] for one in call(services.tools, *ask).passages}
    old = {
        one["source"] for one in call(services.tools, *ask, Filters(versions=("2024",))).passages
    }
    other = call(services.tools, *ask, Filters(collections=("documents",))).passages
    services.close()
    assert services.tools["search_rules"].description == "Quy định."
    assert inside == {"nhân sự/phép.md", "nhân sự/phép-2024.md"}
    assert old == {"nhân sự/phép-2024.md"}
    assert other == []


def test_the_command_that_goes_on_names_asker_filters_and_what_the_run_may_do() -> None:
    context = Context(user="an", groups=["hr"], collections=["nội quy"], pause=True, web=True)
    assert ask._resume_words("t", context) == [
        *("resume", "t", "--as", "an", "--group", "hr"),
        *("--collection", "nội quy", "--pause", "--web"),
    ]
