from dataclasses import replace

import pytest

from retrieval.access import Identity
from retrieval.errors import UsageError
from retrieval.filters import EVERYTHING, Filters, may_find
from tests.retrieval.conftest import document

POLICY = replace(
    document("nhan-su/nghi-phep", "Nghỉ phép năm.", version="2025"),
    department="Nhân sự",
    collection="nội quy",
    effective_from="2025-01-01",
    effective_to="2025-12-31",
)
EVERYBODY = Identity()


def found(filters, of=POLICY, identity=EVERYBODY):
    return may_find(of, identity, filters)


def test_without_filters_only_the_access_list_counts():
    assert found(EVERYTHING)
    closed = replace(POLICY, access=("lan",))
    assert not found(EVERYTHING, closed)
    assert found(EVERYTHING, closed, Identity("lan"))
    assert not found(EVERYTHING, replace(POLICY, access=()), Identity("lan"))


@pytest.mark.parametrize(
    ("filters", "fits"),
    [
        (Filters(departments=("nhân sự",)), True),
        (Filters(departments=("Kỹ thuật", "Nhân sự")), True),
        (Filters(departments=("Kỹ thuật",)), False),
        (Filters(versions=("2025",)), True),
        (Filters(versions=("2026",)), False),
        (Filters(languages=("vi",)), True),
        (Filters(languages=("en",)), False),
        (Filters(sources=("nhan-su",)), True),
        (Filters(sources=("nhan-su/",)), True),
        (Filters(sources=("nhan-su/*.md",)), True),
        (Filters(sources=("nhan",)), False),
        (Filters(collections=("Nội quy", "khác")), True),
        (Filters(collections=("documents",)), False),
        (Filters(departments=("nhân sự",), versions=("2026",)), False),
        (Filters(versions=("2025",), within=Filters(collections=("nội quy",))), True),
        (Filters(versions=("2025",), within=Filters(collections=("documents",))), False),
    ],
)
def test_each_filter_asks_for_one_of_its_values(filters, fits):
    assert found(filters) is fits


@pytest.mark.parametrize(
    ("day", "fits"),
    [("2024-12-31", False), ("2025-01-01", True), ("2025-12-31", True), ("2026-01-01", False)],
)
def test_a_date_asks_for_what_is_in_force_that_day_both_ends_included(day, fits):
    assert found(Filters(as_of=day)) is fits


def test_a_document_without_dates_is_always_in_force():
    assert found(Filters(as_of="1999-01-01"), document("d", "văn bản"))
    assert found(Filters(as_of="2030-01-01"), replace(POLICY, effective_to=""))


@pytest.mark.parametrize("day", ["31/12/2025", "2025-13-01", "hôm nay", "20260131", "2026-W05"])
def test_a_date_that_is_none_is_one_sentence_with_an_example(day):
    with pytest.raises(UsageError, match="write one as 2026-01-31"):
        Filters(as_of=day)
