"""`groundhop golden add`."""

from pathlib import Path
from typing import Any

from groundhop.printing import count, one_line, out, show
from groundhop.stored import stored_runs


def add(
    thread: str, home: Path | None, file: Path, answers: list[str], documents: list[str], no: bool
) -> None:
    """Turn the question of a thread into a case of `file`."""
    from groundhop.evaluation.golden import append, case_of
    from state.text import clean

    case = case_of(
        _state(home, thread),
        [clean(one) for one in answers],
        [clean(one) for one in documents],
        "no" if no else "yes",
        thread,
    )
    number = append(file, case)
    show(out(), f"{one_line(case['question'])}")
    show(out(), f"is now case {case['id']}; {file} holds {count(number, 'case')}.", style="dim")


def _state(home: Path | None, thread: str) -> dict[str, Any]:
    from graph.threads import UnknownThreadError, read_thread

    with stored_runs(home) as found:
        if found is None:
            raise UnknownThreadError(thread)
        return dict(read_thread(found[1], thread).values)
