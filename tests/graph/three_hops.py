"""A three-hop question with a scripted policy and tool that leave a line for every call begun.

Run as a program it forks a child for each order read from standard input, so that killing one
costs no import: `run THREAD SECONDS` or `resume THREAD SECONDS`, where SECONDS is when to kill
it, or `never`. The answer is the child's exit code and the seconds that it ran.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

from graph.agent import Agent
from graph.database import runs_path
from graph.ledger import SqliteLedger
from nodes.services import Services
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


class ThreeHops:
    """Plans one hop after the other; every judgement takes `pause` seconds and is logged."""

    name = "three-hops"
    version = "1"

    def __init__(self, log: Path, pause: float) -> None:
        self.log, self.pause = log, pause

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
        time.sleep(self.pause)


def begun(log: Path, kind: str, name: str, arguments: Any) -> None:
    """Append one line in one write, so that a kill cannot tear it."""
    line = json.dumps([time.time(), kind, name, arguments], ensure_ascii=False, sort_keys=True)
    descriptor = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(descriptor, line.encode() + b"\n")
    os.close(descriptor)


def search_tool(log: Path, pause: float) -> Tool:
    """Finds the fact about the name that the query holds."""

    def run(arguments: dict[str, Any], identity: Any, top_k: int) -> ToolResult:
        begun(log, "tool", "search_documents", arguments)
        time.sleep(pause)
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


def three_hop_agent(home: Path, pause: float) -> Agent:
    """An agent on `home` whose calls are logged to `home/begun.jsonl`."""
    log = home / "begun.jsonl"
    tool = search_tool(log, pause)
    services = Services(
        policy=ThreeHops(log, pause),
        tools={tool.name: tool},
        ledger=SqliteLedger(runs_path(home)),
        generation=lambda: 1,
    )
    return Agent(services, home)


def _child(order: str, thread: str, home: Path, pause: float) -> None:
    agent = three_hop_agent(home, pause)
    if order == "run":
        agent.ask(QUESTION, thread=thread)
    else:
        agent.resume(thread)
    agent.close()


def _serve(home: Path, pause: float) -> None:
    for line in sys.stdin:
        order, thread, kill_after = line.split()
        begun_at = time.monotonic()
        child = os.fork()
        if child == 0:
            _child(order, thread, home, pause)
            os._exit(0)
        if kill_after != "never":
            time.sleep(float(kill_after))
            os.kill(child, signal.SIGKILL)  # not reaped yet, so the id is still the child's
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), time.monotonic() - begun_at, flush=True)


if __name__ == "__main__":
    _serve(Path(sys.argv[1]), float(sys.argv[2]))
