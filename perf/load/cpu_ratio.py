#!/usr/bin/env python3
"""CPU time per proxied request, as a ratio to nginx proxying the same upstream on the same core in the same minutes.

Every candidate is pinned to core 0; the load generator (wrk), the upstream (nginx) and Redis to core 1. All candidates stay
up, and rounds visit them in turn, so a machine that drifts drifts for all. CPU seconds are read from /proc for the whole
process tree, not from a clock: what a noisy machine takes away does not count.

    perf/load/cpu_ratio.py                                  # every scenario, GET
    perf/load/cpu_ratio.py --scenarios zero --post 1024     # POST of 1 KB
    perf/load/cpu_ratio.py --peer 'haproxy=haproxy -f h.cfg' 8088 /x

Needs two cores, nginx, wrk, for the Redis scenarios redis-server, and gateway-app/target/gateway-app.jar.
"""
import argparse, json, os, shutil, statistics, sys

from bench import Target
from gateway import Gateway
from generators import Generator, Request
from processes import CannotMeasure, Processes, answers, cpu_seconds, end_in_order, probe, rss_mib
from services import Redis, proxy, upstream
from stats import ratios
from stores import limits

UPSTREAM, REFERENCE, REDIS = 9001, 9009, 9379
GATEWAY_CORES, LOAD_CORES = (0,), (1,)
SCENARIOS = {  # name: (store, policies)
    "zero": ("memory", []),
    "limits": ("memory", limits(None)),
    "redis-leased": ("redis", limits("leased")),
    "redis-exact": ("redis", limits("exact")),
}


class Ratios:
    """The candidates, all up at once, and the one that the others are compared with."""

    base = "nginx"

    def __init__(self, args, processes):
        self.args, self.processes, self.up = args, processes, {}
        self.request = Request("POST", "POST", args.post) if args.post else Request("GET")
        self.generator = Generator(LOAD_CORES, processes.folder)

    def gateway(self, name, number):
        store, policies = SCENARIOS[name]
        gateway = Gateway.plain(self.processes, name, GATEWAY_CORES, self.args.jvm.split(), {
            "GATEWAY_STORE": "memory" if store == "memory" else f"redis://127.0.0.1:{REDIS}/{number}",
            "GATEWAY_IO_THREADS": "1", "GATEWAY_REQUEST_THREADS": self.args.request_threads})
        gateway.api("bench", "/", UPSTREAM, policies)
        headers = (f"Authorization: Bearer {gateway.key('bench')}",) if policies else ()
        self.up[name] = Target(name, gateway.url("/x"), gateway.pid, headers)

    def start(self):
        taken = [port for port in (UPSTREAM, REFERENCE, REDIS) if answers(port)]
        if taken:
            raise CannotMeasure(f"ports {taken} are taken: is another run under way?")
        upstream(self.processes, LOAD_CORES, UPSTREAM)
        reference, _ = proxy(self.processes, GATEWAY_CORES, UPSTREAM, REFERENCE)
        self.up["nginx"] = Target("nginx", f"http://127.0.0.1:{REFERENCE}/x", reference.pid)
        if any(SCENARIOS[name][0] == "redis" for name in self.args.scenarios):
            Redis(self.processes, LOAD_CORES, REDIS)
        for number, scenario in enumerate(self.args.scenarios):
            self.gateway(scenario, number)
        for command, port, path in self.args.peer:
            name, command = command.split("=", 1)
            process = self.processes.spawn(GATEWAY_CORES, ["bash", "-c", "exec " + command], self.processes.path(f"{name}.log"))
            self.processes.await_port(process, int(port), name)
            self.up[name] = Target(name, f"http://127.0.0.1:{port}{path}", process.pid)
        self.warm()

    def warm(self):
        for target in self.up.values():
            print(f"warming {target.name} for {self.args.warm} s", file=sys.stderr)
            self.load(target, self.args.warm)

    @property
    def connections(self):
        return self.args.connections

    def load(self, target, seconds):
        found = self.generator.peak(target.url, self.request.with_headers(*target.headers), self.connections, seconds)
        if found.bad:
            print(f"{target.name}: {found.bad} of {found.requests} answers were not 2xx, such as {probe(target.url, target.lines())}", file=sys.stderr)
        return found

    def used(self, target):
        """What the target has used since it began, by the name that a request's share of it has."""
        return {"cpu_us": cpu_seconds(target.pid) * 1e6}

    def measure(self):
        rows = []
        for number in range(self.args.rounds):
            for name, target in self.up.items():
                print(f"round {number + 1} of {self.args.rounds}: {name}", file=sys.stderr)
                before = self.used(target)
                found = self.load(target, self.args.seconds)
                each = {what: (now - before[what]) / max(1, found.requests) for what, now in self.used(target).items()}
                rows.append({"name": name, "round": number, **each, "rps": found.rps, "p99": found.p99, "bad": found.bad,
                             "errors": found.errors})
        relative = ratios(rows, self.base)
        return {name: self.summary(name, [row for row in rows if row["name"] == name], relative[name]) for name in self.up}

    def summary(self, name, found, relative):
        return {"us_per_request": statistics.median(row["cpu_us"] for row in found), "ratio": statistics.median(relative),
                "ratio_min": min(relative), "ratio_max": max(relative), "rps": statistics.median(row["rps"] for row in found),
                "p99": f"{found[-1]['p99']:.2f}ms", "rss_mib": rss_mib(self.up[name].pid), "not_2xx": sum(row["bad"] for row in found),
                "errors": sum(row["errors"] for row in found) or ""}

    def told(self, r):
        return (f"{r['us_per_request']:6.1f} µs  {r['rps']:7.0f} rps  p99 {r['p99']}  {r['rss_mib']} MiB  not 2xx {r['not_2xx']}  "
                f"{r['errors']}")


