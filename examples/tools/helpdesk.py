"""A help desk as an MCP server, to try `[[tools.mcp]]` with: python examples/tools/helpdesk.py."""

from mcp.server.fastmcp import FastMCP

server = FastMCP("helpdesk", log_level="ERROR")
TICKETS = {
    7: "Ticket 7: the VPN token of Minh Tran was replaced on 2 March 2026.",
    42: "Phiếu 42: máy in tầng 3 do Trần Thị Hoa phụ trách, hẹn xong ngày 12/03/2026.",
}


@server.tool()
def ticket(number: int) -> str:
    """A ticket of the help desk by its number: what broke, who sees to it, until when.

    Not for rules on equipment, which stand in the documents.
    """
    return TICKETS.get(number, f"There is no ticket {number}.")


@server.tool()
def tickets(words: str) -> list[str]:
    """Tickets of the help desk that hold all of some words."""
    wanted = words.casefold().split()
    return [text for text in TICKETS.values() if all(one in text.casefold() for one in wanted)]


if __name__ == "__main__":
    server.run()
