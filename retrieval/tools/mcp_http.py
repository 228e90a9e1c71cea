"""Limits on what a server may reply over HTTP."""

from collections.abc import AsyncIterator, Callable

import httpx

from retrieval.tools.mcp_stdio import MAX_BYTES


class Limited(httpx.AsyncBaseTransport):
    """Another transport that ends, with an error, once all replies together are too long."""

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner
        self._read = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The reply, whose body counts while it is read; a compressed one is refused."""
        response = await self._inner.handle_async_request(request)
        if response.headers.get("content-encoding", "identity") != "identity":
            await response.aclose()
            raise httpx.DecodingError("a compressed reply was not asked for", request=request)
        assert isinstance(response.stream, httpx.AsyncByteStream)
        return httpx.Response(
            response.status_code,
            headers=response.headers,
            stream=_Counted(response.stream, self._count),
            extensions=response.extensions,
        )

    def _count(self, size: int) -> None:
        self._read += size
        if self._read > MAX_BYTES:
            raise httpx.ReadError(f"it replied with more than {MAX_BYTES:,} bytes")

    async def aclose(self) -> None:
        """Close the other transport."""
        await self._inner.aclose()


class _Counted(httpx.AsyncByteStream):
    def __init__(self, inner: httpx.AsyncByteStream, count: Callable[[int], None]) -> None:
        self._inner, self._count = inner, count

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._inner:
            self._count(len(piece))
            yield piece

    async def aclose(self) -> None:
        await self._inner.aclose()
