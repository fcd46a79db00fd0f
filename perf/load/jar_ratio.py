#!/usr/bin/env python3
"""CPU time of a request with this checkout's jar as a ratio to an older jar, in the same rounds on the same core.

Beside the two a second process of the older jar runs as the control: its ratio says what the machine alone does to one, and
no smaller difference between the jars means anything.

    git worktree add /tmp/before COMMIT && (cd /tmp/before && mvn -q -DskipTests package)
    perf/load/jar_ratio.py --old /tmp/before/gateway-app/target/gateway-app.jar --rounds 20

Rows: no policy (zero), key with rate limit and quota (limits, redis-leased, redis-exact), HTTP/2 in the clear (http2), TLS 1.3
on connections that stand (tls). Needs what cpu_ratio.py needs, h2load for http2 and openssl for tls.
"""
import functools, os

from bench import Target
from cpu_ratio import GATEWAY_CORES, LOAD_CORES, SCENARIOS, Ratios, ratio_command
from gateway import JAR, Gateway
from generators import Generator, Request
from http2_ratio import H2load
from processes import free_port
from services import Redis, upstream
from tls_ratio import EC, issue

ROWS = [*SCENARIOS, "http2", "tls"]
STREAMS = 5


class JarRatios(Ratios):
    """The older jar, once more the older jar, and this checkout's, all up and all asked the same."""

    base = "old"

    def __init__(self, args, processes, row):
        self.args, self.processes, self.up, self.row = args, processes, {}, row
        self.request = Request("GET")
        self.generator = H2load(LOAD_CORES, STREAMS) if row == "http2" else Generator(LOAD_CORES, processes.folder)

    def start(self):
        self.port = upstream(self.processes, LOAD_CORES)
        self.store, self.policies = SCENARIOS.get(self.row, ("memory", []))
        if self.store == "redis":
            self.redis = Redis(self.processes, LOAD_CORES, free_port())
        if self.row == "tls":
            self.certificate = issue(self.processes.folder, EC)
            os.environ["SSL_CERT_FILE"] = self.certificate
        for number, (name, jar) in enumerate({"old": self.args.old, "control": self.args.old, "new": JAR}.items()):
            self.gateway(name, jar, number)
        self.warm()

    def gateway(self, name, jar, number):
        env, secure = {"GATEWAY_IO_THREADS": "1"}, free_port()
        if self.store == "redis":
            env["GATEWAY_STORE"] = f"redis://127.0.0.1:{self.redis.port}/{number}"
        if self.row == "http2":
            env["GATEWAY_HTTP2"] = "all"
        if self.row == "tls":
            env |= {"GATEWAY_TLS_LISTEN": f"127.0.0.1:{secure}", "GATEWAY_TLS_VERSION": "1.3",
                    "GATEWAY_TLS_CERTIFICATES": self.certificate}
        gateway = Gateway.plain(self.processes, name, GATEWAY_CORES, self.args.jvm.split(), env, jar)
        gateway.api("bench", "/", self.port, self.policies)
        headers = (f"Authorization: Bearer {gateway.key('bench')}",) if self.policies else ()
        url = f"https://127.0.0.1:{secure}/x" if self.row == "tls" else gateway.url("/x")
        self.up[name] = Target(name, url, gateway.pid, headers)


if __name__ == "__main__":
    ratio_command(__doc__, ["wrk", "taskset", "nginx"], lambda args: {row: functools.partial(JarRatios, row=row) for row in args.rows},
                  ("--old", {"required": True, "metavar": "JAR", "help": "what to compare with"}),
                  ("--rows", {"nargs": "*", "default": ["zero", "limits", "http2", "tls"], "choices": ROWS}))
