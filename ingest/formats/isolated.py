"""Loading in a process of its own, which may hang, run out of memory or die without harm."""

import json
import struct
import subprocess
import sys
import threading
from dataclasses import asdict
from typing import IO

from ingest.errors import RefusedError
from ingest.formats.protocol import Fields, Loaded
from ingest.formats.registry import FORMATS, extract_here

SECONDS = 60.0
SECONDS_PER_MEGABYTE = 30.0
MOST_MEMORY = 3 * 1024**3
"""Bytes of address space; a file that needs more is refused."""

_START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
_SERVE = "from ingest.formats.isolated import serve; serve()"


class IsolatedLoader:
    """Starts the process with the first file that needs it, and again after its death."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None

    def extract(self, suffix: str, data: bytes, fields: Fields) -> Loaded:
        """As `extract_here`; a file that takes too long or too much memory is refused."""
        if not FORMATS[suffix].isolated:
            return extract_here(suffix, data, fields)
        seconds = self._seconds + SECONDS_PER_MEGABYTE * len(data) / 1024**2
        header = {"suffix": suffix, "fields": asdict(fields), "seconds": seconds}
        reply = self._ask(json.dumps(header).encode(), data, seconds)
        if "refused" in reply:
            raise RefusedError(reply["refused"])
        return Loaded(**{**reply, "page_starts": tuple(reply["page_starts"])})

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _ask(self, header: bytes, data: bytes, seconds: float) -> dict:
        process = self._process = self._process or _start()
        expired = threading.Event()

        def end() -> None:
            expired.set()
            process.kill()

        timer = threading.Timer(seconds, end)
        timer.start()
        try:
            assert process.stdin
            assert process.stdout
            _write(process.stdin, header)
            _write(process.stdin, data)
            return dict(json.loads(_read(process.stdout)))
        except (EOFError, OSError, ValueError):
            self.close()
            if expired.is_set():
                raise RefusedError(f"it takes more than {seconds:.0f} seconds to read") from None
            raise RefusedError(
                "reading it took too much memory, or ended the reading process"
            ) from None
        finally:
            timer.cancel()


def serve() -> None:
    """What the process does: answer one file after the other until its input ends."""
    import os

    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not go between the replies
    _limit_memory()
    while True:
        try:
            header = json.loads(_read(sys.stdin.buffer))
            data = _read(sys.stdin.buffer)
        except EOFError:
            return
        _end_after(header["seconds"] + 5)
        _write(output, json.dumps(_reply(header, data)).encode())


def _reply(header: dict, data: bytes) -> dict:
    stated = {**header["fields"], "text": tuple(header["fields"]["text"])}
    try:
        return asdict(extract_here(header["suffix"], data, Fields(**stated)))
    except RefusedError as error:
        return {"refused": str(error)}
    except MemoryError:
        return {"refused": "reading it takes too much memory"}
    except RecursionError:
        return {"refused": "it is nested too deeply to be read"}
    except Exception as error:  # a mistake of a loader costs one file, not the ingest
        return {"refused": f"it cannot be read ({type(error).__name__}: {error})"}


def _start() -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-c", _START + _SERVE, json.dumps([one for one in sys.path if one])]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )


def _limit_memory() -> None:
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _end_after(seconds: float) -> None:
    """End this process by then even if the one that started it is gone."""
    import signal

    if hasattr(signal, "alarm"):
        signal.alarm(int(seconds) + 1)


def _write(channel: IO[bytes], body: bytes) -> None:
    channel.write(struct.pack(">Q", len(body)))
    channel.write(body)
    channel.flush()


def _read(channel: IO[bytes]) -> bytes:
    size = channel.read(8)
    if len(size) < 8:
        raise EOFError
    return channel.read(struct.unpack(">Q", size)[0])
