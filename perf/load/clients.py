#!/usr/bin/env python3
"""Good clients of several kinds at a fixed rate, each request due at its time whatever became of those before.

One thread, one epoll. Latency counts from when a request was due; one that got no good answer counts as having taken
DEADLINE, so that refusals show in the percentiles. Started by perf/chaos; what was seen comes as one line of JSON.
"""
import argparse, collections, gc, heapq, json, select, sys, time

from alarm import Alarm
from callers import KINDS, Broken
from stats import percentile

DEADLINE = 10.0  # seconds from when a request was due
CHECK = 0.1  # between two looks for what is past its deadline
AGAIN = 0.1  # until a broken connection is made anew
WARM = 1.0  # seconds of requests that count for nothing, before the others
MOST_NEW = 500  # connections under way at once, of those that are made for one request
BUSY = select.EPOLLIN | select.EPOLLRDHUP


class Kind:
    """The requests of one kind: when the next is due, which are late, which callers are free, what became of all."""

    def __init__(self, name, rate, connections, make, begin):
        self.name, self.interval, self.make, self.renewed = name, 1 / rate, make, connections == 0
        self.due, self.late, self.free = begin, collections.deque(), collections.deque()
        self.most = connections or MOST_NEW
        self.answered, self.failed, self.callers = [], [], 0

    def answer(self, due, now):
        self.answered.append((due, now - due))

    def fail(self, due, why):
        self.answered.append((due, DEADLINE))
        self.failed.append((due, why))


class Clients:
    def __init__(self, kinds, begin):
        self.poll, self.alarm = select.epoll(), Alarm()
        self.poll.register(self.alarm.fileno(), select.EPOLLIN)
        self.kinds = [Kind(name, rate, connections, make, begin) for name, rate, connections, make in kinds]
        self.callers, self.again, self.order = {}, [], 0

    def open(self, kind):
        """One more connection of a kind."""
        kind.callers += 1
        try:
            caller = kind.make()
        except OSError as why:
            kind.callers -= 1
            self.later(kind)
            return None, str(why.strerror)
        caller.kind, caller.due, caller.since = kind, None, time.monotonic()
        self.callers[caller.fileno()] = caller
        self.poll.register(caller.fileno(), select.EPOLLOUT)
        return caller, None

    def later(self, kind):
        if not kind.renewed:
            self.order += 1
            heapq.heappush(self.again, (time.monotonic() + AGAIN, self.order, kind))

    def close(self, caller, why=None):
        """Ends a connection; its request fails for that reason, another connection takes its place."""
        kind = caller.kind
        self.callers.pop(caller.fileno(), None)
        if caller in kind.free:
            kind.free.remove(caller)
        caller.close()
        kind.callers -= 1
        if caller.due is not None and why:
            kind.fail(caller.due, why)
        self.later(kind)

    def run(self, until):
        """Sends what is due before, and awaits the last answers."""
        for kind in self.kinds:
            for _ in range(0 if kind.renewed else kind.most):
                self.open(kind)
        checked = now = time.monotonic()
        while now < until or self.has_more() and now < until + DEADLINE:
            for kind in self.kinds:
                while kind.due <= now and kind.due < until:
                    kind.late.append(kind.due)
                    kind.due += kind.interval
                if kind.late:
                    self.dispatch(kind)
            if now - checked > CHECK:
                checked = now
                self.check(now)
            self.alarm.set(min([checked + CHECK, *(kind.due for kind in self.kinds if kind.due < until)]))
            for number, _ in self.poll.poll():
                caller = self.callers.get(number)
                if caller:
                    self.ready(caller)
            now = time.monotonic()
        self.expire(now + DEADLINE)  # whatever is left has failed

    def has_more(self):
        return any(kind.late for kind in self.kinds) or any(caller.due is not None for caller in self.callers.values())

    def dispatch(self, kind):
        """Sends what is due as far as callers are free."""
        while kind.late:
            if kind.renewed:
                if kind.callers >= kind.most:
                    return
                caller, why = self.open(kind)
                if caller:
                    caller.due = kind.late.popleft()  # it is sent when the connection stands
                else:
                    kind.fail(kind.late.popleft(), why)
                continue
            if not kind.free:
                return
            caller = kind.free.popleft()  # so that each is in use: one that never was is no kept connection but a new one
            caller.due = kind.late.popleft()
            try:
                caller.ask()
            except OSError as why:
                self.close(caller, str(why.strerror or "broken"))

    def ready(self, caller):
        try:
            if not caller.stands:
                self.poll.modify(caller.fileno(), BUSY if caller.advance() else caller.wanted())
                if caller.stands:
                    self.settle(caller)
                return
            status = caller.take()
            if status is None:
                return
        except (OSError, Broken) as why:
            self.close(caller, str(getattr(why, "strerror", None) or why or "broken"))
            return
        self.answered(caller, status)

    def settle(self, caller):
        """A connection that has just been made: asks what waited for it, or is free."""
        if caller.due is None:
            caller.kind.free.append(caller)
        else:
            caller.ask()

    def answered(self, caller, status):
        kind, due, caller.due = caller.kind, caller.due, None
        if due is None:
            self.close(caller)  # an answer that nobody asked for
            return
        if status == 200:
            kind.answer(due, time.monotonic())
        else:
            kind.fail(due, str(status))
        if kind.renewed or not caller.kept:
            self.close(caller)
        else:
            kind.free.append(caller)

    def check(self, now):
        """What is past its deadline fails; connections that broke are made anew."""
        self.expire(now)
        while self.again and self.again[0][0] <= now:
            self.open(heapq.heappop(self.again)[2])

    def expire(self, now):
        for caller in list(self.callers.values()):
            if caller.due is not None and now - caller.due > DEADLINE:
                self.close(caller, "no answer" if caller.stands else "no connection")
            elif not caller.stands and now - caller.since > DEADLINE:
                self.close(caller)
        for kind in self.kinds:
            while kind.late and now - kind.late[0] > DEADLINE:
                kind.fail(kind.late.popleft(), "never sent")


def told(kind, begin, end):
    """What the requests of one kind that were due in this time saw: as a whole, and second by second. Milliseconds."""
    seconds, whole = {}, []
    for due, took in kind.answered:
        if begin <= due < end:
            seconds.setdefault(int(due - begin), []).append(took * 1e3)
            whole.append(took * 1e3)
    failures = collections.Counter(why for due, why in kind.failed if begin <= due < end)
    return {"requests": len(whole), "failures": dict(failures), "latencies": [round(each, 3) for each in sorted(whole)],
            "seconds": [(second, len(found), round(percentile(found, 0.5), 3), round(percentile(found, 0.99), 3))
                        for second, found in sorted(seconds.items())]}


def arguments(words):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--plain", type=int, required=True)
    parser.add_argument("--tls", type=int, required=True)
    parser.add_argument("--upstream", type=int, required=True)
    parser.add_argument("--rate", type=float, required=True, help="requests a second to the gateway, all kinds together")
    parser.add_argument("--at", type=float, required=True, help="the moment of the monotonic clock from which requests count")
    parser.add_argument("--seconds", type=float, default=10)
    return parser.parse_args(words)


def main():
    args = arguments(sys.argv[1:])
    gc.disable()
    kinds = [(kind.name, max(1.0, kind.rate(args.rate)), kind.connections, kind.maker(args)) for kind in KINDS]
    clients = Clients(kinds, args.at - WARM)
    clients.run(args.at + args.seconds)
    print(json.dumps({kind.name: told(kind, args.at, args.at + args.seconds) for kind in clients.kinds}), flush=True)


if __name__ == "__main__":
    main()
