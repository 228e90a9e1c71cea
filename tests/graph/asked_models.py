"""The three-hop question judged by a model behind HTTP, on a server that may kill its client."""

import os
import re
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from nodes.services import Services
from policy.endpoints import Endpoint, Models
from policy.llm import LLM
from policy.protocol import Draft, Grade, Plan, Usage
from tests.graph.three_hops import FACTS, begun
from tests.policy.llm.server import Request, Say, as_json

SUBGOALS = [
    {"id": "s1", "question": "Project Aurora do tổ chức nào phát triển?"},
    {"id": "s2", "question": "Ai sáng lập {s1}?", "depends_on": ["s1"]},
    {"id": "s3", "question": "{s2} quê ở nước nào?", "depends_on": ["s2"]},
]


class Logged(LLM):
    """The policy that users have, which leaves a line for every judgement begun."""

    log: Path

    def plan(self, view: Any) -> tuple[Plan, Usage]:
        begun(self.log, "policy", f"{self.name}.plan", view)
        return super().plan(view)

    def grade(self, view: Any) -> tuple[Grade, Usage]:
        begun(self.log, "policy", f"{self.name}.grade", view)
        return super().grade(view)

    def write(self, view: Any) -> tuple[Draft, Usage]:
        begun(self.log, "policy", f"{self.name}.write", view)
        return super().write(view)


def judged_by_model(services: Services, url: str, log: Path) -> Services:
    """The same services with a model at `url` as the judge."""
    endpoint = Endpoint(base_url=url, model="m", api_key="k", timeout=20)
    roles = dict.fromkeys(("plan", "grade", "rewrite", "write"), endpoint)
    policy = Logged(Models(roles), grading="json")
    policy.log = log
    return replace(services, policy=policy)


def answering(client: Callable[[], int], fatal: Callable[[], int]) -> Callable[[Request], Say]:
    """A script that answers, and kills the client in the middle of request number `fatal`.

    Both are asked for at each request: the id of the process that runs now, and the number of
    requests that it may still make (0 for as many as it likes).
    """
    made: dict[int, int] = {}

    def script(request: Request) -> Say:
        child = client()
        made[child] = made.get(child, 0) + 1
        if made[child] == fatal():
            os.kill(child, signal.SIGKILL)  # the request is read, and its reply never comes
        return _reply(request)

    return script


def _reply(request: Request) -> Say:
    if request.role == "plan":
        return as_json(reason="từng bước", route="search", subgoals=SUBGOALS)
    if request.role == "write":
        facts = re.findall(r"^(e\d+)\b", request.user, re.MULTILINE)
        text, _ = FACTS["Minh Tran"]
        return Say(text=f"{text} [{facts[-1]}]\nSHORT: Việt Nam")
    text, answer = next(one for one in FACTS.values() if one[0] in request.sections["P1"])
    passage = {"passage": "P1", "reason": "nói rõ", "relevant": "yes", "quote": text}
    judged = [{**passage, "supports": "yes", "contradicts": []}]
    return as_json(passages=judged, reason="đã thấy", covered="yes", answer=answer)
