"""Paths and folders as a person gives them → the files to take in, each with a stable name."""

import os
import stat
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from state.text import clean

SUFFIXES = (".md", ".markdown", ".txt", ".text", ".html", ".htm")


@dataclass(frozen=True)
class SourceFile:
    """A file to take in.

    `source` is what people see: the name of the given folder and the path below it, POSIX, NFC.
    `path` is absolute, with the given folder's own links resolved.
    """

    path: Path
    source: str


@dataclass
class Discovery:
    """What was found below the given paths.

    `roots` are the paths that could be looked into: a document below one of them whose file
    is gone was deleted. Nothing is known about what lies below `unread`. `failed` holds
    (path as people see it, one sentence), `other_kinds` the number of files left out by suffix.
    """

    files: list[SourceFile] = field(default_factory=list)
    roots: list[Path] = field(default_factory=list)
    unread: list[Path] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)
    other_kinds: Counter[str] = field(default_factory=Counter)


def discover(paths: Iterable[Path]) -> Discovery:
    """The Markdown, text and HTML files of `paths`, sorted by source, each file once.

    Hidden files and folders below a given folder are left out. Links are followed, except one
    that leads back to a folder it lies in. Never raises for a path: what cannot be read is a
    line in `failed`.
    """
    found = Discovery()
    for path in paths:
        _look_into(Path(path), found)
    found.files = _each_once(found)
    return found


def is_below(path: Path, roots: Iterable[Path]) -> bool:
    """Whether a path is one of `roots` or lies in one; no file is looked at."""
    return any(path == root or root in path.parents for root in roots)


def _look_into(given: Path, found: Discovery) -> None:
    shown = clean(str(given))
    try:
        path = given.parent.resolve() / given.name if given.name else given.resolve()
        is_folder = stat.S_ISDIR(path.stat().st_mode)
    except FileNotFoundError:
        found.failed.append((shown, "there is no such file or folder"))
        return
    except (OSError, RuntimeError, ValueError) as error:
        found.failed.append((shown, f"it cannot be opened ({_why(error)})"))
        return
    if not is_folder:
        _take(path, clean(path.name), found, by_name=True)
        found.roots.append(path)
        return
    path = path.resolve()
    found.roots.append(path)
    before = len(found.files) + len(found.failed)
    _walk(path, clean(path.name), (), found)
    if len(found.files) + len(found.failed) == before:
        found.failed.append((shown, "there is no Markdown, text or HTML file in this folder"))


def _walk(folder: Path, source: str, above: tuple[tuple[int, int], ...], found: Discovery) -> None:
    """Take in the files of a folder and of those below; `above` are the folders it lies in."""
    try:
        here = folder.stat()
        names = sorted(os.listdir(folder))
    except OSError as error:
        found.unread.append(folder)
        found.failed.append((source, f"the folder cannot be read ({_why(error)})"))
        return
    identity = (here.st_dev, here.st_ino)
    if identity in above:
        found.failed.append((source, "the link leads back to a folder it lies in"))
        return
    for name in names:
        if name.startswith("."):
            continue
        path, shown = folder / name, f"{source}/{clean(name)}".lstrip("/")
        if path.is_dir():
            _walk(path, shown, (*above, identity), found)
        else:
            _take(path, shown, found)


def _take(path: Path, source: str, found: Discovery, *, by_name: bool = False) -> None:
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        if by_name:
            known = ", ".join(SUFFIXES)
            found.failed.append((source, f"files of this kind cannot be read, only {known}"))
        else:
            found.other_kinds[suffix or "no suffix"] += 1
        return
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            found.failed.append((source, "it is not a regular file"))
            return
    except FileNotFoundError:
        found.failed.append((source, "the link leads to a file that does not exist"))
        return
    except OSError as error:
        found.unread.append(path)
        found.failed.append((source, f"it cannot be opened ({_why(error)})"))
        return
    found.files.append(SourceFile(path, source))


def _each_once(found: Discovery) -> list[SourceFile]:
    """The files sorted by source, a file that several paths or links lead to only once."""
    kept: dict[Path, SourceFile] = {}
    for file in sorted(found.files, key=lambda file: (file.path.is_symlink(), file.source)):
        kept.setdefault(file.path.resolve(), file)
    return sorted(kept.values(), key=lambda file: file.source)


def _why(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()
