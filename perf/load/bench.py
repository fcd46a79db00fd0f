"""What every part of a measurement shares: the length, the tiers, the rig of a tier, samples, and where results go."""
import dataclasses, json, os, re, time

import gateway as gateways
import machine
from generators import REQUESTS, Generator, Request
from limits import Limits
from processes import ROOT, Processes, cpu_seconds
from services import Elasticsearch, Redis, upstream

STARTING = 4  # planned seconds for a gateway to start
STARTING_ELASTICSEARCH = 25
SECRET = re.compile(r"(GATEWAY_\w*(?:TOKEN|PASSWORD|SECRET|KEY|STORE|URL)\w*)=.*")  # URLs, too, may hold a password


def without_secret(setting):
    """NAME=VALUE as a report may show it."""
    return SECRET.sub(r"\1=...", setting)


@dataclasses.dataclass(frozen=True)
class Target:
    """Something that answers: its place, and the process whose CPU time is counted, if any."""
    name: str
    url: str
    pid: int | None
    headers: tuple = ()

    def lines(self):
        """The headers by name."""
        return dict(line.split(": ", 1) for line in self.headers)


def chosen(request):
    """One of the usual requests by its name, or one as it is."""
    return request if isinstance(request, Request) else REQUESTS[request]


class Rig:
    """Upstream, load generator and the gateways of one tier. Leaving it ends all of them."""

    def __init__(self, bench, tier):
        self.bench, self.tier, self.limits, self.shared = bench, tier, [], {}
        self.place = machine.place(tier, machine.online(), machine.memory())
        self.processes = Processes(f"perf-{tier}")

    def __enter__(self):
        self.processes.__enter__()
        try:
            self.upstream = upstream(self.processes, self.place.load)
            self.generator = Generator(self.place.load, self.processes.folder, f"{gateways.find_jdk()}/bin/java")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.processes.__exit__()
        for limits in self.limits:
            limits.close()

    def limited(self, name):
        """A control group with the tier's limits, for one process."""
        limits = Limits(f"{os.path.basename(self.processes.folder)}-{name}", *machine.TIERS[self.tier])
        self.limits.append(limits)
        self.bench.note(f"{self.tier} is held by {limits}")
        return limits.groups

    def gateway(self, name, env=None, aot=True):
        """A gateway under the tier's limits."""
        cache = self.bench.aot() if aot else None
        started = gateways.Gateway.of_tier(self.processes, name, self.tier, self.place.gateway, self.limited(name),
                                           {**(env or {}), **self.bench.settings}, cache)
        refused = started.without_aot() if cache else None
        if refused:
            self.bench.note(f"**{self.tier} {name} ran without the AOT cache**: {refused}")
        return started

    def elasticsearch(self):
        if "elasticsearch" not in self.shared:
            given = self.bench.elasticsearch
            self.shared["elasticsearch"] = Elasticsearch(self.processes, self.place.load, *given)
        return self.shared["elasticsearch"]

    def redis(self):
        if "redis" not in self.shared:
            self.shared["redis"] = Redis(self.processes, self.place.load)
        return self.shared["redis"]

    def warm(self, target, seconds, label, requests=("get",), connections=100):
        """Load until CPU time a request has stopped to fall, for a third of `seconds` at least and three times them at most.

        A JVM that shares one core with its compilers needs a minute and more, nginx none: with the same seconds for all, its
        first samples would tell of its compilers."""
        share = max(1, seconds // (6 * len(requests)))
        with self.bench.progress.spend(f"{self.tier} {label}: warm-up", seconds):
            settling = Settling(least=seconds / 3, most=seconds * 3)
            while not settling.done:
                before, asked = cpu_seconds(target.pid), 0
                for each in map(chosen, requests):
                    asked += self.generator.peak(target.url, each.with_headers(*target.headers), connections, share).requests
                settling.take(share * len(requests), (cpu_seconds(target.pid) - before) / max(1, asked))

    def sample(self, target, request, connections, seconds, label):
        """One closed-loop sample: rate, latencies, failures, and µs of the target's CPU time a request."""
        request = chosen(request)
        with self.bench.progress.spend(f"{self.tier} {label}", seconds):
            load, before = machine.load(), cpu_seconds(target.pid) if target.pid else 0
            found = self.generator.peak(target.url, request.with_headers(*target.headers), connections, seconds)
            cpu = (cpu_seconds(target.pid) - before) * 1e6 / max(1, found.requests) if target.pid else None
        return {"name": target.name, "request": request.name, "connections": connections, "rps": found.rps, "p50": found.p50,
                "p99": found.p99, "bad": found.bad, "errors": found.errors, "requests": found.requests, "cpu_us": cpu, "load": load}

    def fixed(self, target, request, connections, seconds, rate, label):
        """One open-loop sample at a rate; times in milliseconds."""
        request = chosen(request)
        with self.bench.progress.spend(f"{self.tier} {label}", seconds + 4):
            before = cpu_seconds(target.pid) if target.pid else 0
            found = self.generator.fixed(target.url, request.with_headers(*target.headers), connections, seconds, rate)
            cpu = cpu_seconds(target.pid) - before if target.pid else 0
        times = {name: found[name] / 1e3 for name in ("p50", "p90", "p99", "p999", "max", "lagP50", "lagP99")}
        return {"name": target.name, "request": request.name, "connections": connections, "wanted": rate, "rps": found["rate"],
                "bad": found["bad"], "errors": found["errors"] + found["missed"], "late": found["late"], "requests": found["requests"],
                "cpu_share": cpu / (seconds + 2), "generator_cpu": found["cpuSeconds"], **times}


class Settling:
    """Tells from figures that fall whether they still do: three in a row were not 5 % below the least before them."""

    def __init__(self, least, most):
        self.least, self.most, self.passed, self.best, self.vain = least, most, 0, None, 0

    def take(self, seconds, figure):
        fell = self.best is None or figure < 0.95 * self.best
        self.best = figure if self.best is None else min(figure, self.best)
        self.vain = 0 if fell else self.vain + 1
        self.passed += seconds

    @property
    def done(self):
        return self.passed >= self.most or self.passed >= self.least and self.vain >= 3


class Bench:
    """One run: what is asked for, and the folder its results go to."""

    def __init__(self, length, out, settings=None, elasticsearch=(), commit="unknown"):
        self.length, self.out, self.settings, self.elasticsearch, self.commit = length, out, settings or {}, elasticsearch, commit
        self.progress, self.notes, self.cache, self.stands = None, [], None, None

    def note(self, words):
        if words not in self.notes:
            self.notes.append(words)

    def aot(self):
        """The AOT cache, trained when it is first asked for; None at lengths that do without."""
        if self.length.aot and not self.cache:
            self.cache = gateways.train(f"{ROOT}/target/perf")
        return self.cache

    def rig(self, tier):
        return Rig(self, tier)

    def standing(self, tier, build):
        """The tier's rig and what was built on it; parts that follow each other share them, since warming up is long."""
        if not self.stands or self.stands[0].tier != tier:
            self.stand_down()
            rig = self.rig(tier).__enter__()
            self.stands = rig, {}
            self.stands = rig, build(rig, self.length)
        return self.stands

    def stand_down(self):
        stands, self.stands = self.stands, None
        if stands:
            stands[0].__exit__()

    def keep(self, part, tier, began, load_before, watch, data):
        """Writes what a part found, over what it found before in this folder."""
        os.makedirs(self.out, exist_ok=True)
        place = machine.place(tier, machine.online(), machine.memory())
        document = {"part": part, "tier": tier, "length": self.length.name, "began": began,
                    "minutes": (time.time() - began) / 60, "load_before": load_before, "load_after": machine.load(), **watch.shares(),
                    "contended": place.contended, "cores": {"gateway": place.gateway, "load": place.load},
                    "settings": {name: without_secret(f"{name}={value}").split("=", 1)[1] for name, value in self.settings.items()}, "commit": self.commit, "notes": self.notes, **data}
        with open(f"{self.out}/{part}-{tier}.json", "w") as file:
            json.dump(document, file, indent=1)
        self.notes = []

    def kept(self, part, tier):
        """What a part found earlier in this folder, or None."""
        try:
            with open(f"{self.out}/{part}-{tier}.json") as file:
                return json.load(file)
        except FileNotFoundError:
            return None
