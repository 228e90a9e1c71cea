"""What `langgraph.json` names: the graph for LangGraph Studio and servers.

It is compiled without a checkpointer, because the server brings its own (see
`graph.server_store`). Importing this module opens the knowledge base of the settings; with
nothing ingested it fails with the command that ingests.
"""

from graph.build import build_graph
from graph.services import open_services
from graph.settings import load_settings

graph = build_graph(open_services(load_settings())).compile(name="groundhop")
