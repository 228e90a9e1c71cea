"""`[tools.web_search]`, `[[tools.langchain]]` and `[[tools.mcp]]` of the settings."""

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

Names = list[str]


class Traits(BaseModel):
    """What the operator says of a tool; what is not said is taken to be the worse."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    trusted: bool = Field(
        default=False, description="Nobody but the operator decides what it replies."
    )
    reaches_outside: bool = Field(
        default=True, description="What it is called with leaves for somebody else's place."
    )
    read_only: bool = Field(default=False, description="It changes nothing.")
    needs_approval: bool | None = Field(
        default=None, description="A person is asked before each call; default: unless read-only."
    )
    private: bool = Field(default=False, description="It reads what not everybody may see.")
    cost: float = Field(default=0.0, ge=0, description="Money a call.")

    def traits(self) -> dict[str, Any]:
        """The traits as `retrieval.tools.registry.Tool` takes them."""
        said: dict[str, Any] = {name: getattr(self, name) for name in Traits.model_fields}
        if self.needs_approval is None:
            said["needs_approval"] = not self.read_only
        return said


class WebSearchSettings(BaseModel):
    """A SearXNG server; without it there is no search of the web."""

    model_config = ConfigDict(extra="forbid")

    url: str = Field(description="Its address, such as http://127.0.0.1:8888.")
    timeout: float = Field(default=10.0, gt=0, le=120, description="Seconds a search.")
    cost: float = Field(default=0.0, ge=0, description="Money a search.")


class LangChainSettings(Traits):
    """A LangChain tool that Python can import."""

    path: str = Field(alias="import", pattern=r"^[\w.]+:\w+$", description='"package.module:tool".')
    timeout: float = Field(default=60.0, gt=0, le=3600, description="Seconds a call.")


class McpSettings(Traits):
    """A server of the Model Context Protocol: `command` or `url`."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_-]{0,31}$", description="Its tools are name.tool.")
    command: Names = Field(default_factory=list, description="The program and its arguments.")
    url: str = Field(default="", description="The address of a streamable HTTP server.")
    env: Names = Field(default_factory=list, description="Variables that the program is given.")
    token_env: str = Field(
        default="", description="The variable with the bearer token for the address."
    )
    timeout: float = Field(default=30.0, gt=0, le=600, description="Seconds a call, in all.")
    tools: Names | None = Field(default=None, description="Of its tools only these.")

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if bool(self.command) == bool(self.url):
            raise ValueError(f"the MCP server {self.name!r} needs a command or a url, and not both")
        if self.url and not self.url.startswith(("http://", "https://")):
            raise ValueError(f"the url of the MCP server {self.name!r} is no http address")
        return self
