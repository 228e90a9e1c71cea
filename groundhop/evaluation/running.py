"""How far a run is: what is done, what it took, and what is left at that rate."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from groundhop.evaluation.recording import Record
from groundhop.evaluation.schema import Dataset
from groundhop.evaluation.store import Results
from groundhop.evaluation.systems import System


@dataclass(frozen=True)
class Step:
    """Progress: `done` of `total` answers, time and money spent, and what is left of both.

    The estimates are None until something is known. `text` says what is going on.
    """

    done: int
    total: int
    text: str = ""
    money: float = 0.0
    seconds_left: float | None = None
    money_left: float | None = None


OnStep = Callable[[Step], None]


class Running:
    """What is done, what it took, and what is left at that rate."""

    def __init__(
        self,
        run: str,
        datasets: Sequence[Dataset],
        systems: Sequence[System],
        parallel: int,
        results: Results,
        tell: OnStep,
    ) -> None:
        self.run, self.asking, self.harness = run, 0.0, 0.0
        self.done = results.done(run)
        self._tell, self._parallel = tell, parallel
        self._lock = threading.Lock()
        names = {one.name for one in systems}
        asked = {(one.name, q.id) for one in datasets for q in one.questions}
        self._finished = sum(
            system in names and (dataset, question) in asked
            for dataset, question, system in self.done
        )
        self._left = {name: len(asked) for name in names}
        for dataset, question, system in self.done:
            if system in self._left and (dataset, question) in asked:
                self._left[system] -= 1
        self._total = len(asked) * len(names)
        self._spent: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
        self._known = {
            name: known
            for name in names
            if (known := results.expected(name, _policy_of(results, name)))
        }
        tell(self._step())

    def moved(self, answered: Record, system: System, harness: float) -> None:
        """One more answer is written down."""
        with self._lock:
            self._finished += 1
            self._left[system.name] -= 1
            self.asking += answered.seconds
            self.harness += harness
            money = float(answered.spent.get("money", 0.0))
            self._spent[system.name].append((answered.seconds, money))
            self._tell(self._step())

    def _step(self) -> Step:
        money = sum(cost for costs in self._spent.values() for _, cost in costs)
        means = {name: self._mean(name) for name in self._left}
        if any(mean is None and self._left[name] for name, mean in means.items()):
            return Step(self._finished, self._total, "", money)
        left = [(self._left[name], mean) for name, mean in means.items() if mean]
        seconds = sum(count * mean[0] for count, mean in left) / self._parallel
        expected = sum(count * mean[1] for count, mean in left)
        return Step(self._finished, self._total, "", money, seconds, expected)

    def _mean(self, system: str) -> tuple[float, float] | None:
        """Seconds and money a question: of this run, else of earlier ones."""
        costs = self._spent[system]
        if not costs:
            return self._known.get(system)
        return sum(s for s, _ in costs) / len(costs), sum(m for _, m in costs) / len(costs)


def _policy_of(results: Results, system: str) -> str:
    rows = results.rows(
        "select json_extract(record, '$.policy') as policy from results where system = ?"
        " order by rowid desc limit 1",
        system,
    )
    return rows[0]["policy"] or "" if rows else ""
