"""Paths with wildcards, as `docs/**/*.pdf` where the shell has not resolved them."""

from dataclasses import dataclass
from pathlib import Path

from ingest.patterns import Pattern, compile_pattern, matches
from state.text import nfc

_WILDCARDS = set("*?[")


@dataclass(frozen=True)
class Glob:
    """A pattern below a folder; `shown` is how it was given."""

    folder: Path
    pattern: Pattern
    shown: str


def split_glob(given: Path) -> Glob | None:
    """A path with a wildcard as a pattern; None if it has none, or if such a file exists."""
    parts = given.parts
    first = next((n for n, part in enumerate(parts) if _WILDCARDS & set(part)), None)
    if first is None or given.exists():
        return None
    folder = Path(*parts[:first]) if first else Path()
    return Glob(folder, compile_pattern("/" + "/".join(parts[first:])), str(given))


def covers(glob: Glob, path: Path) -> bool:
    """Whether a pattern covers an absolute path; no file is looked at."""
    if glob.folder not in path.parents:
        return False
    return matches(glob.pattern, nfc(path.relative_to(glob.folder).as_posix()))