def bars(results, candidates):
    """The ratios as text bars: people look rather than read."""
    widest = max(r["ratio"] for r in results.values())
    for name, r in results.items():
        print(f"{name:14s} {'█' * max(1, round(40 * r['ratio'] / widest)):40s} {r['ratio']:5.2f} × {candidates.base} "
              f"[{r['ratio_min']:.2f}..{r['ratio_max']:.2f}]  {candidates.told(r)}")


def ratio_command(doc, tools, questions, *options, connections=100):
    """A whole command that tells ratios to nginx: reads its arguments, brings the candidates up, measures and ends them.

    questions(args) names, by title, what makes a Ratios of args and processes; a single one needs no title. `options` are
    (flag, how argparse takes it), besides those that every such command has."""
    name = os.path.basename(sys.argv[0])
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--warm", type=int, default=30, help="seconds of load before the first round, each candidate")
    parser.add_argument("--seconds", type=int, default=4, help="of load, each round and candidate")
    parser.add_argument("--connections", type=int, default=connections)
    parser.add_argument("--jvm", default="-XX:ActiveProcessorCount=1 -Xms1200m -Xmx1200m -XX:+UseG1GC")
    parser.add_argument("--json", metavar="FILE")
    for flag, how in options:
        parser.add_argument(flag, **how)
    args = parser.parse_args()
    for tool in tools:
        if not shutil.which(tool):
            sys.exit(f"needs {tool}, which is not on the PATH")
    end_in_order()
    results = {}
    try:
        for title, make in questions(args).items():
            with Processes(name.removesuffix(".py").replace("_", "-")) as processes:
                candidates = make(args, processes)
                candidates.start()
                results[title] = candidates.measure()
                if title:
                    print(title)
                bars(results[title], candidates)
    except CannotMeasure as why:
        sys.exit(f"{name}: {why}")
    if args.json:
        with open(args.json, "w") as file:
            json.dump(results.get("", results), file, indent=1)


if __name__ == "__main__":
    ratio_command(__doc__, ["nginx", "wrk", "taskset"], lambda args: {"": Ratios},
                  ("--scenarios", {"nargs": "*", "default": list(SCENARIOS), "choices": list(SCENARIOS)}),
                  ("--post", {"type": int, "default": 0, "metavar": "BYTES", "help": "POST so many bytes instead of GET"}),
                  ("--request-threads", {"default": "io", "choices": ["io", "jdk"]}),
                  ("--peer", {"nargs": 3, "action": "append", "default": [], "metavar": ("NAME=CMD", "PORT", "PATH")}))
