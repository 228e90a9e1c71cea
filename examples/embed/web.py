"""Groundhop behind FastAPI: one user per request, progress as server-sent events, cancellation.

    pip install fastapi uvicorn
    uvicorn examples.embed.web:app

    curl -N -H 'X-User: an' -H 'X-Groups: hr' \\
         -d '{"question": "Who founded Lab Delta?"}' -H 'Content-Type: application/json' \\
         http://127.0.0.1:8000/ask

`X-User` and `X-Groups` stand for what your gateway or session proves about the caller. Never
take them from the body, and never let a client reach this program past the gateway.
"""

import json
import uuid
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Annotated, Any
from urllib.parse import unquote

from fastapi import Depends, FastAPI, Header, HTTPException, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from groundhop import Agent, Context, GroundhopError

SHOWN = ("thread", "note", "planned", "searching", "found", "graded", "paused")


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """One agent for all requests; a SIGTERM lets runs end after the step that they are in."""
    agent = getattr(app.state, "agent", None) or Agent.open()
    app.state.agent = agent
    yield
    agent.stop()
    agent.close()


app = FastAPI(lifespan=lifespan)


class Question(BaseModel):
    """What is asked, on a new thread or on a known one."""

    question: str
    thread: str | None = None


class Reply(BaseModel):
    """What answers a pause; without one, an interrupted run goes on."""

    reply: Any = None
    add_steps: int | None = None


def caller(x_user: Annotated[str, Header()], x_groups: Annotated[str, Header()] = "") -> Context:
    """Who asks, as the gateway says; names are percent-encoded, as headers are ASCII."""
    groups = [unquote(group.strip()) for group in x_groups.split(",") if group.strip()]
    return Context(user=unquote(x_user), groups=groups)


Caller = Annotated[Context, Depends(caller)]


@app.post("/ask")
async def ask(asked: Question, request: Request, context: Caller) -> StreamingResponse:
    """Answer a question as a stream of events."""
    thread = _own(context, asked.thread) if asked.thread else f"{context.user}:{uuid.uuid4()}"
    events = request.app.state.agent.astream(asked.question, thread=thread, context=context)
    return StreamingResponse(_sent(events), media_type="text/event-stream")


@app.post("/threads/{thread}/resume")
async def resume(thread: str, reply: Reply, request: Request, context: Caller) -> StreamingResponse:
    """Go on with an interrupted or paused thread; only its own user can."""
    events = request.app.state.agent.astream_resume(
        _own(context, thread), context=context, reply=reply.reply, add_steps=reply.add_steps
    )
    return StreamingResponse(_sent(events), media_type="text/event-stream")


def _own(context: Context, thread: str) -> str:
    """Threads are named after their user, so that nobody can name another's."""
    if thread.rpartition(":")[0] != context.user:
        raise HTTPException(404, f"There is no thread {thread!r} of yours.")
    return thread


async def _sent(events: AsyncIterator[dict[str, Any]]) -> AsyncIterator[str]:
    """Server-sent events. When the client goes away, the run is cancelled and can be resumed."""
    async with aclosing(events):  # type: ignore[type-var]
        try:
            async for event in events:
                if event["event"] == "result":
                    result = event["result"]
                    data = {"status": result.status, "answer": result.answer}
                    yield _line("result", {**data, "thread": result.thread})
                elif event["event"] in SHOWN:
                    yield _line(event["event"], event)
        except GroundhopError as error:
            yield _line("error", {"text": str(error)})


def _line(name: str, data: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
