"""How a command ends: exit codes, one sentence for what went wrong, and a clean stop."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import typer

from groundhop.printing import err, in_home, one_line, say

ANSWERED, FAILED, USAGE, NOT_ANSWERED, RESUMABLE = 0, 1, 2, 3, 4
READER_GONE = 128 + 13
"""What shells give for a command that `head` or a closed pager has cut short (SIGPIPE)."""

EXIT_CODES = {
    "answered": ANSWERED,
    "partial": NOT_ANSWERED,
    "gave_up": NOT_ANSWERED,
    "paused": RESUMABLE,
    "running": RESUMABLE,
    "interrupted": RESUMABLE,
}
"""By status of a run; any other status is a failure."""


@contextmanager
def explained(home: Path | None = None) -> Iterator[None]:
    """Turn errors into one sentence and an exit code, and SIGTERM into what Ctrl-C does.

    Commands that a sentence names are given the `--home` that the command line was given.
    """
    from retrieval.errors import GroundhopError

    try:
        with _stoppable():
            yield
    except GroundhopError as error:
        fail(in_home(home, str(error)), error.exit_code)
    except KeyboardInterrupt:
        fail("Interrupted. Run the same command again to go on.", RESUMABLE)
    except typer.Exit:
        raise
    except BrokenPipeError:
        raise typer.Exit(reader_gone()) from None
    except Exception as error:
        if os.environ.get("GROUNDHOP_DEBUG") == "1":
            raise
        what = one_line(f"{type(error).__name__}: {error}", 500)
        fail(f"Unexpected {what}. Set GROUNDHOP_DEBUG=1 to see the traceback.", FAILED)


def fail(sentence: str, code: int) -> None:
    """Print the sentence and end the command."""
    say(err(), f"groundhop: {sentence}")
    raise typer.Exit(code)


def reader_gone() -> int:
    """Throw away what nobody reads any more, quietly; the exit code for that."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
    return READER_GONE


@contextmanager
def _stoppable() -> Iterator[None]:
    """SIGINT and SIGTERM raise KeyboardInterrupt once; a second one ends the process at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    stopping = False

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal stopping
        if stopping:
            os._exit(RESUMABLE)
        stopping = True
        raise KeyboardInterrupt

    handled = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, stop) for number in handled]
    try:
        yield
    finally:
        for number, handler in zip(handled, before, strict=True):
            signal.signal(number, handler)
