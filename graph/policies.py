"""Which policy judges: models where an endpoint is configured, else the one without a model."""

from pathlib import Path
from urllib.parse import urlsplit

from graph.settings import Settings
from policy.endpoints import PRESETS, Endpoint, Models
from policy.extractive import Extractive
from policy.llm import LLM
from policy.protocol import Policy
from policy.support import SupportScorer
from retrieval.errors import UsageError

ROLES = ("plan", "grade", "rewrite", "write")


def open_policy(settings: Settings, scorer: SupportScorer) -> Policy:
    """The policy of the settings; raises UsageError where a setting of the endpoint is missing.

    What endpoints were found to offer is kept in the data folder.
    """
    if not settings.base_url and not settings.preset:
        return Extractive(scorer)
    return LLM(
        models(settings),
        grading=settings.grading,
        threshold=settings.grading_threshold,
        memory=Path(settings.home) / "endpoints.json",
    )


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def models(settings: Settings) -> Models:
    """The endpoint of each role and the fallbacks."""
    base_url = settings.base_url or PRESETS[settings.preset or ""]
    if not _is_address(base_url):
        shown = base_url.rpartition("@")[2]  # what stands before an @ may be a password
        raise UsageError(
            f"GROUNDHOP_BASE_URL is no address ({shown!r}): it starts with http:// or https://, "
            "names a host and usually ends in /v1."
        )
    if not settings.model:
        raise UsageError(
            "An endpoint is set (GROUNDHOP_BASE_URL or GROUNDHOP_PRESET) but no model: name one "
            "in GROUNDHOP_MODEL."
        )
    key = settings.api_key.get_secret_value() if settings.api_key else ""
    roles = {}
    for role in ROLES:
        model = getattr(settings, f"{role}_model") or settings.model
        roles[role] = _endpoint(settings, base_url, model, key)
    fallbacks = tuple(
        _endpoint(
            settings,
            one.base_url or base_url,
            one.model,
            one.api_key.get_secret_value() if one.api_key else "" if one.base_url else key,
        )
        for one in settings.fallbacks
    )
    return Models(roles, fallbacks)


def _endpoint(settings: Settings, base_url: str, model: str, key: str) -> Endpoint:
    return Endpoint(
        base_url=base_url.rstrip("/"),
        model=model,
        api_key=key,
        timeout=settings.timeout,
        price=settings.prices.get(model, (0.0, 0.0)),
    )
