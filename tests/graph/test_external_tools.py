"""Tools of other systems, from the settings and in code, in whole runs."""

import json
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast

import pytest
from langchain_core.tools import tool

from graph.agent import Agent
from graph.context import Context
from graph.external_settings import Traits
from graph.external_tools import external_tools
from graph.settings import Settings, load_settings
from graph.tools import open_tools
from policy.protocol import PlannedSubgoal
from retrieval.errors import UsageError
from retrieval.knowledge_base import KnowledgeBase
from retrieval.tools.langchain import wrap
from retrieval.tools.registry import Tool
from tests.graph.scenes import TEXT, Documents, agent_on
from tests.nodes.scripting import Script, Search, honest, planned, rows
from tests.retrieval.conftest import document, write
from tests.retrieval.tools.test_mcp import BAD, GOOD, address

__all__ = ["address"]

TICKET = "Phiếu 42: máy in tầng 3 do Trần Thị Hoa phụ trách, hẹn xong ngày 12/03/2026."
ANSWERS = {TICKET: "Trần Thị Hoa", TEXT: "Minh Tran"}
BOTH = [
    PlannedSubgoal(
        id="s1",
        question="Ai phụ trách phiếu 42?",
        tool="helpdesk.ticket",
        arguments={"number": 42},
    ),
    PlannedSubgoal(id="s2", question="Ai sáng lập Lab Delta?"),
]


INSIDE = ("read_only = true", "reaches_outside = false")


@tool
def phiếu(number: int) -> str:
    """Một phiếu theo số."""
    return TICKET


not_a_tool = "chỉ là chữ"


def settings(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> Settings:
    """The settings of a `groundhop.toml` in a folder where everything is then done."""
    monkeypatch.chdir(folder)
    Path("groundhop.toml").write_text(text, "utf-8")
    return load_settings()


def server(name: str, *lines: str, command: tuple[str, ...] = GOOD) -> str:
    words = json.dumps(list(command))
    return "\n".join(["[[tools.mcp]]", f'name = "{name}"', f"command = {words}", *lines, ""])


def asked(home: Path, tools: list[Tool], first: PlannedSubgoal = BOTH[0]) -> Any:
    """A run whose plan names the ticket and the documents."""
    documents = Documents(d=TEXT)
    policy = Script(plan=lambda view: planned(subgoals=[first, BOTH[1]]), grade=honest(ANSWERS))
    search = Search(documents.found).tool()
    with agent_on(home, policy, search, *tools, documents=documents) as agent:
        return agent.ask(
            "Ai phụ trách phiếu 42, và ai sáng lập Lab Delta?", context=Context(rewrites=0)
        )


@pytest.mark.parametrize("way", ["command", "url"])
def test_an_mcp_tool_of_the_settings_is_named_by_a_plan_and_cited(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    text = server("helpdesk", *INSIDE, "timeout = 60")
    if way == "url":
        url = request.getfixturevalue("address")
        text = f'[[tools.mcp]]\nname = "helpdesk"\nurl = "{url}"\ntimeout = 60\n'
        text += "\n".join(INSIDE)
    tools = list(external_tools(settings(tmp_path, monkeypatch, text)))
    result = asked(tmp_path, tools)
    assert result.status == "answered"
    cited = {one["source"]: one for one in result.answer["citations"]}
    assert cited["mcp:helpdesk.ticket"]["quote"] == TICKET
    assert cited["mcp:helpdesk.ticket"]["kind"] == "external"
    assert "kind" not in cited["d.md"]
    assert TICKET in result.text


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ({}, True),
        ({"read_only": True}, False),
        ({"read_only": True, "needs_approval": True}, True),
        ({"needs_approval": False}, False),
    ],
)
def test_a_person_is_asked_before_each_call_unless_a_tool_only_reads_or_the_operator_says_so(
    said: dict[str, bool], asks: bool
) -> None:
    traits = Traits(**said).traits()
    assert traits["needs_approval"] is asks
    assert (traits["trusted"], traits["reaches_outside"]) == (False, True)


