"""What the tools of MCP servers said of themselves when they were approved: `tools.json`.

A tool is pinned when its server is first seen. One that describes itself in another way
later, or that its server adds, waits in the file until somebody approves it.
"""

import json
import os
import threading
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, NotRequired, TypedDict, cast

from retrieval.errors import UsageError

FILE = "tools.json"
_LOCK = threading.Lock()

Json = dict[str, Any]
State = Literal["on", "changed", "new"]


class Pin(TypedDict):
    """One tool: the specification that holds, and another one that waits for approval."""

    pinned: Json | None
    sha256: str
    """Of the specification that holds; "" where none does."""
    seen: NotRequired[Json]


Pins = dict[str, Pin]
"""By the name that the server gives a tool."""


def fingerprint(spec: Json) -> str:
    """The hash of a specification: name, description, schemas of arguments and result."""
    text = json.dumps(spec, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return sha256(text.encode("utf-8", "replace")).hexdigest()


def state_of(pin: Pin) -> State:
    """Whether a tool can be called, or what somebody has to look at first."""
    if pin["pinned"] is None or pin["sha256"] != fingerprint(pin["pinned"]):
        return "new"
    return "changed" if "seen" in pin else "on"


def compared(known: Pins | None, listed: Mapping[str, Json]) -> Pins:
    """The pins after a look at a server: all are pinned at first sight, later ones wait."""
    if known is None:
        return {name: _pinned(spec) for name, spec in listed.items()}
    after: Pins = {name: _seen(pin, listed.get(name)) for name, pin in known.items()}
    for name in listed.keys() - known.keys():
        after[name] = {"pinned": None, "sha256": "", "seen": listed[name]}
    return after


def _seen(pin: Pin, spec: Json | None) -> Pin:
    """A pin and what the server says now; a tool that is not listed stays as it was."""
    if spec is None:
        return pin
    if pin["pinned"] == spec:
        return {"pinned": pin["pinned"], "sha256": pin["sha256"]}
    return {**pin, "seen": spec}


def _pinned(spec: Json) -> Pin:
    return {"pinned": spec, "sha256": fingerprint(spec)}


def read(home: Path) -> dict[str, Pins]:
    """The pins by server; none where there is no file. Raises `UsageError` if it is damaged."""
    path = home / FILE
    try:
        found = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise _damaged(path, str(error)) from None
    if not _is_pins(found):
        raise _damaged(path, "it holds something else")
    return cast(dict[str, Pins], found)


def _is_pins(found: Any) -> bool:
    return isinstance(found, dict) and all(
        isinstance(pins, dict)
        and all(
            isinstance(pin, dict) and {"pinned", "sha256"} <= pin.keys() for pin in pins.values()
        )
        for pins in found.values()
    )


def _damaged(path: Path, why: str) -> UsageError:
    return UsageError(
        f"{path} cannot be read ({why}): delete it, and look at what `groundhop tools` then shows."
    )


def remember(home: Path, server: str, listed: Mapping[str, Json]) -> Pins:
    """Note what a server says of its tools, and give its pins."""
    with _LOCK:
        pins = read(home)
        known = pins.get(server)
        after = compared(known, listed)
        if after != known:
            _write(home, {**pins, server: after})
        return after


def approve(home: Path, server: str, tool: str) -> Json:
    """Pin what a tool says of itself now (as it was last looked at), and give it."""
    with _LOCK:
        pins = read(home)
        pin = pins.get(server, {}).get(tool)
        if pin is None:
            known = ", ".join(f"{one}.{name}" for one, of in pins.items() for name in of) or "none"
            raise UsageError(
                f"No MCP server has shown a tool {server}.{tool}; those seen: {known}. "
                "`groundhop tools` asks the servers again."
            )
        spec = pin.get("seen")
        if spec is None:
            raise UsageError(f"There is nothing to approve: {server}.{tool} has not changed.")
        _write(home, {**pins, server: {**pins[server], tool: _pinned(spec)}})
        return spec


def _write(home: Path, pins: dict[str, Pins]) -> None:
    """Replace the file at once, for its owner alone."""
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = home / FILE
    aside = path.with_name(f".{FILE}.{os.getpid()}")
    text = json.dumps(pins, indent=1, ensure_ascii=True, sort_keys=True)
    handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(aside, path)
