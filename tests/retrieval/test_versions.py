from dataclasses import replace

import pytest

from retrieval.catalogue import Chunk
from retrieval.versions import by_version
from tests.retrieval.conftest import document

TODAY = "2026-06-30"
QUERY = "Nhân viên được nghỉ phép mấy ngày?"


def hit(name, text, version="", begun="", ended=""):
    of = document(name, text, version=version)
    of = replace(of, effective_from=begun, effective_to=ended)
    return name, Chunk(f"{name}-0", of.id, 0, text, 0, len(text)), of


def rule(days, *fields):
    return hit(f"v{fields[0]}", f"Nhân viên được nghỉ phép năm {days} ngày có lương.", *fields)


OLD = rule(12, "2024", "2024-01-01", "2024-12-31")
NEW = rule(14, "2025", "2025-01-01", "")
NEXT = rule(15, "2027", "2027-01-01", "")
PARTY = hit("tiệc", "Tiệc cuối năm tổ chức ở Đà Nẵng, ai cũng được mời.")


def order(hits, query=QUERY, day=TODAY):
    return by_version(hits, query, day)


@pytest.mark.parametrize("hits", [[OLD, NEW, NEXT], [NEXT, OLD, NEW], [NEW, NEXT, OLD]])
def test_the_version_in_force_outranks_the_superseded_and_the_coming_one(hits):
    assert order(hits)[0] == "v2025"


@pytest.mark.parametrize(("day", "first"), [("2024-05-01", "v2024"), ("2027-05-01", "v2027")])
def test_what_is_in_force_depends_on_the_day(day, first):
    assert order([OLD, NEW, NEXT], day=day)[0] == first


@pytest.mark.parametrize("year", ["2024", "2025", "2027"])
def test_a_year_that_is_named_gets_its_version(year):
    assert order([NEW, NEXT, OLD], f"Năm {year}, {QUERY}")[0] == f"v{year}"


def test_several_years_are_compared_so_nothing_moves():
    assert order([OLD, NEW], "Phép năm 2025 nhiều hơn năm 2024 mấy ngày?") == ["v2024", "v2025"]


def test_a_version_that_is_a_year_counts_as_begun_with_it():
    hits = [rule(12, "2024"), rule(14, "2026"), rule(15, "2030")]
    assert order(hits) == ["v2026", "v2024", "v2030"]


def test_other_matters_and_undated_passages_keep_their_places():
    other = hit("lương", "Lương trả vào ngày mồng năm.", "2020", "2020-01-01", "2020-12-31")
    assert order([PARTY, OLD, other, NEW]) == ["tiệc", "v2025", "lương", "v2024"]


def test_documents_whose_titles_differ_by_a_number_only_are_versions():
    def titled(name, text, *fields):
        label, chunk, of = hit(name, text, *fields)
        return label, chunk, replace(of, title=f"Quy chế lương {name}")

    old = titled("2024", "Bậc một là năm triệu.", "2024", "2024-01-01", "2024-12-31")
    new = titled("2025", "Thang mới gồm chín mức khác hẳn.", "2025", "2025-01-01")
    assert order([old, new]) == ["2025", "2024"]


def test_passages_of_one_document_are_not_versions_of_each_other():
    label, chunk, of = NEW
    twin = ("twin", replace(chunk, id="twin"), of)
    assert order([twin, NEW]) == ["twin", label]
    assert order([]) == []