@pytest.mark.parametrize("how", ["die", "hang", "line", "error", "wrong type"])
def test_a_server_that_fails_costs_its_part_and_the_rest_is_answered(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = server("desk", *INSIDE, "timeout = 2", command=(*BAD, how))
    tools = list(external_tools(settings(tmp_path, monkeypatch, text)))
    spoilt = BOTH[0].model_copy(update={"tool": "desk.tra_cứu", "arguments": {"query": "máy in"}})
    result = asked(tmp_path, tools, spoilt)
    assert result.status == "partial"
    assert TEXT in result.text
    assert result.state["answer"]["missing"] == ["Ai phụ trách phiếu 42?"]
    errors = {row["error"].split()[0] for row in rows(result.state, "tool_error")}
    assert errors <= {"The", "desk.tra_cứu"}


def test_a_server_that_is_down_does_not_stop_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = server("helpdesk", *INSIDE, command=("/no/such/program",))
    tools = list(external_tools(settings(tmp_path, monkeypatch, text)))
    assert "cannot be started: '/no/such/program'" in tools[0].off
    result = asked(tmp_path, tools)
    assert result.status == "partial"
    row = rows(result.state, "tool_error")[0]
    assert row["error"].startswith("There is no tool 'helpdesk.ticket'")


def test_tools_of_langchain_and_the_web_are_opened_from_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"""
[tools.web_search]
url = "http://127.0.0.1:8888"
cost = 0.01

[[tools.langchain]]
import = "{__name__}:phiếu"
read_only = true
trusted = true
"""
    found = {one.name: one for one in external_tools(settings(tmp_path, monkeypatch, text))}
    assert set(found) == {"web_search", "phiếu"}
    assert (found["web_search"].web, found["web_search"].cost) == (True, 0.01)
    ours = found["phiếu"]
    assert (ours.trusted, ours.read_only, ours.needs_approval) == (True, True, False)
    assert ours.reaches_outside


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[[tools.mcp]]\nname = "a"\n', "needs a command or a url"),
        ('[[tools.mcp]]\nname = "a"\ncommand = ["x"]\nurl = "http://x"\n', "and not both"),
        ('[[tools.mcp]]\nname = "a"\nurl = "stdio:x"\n', "is no http address"),
        ('[[tools.mcp]]\nname = "Máy chủ"\ncommand = ["x"]\n', "String should match pattern"),
        ('[[tools.mcp]]\nname = "a"\ncommand = ["x"]\ntimeout = 0\n', "greater than 0"),
        ('[[tools.mcp]]\nname = "a"\ncommand = ["x"]\ntrused = true\n', "not permitted"),
        (2 * '[[tools.mcp]]\nname = "a"\ncommand = ["x"]\n', "two MCP servers are named 'a'"),
        ('[[tools.langchain]]\nimport = "os.system"\n', "String should match pattern"),
        ('[[tools.langchain]]\nimport = "os:system"\ncost = -1\n', "greater than or equal to 0"),
        ("[tools.web_search]\n", "Field required"),
        ("[tools]\nweb = true\n", "not permitted"),
    ],
)
def test_settings_that_cannot_be_are_refused_by_name(
    text: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match=says) as raised:
        settings(tmp_path, monkeypatch, text)
    assert "groundhop.toml" in str(raised.value)


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("os:system", "is no LangChain tool but a builtin"),
        (f"{__name__}:not_a_tool", "is no LangChain tool but a str"),
        ("no_such_module:tool", "cannot be imported"),
        (f"{__name__}:missing", "cannot be imported"),
    ],
)
def test_what_is_no_langchain_tool_is_refused(
    path: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = settings(tmp_path, monkeypatch, f'[[tools.langchain]]\nimport = "{path}"\n')
    with pytest.raises(UsageError, match=says):
        list(external_tools(given))


def test_two_tools_of_one_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = settings(tmp_path, monkeypatch, f'[[tools.langchain]]\nimport = "{__name__}:phiếu"\n')
    nothing = cast(KnowledgeBase, None)
    with pytest.raises(UsageError, match="same name"):
        open_tools(given, nothing, ExitStack(), [wrap(phiếu)])


def test_an_agent_has_keyword_search_and_the_tools_that_it_is_given_in_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = settings(tmp_path, monkeypatch, 'embedding = "hashing:256"\nhome = "home"\n')
    write(tmp_path / "home", [document("d", TEXT)])
    with Agent.open(settings=given, tools=[phiếu, wrap_as("đã bọc")]) as agent:
        names = set(agent._services.tools)
        assert names == {"search_documents", "search_keywords", "phiếu", "đã bọc"}
        assert agent._services.tools["phiếu"].needs_approval


def wrap_as(name: str) -> Tool:
    return Tool(**{**vars(wrap(phiếu)), "name": name})


def test_nothing_of_mcp_is_loaded_where_no_server_is_set_up() -> None:
    import subprocess

    code = (
        "import sys, graph.services, retrieval.tools.mcp_client;"
        "print(sorted({'mcp', 'langchain_mcp_adapters', 'jsonschema', 'httpx'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "mcp" not in done.stdout.replace("langchain_mcp", "mcp")
