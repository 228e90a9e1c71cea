"""Kill runs two hundred times, on both databases, and audit what is left.

    python -m bench.soak [--kills 200] [--seed 20190419]

Runs of a scripted three-hop question are killed with SIGKILL at random moments, inside a tool,
inside a judgement, inside a request to a model, and between the ledger's commit and the
checkpoint; in sync code, in async code, and as a node of a parent graph. Each is resumed until it
ends. The audit then demands the answer and evidence of an undisturbed run, budget sums that
close, and no finished call made again. Ingests are killed too, one in ten; the next one has to
end with the documents, chunks and vectors of an undisturbed one. PostgreSQL takes part where
GROUNDHOP_TEST_POSTGRES names a server.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from tests.graph.soak import KINDS, REQUESTS, Audit, Forks, undisturbed
from tests.ingest.conftest import Base
from tests.ingest.test_kill import documents, write_first, write_second

PAUSE = 0.02
FORMS = ("sync", "async", "parent", "model")
INGEST = """
import sys
from pathlib import Path
from ingest import writing
from ingest.sync import sync
from retrieval import catalogue, dense, lexical
from retrieval.embeddings.hashing import HashingEmbedder
writing._CHUNKS_AT_ONCE = 2
print(flush=True)
sync(Path(sys.argv[1]), [Path(sys.argv[2])], HashingEmbedder(32))
"""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=20190419)
    given = parser.parse_args()
    kills, chosen = given.kills, random.Random(given.seed)
    server = os.environ.get("GROUNDHOP_TEST_POSTGRES")
    print(f"{'store':<11}{'form':<8}{'kills':>6}{'cut off':>9}{'resumed twice or more':>23}")
    total = soak("SQLite", None, kills - kills // 4 if server else kills, chosen)
    if server:
        with database(server) as url:
            total += soak("PostgreSQL", url, kills // 4, chosen)
    total += soak_ingests(kills // 10, chosen)
    print(f"{total} kills; answers, evidence and budgets as undisturbed, no finished call again")


def soak(name: str, url: str | None, wanted: int, chosen: random.Random) -> int:
    """Kill `wanted` times, round the forms; raises AssertionError if anything is amiss."""
    with tempfile.TemporaryDirectory() as folder:
        forks = Forks(Path(folder), PAUSE, url)
        duration = undisturbed(forks)
        forms: dict[str, str] = {}
        counted = {form: [0, 0] for form in FORMS}
        while sum(kills for kills, _ in counted.values()) < wanted:
            form = FORMS[len(forms) % len(FORMS)]
            thread = f"{form}-{len(forms)}"
            hits = one(forks, form, thread, chosen, duration)
            counted[form][0] += hits
            counted[form][1] += hits > 1
            forms[thread] = form
        forks.close()
        audit = Audit(Path(folder), url)
        audit.check(forms, "undisturbed")
        for form in FORMS:
            cut = audit.repeated([thread for thread, one in forms.items() if one == form])
            print(f"{name:<11}{form:<8}{counted[form][0]:>6}{cut:>9}{counted[form][1]:>23}")
        audit.close()
    return sum(kills for kills, _ in counted.values())


def one(forks: Forks, form: str, thread: str, chosen: random.Random, duration: float) -> int:
    """Begin a thread, kill it one to three times, and let it end; gives the number of kills."""
    hits = 0
    for attempt in range(chosen.randint(1, 3)):
        order = "resume" if attempt else "run"
        code = forks.run(form, order, thread, moment(form, chosen, duration))
        hits += code == -signal.SIGKILL
        if code == 0:
            break
    forks.finish(form, thread)
    return hits


def moment(form: str, chosen: random.Random, duration: float) -> float | str:
    """Half of the kills come at any time, half inside something."""
    if chosen.random() < 0.5:
        return chosen.uniform(0.0, duration)
    if form == "model":
        return f"http:{chosen.randint(1, REQUESTS)}"
    kind = chosen.choice(sorted(KINDS))
    return f"{kind}:{chosen.randint(1, KINDS[kind])}"


def soak_ingests(wanted: int, chosen: random.Random) -> int:
    """Kill ingests at any time; raises AssertionError where the next one does not mend it."""
    kills = 0
    with tempfile.TemporaryDirectory() as folder:
        before = Base(Path(folder) / "before" / "home", Path(folder) / "before" / "docs")
        write_first(before.folder)
        before.sync()
        write_second(before.folder)
        whole = copied(before, "whole")
        code, duration = ingest_in_child(whole, None)
        assert code == 0
        for number in range(wanted * 3):
            base = copied(before, f"killed {number}")
            code, _ = ingest_in_child(base, chosen.uniform(0.0, duration))
            kills += code == -signal.SIGKILL
            assert base.sync().failed == []
            base.assert_complete()
            assert documents(base) == documents(whole)
            assert base.chunk_ids() == whole.chunk_ids()
            assert base.nearest("nhân sự") == whole.nearest("nhân sự")
            if kills == wanted:
                break
    print(f"ingest: {kills} kills")
    return kills


def copied(base: Base, name: str) -> Base:
    place = base.home.parent.parent / name
    shutil.copytree(base.home.parent, place)
    return Base(place / "home", place / "docs")


def ingest_in_child(base: Base, seconds: float | None) -> tuple[int, float]:
    """The exit code of an ingest, which is killed after so many seconds, and how long it took."""
    child = subprocess.Popen(
        [sys.executable, "-c", INGEST, str(base.home), str(base.folder)], stdout=subprocess.PIPE
    )
    assert child.stdout
    child.stdout.readline()  # all is imported
    began = time.monotonic()
    with suppress(subprocess.TimeoutExpired):
        child.wait(seconds)
    child.kill()
    return child.wait(), time.monotonic() - began


@contextmanager
def database(server: str) -> Iterator[str]:
    """A database of its own, dropped afterwards."""
    import psycopg

    name = f"groundhop_soak_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"create database {name}")  # type: ignore[call-overload]
        parts = urlsplit(server)
        try:
            yield urlunsplit((parts.scheme, parts.netloc, f"/{name}", parts.query, ""))
        finally:
            connection.execute(f"drop database {name} with (force)")  # type: ignore[call-overload]


if __name__ == "__main__":
    main()
