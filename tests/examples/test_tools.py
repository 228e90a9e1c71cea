"""The examples of docs/tools.md and examples/tools/ do what is said of them."""

import os
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from graph.external_tools import external_tools
from graph.settings import Settings, load_settings
from retrieval.access import Identity
from retrieval.tools.registry import call, registry
from tests.retrieval.conftest import document, write

PROJECT = Path(__file__).parents[2]
TEXT = (PROJECT / "docs/tools.md").read_text("utf-8")
SETTINGS = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)
PROGRAMS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize("text", SETTINGS, ids=range(len(SETTINGS)))
def test_every_setting_of_the_documentation_is_one(text: str) -> None:
    given = tomllib.loads(text)
    assert Settings.model_validate(given).tools.model_dump(exclude_defaults=True)


@pytest.mark.parametrize("text", PROGRAMS, ids=range(len(PROGRAMS)))
def test_every_program_of_the_documentation_runs(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROUNDHOP_EMBEDDING", "hashing:256")
    write(tmp_path / ".groundhop", [document("d", "Nhân viên thử việc được nghỉ 6 ngày.")])
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(text, "docs/tools.md", "exec"), names)
    if "rooms" in names:
        found = call(registry(names["rooms"]), "meeting_rooms", {"room": "A"}, Identity(), 6)
        assert found.passages[0]["text"] == "Phòng họp A trống từ 14 giờ."


def test_the_help_desk_of_the_examples_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    text = (PROJECT / "examples/tools/groundhop.toml").read_text("utf-8")
    server = str(PROJECT / "examples/tools/helpdesk.py")
    monkeypatch.chdir(tmp_path)
    Path("groundhop.toml").write_text(text.replace("examples/tools/helpdesk.py", server), "utf-8")
    tools = registry(*external_tools(load_settings()))
    asked = {"helpdesk.ticket": {"number": 42}, "helpdesk.tickets": {"words": "máy in"}}
    for name, arguments in asked.items():
        (passage,) = call(tools, name, arguments, Identity(), 6).passages
        assert "do Trần Thị Hoa phụ trách" in passage["text"]
    assert not any(tool.needs_approval for tool in tools.values())
