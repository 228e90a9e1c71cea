"""A three-hop question with a scripted policy and tool that leave a line for every call begun."""

import json
import os
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

from graph.agent import Agent
from graph.ledger import Ledger
from graph.store import Store, open_store
from nodes.services import Entry, Services
from policy.protocol import (
    NO_USAGE,
    Draft,
    DraftSentence,
    Grade,
    PassageVerdict,
    Plan,
    PlannedSubgoal,
    Rewrite,
    Usage,
)
from retrieval.tools.registry import Tool, ToolResult

QUESTION = "Thành phố quê hương của người sáng lập tổ chức phát triển Project Aurora ở nước nào?"
FACTS = {
    "Project Aurora": ("Project Aurora do Lab Delta phát triển.", "Lab Delta"),
    "Lab Delta": ("Lab Delta do Minh Tran sáng lập năm 2019.", "Minh Tran"),
    "Minh Tran": ("Minh Tran sinh tại Huế, Việt Nam.", "Việt Nam"),
}
USAGE: Usage = {"input_tokens": 90, "output_tokens": 10, "money": 0.5, "estimated": False}


class Moments:
    """Kills this process at the `number`th time that a kind of moment is reached."""

    def __init__(self, kind: str = "", number: int = 0) -> None:
        self._last, self._seen = (kind, number), Counter[str]()

    def reach(self, kind: str) -> None:
        self._seen[kind] += 1
        if (kind, self._seen[kind]) == self._last:
            os.kill(os.getpid(), signal.SIGKILL)


class DyingLedger(Ledger):
    """A ledger whose process may die when a call is recorded and its checkpoint is not."""

    def __init__(self, store: Store, moments: Moments) -> None:
        super().__init__(store)
        self._moments = moments

    def call(self, key: Any, work: Any) -> Entry:
        entry = super().call(key, work)
        self._moments.reach("recorded")
        return entry


class ThreeHops:
    """Plans one hop after the other; every judgement takes `pause` seconds and is logged."""

    name = "three-hops"
    version = "1"

    def __init__(self, log: Path, pause: float, moments: Moments) -> None:
        self.log, self.pause, self.moments = log, pause, moments

    def plan(self, view: Any) -> tuple[Plan, Usage]:
        self._work("plan", view)
        known = [item["answer"] for item in view["subgoals"] if item["id"] in ("s1", "s2")]
        known = [answer for answer in known if answer]
        subject = ["Project Aurora", *known][len(known)]
        parts = [
            PlannedSubgoal(id="s1", question="Project Aurora do ai phát triển?"),
            PlannedSubgoal(id="s2", question="{s1} do ai sáng lập?", depends_on=["s1"]),
            PlannedSubgoal(id="s3", question="{s2} quê ở nước nào?", depends_on=["s2"]),
            PlannedSubgoal(id="n1", question="Project Aurora có tên gì khác?", required=False),
        ]
        if known:
            parts = [PlannedSubgoal(id=f"s{len(known) + 1}", question=f"{subject} thế nào?")]
        return Plan(reason="next hop", route="retrieve", subgoals=parts), USAGE

    def grade(self, view: Any) -> tuple[Grade, Usage]:
        self._work("grade", view)
        verdicts = [
            PassageVerdict(
                passage_id=item["id"], reason="states it", relevant="yes", quote=item["text"]
            )
            for item in view["passages"]
        ]
        answer = next(
            answer for text, answer in FACTS.values() if text == view["passages"][0]["text"]
        )
        return Grade(verdicts=verdicts, reason="found", covered="yes", answer=answer), USAGE

    def rewrite(self, view: Any) -> tuple[Rewrite, Usage]:
        raise AssertionError("every search of this script finds something")

    def write(self, view: Any) -> tuple[Draft, Usage]:
        self._work("write", view)
        sentences = [
            DraftSentence(text=fact["quote"], evidence_ids=[fact["id"]]) for fact in view["facts"]
        ]
        return Draft(sentences=sentences, short="Việt Nam"), NO_USAGE

    def _work(self, role: str, view: Any) -> None:
        begun(self.log, "policy", f"{self.name}.{role}", view)
        time.sleep(self.pause / 2)
        self.moments.reach("policy")
        time.sleep(self.pause / 2)


def begun(log: Path, kind: str, name: str, arguments: Any) -> None:
    """Append one line in one write, so that a kill cannot tear it."""
    line = json.dumps([time.time(), kind, name, arguments], ensure_ascii=False, sort_keys=True)
    descriptor = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(descriptor, line.encode() + b"\n")
    os.close(descriptor)


def search_tool(log: Path, pause: float, moments: Moments) -> Tool:
    """Finds the fact about the name that the query holds."""

    def run(arguments: dict[str, Any], identity: Any, top_k: int) -> ToolResult:
        begun(log, "tool", "search_documents", arguments)
        time.sleep(pause / 2)
        moments.reach("tool")
        time.sleep(pause / 2)
        text = next(text for name, (text, _) in FACTS.items() if name in arguments["query"])
        passage = {
            "document_id": "d",
            "chunk_id": text[:12],
            "source": "labs.md",
            "title": "Labs",
            "heading": "Labs",
            "page": None,
            "text": text,
            "start": 0,
            "end": len(text),
            "sha256": "0" * 64,
            "version": "",
            "language": "vi",
            "scores": {},
        }
        return ToolResult(passages=[passage], degraded=[])

    return Tool(
        name="search_documents",
        description="Finds passages.",
        parameters={
            "type": "object",
            "properties": {"query": {"type": "string"}},
            "required": ["query"],
        },
        run=run,
    )


def three_hop_services(store: Store, log: Path, pause: float, moments: Moments) -> Services:
    """The scripted policy and tool, whose calls are logged to `log`."""
    tool = search_tool(log, pause, moments)
    return Services(
        policy=ThreeHops(log, pause, moments),
        tools={tool.name: tool},
        ledger=DyingLedger(store, moments),
        generation=lambda: 1,
        close=store.close,
    )


def three_hop_agent(home: Path, pause: float, url: str | None = None) -> Agent:
    """An agent on `home` (or on PostgreSQL) whose calls are logged to `home/begun.jsonl`."""
    store = open_store(home, url)
    return Agent(three_hop_services(store, home / "begun.jsonl", pause, Moments()), store)
