"""The engines of the visitors: one for each, bounded in number and in size, released when they rest."""

import asyncio

from bluekrait.core.timer import monotonic
from bluekrait.search.library.engine import Engine


class NoEngineFree(RuntimeError):
    """All engines are at work."""


class _Lease:
    """An engine in the hands of a visitor."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.used = monotonic()
        self.is_busy = False


class Engines:
    """Gives each visitor an engine of its own. Who uses it least gives way when there are too many."""

    def __init__(self, most: int, hash_mb: int, threads: int) -> None:
        self.most, self.hash_mb, self.threads = most, hash_mb, threads
        self._leases: dict[str, _Lease] = {}
        self._making = asyncio.Lock()

    def __len__(self) -> int:
        return len(self._leases)

    def has(self, visitor: str) -> bool:
        """True if a visitor has an engine."""
        return visitor in self._leases

    async def engine_of(self, visitor: str) -> Engine:
        """The engine of a visitor, made if there is none. NoEngineFree if all others are at work."""
        async with self._making:
            lease = self._leases.get(visitor)
            if not lease:
                self._make_room()
                engine = await asyncio.to_thread(Engine, threads=self.threads, hash_mb=self.hash_mb)
                lease = self._leases[visitor] = _Lease(engine)
        lease.used = monotonic()
        return lease.engine

    def set_busy(self, visitor: str, is_busy: bool) -> None:
        """Say whether the engine of a visitor is searching; then it is not taken away."""
        if lease := self._leases.get(visitor):
            lease.is_busy, lease.used = is_busy, monotonic()

    def release(self, visitor: str) -> None:
        """Close the engine of a visitor, if there is one."""
        if lease := self._leases.pop(visitor, None):
            lease.engine.close()

    def _make_room(self) -> None:
        if len(self._leases) < self.most:
            return
        resting = [name for name, lease in self._leases.items() if not lease.is_busy]
        if not resting:
            raise NoEngineFree(f"all {self.most} engines are at work for other pages: close one of them")
        self.release(min(resting, key=lambda name: self._leases[name].used))
