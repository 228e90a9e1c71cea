"""Who may use a Groundhop server, and as whom: an example for `langgraph.json`.

    {"auth": {"path": "./examples/auth/auth.py:auth"}, …}

Bearer tokens stand for your identity provider: replace `USERS` by a check of its signed tokens.
The identity proven here is the one that documents' access lists are read with; a client cannot
choose another in the form. Threads and runs belong to whoever made them.
"""

import json
import os
from typing import Any

from langgraph_sdk import Auth

auth = Auth()
USERS: dict[str, dict[str, Any]] = json.loads(os.environ.get("GROUNDHOP_EXAMPLE_USERS", "{}"))
"""By token: {"identity": "an", "groups": ["hr"]}."""


@auth.authenticate
async def authenticate(authorization: str | None) -> Any:
    """The user of a bearer token; without a known one there is no access."""
    token = (authorization or "").removeprefix("Bearer ").strip()
    if token not in USERS:
        raise Auth.exceptions.HTTPException(status_code=401, detail="Unknown token.")
    return {**USERS[token], "is_authenticated": True}


@auth.on
async def own(ctx: Auth.types.AuthContext, value: Any) -> Any:
    """What a user makes is marked with the name, and only that user finds it again."""
    owner = {"owner": ctx.user.identity}
    if isinstance(value, dict):
        value.setdefault("metadata", {}).update(owner)
    return owner


@auth.on.assistants
async def everybody(ctx: Auth.types.AuthContext, value: Any) -> Any:
    """The graph itself belongs to nobody: everybody may look at it, nobody may change it."""
    return ctx.action in ("read", "search")
