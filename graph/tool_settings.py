"""The tools of a deployment, as `[tools]` of `groundhop.toml` names them."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, field_validator

from graph.external_settings import LangChainSettings, McpSettings, WebSearchSettings
from retrieval.tools.database_settings import Database, refuse_repeated

_NAME = r"^[a-z][a-z0-9_]{0,63}$"
_OURS = ("web_search", "query_database")
"""Names that code knows a tool by."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid")


class DocumentTool(_Section):
    """A search in some collections only, beside the one in all."""

    description: str = Field(description="When to use it and when not, for the model that plans.")
    collections: list[Annotated[str, Field(min_length=1)]] = Field(
        min_length=1, description="The collections it searches in."
    )


class ToolSettings(_Section):
    """Everything that a question may be asked of beside the documents."""

    documents: dict[Annotated[str, Field(pattern=_NAME)], DocumentTool] = Field(
        default_factory=dict, description="Searches in collections, by name."
    )
    allow: list[str] = Field(
        default_factory=list,
        description="Tools that may stand beside private data and untrusted content although "
        "they reach outside.",
    )
    databases: list[Database] = Field(
        default_factory=list, description="Databases, with what may be asked of each."
    )
    web_search: WebSearchSettings | None = Field(
        default=None, description="The search of the web; only for runs that allow the web."
    )
    langchain: list[LangChainSettings] = Field(
        default_factory=list, description="Tools of LangChain."
    )
    mcp: list[McpSettings] = Field(default_factory=list, description="MCP servers.")

    @field_validator("documents", mode="after")
    @classmethod
    def _no_other_tool(cls, documents: dict[str, DocumentTool]) -> dict[str, DocumentTool]:
        if taken := [name for name in _OURS if name in documents]:
            raise ValueError(f"{taken[0]} is the name of another tool")
        return documents

    @field_validator("databases", mode="after")
    @classmethod
    def _named_once(cls, databases: list[Database]) -> list[Database]:
        refuse_repeated("databases", (one.name for one in databases))
        names = (query.name for one in databases for query in one.queries)
        refuse_repeated("queries", names)
        return databases

    @field_validator("mcp", mode="after")
    @classmethod
    def _each_server_once(cls, servers: list[McpSettings]) -> list[McpSettings]:
        names = [server.name for server in servers]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice:
            raise ValueError(f"two MCP servers are named {twice!r}")
        return servers
