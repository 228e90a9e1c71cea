"""One file → one document of the knowledge base, or the reason why not."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Literal

from ingest.chunks import Limits, chunk
from ingest.discover import SourceFile
from ingest.errors import RefusedError
from ingest.formats.decoding import decode
from ingest.formats.protocol import Fields
from ingest.formats.registry import Extract
from ingest.front_matter import read_sidecar
from ingest.loaders import Extracted, load, read_bytes
from ingest.names import Names
from ingest.rules import Rule, Rules
from ingest.stated import Stated, combined
from retrieval.catalogue import Chunk, Document
from retrieval.schema import DEFAULT_COLLECTION

_RECIPE = 2
"""Counts up when loaders or chunks change, so that the next ingest reads all files anew."""

_LARGEST_SIDECAR = 64 * 1024


@dataclass(frozen=True)
class Reading:
    """How files are read: what is stated about them elsewhere, in which process, which size."""

    rules: Rules = field(default_factory=Rules)
    limits: Limits = field(default_factory=Limits)
    extract: Extract | None = None
    collection: str | None = None
    """Where the documents go; None: known ones stay where they are, new ones to the default."""


@dataclass(frozen=True)
class Verdict:
    """What is to be done about a file; `earlier` is the document that it replaces.

    "failed": `reason` says why it is not taken in. If `takes_out` is set, what an earlier run
    took from it goes as well: it may be no longer true, or not public.
    """

    kind: Literal["added", "changed", "moved", "unchanged", "failed"]
    source: str
    reason: str = ""
    earlier: Document | None = None
    document: Document | None = None
    chunks: list[Chunk] = field(default_factory=list)
    takes_out: bool = False
    note: str = ""
    origin: str = ""
    """Where the file of an unchanged document lies now, if that is another place."""


def examine(file: SourceFile, names: Names, reading: Reading, rebuild: bool = False) -> Verdict:
    """Read a file and say what is to be done; nothing is written, only `names` is kept up."""
    rules = reading.rules.of(file.path, file.real)
    earlier = names.at(file.path)
    try:
        data = read_bytes(file.path)
        sidecar = _sidecar(file)
    except OSError as error:
        why = f"it cannot be read ({(error.strerror or str(error)).lower()})"
        if earlier and _narrows(rules, earlier):
            return _refused(file.source, earlier, RefusedError(why))
        stays = "; what an earlier run took from it stays" if earlier else ""
        return Verdict("failed", file.source, f"{why}{stays}", earlier)
    except RefusedError as error:
        return _refused(file.source, earlier, error)
    content = sha256(data).hexdigest()
    claimed = names.claim(file, content)
    if claimed is None:
        reason = "a file beside it has a name that is spelt alike: rename one"
        return Verdict("failed", file.source, reason)
    source, earlier = claimed
    recipe = _recipe(rules, sidecar, reading.limits)
    collection = reading.collection or (earlier.collection if earlier else DEFAULT_COLLECTION)
    made_of = (content, recipe, collection)
    same = earlier is not None and _made_of(earlier) == made_of
    if earlier and same and not rebuild and source == earlier.source:
        origin = names.origin(file.path)
        moved = origin if origin != earlier.origin else ""
        return Verdict("unchanged", source, earlier=earlier, origin=moved)
    try:
        extracted = _extract(file, data, rules, sidecar, reading.extract)
    except RefusedError as error:
        return _refused(source, earlier, error)
    document = _document(
        earlier.id if earlier else names.new_id(source),
        source, extracted, names.origin(file.path), made_of,
    )  # fmt: skip
    chunks = chunk(document.id, extracted, reading.limits)
    kind = _kind(document, earlier)
    notes = [note for note in (extracted.note, _widened(document, earlier)) if note]
    return Verdict(kind, source, "", earlier, document, chunks, note="; ".join(notes))


def _widened(document: Document, earlier: Document | None) -> str:
    """The sentence for a document that had an access list and has none any more."""
    if earlier is None or earlier.access is None or document.access is not None:
        return ""
    before = ", ".join(earlier.access) or "nobody"
    return f"EVERYBODY MAY READ IT NOW; until this run only {before}"


def _narrows(rules: list[Rule], earlier: Document) -> bool:
    """Whether rules keep a document from somebody who may read it now."""
    allowed = combined([rule.stated for rule in rules]).access
    return allowed is not None and (
        earlier.access is None or not set(earlier.access) <= set(allowed)
    )


def _kind(
    document: Document, earlier: Document | None
) -> Literal["added", "changed", "moved", "unchanged"]:
    if earlier is None:
        return "added"
    if earlier.file_sha256 != document.file_sha256:
        return "changed"
    if earlier.source != document.source:
        return "moved"
    return "unchanged" if _made_of(earlier) == _made_of(document) else "changed"


def _made_of(document: Document) -> tuple[str, str, str]:
    return document.file_sha256, document.recipe, document.collection


def _refused(source: str, earlier: Document | None, error: RefusedError) -> Verdict:
    reason = str(error)
    if earlier:
        reason += "; what an earlier run took from it was taken out"
    return Verdict("failed", source, reason, earlier, takes_out=earlier is not None)


def _extract(
    file: SourceFile,
    data: bytes,
    rules: list[Rule],
    sidecar: tuple[str, bytes] | None,
    extract: Extract | None,
) -> Extracted:
    stated: list[Stated] = [rule.stated for rule in rules]
    if sidecar:
        name, content = sidecar
        try:
            stated.append(read_sidecar(name, decode(content)))
        except RefusedError as error:
            text = str(error)
            raise RefusedError(text if name in text else f"the file {name}: {text}") from error
    fields = [rule.fields for rule in rules if rule.fields]
    chosen = fields[-1] if fields else Fields()
    if extract is None:
        return load(file.path.name, data, stated, chosen)
    return load(file.path.name, data, stated, chosen, extract)


def _sidecar(file: SourceFile) -> tuple[str, bytes] | None:
    """The name and bytes of the file that describes this one."""
    if not file.sidecars:
        return None
    if len(file.sidecars) > 1:
        names = " and ".join(one.name for one in file.sidecars)
        raise RefusedError(f"two files describe it ({names}): keep one")
    [path] = file.sidecars
    return path.name, _limited(path)


def _limited(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST_SIDECAR + 1)
    except OSError as error:  # it may be what keeps the file from being public
        raise RefusedError(f"the file {path.name} that describes it cannot be read") from error
    if len(content) > _LARGEST_SIDECAR:
        raise RefusedError(f"the file {path.name} that describes it is too large")
    return content


def _recipe(rules: list[Rule], sidecar: tuple[str, bytes] | None, limits: Limits) -> str:
    """A hash of everything but a file's own bytes that its document is made of."""
    stated = [[rule.match, repr(rule.stated), repr(rule.fields)] for rule in rules]
    beside = sha256(sidecar[1]).hexdigest() if sidecar else ""
    key = json.dumps([_RECIPE, stated, beside, vars(limits)], sort_keys=True)
    return sha256(key.encode()).hexdigest()[:16]


def _document(
    document_id: str,
    source: str,
    extracted: Extracted,
    origin: str,
    made_of: tuple[str, str, str],
) -> Document:
    """`made_of` is the hash of the file's bytes, the recipe, and the collection."""
    stated, (content, recipe, collection) = extracted.stated, made_of
    return Document(
        id=document_id,
        source=source,
        title=extracted.title,
        text=extracted.text,
        sha256=sha256(extracted.text.encode()).hexdigest(),
        language=extracted.language,
        version=extracted.version,
        access=stated.access,
        metadata=stated.metadata,
        ingested_at=datetime.now(UTC).isoformat(timespec="seconds"),
        file_sha256=content,
        origin=origin,
        effective_from=stated.effective_from,
        effective_to=stated.effective_to,
        department=stated.department,
        authority=stated.authority,
        recipe=recipe,
        collection=collection,
    )
