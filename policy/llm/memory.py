"""What endpoints were found to offer, kept in a file so that it is found out once."""

import json
import os
import threading
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from policy.endpoints import Endpoint


@dataclass(frozen=True)
class Abilities:
    """What is known of one endpoint and model.

    `method` is the way of asking for JSON that is in use, `confirmed` whether it ever worked;
    `logprobs` is None until it was tried; `temperature` is whether it may be set.
    """

    method: str = ""
    confirmed: bool = False
    logprobs: bool | None = None
    temperature: bool = True


class Memory:
    """Abilities by endpoint, safe for threads; without a path they last as long as the process."""

    def __init__(self, path: Path | None = None) -> None:
        """A damaged or missing file is an empty memory: everything in it can be found out again."""
        self._path = path
        self._lock = threading.Lock()
        self._known: dict[str, Abilities] = {}
        try:
            stored = json.loads(path.read_text(encoding="utf-8")) if path else {}
            self._known = {name: Abilities(**values) for name, values in stored.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            self._known = {}

    def of(self, endpoint: Endpoint) -> Abilities:
        """What is known of an endpoint."""
        with self._lock:
            return self._known.get(endpoint.label, Abilities())

    def confirm(self, endpoint: Endpoint, method: str) -> None:
        """A reply in this way could be read."""
        self._note(endpoint, method=method, confirmed=True)

    def refuse(self, endpoint: Endpoint, following: str) -> None:
        """The way in use was refused: `following` is tried from now on."""
        self._note(endpoint, method=following, confirmed=False)

    def give_up(self, endpoint: Endpoint, method: str, following: str) -> None:
        """Replies in this way were unreadable; one that has worked before is kept."""
        known = self.of(endpoint)
        if not (known.confirmed and known.method == method):
            self._note(endpoint, method=following, confirmed=False)

    def no_temperature(self, endpoint: Endpoint) -> None:
        """The endpoint refuses to have its temperature set."""
        self._note(endpoint, temperature=False)

    def logprobs(self, endpoint: Endpoint, offered: bool) -> None:
        """Whether the endpoint returns the probabilities of tokens."""
        self._note(endpoint, logprobs=offered)

    def _note(self, endpoint: Endpoint, **values: object) -> None:
        with self._lock:
            known = self._known.get(endpoint.label, Abilities())
            changed = replace(known, **values)  # type: ignore[arg-type]
            if changed == known:
                return
            self._known[endpoint.label] = changed
            self._save()

    def _save(self) -> None:
        if self._path is None:
            return
        text = json.dumps({name: asdict(one) for name, one in self._known.items()}, indent=1)
        fresh = self._path.with_name(f"{self._path.name}.{os.getpid()}.new")
        try:
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
            fresh.replace(self._path)
        except OSError:
            fresh.unlink(missing_ok=True)
