#!/usr/bin/env python3
"""CPU time of a request with this checkout's jar as a ratio to an older jar, in the same rounds on the same core.

Beside the two a second process of the older jar runs as the control: its ratio says what the machine alone does to one, and
no smaller difference between the jars means anything. Where the control spreads wide, look at what the JVM counts itself, which
the machine disturbs less: the bytes that a request allocates, and the CPU time of Java's own threads, without compilers and
collector.

    git worktree add /tmp/before COMMIT && (cd /tmp/before && mvn -q -DskipTests package)
    perf/load/jar_ratio.py --old /tmp/before/gateway-app/target/gateway-app.jar --rounds 20

Rows: no policy (zero), key with rate limit and quota (limits, redis-leased, redis-exact), HTTP/2 in the clear (http2: as many
requests at once, five a connection; http2-waiting: five times as many, more than there are places), TLS 1.3 on connections
that stand (tls), from the start to the first answer (start). Needs what cpu_ratio.py needs, h2load for http2 and openssl for tls.
"""
import functools, os, statistics, sys

from bench import Target
from cpu_ratio import GATEWAY_CORES, LOAD_CORES, SCENARIOS, Ratios, ratio_command
from gateway import JAR, Gateway, first_answer
from generators import Generator, Request
from http2_ratio import H2load
from processes import free_port
from services import Redis, upstream
from stats import ratios
from tls_ratio import EC, issue

ROWS = [*SCENARIOS, "http2", "http2-waiting", "tls", "start"]
STREAMS = 5


class JarRatios(Ratios):
    """The older jar, once more the older jar, and this checkout's, all up and all asked the same."""

    base = "old"

    def __init__(self, args, processes, row):
        self.args, self.processes, self.up, self.row = args, processes, {}, row
        self.gateways = {}
        self.jars = {"old": args.old, "control": args.old, "new": JAR}
        self.request = Request("GET")
        self.is_http2 = row.startswith("http2")
        self.generator = H2load(LOAD_CORES, STREAMS) if self.is_http2 else Generator(LOAD_CORES, processes.folder)

    def start(self):
        self.port = upstream(self.processes, LOAD_CORES)
        self.store, self.policies = SCENARIOS.get(self.row, ("memory", []))
        if self.store == "redis":
            self.redis = Redis(self.processes, LOAD_CORES, free_port())
        if self.row == "tls":
            self.certificate = issue(self.processes.folder, EC)
            os.environ["SSL_CERT_FILE"] = self.certificate
        for number, (name, jar) in enumerate(self.jars.items()):
            self.gateway(name, jar, number)
        self.warm()

    def gateway(self, name, jar, number):
        env, secure = {"GATEWAY_IO_THREADS": "1"}, free_port()
        if self.store == "redis":
            env["GATEWAY_STORE"] = f"redis://127.0.0.1:{self.redis.port}/{number}"
        if self.is_http2:
            env["GATEWAY_HTTP2"] = "all"
        if self.row == "tls":
            env |= {"GATEWAY_TLS_LISTEN": f"127.0.0.1:{secure}", "GATEWAY_TLS_VERSION": "1.3",
                    "GATEWAY_TLS_CERTIFICATES": self.certificate}
        gateway = Gateway.plain(self.processes, name, GATEWAY_CORES, self.args.jvm.split(), env, jar)
        self.gateways[name] = gateway
        gateway.api("bench", "/", self.port, self.policies)
        headers = (f"Authorization: Bearer {gateway.key('bench')}",) if self.policies else ()
        url = f"https://127.0.0.1:{secure}/x" if self.row == "tls" else gateway.url("/x")
        self.up[name] = Target(name, url, gateway.pid, headers)

    @property
    def connections(self):
        return self.args.connections // (STREAMS if self.row == "http2" else 1)

    def used(self, target):
        seconds, allocated = self.gateways[target.name].java_threads()
        return super().used(target) | {"java_us": seconds * 1e6, "bytes": allocated}

    def summary(self, name, found, relative):
        return super().summary(name, found, relative) | {
            what: statistics.median(row[what] for row in found) for what in ("java_us", "bytes")}

    def told(self, r):
        return super().told(r) + f"  Java's threads {r['java_us']:.1f} µs, {r['bytes']:.0f} B"


class JarStarts(JarRatios):
    """Starts of the same in turn, on a data folder that holds an API, to its first answer."""

    def start(self):
        self.port = upstream(self.processes, LOAD_CORES)
        self.data = {name: self.processes.path(f"data-of-{name}") for name in self.jars}
        for name in self.jars:
            self.begun(name, "first").api("bench", "/", self.port)
            self.gateways[name].stop()

    def begun(self, name, number):
        self.gateways[name] = Gateway.plain(self.processes, f"{name}-{number}", GATEWAY_CORES, self.args.jvm.split(),
                                            {"GATEWAY_IO_THREADS": "1", "GATEWAY_DATA": self.data[name]}, self.jars[name])
        return self.gateways[name]

    def measure(self):
        rows = []
        for number in range(self.args.rounds):
            for name in self.jars:
                print(f"start {number + 1} of {self.args.rounds}: {name}", file=sys.stderr)
                gateway, cpu, wall = first_answer(self.processes, lambda: self.begun(name, number), "/x")
                rows.append({"name": name, "round": number, "cpu_us": cpu * 1e6, "wall": wall, "rss": gateway.rss_mib()})
                gateway.stop()
        relative = ratios(rows, self.base)
        return {name: {"ratio": statistics.median(each), "ratio_min": min(each), "ratio_max": max(each)} | {
            what: statistics.median(row[what] for row in rows if row["name"] == name) for what in ("cpu_us", "wall", "rss")}
            for name, each in relative.items()}

    def told(self, r):
        return f"{r['cpu_us'] / 1e6:5.2f} s of CPU  {r['wall']:5.2f} s  {r['rss']:.0f} MiB"


if __name__ == "__main__":
    ratio_command(__doc__, ["wrk", "taskset", "nginx"], lambda args: {
        row: functools.partial(JarStarts if row == "start" else JarRatios, row=row) for row in args.rows},
                  ("--old", {"required": True, "metavar": "JAR", "help": "what to compare with"}),
                  ("--rows", {"nargs": "*", "default": ["zero", "limits", "http2", "tls"], "choices": ROWS}))
