"""Who asks and with which limits: the form that Studio shows, and the only source of identity."""

from typing import Any

from pydantic import BaseModel, Field, field_validator

from retrieval.filters import Filters, is_day
from state.budget import DEFAULT_LIMITS
from state.types import Limits


class Context(BaseModel):
    """What a run is started with. It is not part of the state: pass it again on resume."""

    user: str | None = Field(
        default=None, description="Who asks. Without one, only open documents."
    )
    groups: list[str] = Field(
        default_factory=list,
        description="Groups of the asker, as documents' access lists name them.",
    )
    collections: list[str] = Field(
        default_factory=list, description="Collections to search in; none: in all."
    )
    sources: list[str] = Field(
        default_factory=list, description="Files and folders to search in; * and ? are wildcards."
    )
    departments: list[str] = Field(
        default_factory=list, description="Departments whose documents count; none: all."
    )
    versions: list[str] = Field(
        default_factory=list, description="Versions of documents that count; none: all."
    )
    languages: list[str] = Field(
        default_factory=list, description="Languages of documents that count (vi, en); none: all."
    )
    as_of: str = Field(
        default="", description="A day (2026-01-31) on which a document must be in force."
    )
    pause: bool = Field(
        default=False,
        description="May stop to ask: which reading of an ambiguous question is meant, and "
        "whether to extend a used-up budget.",
    )
    web: bool = Field(
        default=False, description="May search the web, where a search of the web is set up."
    )
    today: str = Field(
        default="",
        description='The day of asking (2026-02-28), from which "this year" counts; empty: today.',
    )
    depth: int = Field(default=6, ge=1, le=50, description="Passages that one search returns.")
    steps: int = Field(
        default=DEFAULT_LIMITS["steps"], ge=1, le=100, description="Rounds of retrieval, at most."
    )
    tool_calls: int = Field(
        default=DEFAULT_LIMITS["tool_calls"], ge=1, le=400, description="Tool calls, at most."
    )
    model_calls: int = Field(
        default=DEFAULT_LIMITS["model_calls"], ge=1, le=1000, description="Policy calls, at most."
    )
    tokens: int = Field(
        default=DEFAULT_LIMITS["tokens"], ge=1, description="Model tokens, in and out, at most."
    )
    seconds: float = Field(
        default=DEFAULT_LIMITS["seconds"],
        gt=0,
        description="Seconds inside tool and policy calls, at most.",
    )
    money: float | None = Field(
        default=None, gt=0, description="Money for model calls, at most; needs prices in settings."
    )
    rewrites: int = Field(
        default=DEFAULT_LIMITS["rewrites"],
        ge=0,
        le=10,
        description="Rewrites of one subgoal, at most.",
    )
    barren_rounds: int = Field(
        default=DEFAULT_LIMITS["barren_rounds"],
        ge=1,
        le=20,
        description="Rounds in a row without new evidence after which the run stops.",
    )

    independent: int = Field(
        default=1,
        ge=1,
        le=3,
        description="Independent sources that every required part of the answer needs.",
    )

    @field_validator("as_of", "today")
    @classmethod
    def _is_a_day(cls, day: str) -> str:
        if day and not is_day(day):
            raise ValueError(f"the date {day!r} is none: write it as 2026-01-31")
        return day

    def filters(self) -> Filters:
        """What a document must be for a search of the run to find it."""
        return Filters(
            tuple(self.departments),
            tuple(self.versions),
            tuple(self.languages),
            tuple(self.sources),
            self.as_of,
            tuple(self.collections),
        )

    def limits(self) -> Limits:
        """The budget's limits, as `state.budget.new_budget` takes them."""
        values: dict[str, Any] = self.model_dump(include=set(DEFAULT_LIMITS))
        if self.money is not None:
            values["money"] = self.money
        if self.independent > 1:
            values["independent"] = self.independent
        return values  # type: ignore[return-value]
