"""Scripted graphs for `langgraph dev`: a slow three-hop question, and a tool to be approved."""

import os
from dataclasses import replace
from pathlib import Path

from graph.build import build_graph
from graph.store import open_store
from nodes.services import Services
from tests.graph.scenes import Documents, honest_script
from tests.graph.three_hops import Moments, three_hop_services
from tests.nodes.scripting import Search

TEXT = "Lab Delta do Minh Tran sáng lập năm 2019."
_home = Path(os.environ["GROUNDHOP_HOME"])
_store = open_store(_home)
_slow = three_hop_services(
    _store, _home / "begun.jsonl", float(os.environ.get("PAUSE", "0")), Moments()
)
_search = Search(Documents(d=TEXT).found, name="search_documents").tool()
_approving: Services = replace(
    _slow,
    policy=honest_script(),
    tools={_search.name: replace(_search, needs_approval=True)},
)

slow = build_graph(_slow).compile(name="slow")
approving = build_graph(_approving).compile(name="approving")
