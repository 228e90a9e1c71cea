"""What people wait for: `python -m bench.speed`.

Whole processes on both samples (ingest from nothing, a second ingest, a two-hop `ask`), and the
cost of framework, ledger and checkpoint for one step, with a policy and a tool that take no time.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.samples import EXAMPLES, SAMPLES

QUESTION = "Ai sáng lập tổ chức đã phát triển Project Aurora?"
RUNS = 5


def main() -> None:
    print("command: python -m bench.speed")
    print(f"machine: {os.cpu_count()} cores; figures are medians, with minimum and maximum")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        documents = [str(EXAMPLES / sample / "documents") for sample in SAMPLES]
        report("ingest both samples from nothing", [process(home, "ingest", *documents)])
        report("ingest them again", [process(home, "ingest", *documents) for _ in range(RUNS)])
        process(home, "ask", QUESTION)
        report("ask, two hops", [process(home, "ask", QUESTION) for _ in range(RUNS)])
        report("one step", steps(Path(folder) / "steps"), unit="ms", scale=1000)


def process(home: Path, *arguments: str) -> float:
    """Seconds of one whole process of the command line."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "groundhop", "--home", str(home), *arguments]
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begun


def steps(home: Path, runs: int = 20) -> list[float]:
    """Seconds a superstep (one node, its ledger call and its checkpoint) of a three-hop run."""
    from tests.graph.three_hops import QUESTION as THREE_HOPS
    from tests.graph.three_hops import three_hop_agent

    home.mkdir()
    agent = three_hop_agent(home, pause=0.0)
    agent.ask(THREE_HOPS)
    costs = []
    for _ in range(runs):
        begun = time.perf_counter()
        result = agent.ask(THREE_HOPS)
        nodes = [row["node"] for row in result.state["history"] if row.get("action") != "round"]
        costs.append((time.perf_counter() - begun) / len(nodes))
    agent.close()
    return costs


def report(name: str, values: list[float], unit: str = "s", scale: float = 1.0) -> None:
    low, middle, high = (
        scale * value for value in (min(values), statistics.median(values), max(values))
    )
    print(f"{name:34} {middle:8.2f} {unit}  ({low:.2f} to {high:.2f}, n = {len(values)})")


if __name__ == "__main__":
    main()
