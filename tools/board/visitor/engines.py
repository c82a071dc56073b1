"""The engines of the visitors: one for each, bounded in number and in size, released when they rest."""

import asyncio

from bluekrait.core.timer import monotonic
from bluekrait.search.library.engine import Engine


class NoEngineFree(RuntimeError):
    """All engines are at work for other visitors."""


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
        self._one_rests = asyncio.Event()  # since it was found last that all are at work

    def __len__(self) -> int:
        return len(self._leases)

    def has(self, visitor: str) -> bool:
        """True if a visitor has an engine."""
        return visitor in self._leases

    async def begin_work(self, visitor: str) -> Engine:
        """The engine of a visitor, made if there is none. It is not taken away until its work ends.

        NoEngineFree if all others are at work.
        """
        async with self._making:
            lease = self._leases.get(visitor)
            if not lease:
                self._make_room()
                engine = await asyncio.to_thread(Engine, threads=self.threads, hash_mb=self.hash_mb)
                lease = self._leases[visitor] = _Lease(engine)
        lease.is_busy = True
        return lease.engine

    def end_work(self, visitor: str) -> None:
        """The engine of a visitor rests, and may be taken away."""
        if lease := self._leases.get(visitor):
            lease.is_busy, lease.used = False, monotonic()
            self._one_rests.set()

    async def until_one_rests(self) -> None:
        """Wait, after NoEngineFree, until an engine may be free."""
        await self._one_rests.wait()

    def release(self, visitor: str) -> None:
        """Close the engine of a visitor, if there is one."""
        if lease := self._leases.pop(visitor, None):
            lease.engine.close()
            self._one_rests.set()

    def _make_room(self) -> None:
        if len(self._leases) < self.most:
            return
        resting = [name for name, lease in self._leases.items() if not lease.is_busy]
        if not resting:
            self._one_rests.clear()
            raise NoEngineFree
        self.release(min(resting, key=lambda name: self._leases[name].used))
