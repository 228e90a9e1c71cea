"""Which documents a search may find: those that the asker may read and that fit the request."""

from dataclasses import dataclass, replace
from datetime import date
from fnmatch import fnmatchcase

from retrieval.access import Identity, may_read
from retrieval.errors import UsageError
from retrieval.records import Document
from state.text import nfc

Names = tuple[str, ...]


@dataclass(frozen=True)
class Filters:
    """What a document must be; an empty field asks for nothing.

    Of each of `departments`, `versions`, `languages` and `collections` it must be one, and its
    source one of `sources` (paths as shown to users, with the wildcards * and ?; a path also
    means what is below it). `as_of` is an ISO date on which it must be in force; a document
    without dates always is. The filters `within` must let it through as well. Raises
    `UsageError` for a date that is none.
    """

    departments: Names = ()
    versions: Names = ()
    languages: Names = ()
    sources: Names = ()
    as_of: str = ""
    collections: Names = ()
    within: "Filters | None" = None

    def __post_init__(self) -> None:
        if self.as_of and not is_day(self.as_of):
            raise UsageError(f"{self.as_of!r} is no date: write one as 2026-01-31.")


EVERYTHING = Filters()


def is_day(text: str) -> bool:
    """Whether a text is a day as 2026-01-31: other forms of ISO 8601 do not compare as texts."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def narrowed(fixed: Filters, filters: Filters) -> Filters:
    """The filters, inside others that always hold."""
    return filters if fixed == EVERYTHING else replace(filters, within=fixed)


def may_find(document: Document, identity: Identity, filters: Filters) -> bool:
    """Whether a search for the identity with these filters may find passages of a document."""
    return (
        may_read(identity, document.access)
        and _one_of(document.department, filters.departments)
        and _one_of(document.version, filters.versions)
        and _one_of(document.language, filters.languages)
        and _one_of(document.collection, filters.collections)
        and (not filters.sources or any(_lies_in(document.source, one) for one in filters.sources))
        and (not filters.as_of or in_force(document, filters.as_of))
        and (filters.within is None or may_find(document, identity, filters.within))
    )


def in_force(document: Document, day: str) -> bool:
    """Whether a document's dates include an ISO date; an open end has no limit."""
    begun = not document.effective_from or document.effective_from <= day
    return begun and (not document.effective_to or day <= document.effective_to)


def _one_of(value: str, wanted: Names) -> bool:
    return not wanted or nfc(value).casefold() in {nfc(one).casefold() for one in wanted}


def _lies_in(source: str, pattern: str) -> bool:
    pattern = nfc(pattern).rstrip("/")
    return source == pattern or source.startswith(f"{pattern}/") or fnmatchcase(source, pattern)
