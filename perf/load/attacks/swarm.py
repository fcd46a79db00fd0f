"""Keeps the connections of one attack going: so many at once, begun at a pace, each from an address of its own."""
import asyncio, collections, functools, time

from attacks.link import Ended, Link, context

SOURCES = 250  # addresses that an attack comes from
LOOK = 2  # seconds between two looks at connections that are not read


class Swarm:
    def __init__(self, attack, place, network, one_client=False):
        """`network` is the third number of the addresses 127.0.N.x that it comes from."""
        self.attack, self.place, self.network, self.one_client = attack, place, network, one_client
        self.tally, self.links, self.unread, self.series, self.began = collections.Counter(), set(), set(), [], 0.0
        self.context = functools.lru_cache(lambda protocols: context(*protocols))

    def tell(self, what):
        self.tally[what] += 1

    def connected(self, link):
        self.links.add(link)
        self.tally["connections"] += 1

    def source(self, number):
        return f"127.0.{self.network}.{2 if self.one_client else 2 + number % SOURCES}"

    async def run(self, seconds):
        """All of it, cancelled after so many seconds. Returns what was counted."""
        self.began = time.monotonic()
        lives = [asyncio.ensure_future(self._live(number)) for number in range(self.attack.connections)]
        watch = [asyncio.ensure_future(each) for each in (self._look(), self._count())]
        await asyncio.sleep(seconds)
        for task in (*lives, *watch):
            task.cancel()
        ended, _ = await asyncio.wait((*lives, *watch), timeout=LOOK)
        for broken in {repr(task.exception()) for task in ended if not task.cancelled() and task.exception()}:
            self.tell(f"the attack itself broke: {broken}")
        return {"attack": self.attack.name, "counted": dict(self.tally), "held": self.series}

    async def _live(self, number):
        """One connection after the other. The first begins at its turn, and each later one as long after its forerunner
        as the pace asks for when all are renewed in turn."""
        again = self.attack.connections / self.attack.pace
        await asyncio.sleep(number / self.attack.pace)
        while True:
            began, link = time.monotonic(), Link(self, number, self.source(number))
            try:
                await self.attack.life(link)
                self.tell("left")
            except Ended as how:
                self.tell(str(how))
            finally:
                self.links.discard(link)
                self.unread.discard(link)
                link.close()
            await asyncio.sleep(max(0.01, began + again - time.monotonic()))

    async def _look(self):
        while True:
            await asyncio.sleep(LOOK)
            for link in list(self.unread):
                if not link.stands() and not link.given_up.done():
                    link.given_up.set_exception(Ended("closed"))

    async def _count(self):
        while True:
            self.series.append((round(time.monotonic() - self.began, 1), len(self.links)))
            await asyncio.sleep(1)
