"""Kill runs two hundred times, on both databases, and audit what is left.

    python -m bench.soak [--kills 200]

Runs of a scripted three-hop question are killed with SIGKILL at random moments, inside a tool,
inside a judgement, and between the ledger's commit and the checkpoint; in sync code, in async
code, and as a node of a parent graph. Each is resumed until it ends. The audit then demands the
answer and evidence of an undisturbed run, budget sums that close, and no finished call made
again. PostgreSQL takes part where GROUNDHOP_TEST_POSTGRES names a server.
"""

import argparse
import os
import random
import signal
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from tests.graph.soak import KINDS, Audit, Forks, undisturbed

PAUSE = 0.02
FORMS = ("sync", "async", "parent")
SEED = 20190419


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=200)
    kills = parser.parse_args().kills
    server = os.environ.get("GROUNDHOP_TEST_POSTGRES")
    print(f"{'store':<11}{'form':<8}{'kills':>6}{'cut off':>9}{'resumed twice or more':>23}")
    total = soak("SQLite", None, kills - kills // 4 if server else kills)
    if server:
        with database(server) as url:
            total += soak("PostgreSQL", url, kills // 4)
    print(f"{total} kills; answers, evidence and budgets as undisturbed, no finished call again")


def soak(name: str, url: str | None, wanted: int) -> int:
    """Kill `wanted` times, round the three forms; raises AssertionError if anything is amiss."""
    chosen = random.Random(SEED)
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
        code = forks.run(form, order, thread, moment(chosen, duration))
        hits += code == -signal.SIGKILL
        if code == 0:
            break
    forks.finish(form, thread)
    return hits


def moment(chosen: random.Random, duration: float) -> float | str:
    """Half of the kills come at any time, half inside something."""
    if chosen.random() < 0.5:
        return chosen.uniform(0.0, duration)
    kind = chosen.choice(sorted(KINDS))
    return f"{kind}:{chosen.randint(1, KINDS[kind])}"


@contextmanager
def database(server: str) -> Iterator[str]:
    """A database of its own, dropped afterwards."""
    import psycopg

    name = f"groundhop_soak_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"create database {name}")  # type: ignore[call-overload]
        parts = urlsplit(server)
        yield urlunsplit((parts.scheme, parts.netloc, f"/{name}", parts.query, ""))
        connection.execute(f"drop database {name} with (force)")  # type: ignore[call-overload]


if __name__ == "__main__":
    main()
