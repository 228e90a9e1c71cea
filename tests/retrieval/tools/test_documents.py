import json
from typing import Any

import pytest

from retrieval.access import Identity
from retrieval.errors import ToolError
from retrieval.filters import Filters
from retrieval.tools.documents import columns, search_documents
from retrieval.tools.registry import call, registry
from state.types import Candidate
from tests.retrieval.conftest import document

LEAVE = document("leave", "Nhân viên được nghỉ phép năm 12 ngày.", version="2026")
SALARY = document("salary", "Lương giám đốc: 90 triệu.", access=("kế toán",))


@pytest.fixture
def tools(knowledge_base_of):
    return registry(search_documents(knowledge_base_of(LEAVE, SALARY)))


NOT_OF_DOCUMENTS = {"kind", "answer", "statement", "parameters", "rows"}
GIVEN_BY_THE_RUN = {"subgoal_id", "query", "tool"}


def test_a_passage_has_every_field_of_a_candidate_that_search_knows(tools):
    (passage,) = call(tools, "search_documents", {"query": "nghỉ phép"}, Identity(), 5).passages
    assert set(passage) == set(Candidate.__annotations__) - NOT_OF_DOCUMENTS - GIVEN_BY_THE_RUN
    assert LEAVE.text[passage["start"] : passage["end"]] == passage["text"]
    assert (passage["version"], passage["language"]) == ("2026", "vi")
    assert passage["sha256"] == LEAVE.sha256
    assert json.loads(json.dumps(passage)) == passage


def test_a_later_piece_of_a_table_carries_the_header_of_its_columns():
    assert columns("Danh bạ > Bảng\n| Mã | Họ tên |\n|---|---|") == "| Mã | Họ tên |"
    assert columns("Danh bạ > Bảng") == ""


def test_only_the_identity_of_the_run_opens_a_document(tools):
    query = {"query": "lương giám đốc"}
    shown = call(tools, "search_documents", query, Identity("lan"), 5).passages
    assert [passage["source"] for passage in shown] == ["leave.md"]
    accountant = Identity(groups=frozenset({"kế toán"}))
    assert call(tools, "search_documents", query, accountant, 1).passages[0]["id"] == "salary-0"
    with pytest.raises(ToolError, match="does not know 'groups'"):
        call(tools, "search_documents", {**query, "groups": ["kế toán"]}, Identity(), 5)


def test_an_empty_query_is_an_error_that_says_so(tools):
    with pytest.raises(ToolError, match="empty"):
        call(tools, "search_documents", {"query": " "}, Identity(), 5)


def test_the_tool_only_reads(tools):
    assert tools["search_documents"].read_only
    assert not tools["search_documents"].needs_approval


def test_a_search_in_collections_has_a_version_that_changes_with_them() -> None:
    nothing: Any = None
    versions = {
        search_documents(nothing, Filters(collections=names)).version
        for names in ((), ("nhân sự",), ("nhân sự", "luật"))
    }
    assert len(versions) == 3
    assert search_documents(nothing).version == ""
