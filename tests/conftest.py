"""Set before anything imports LangGraph or a model: strict checkpoints, no telemetry."""

import os

os.environ["LANGGRAPH_STRICT_MSGPACK"] = "true"
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
os.environ["ANONYMIZED_TELEMETRY"] = "False"
os.environ["LANGSMITH_TRACING"] = "false"
os.environ["LANGCHAIN_TRACING_V2"] = "false"
