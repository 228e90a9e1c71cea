"""Paths and folders as a person gives them → the files to take in, each with a stable name."""

import os
import stat
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ingest.errors import RefusedError
from ingest.formats.decoding import decode
from ingest.formats.registry import SUFFIXES
from ingest.globs import Glob, covers, split_glob
from ingest.patterns import Pattern, is_ignored, read_patterns
from state.text import clean, nfc

IGNORE_FILE = ".groundhopignore"
SIDECAR = (".meta.yaml", ".meta.yml")


@dataclass(frozen=True)
class SourceFile:
    """A file to take in.

    `source` is what people see: the name of the given folder and the path below it, POSIX, NFC.
    `path` is absolute, with the given folder's own links resolved; `real` has all of them
    resolved. `sidecars` are the files that describe it; more than one is a mistake.
    """

    path: Path
    source: str
    real: Path = Path()
    sidecars: tuple[Path, ...] = ()


@dataclass
class Discovery:
    """What was found below the given paths.

    `roots` are the paths that could be looked into, and `globs` the patterns: a document that
    one of them covers and whose file is gone was deleted. Nothing is known about what lies
    below `unread`. `failed` holds (path as people see it, one sentence), `other_kinds` the
    number of files left out by suffix, `ignored` that of files and folders that an ignore file
    names, `watched` the ignore files.
    """

    files: list[SourceFile] = field(default_factory=list)
    roots: list[Path] = field(default_factory=list)
    globs: list[Glob] = field(default_factory=list)
    unread: list[Path] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)
    other_kinds: Counter[str] = field(default_factory=Counter)
    ignored: int = 0
    watched: list[Path] = field(default_factory=list)


@dataclass(frozen=True)
class _Folder:
    """A folder on the way down: the identities of those above, and their ignore patterns."""

    above: tuple[tuple[int, int], ...] = ()
    ignore: tuple[tuple[Path, tuple[Pattern, ...]], ...] = ()


def discover(paths: Iterable[Path]) -> Discovery:
    """The files of `paths` that can be read, sorted by source, each file once.

    A path that does not exist and holds `*`, `?` or `[` is a pattern. Hidden files and folders
    below a given folder are left out, and what its `.groundhopignore` names. Links are
    followed, except one that leads back to a folder it lies in. Never raises for a path: what
    cannot be read is a line in `failed`.
    """
    found = Discovery()
    for path in paths:
        glob = split_glob(Path(path))
        if glob is None:
            _look_into(Path(path), found)
        else:
            _look_for(glob, found)
    found.files = _each_once(found)
    return found


def is_below(path: Path, roots: Iterable[Path]) -> bool:
    """Whether a path is one of `roots` or lies in one; no file is looked at."""
    return any(path == root or root in path.parents for root in roots)


def is_covered(path: Path, found: Discovery) -> bool:
    """Whether a discovery would have found a file at this path, if there were one."""
    if is_below(path, found.unread):
        return False
    return is_below(path, found.roots) or any(covers(glob, path) for glob in found.globs)


def _look_for(glob: Glob, found: Discovery) -> None:
    """Take in what a pattern covers of the folder before its first wildcard."""
    inner = Discovery()
    _look_into(glob.folder, inner)
    found.unread.extend(inner.unread)
    found.failed.extend(one for one in inner.failed if inner.unread or not inner.roots)
    found.watched.extend(inner.watched)
    if not inner.roots:
        return
    glob = Glob(inner.roots[0], glob.pattern, glob.shown)
    chosen = [file for file in inner.files if covers(glob, file.path)]
    if not chosen:
        found.failed.append((clean(glob.shown), "no file that can be read matches this pattern"))
    found.files.extend(chosen)
    found.globs.append(glob)


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
        beside = [f"{path.name}{suffix}" for suffix in SIDECAR]
        present = {name: name for name in beside if os.path.lexists(path.parent / name)}
        _take(path, clean(path.name), found, present, by_name=True)
        found.roots.append(path)
        return
    path = path.resolve()
    found.roots.append(path)
    before = len(found.files) + len(found.failed)
    _walk(path, clean(path.name), _Folder(), found)
    if len(found.files) + len(found.failed) == before:
        what = "there is no file in this folder that can be read"
        found.failed.append((shown, f"{what} ({', '.join(SUFFIXES)})"))


