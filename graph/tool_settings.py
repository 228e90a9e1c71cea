"""The tools of a deployment, as `[tools]` of `groundhop.toml` names them."""

from pydantic import BaseModel, ConfigDict, Field


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ToolSettings(_Section):
    """Everything that a question may be asked of beside the documents."""

    allow: list[str] = Field(
        default_factory=list,
        description="Tools that may stand beside private data and untrusted content although "
        "they reach outside.",
    )
