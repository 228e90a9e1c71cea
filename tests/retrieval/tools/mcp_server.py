"""A real MCP server of an IT help desk: `python mcp_server.py` (stdio), or with a port (HTTP)."""

import os
import sys

from mcp.server.fastmcp import FastMCP

server = FastMCP("helpdesk", log_level="CRITICAL")
TICKETS = {
    42: "Phiếu 42: máy in tầng 3 do Trần Thị Hoa phụ trách, hẹn xong ngày 12/03/2026.",
    7: "Ticket 7: the VPN token of Minh Tran was replaced on 2 March 2026.",
}


@server.tool()
def ticket(number: int) -> str:
    """A ticket of the help desk by its number: what broke, who sees to it, until when."""
    return TICKETS.get(number, f"Không có phiếu {number}.")


@server.tool()
def search(query: str) -> list[str]:
    """Tickets of the help desk that hold a word."""
    return [text for text in TICKETS.values() if query.lower() in text.lower()]


@server.tool()
def broken(query: str) -> str:
    """Fails whatever it is asked."""
    raise RuntimeError(f"kho phiếu bị hỏng khi tìm {query}")


@server.tool()
def secret() -> str:
    """What the server sees of a variable."""
    return os.environ.get("HELPDESK_KEY", "no key")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.settings.port = int(sys.argv[1])
        server.run("streamable-http")
    else:
        server.run()