def _walk(folder: Path, source: str, above: _Folder, found: Discovery) -> None:
    """Take in the files of a folder and of those below."""
    try:
        here = folder.stat()
        names = sorted(os.listdir(folder))
        below = _with_ignore_file(folder, names, above, (here.st_dev, here.st_ino), found)
    except (OSError, RefusedError) as error:
        found.unread.append(folder)
        found.failed.append((source, f"the folder cannot be read ({_why(error)})"))
        return
    if below.above[-1] in above.above:
        found.failed.append((source, "the link leads back to a folder it lies in"))
        return
    present = {_spelt(nfc(name)): name for name in names}
    for name in names:
        if name.startswith("."):
            continue
        path, shown = folder / name, f"{source}/{clean(name)}".lstrip("/")
        is_folder = os.path.isdir(path)
        if below.ignore and _is_ignored(path, below, is_folder):
            found.ignored += 1
        elif is_folder:
            _walk(path, shown, below, found)
        elif _spelt(name).endswith(SIDECAR):
            _check_sidecar(name, shown, present, found)
        else:
            _take(path, shown, found, present)


def _with_ignore_file(
    folder: Path, names: Sequence[str], above: _Folder, here: tuple[int, int], found: Discovery
) -> _Folder:
    ignore = above.ignore
    if IGNORE_FILE in names:
        file = folder / IGNORE_FILE
        found.watched.append(file)
        try:
            patterns = read_patterns(decode(file.read_bytes()))
        except RefusedError as error:
            raise RefusedError(f"its {IGNORE_FILE}: {error}") from error
        ignore = (*ignore, (folder, tuple(patterns)))
    return _Folder((*above.above, here), ignore)


def _is_ignored(path: Path, folder: _Folder, is_folder: bool) -> bool:
    """What the ignore file nearest to a path says of it."""
    for base, patterns in reversed(folder.ignore):
        below = nfc(path.relative_to(base).as_posix())
        said = is_ignored(patterns, below, is_folder=is_folder)
        if said is not None:
            return said
    return False


def _check_sidecar(name: str, shown: str, present: dict[str, str], found: Discovery) -> None:
    """A sidecar that describes nothing may be meant to keep a file from being public."""
    described = _spelt(nfc(name)).rpartition(".meta.")[0]
    if described not in present:
        reason = f"it describes {described!r}, but there is no such file beside it"
        found.failed.append((shown, reason))


def _spelt(name: str) -> str:
    """A name with the ending of a sidecar in lower case."""
    ending = next((one for one in SIDECAR if name.lower().endswith(one)), "")
    return name[: len(name) - len(ending)] + ending


def _take(
    path: Path, source: str, found: Discovery, present: dict[str, str], *, by_name: bool = False
) -> None:
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
        real = Path(os.path.realpath(path)) if path.is_symlink() else path
    except FileNotFoundError:
        found.failed.append((source, "the link leads to a file that does not exist"))
        return
    except OSError as error:
        found.unread.append(path)
        found.failed.append((source, f"it cannot be opened ({_why(error)})"))
        return
    sidecars = tuple(
        path.with_name(present[name])
        for one in SIDECAR
        if (name := nfc(f"{path.name}{one}")) in present
    )
    found.files.append(SourceFile(path, source, real, sidecars))


def _each_once(found: Discovery) -> list[SourceFile]:
    """The files sorted by source, a file that several paths or links lead to only once."""
    folders: dict[Path, Path] = {}
    kept: dict[Path, SourceFile] = {}
    for file in sorted(found.files, key=lambda file: (file.path != file.real, file.source)):
        above = file.real.parent
        if above not in folders:
            folders[above] = Path(os.path.realpath(above))
        if folders[above] != above:
            file = replace(file, real=folders[above] / file.real.name)
        kept.setdefault(file.real, file)
    return sorted(kept.values(), key=lambda file: file.source)


def _why(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()
