"""Which document a file is: known by where it lies, named so that no two share a name."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from ingest.discover import Discovery, SourceFile, is_below
from retrieval.catalogue import Document
from state.text import nfc


class Names:
    """The documents of the catalogue by place and by name, kept up while files are taken in.

    A file that is known keeps its name, whichever folder above it is given. Places are
    relative to the folder of the knowledge base, so that both can be moved together.
    """

    def __init__(self, home: Path, documents: Iterable[Document]) -> None:
        documents = list(documents)
        self._home = home.resolve()
        self._by_origin = {document.origin: document for document in documents if document.origin}
        self._by_source = {document.source: document for document in documents}
        self._taken = {document.source: document.origin for document in documents}

    def origin(self, path: Path) -> str:
        """Where a file lies, as seen from the folder of the knowledge base."""
        relative = os.path.relpath(path, self._home)
        return os.fsencode(relative).decode("utf-8", "backslashreplace").replace(os.sep, "/")

    def claim(self, file: SourceFile) -> tuple[str, Document | None] | None:
        """The name for a file, and the document made of it earlier.

        A name that a file elsewhere bears is made longer by the folders above. One whose file
        is gone is taken over with its document: the folder was moved. None if there is no
        free name, because a file beside it has one that is spelt alike.
        """
        origin = self.origin(file.path)
        known = self._by_origin.get(origin)
        if known is not None:
            return known.source, known
        for name in _longer_names(file):
            holder = self._taken.get(name)
            if holder is None or not self._path(holder).exists():
                self._taken[name] = origin
                return name, self._by_source.get(name)
        return None

    def forget(self, document: Document) -> None:
        """Free the name of a document that was taken out."""
        for names in (self._by_source, self._taken):
            names.pop(document.source, None)
        self._by_origin.pop(document.origin, None)

    def gone(self, found: Discovery) -> list[Document]:
        """The documents below the given roots whose file is no longer there."""
        present = {self.origin(file.path) for file in found.files}
        return [
            document
            for origin, document in self._by_origin.items()
            if origin not in present
            and is_below(self._path(origin), found.roots)
            and not is_below(self._path(origin), found.unread)
        ]

    def _path(self, origin: str) -> Path:
        return Path(os.path.normpath(self._home / origin))


def _longer_names(file: SourceFile) -> Iterator[str]:
    yield file.source
    parts = [nfc(os.fsencode(part).decode("utf-8", "replace")) for part in file.path.parts[1:]]
    for count in range(file.source.count("/") + 2, len(parts) + 1):
        yield "/".join(parts[-count:])
