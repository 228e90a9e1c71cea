"""Building what the nodes need from the settings."""

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import TYPE_CHECKING, cast

from graph.embeddings import open_embeddings
from graph.ledger import Ledger
from graph.policies import open_policy
from graph.searching import open_search
from graph.settings import Settings, load_settings
from graph.store import Store, store_of
from graph.tools import open_tools
from graph.trifecta import refuse_trifecta
from nodes.services import Services
from policy.support import SupportScorer
from retrieval.embeddings.protocol import Embedder
from retrieval.support import support_scorer
from retrieval.tools.langchain import as_tools
from retrieval.tools.registry import Tool

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


def open_services(
    settings: Settings | None = None,
    embedder: Embedder | None = None,
    runs: Callable[[], Store] | None = None,
    tools: "Iterable[Tool | BaseTool]" = (),
) -> Services:
    """Everything a run needs: the policy and the tools of the settings, and `tools` beside them.

    Raises KnowledgeBaseError where nothing was ingested, and UsageError for tools that must not
    stand together (`graph.trifecta`). Whoever has already started the
    embedding model passes it; it is closed with the services. The run store is opened last, so
    that nothing is written where nothing was ingested; one that `runs` opens stays open.
    """
    settings = settings or load_settings()
    with ExitStack() as opened:
        embedder = embedder or open_embeddings(settings)
        opened.callback(embedder.close)
        knowledge_base = open_search(settings, embedder)
        opened.callback(knowledge_base.close)
        knowledge_base.warm_up()
        store = runs() if runs else store_of(settings)
        if runs is None:
            opened.callback(store.close)
        opened_tools = open_tools(settings, knowledge_base, opened, as_tools(tools))
        refuse_trifecta(opened_tools.values(), settings.tools.allow)
        scorer = support_scorer(embedder, knowledge_base.idf)  # same fields, own class
        return Services(
            policy=open_policy(settings, cast(SupportScorer, scorer)),
            tools=opened_tools,
            ledger=Ledger(store),
            generation=knowledge_base.generation,
            hashes=knowledge_base.hashes,
            authority=settings.authority,
            allow=frozenset(settings.tools.allow),
            close=opened.pop_all().close,
        )
