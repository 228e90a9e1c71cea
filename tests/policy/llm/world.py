"""Whole runs on the scripted server: a few documents, and a model that reads them."""

import re
from collections.abc import Callable
from typing import Any

from tests.nodes.scripting import Search, passage
from tests.policy.llm.server import Request, Say, as_json

FACTS = {
    "Who developed Project Aurora?": ("Project Aurora was developed by Lab Delta.", "Lab Delta"),
    "Who founded Lab Delta?": ("Lab Delta was founded by Minh Tran in 2019.", "Minh Tran"),
    "Where was Minh Tran born?": ("Minh Tran was born in Huế.", "Huế"),
    "In which country is Huế?": ("Huế is a city in Vietnam.", "Vietnam"),
    "Thủ đô nào?": ("Thủ đô của Vietnam là Hà Nội.", "Hà Nội"),
}
NOISE = "The canteen opens at eight and closes at six on working days, and on Fridays at four."


def chain(hops: int) -> list[dict[str, Any]]:
    """Subgoals each of which needs the answer of the one before."""
    questions = list(FACTS)[:hops]
    answers = ["", *(answer for _, answer in FACTS.values())]
    parts = []
    for number, question in enumerate(questions):
        before = f"s{number}"
        filled = question.replace(answers[number], f"{{{before}}}") if number else question
        parts.append(
            {"id": f"s{number + 1}", "question": filled, "depends_on": [before] if number else []}
        )
    return parts


def questions_of(hops: int) -> str:
    return {
        1: "Who developed Project Aurora?",
        2: "Who founded the organisation that developed Project Aurora?",
        3: "Where was the founder of the organisation that developed Project Aurora born?",
        4: "In which country is the birthplace of the founder of the organisation that developed "
        "Project Aurora?",
    }[hops]


def reader(hops: int, text: Callable[[str], str] = lambda fact: fact) -> Callable[[Request], Say]:
    """A model that plans a chain, takes exactly the fact asked for, and writes what was found.

    `text` makes a passage of a fact, as the search has it.
    """

    def script(request: Request) -> Say:
        shown = request.sections
        if request.role == "plan":
            return as_json(reason="chain", route="search", subgoals=chain(hops))
        if request.role in ("grade", "quote"):
            return grade(shown)
        if request.role == "rewrite":
            return as_json(reason="no other words", strategy="expand", query="")
        assert request.role == "write"
        lines = re.findall(r"^(e\d+) \(.*?\): (.*)$", shown["evidence"], re.MULTILINE)
        written = "\n".join(f"{quote} [{identifier}]" for identifier, quote in lines)
        return Say(text=f"{written}\nSHORT: {list(FACTS.values())[hops - 1][1]}")

    return script


def grade(shown: dict[str, str]) -> Say:
    asked = shown.get("subgoal", shown["question"])
    fact, answer = FACTS.get(asked, ("nothing of this kind", ""))
    passages, found = [], False
    for label in (name for name in shown if re.fullmatch(r"P\d+", name)):
        hit = fact in shown[label]
        found = found or hit
        said = {"passage": label, "reason": "states it" if hit else "another matter"}
        passages.append(
            {
                **said,
                "relevant": "yes" if hit else "no",
                "quote": fact if hit else "",
                "supports": hit,
            }
        )
    covered = "yes" if found else "no"
    return as_json(
        passages=passages, reason="read all", covered=covered, answer=answer if found else ""
    )


def library(*more: dict[str, Any]) -> Search:
    """A search that finds every fact, noise, and whatever else is put in."""
    facts = [
        passage(f"{text} {NOISE}", f"c{number}", title=f"Paper {number}", language="en")
        for number, (text, _) in enumerate(FACTS.values(), 1)
    ]
    noise = passage(NOISE, "noise", title="Canteen", language="en")
    return Search(lambda query: [*more, *facts, noise])
