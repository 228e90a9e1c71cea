"""Which document a file is: known by where it lies, named so that no two share a name."""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from ingest.discover import Discovery, SourceFile, is_covered
from retrieval.catalogue import Document
from state.text import nfc


class Claim(NamedTuple):
    """The name of a file, and the document that an earlier run made of it or its forerunner."""

    source: str
    earlier: Document | None


class Names:
    """The documents of the catalogue by place and by name, kept up while files are taken in.

    A file that is known keeps its name, whichever folder above it is given. Places are
    relative to the folder of the knowledge base, so that both can be moved together.
    """

    def __init__(self, home: Path, documents: Iterable[Document]) -> None:
        documents = list(documents)
        self._home = home.resolve()
        self._origins: dict[Path, str] = {}
        self._by_origin = {document.origin: document for document in documents if document.origin}
        self._by_source = {document.source: document for document in documents}
        self._taken = {document.source: document.origin for document in documents}
        self._ids = {document.id for document in documents}
        self._by_content: defaultdict[str, list[Document]] = defaultdict(list)
        for document in documents:
            self._by_content[document.file_sha256].append(document)

    def origin(self, path: Path) -> str:
        """Where a file lies, as seen from the folder of the knowledge base."""
        known = self._origins.get(path)
        if known is None:
            relative = os.fsencode(os.path.relpath(path, self._home))
            known = relative.decode("utf-8", "backslashreplace").replace(os.sep, "/")
            self._origins[path] = known
        return known

    def at(self, path: Path) -> Document | None:
        """The document that was made of the file at a path."""
        return self._by_origin.get(self.origin(path))

    def claim(self, file: SourceFile, file_sha256: str = "") -> Claim | None:
        """The name for a file, and the document made of it earlier.

        A file with the content of one that is gone was moved, and is its document from now on.
        A name that a file elsewhere bears is made longer by the folders above. One whose file
        is gone is taken over with its document: the content has changed too. None if there is
        no free name, because a file beside it has one that is spelt alike.
        """
        known = self.at(file.path)
        if known is not None:
            return Claim(known.source, known)
        moved = self._gone_with(file_sha256)
        for name in _longer_names(file):
            holder = self._taken.get(name)
            if holder is None or not self._path(holder).exists():
                earlier = moved or self._by_source.get(name)
                if earlier:
                    self.forget(earlier)
                self._taken[name] = self.origin(file.path)
                return Claim(name, earlier)
        return None

    def new_id(self, source: str) -> str:
        """An id for a new document; the same for the same source, if no document has it."""
        key = source
        while (found := sha256(key.encode()).hexdigest()[:32]) in self._ids:
            key += "\n"
        self._ids.add(found)
        return found

    def forget(self, document: Document) -> None:
        """Free the name of a document that was taken out, or that bears another one now."""
        for names in (self._by_source, self._taken):
            names.pop(document.source, None)
        self._by_origin.pop(document.origin, None)
        alike = self._by_content[document.file_sha256]
        if document in alike:
            alike.remove(document)

    def gone(self, found: Discovery) -> list[Document]:
        """The documents below the given roots whose file is no longer there."""
        present = {self.origin(file.path) for file in found.files}
        return [
            document
            for origin, document in self._by_origin.items()
            if origin not in present and is_covered(self._path(origin), found)
        ]

    def _gone_with(self, file_sha256: str) -> Document | None:
        """A document of that content whose file is not there any more."""
        for document in self._by_content.get(file_sha256, []):
            if document.origin and not os.path.lexists(self._path(document.origin)):
                return document
        return None

    def _path(self, origin: str) -> Path:
        return Path(os.path.normpath(self._home / origin))


def _longer_names(file: SourceFile) -> Iterator[str]:
    yield file.source
    parts = [nfc(os.fsencode(part).decode("utf-8", "replace")) for part in file.path.parts[1:]]
    for count in range(file.source.count("/") + 2, len(parts) + 1):
        yield "/".join(parts[-count:])
