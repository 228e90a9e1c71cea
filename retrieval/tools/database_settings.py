"""What an operator says of a database: `[[tools.databases]]` of `groundhop.toml`."""

import re
from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, model_validator

from retrieval.errors import ToolError
from retrieval.tools import database_parameters
from retrieval.tools.database_statements import IDENTITY, placeholders
from state.text import nfc

Language = Literal["vi", "en"]
InNFC = Annotated[str, AfterValidator(nfc)]

HOLE = re.compile(r"\{(\w+)\}")
"""A name in a wording, or in a question of `asks`, that is filled."""
_NAME = r"^[a-z][a-z0-9_]{0,63}$"


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Parameter(_Section):
    """A value that a question puts into a named query; without a default it must be given."""

    type: Literal["string", "integer", "number", "date", "boolean"]
    description: str = ""
    default: str | bool | int | float | date | None = None
    minimum: int | float | date | None = None
    maximum: int | float | date | None = None
    enum: list[str] = Field(default_factory=list)
    values_sql: str = ""
    """A SELECT whose first column holds the texts that are allowed."""
    pattern: str = ""

    @model_validator(mode="after")
    def _check(self) -> "Parameter":
        listed = [what for what in (self.enum, self.values_sql, self.pattern) if what]
        if listed and (self.type != "string" or len(listed) > 1):
            raise ValueError("only a string has enum, values_sql or pattern, and one of them")
        limited = self.minimum is not None or self.maximum is not None
        if limited and self.type not in ("integer", "number", "date"):
            raise ValueError(f"a {self.type} has no minimum and no maximum")
        if placeholders(self.values_sql):
            raise ValueError("values_sql takes no parameters")
        try:
            re.compile(self.pattern)
            database_parameters.check_bounds(self)
            if self.default is not None and not self.values_sql:
                database_parameters.convert("default", self, self.default, self.enum)
        except (re.error, ToolError) as error:
            raise ValueError(str(error)) from None
        return self


class NamedQuery(_Section):
    """A statement that the operator wrote, and the questions that it answers."""

    name: str = Field(pattern=_NAME)
    description: str = ""
    asks: list[str] = Field(default_factory=list)
    sql: str = Field(min_length=1)
    groups: list[InNFC] = Field(default_factory=list)
    """Users and groups that may run it; none: everybody."""
    says: dict[Language, str] = Field(default_factory=dict)
    """A row in words: `{name}` stands for a column or a parameter."""
    answer: dict[Language, str] = Field(default_factory=dict)
    """The short form of a single row, in the same way."""
    parameters: dict[str, Parameter] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _check(self) -> "NamedQuery":
        if IDENTITY in self.parameters:
            raise ValueError(f"{IDENTITY} is bound by code and cannot be a parameter")
        used = set(placeholders(self.sql)) - {IDENTITY}
        if different := used.symmetric_difference(self.parameters):
            names = ", ".join(sorted(different))
            raise ValueError(f"its SQL and its parameters differ in: {names}")
        holes = {name for ask in self.asks for name in HOLE.findall(ask)}
        if unknown := sorted(holes - set(self.parameters)):
            raise ValueError(f"asks names {', '.join(unknown)}, which is no parameter")
        return self

    @property
    def own(self) -> bool:
        """Whether it is about the asker."""
        return IDENTITY in placeholders(self.sql)


class Table(_Section):
    """A table or view that a free SELECT may read, in some columns and some rows."""

    name: str = Field(min_length=1)
    """As the database spells it; may begin with a schema and a dot."""
    columns: list[str] = Field(min_length=1)
    where: str = ""
    """The rows that may be seen, as a condition; `:user_id` is the asker."""
    groups: list[InNFC] = Field(default_factory=list)
    """Users and groups that may read it; none: everybody."""
    description: str = ""

    @model_validator(mode="after")
    def _check(self) -> "Table":
        if unknown := set(placeholders(self.where)) - {IDENTITY}:
            raise ValueError(f"its condition can only use :{IDENTITY}, not {sorted(unknown)}")
        return self


class Database(_Section):
    """One database, and all that may be asked of it."""

    name: str = Field(pattern=_NAME)
    url: SecretStr | None = None
    """sqlite:///<file> (relative to the settings file), or postgresql://<user>@<host>/<name>."""
    url_env: str = ""
    """The environment variable that holds the URL, in the place of `url`."""
    description: str = ""
    trusted: bool = True
    """Whether nobody but the operator decides what its texts say."""
    timeout: float = Field(default=5.0, gt=0, le=300)
    """Seconds that a statement may take."""
    rows: int = Field(default=100, ge=1, le=1000)
    queries: list[NamedQuery] = Field(default_factory=list)
    tables: list[Table] = Field(default_factory=list)

    @model_validator(mode="after")
    def _check(self) -> "Database":
        if (self.url is None) == (not self.url_env):
            raise ValueError("it needs either url or url_env")
        refuse_repeated("tables", (one.name.casefold() for one in self.tables))
        return self


def refuse_repeated(what: str, names: Iterable[str]) -> None:
    """ValueError if a name stands there twice."""
    if repeated := [name for name, times in Counter(names).items() if times > 1]:
        raise ValueError(f"two {what} are called {', '.join(repeated)}")


def schema(parameter: Parameter, values: list[str]) -> dict[str, Any]:
    """The JSON schema of a parameter, with the `values` that are allowed, where they are known."""
    kind = {"date": {"type": "string", "format": "date"}}.get(
        parameter.type, {"type": parameter.type}
    )
    found: dict[str, Any] = {**kind}
    for name in ("description", "default", "minimum", "maximum", "pattern"):
        value = getattr(parameter, name)
        if value not in (None, ""):
            found[name] = value.isoformat() if isinstance(value, date) else value
    if values:
        found["enum"] = values
    return found
