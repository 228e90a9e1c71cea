"""`closed`: the question put to the model alone, to see what it knows without any document."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from groundhop.evaluation.recording import Record
from groundhop.evaluation.schema import Json, Question
from policy.errors import PolicyError
from policy.protocol import Allowance

if TYPE_CHECKING:
    from graph.settings import Settings

UNKNOWN = "unknown"
_ORDER = (
    "Answer the question with a few words and nothing else, in the language of the question. "
    f'Where you are not sure, answer "{UNKNOWN}".'
)
_TOKENS = 60


def ask_closed(settings: "Settings") -> tuple[Callable[[Question], Record], Json]:
    """How to ask without documents, and what that is made of.

    Without a model there is nothing that could know: every question is refused.
    """
    if not settings.base_url and not settings.preset:
        return lambda question: _nothing(question), {"policy": "none", "version": "1"}
    from graph.policies import models
    from policy.llm.chat import Chat, Request
    from policy.llm.costs import Meter

    endpoint = models(settings).roles["write"]
    chat = Chat()

    def ask(question: Question) -> Record:
        said = [
            {"role": "system", "content": _ORDER},
            {"role": "user", "content": question.question},
        ]
        meter = Meter(Allowance())
        begun = time.perf_counter()
        try:
            reply = chat.complete(endpoint, Request(said, _TOKENS), meter).text.strip()
        except PolicyError as error:
            return Record("failed", "error", error=str(error))
        usage = meter.usage()
        tokens = usage["input_tokens"] + usage["output_tokens"]
        refused = not reply or UNKNOWN in reply.casefold()
        return Record(
            status="gave_up" if refused else "answered",
            stop_reason="closed",
            answer={} if refused else {"text": reply, "short": reply, "citations": []},
            spent={"model_calls": 1, "tokens": tokens, "money": usage["money"]},
            seconds=round(time.perf_counter() - begun, 4),
            policy=endpoint.model,
        )

    return ask, {"policy": f"closed:{endpoint.model}", "version": "1"}


def _nothing(question: Question) -> Record:
    return Record(status="gave_up", stop_reason="no model and no documents", policy="none")
