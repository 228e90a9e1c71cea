"""Keeping the packages that are used from calling home."""

import os

SILENT = {
    "ORT_DISABLE_TELEMETRY": "1",
    "ANONYMIZED_TELEMETRY": "False",
    "LANGSMITH_TRACING": "false",
    "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    "LANGGRAPH_NO_VERSION_CHECK": "true",
    "HF_HUB_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
}


def keep_quiet() -> None:
    """Switch telemetry off and model downloads as well, unless the user has chosen otherwise.

    Call it before anything else is imported: some of them read these at import.
    """
    for name, value in SILENT.items():
        os.environ.setdefault(name, value)
