"""What a call of an MCP tool costs: `python -m bench.mcp_calls`."""

import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from retrieval.access import Identity
from retrieval.tools.mcp import mcp_tools
from retrieval.tools.mcp_client import Server

SERVERS = Path(__file__).parents[1] / "tests/retrieval/tools"
REAL = (sys.executable, str(SERVERS / "mcp_server.py"))
SMALL = (sys.executable, str(SERVERS / "bad_mcp_server.py"))
TICKET = {"number": 42}


def median_ms(server: Server, name: str, arguments: dict[str, Any], times: int = 10) -> float:
    """Milliseconds of a call, its connection and comparison included."""
    with tempfile.TemporaryDirectory() as home:
        tools = {tool.name: tool for tool in mcp_tools(server, Path(home))}
        took = []
        for _ in range(times):
            began = time.perf_counter()
            tools[f"desk.{name}"].run(arguments, Identity(), 6)
            took.append(time.perf_counter() - began)
    return statistics.median(took) * 1000


def over_http() -> float:
    """The same over streamable HTTP, to a server that runs already."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen([*REAL, str(port)], stdout=subprocess.DEVNULL)
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.1)
        url = f"http://127.0.0.1:{port}/mcp"
        return median_ms(Server("desk", url=url, timeout=60), "ticket", TICKET)
    finally:
        process.kill()
        process.wait()


def main() -> None:
    real = median_ms(Server("desk", REAL, timeout=60), "ticket", TICKET)
    small = median_ms(Server("desk", SMALL), "tra_cứu", {"query": "máy in"})
    print(f"stdio, a server of the Python SDK: {real:.0f} ms a call")
    print(f"stdio, a server of the standard library alone: {small:.0f} ms a call")
    print(f"streamable HTTP, a server of the Python SDK: {over_http():.0f} ms a call")


if __name__ == "__main__":
    main()
