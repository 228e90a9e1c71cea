"""The graph, wired in one place."""

from collections.abc import Callable
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from graph import routes
from graph.asker import AnotherAskerError, is_another
from graph.context import Context
from graph.newer import NewerThreadError, is_newer
from graph.trifecta import refuse_trifecta
from nodes.calls import identity_of
from nodes.decide import decide
from nodes.generate import generate
from nodes.give_up import give_up
from nodes.grade import grade
from nodes.retrieve import retrieve
from nodes.rewrite import rewrite
from nodes.services import Services
from state.types import RunInput, RunOutput, RunState


def build_graph(services: Services) -> StateGraph[Any, Any, Any, Any]:
    """The uncompiled graph; compile it with a checkpointer, or without one for servers.

    Node names are part of the format of stored threads: renaming one makes the threads that
    wait there look finished.

    Raises `UsageError` where the tools join private data, untrusted content and a way out.
    """
    refuse_trifecta(services.tools.values(), services.allow)
    graph = StateGraph(
        RunState, input_schema=RunInput, output_schema=RunOutput, context_schema=Context
    )
    for node in (decide, retrieve, grade, rewrite, generate, give_up):
        described = {"about": (node.__doc__ or "").splitlines()[0]}
        graph.add_node(node.__name__, _bound(node, services), metadata=described)
    graph.add_edge(START, "decide")
    graph.add_conditional_edges("decide", routes.after_decide, ["retrieve", "generate", "give_up"])
    graph.add_edge("retrieve", "grade")
    graph.add_conditional_edges(
        "grade", routes.after_grade, ["decide", "rewrite", "generate", "give_up"]
    )
    graph.add_conditional_edges(
        "rewrite", routes.after_rewrite, ["retrieve", "decide", "rewrite", "generate", "give_up"]
    )
    for last in ("generate", "give_up"):
        graph.add_conditional_edges(
            last, routes.after_end, ["decide", "rewrite", "generate", "give_up", END]
        )
    return graph


def _bound(node: Callable[..., Any], services: Services) -> Callable[..., Any]:
    """A node with its services; a run that was started without a context has the default one.

    It goes on with nothing that a newer version wrote or another identity began: `Agent` says so
    before, a server does not.
    """

    def run(state: Any, runtime: Runtime[Any]) -> Any:
        if is_newer(state) and not state.get("question"):
            raise NewerThreadError
        if runtime.context is None:
            runtime = runtime.override(context=Context())
        if not state.get("question") and is_another(state, identity_of(runtime)):
            raise AnotherAskerError
        return node(services, state, runtime)

    return run


def recursion_limit(context: Context) -> int:
    """A second fence a little above what the budget allows: five supersteps a round, and ends."""
    return 5 * (context.steps + context.barren_rounds + context.rewrites * 8) + 10
