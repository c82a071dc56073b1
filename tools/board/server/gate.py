"""Who may talk to the server: this machine, by the address with the token, from our own page.

Other pages in the same browser can send requests to this address, too. They do not know the token. Should one
learn it, its requests still carry an Origin that is not ours. And a page whose name was pointed at this
machine (DNS rebinding) sends its own name as Host.
"""

from collections.abc import Mapping
from secrets import compare_digest, token_urlsafe

LOOPBACK = "127.0.0.1"
NAMES = (LOOPBACK, "localhost")
TOKEN_BYTES = 18
USUAL_PORT = 80  # browsers leave it out of the names of hosts

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


class Gate:
    """The token and the port of this server."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.token = token_urlsafe(TOKEN_BYTES)

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://{LOOPBACK}:{self.port}/{self.token}/"

    def admits_request(self, token: str, headers: Mapping[str, str]) -> bool:
        """True if a file may be given out. If the browser says who asks, it must be our page or the user."""
        origin = headers.get("origin")
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return False
        return self._is_known(token, headers) and (origin is None or self._is_ours(origin, headers))

    def admits_connection(self, token: str, headers: Mapping[str, str]) -> bool:
        """True if a page may open a websocket: it must be ours."""
        return self._is_known(token, headers) and self._is_ours(headers.get("origin", ""), headers)

    def _is_known(self, token: str, headers: Mapping[str, str]) -> bool:
        hosts = [f"{name}:{self.port}" for name in NAMES]
        if self.port == USUAL_PORT:
            hosts += NAMES
        return compare_digest(token.encode(), self.token.encode()) and headers.get("host") in hosts

    def _is_ours(self, origin: str, headers: Mapping[str, str]) -> bool:
        return origin == f"http://{headers.get('host')}"
