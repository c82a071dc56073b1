"""The page of a visitor: it may be connected or not, and at most once."""

from typing import Any, Protocol


class Connection(Protocol):
    """The way to a page."""

    async def send(self, message: dict[str, Any]) -> None:
        """Send a message; a connection that is lost takes it in silence."""

    async def close(self) -> None:
        """End the connection."""


class Page:
    """Where a visitor is told something."""

    def __init__(self) -> None:
        self._connection: Connection | None = None

    @property
    def is_connected(self) -> bool:
        """True while the page is there."""
        return self._connection is not None

    async def say(self, message: dict[str, Any]) -> None:
        """Tell the page something, if it is there."""
        if self._connection:
            await self._connection.send(message)

    async def connect(self, connection: Connection) -> None:
        """The page has connected, for the first time or again. It takes the place of another one."""
        if self._connection:
            await self.say({"say": "elsewhere"})
            await self._connection.close()
        self._connection = connection

    def disconnect(self, connection: Connection) -> bool:
        """A connection has ended; False if another one has taken its place before."""
        if self._connection is not connection:
            return False
        self._connection = None
        return True
