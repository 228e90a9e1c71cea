"""Where a model is served: address, key, name and price, and a preset for each common server."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit, urlunsplit

PRESETS: dict[str, str] = {
    "openai": "https://api.openai.com/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "ollama": "http://127.0.0.1:11434/v1",
    "vllm": "http://127.0.0.1:8000/v1",
    "llamacpp": "http://127.0.0.1:8080/v1",
}
"""The usual base URL of each kind of server."""
THRESHOLD = 0.65
"""Probability of yes from which a passage is taken, where the settings say nothing else: the best
on 120 tuning questions and pairs together (docs/models.md)."""


@dataclass(frozen=True)
class Endpoint:
    """One model at one address."""

    base_url: str = field(repr=False)
    model: str
    api_key: str = field(default="", repr=False)
    timeout: float = 60.0
    """Seconds that one request may take."""
    price: tuple[float, float] = (0.0, 0.0)
    """Money for a million tokens in, and for a million tokens out."""

    @property
    def label(self) -> str:
        """The model and its address for people, without user, password or query."""
        return f"{self.model} at {self.address}"

    @property
    def address(self) -> str:
        """The base URL without user, password and query."""
        parts = urlsplit(self.base_url)
        host = parts.hostname or ""
        host = f"[{host}]" if ":" in host else host
        port = f":{parts.port}" if parts.port else ""
        return urlunsplit((parts.scheme, host + port, parts.path, "", ""))

    @property
    def official(self) -> bool:
        """Whether this is OpenAI itself, which refuses options that other servers need."""
        return urlsplit(self.base_url).hostname == "api.openai.com"


Role = str
"""plan, grade, rewrite or write."""


@dataclass(frozen=True)
class Models:
    """The model of each role, and those that stand in, in order, when one fails."""

    roles: dict[Role, Endpoint]
    fallbacks: tuple[Endpoint, ...] = ()

    def chain(self, role: Role) -> tuple[Endpoint, ...]:
        """The endpoints to ask for a role, in order."""
        return (self.roles[role], *self.fallbacks)

    @property
    def names(self) -> str:
        """The distinct model names, for the trace."""
        return ",".join(dict.fromkeys(endpoint.model for endpoint in self.roles.values()))
