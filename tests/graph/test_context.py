import pytest
from pydantic import ValidationError

from graph.context import Context
from retrieval.filters import EVERYTHING, Filters


def test_a_context_without_filters_lets_everything_through() -> None:
    assert Context().filters() == EVERYTHING


def test_the_filters_of_a_context_are_those_of_a_search() -> None:
    context = Context(
        collections=["nội quy"],
        sources=["hr/*"],
        departments=["Nhân sự"],
        versions=["2025"],
        languages=["vi"],
        as_of="2025-01-31",
    )
    assert context.filters() == Filters(
        departments=("Nhân sự",),
        versions=("2025",),
        languages=("vi",),
        sources=("hr/*",),
        as_of="2025-01-31",
        collections=("nội quy",),
    )


@pytest.mark.parametrize("day", ["31/01/2025", "2025-02-30", "hôm qua", "20250131"])
@pytest.mark.parametrize("field", ["as_of", "today"])
def test_a_day_that_is_none_or_written_in_another_form_is_refused(field: str, day: str) -> None:
    with pytest.raises(ValidationError, match=field):
        Context(**{field: day})
