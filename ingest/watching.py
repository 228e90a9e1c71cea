"""Waiting until files have changed, by looking at their sizes and times."""

import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from ingest.discover import discover

Signature = dict[Path, tuple[int, int, int]]


def changes(
    paths: Iterable[Path], seconds: float, others: Iterable[Path] = ()
) -> Iterator[Signature]:
    """Yield each time that files below `paths`, or the `others`, have changed and are at rest.

    Looks every so many seconds; at rest is what looks the same twice, so that a file which is
    being copied is not taken in half. Ends never: whoever iterates does.
    """
    paths, others = list(paths), list(others)
    seen = signature(paths, others)
    while True:
        time.sleep(seconds)
        now = signature(paths, others)
        if now == seen:
            continue
        while True:
            time.sleep(seconds)
            again = signature(paths, others)
            if again == now:
                break
            now = again
        seen = now
        yield now


def signature(paths: Iterable[Path], others: Iterable[Path] = ()) -> Signature:
    """Size, time and number of every file that a sync of `paths` would look at."""
    found = discover(paths)
    files = [file.path for file in found.files]
    sidecars = [sidecar for file in found.files for sidecar in file.sidecars]
    seen: Signature = {}
    for path in (*files, *sidecars, *found.watched, *others):
        try:
            stat = os.stat(path)
        except OSError:
            continue
        seen[path] = (stat.st_size, stat.st_mtime_ns, stat.st_ino)
    return seen
