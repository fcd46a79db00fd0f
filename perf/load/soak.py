#!/usr/bin/env python3
"""A long run at half load with upstreams dying and returning at random: what fails, and what is left behind at the end.

Three nginx behind one API with health checks, ejection and retries. One after the other, at random, an upstream is killed
(SIGKILL), ended in order (SIGTERM) or frozen (SIGSTOP), and comes back. Requests are due at a fixed rate all the while, half
of what the gateway answered just before. Heap after a full collection, direct memory, threads and file descriptors are read
before and after. Ends with 1 when a request was not answered 2xx, or one of these has grown.

    perf/load/soak.py                                  # 10 minutes
    perf/load/soak.py --minutes 2 --seed 7 --out soak  # report.md and SVG plots in a folder

Needs what perf/run needs: nginx, wrk, and a jar that was just built.
"""
import argparse, os, random, signal, sys, threading, time

import charts
from gateway import Gateway, find_jdk, fresh_jar
from generators import REQUESTS, Generator
from processes import CannotMeasure, Processes, end_in_order, free_port, tree
from progress import Progress
from services import upstream

GATEWAY_CORES, LOAD_CORES = [0], [1]
JVM = "-XX:ActiveProcessorCount=1 -Xms640m -Xmx640m -XX:+UseG1GC -XX:MaxDirectMemorySize=256m"
UPSTREAMS = 3
STEERING = {
    "retry": {"attempts": 3, "on": ["unreachable", "broken", "timeout"], "statuses": [502, 503, 504], "perTryTimeout": "500ms",
              "budgetPercent": 20},
    "ejection": {"failures": 3, "time": "5s", "maxTime": "10s", "maxPercent": 34},
    "healthCheck": {"type": "http", "path": "/", "interval": "1s", "timeout": "500ms", "healthy": 1, "unhealthy": 2}}
DEATHS = {"killed": signal.SIGKILL, "ended": signal.SIGTERM, "frozen": signal.SIGSTOP}
# What may be more at the end than at the beginning: a share of it, and some.
GROWTH = {"heap MiB": (0.10, 8), "direct MiB": (0.10, 4), "threads": (0, 8), "descriptors": (0.10, 16)}


class Deaths(threading.Thread):
    """Lets one upstream at a time die, at random, and brings it back."""

    def __init__(self, processes, ports, seed):
        super().__init__(daemon=True)
        self.processes, self.ports, self.random = processes, ports, random.Random(seed)
        self.over = threading.Event()
        self.log, self.began, self.failure = [], time.monotonic(), None
        self.running = {}

    def bring(self, port):
        before = set(map(id, self.processes.started))
        upstream(self.processes, LOAD_CORES, port)
        self.running[port] = next(each for each in self.processes.started if id(each) not in before)

    def run(self):
        try:
            while not self.over.wait(self.random.uniform(2, 8)):
                port, kind = self.random.choice(self.ports), self.random.choice(list(DEATHS))
                self.log.append((time.monotonic() - self.began, port, kind))
                self.die(port, kind)
        except Exception as failure:  # told by whoever waits for the end
            self.failure = failure

    def die(self, port, kind):
        process = self.running[port]
        for pid in tree(process.pid):
            os.kill(pid, DEATHS[kind])
        self.over.wait(self.random.uniform(1, 6))
        if kind == "frozen":
            for pid in tree(process.pid):
                os.kill(pid, signal.SIGCONT)
            return
        self.processes.stop(process)
        self.bring(port)


def reading(gateway):
    """What must not grow."""
    return {"heap MiB": gateway.live_heap_mib(), "direct MiB": direct_mib(gateway.metrics()),
            "threads": len(os.listdir(f"/proc/{gateway.pid}/task")), "descriptors": len(os.listdir(f"/proc/{gateway.pid}/fd"))}


def direct_mib(metrics):
    """Buffers outside the heap. At rest next to nothing: the pools have let their buffers go by then."""
    return metrics['jvm_buffer_memory_used_bytes{id="direct"}'] / 2**20


def grown(name, before, after):
    share, some = GROWTH[name]
    return after > before * (1 + share) + some


class Soak:
    def __init__(self, args, processes):
        self.args, self.processes = args, processes
        self.ports = [free_port() for _ in range(UPSTREAMS)]
        self.deaths = Deaths(processes, self.ports, args.seed)
        self.generator = Generator(LOAD_CORES, processes.folder, f"{find_jdk()}/bin/java")
        self.series = []

    def start(self):
        for port in self.ports:
            self.deaths.bring(port)
        self.gateway = Gateway.plain(self.processes, "gateway", GATEWAY_CORES, JVM.split(), {"GATEWAY_IO_THREADS": "1"})
        self.gateway.admin("apis", {"id": "soak", "match": {"path": "/"}, "policies": [], "upstream": {
            "targets": [{"url": f"http://127.0.0.1:{port}"} for port in self.ports], **STEERING}})
        print("warming up for 20 s", file=sys.stderr)
        self.peak = self.generator.peak(self.gateway.url("/x"), REQUESTS["get"], 100, 20).rps
        self.rate = int(self.peak / 2)

    def run(self):
        seconds = int(self.args.minutes * 60)
        self.idle()
        self.before = reading(self.gateway)
        load = threading.Thread(target=self.load, args=(seconds,), daemon=True)
        self.deaths.began = began = time.monotonic()
        load.start()
        self.deaths.start()
        progress = Progress(seconds)
        while load.is_alive():
            load.join(self.args.every)
            passed = time.monotonic() - began
            self.sample(passed)
            progress.done = min(passed, seconds)
            progress.show(f"{len(self.deaths.log)} deaths, {self.series[-1][1]['retries']:.0f} retries")
        progress.end()
        self.deaths.over.set()
        self.deaths.join(30)
        if self.deaths.failure or isinstance(self.result, Exception):
            raise CannotMeasure(f"the run broke off: {self.deaths.failure or self.result}")
        self.idle()
        self.after = reading(self.gateway)
        self.metrics = self.gateway.metrics()

    def load(self, seconds):
        try:
            self.result = self.generator.fixed(self.gateway.url("/x"), REQUESTS["get"], 100, seconds, self.rate)
        except Exception as failure:
            self.result = failure

    def idle(self):
        """Until what was kept for the next request has had time to be let go."""
        time.sleep(5)

    def sample(self, passed):
        metrics = self.gateway.metrics()
        heap = sum(v for name, v in metrics.items() if name.startswith("jvm_memory_used_bytes") and 'area="heap"' in name)
        self.series.append((passed, {
            "heap": heap / 2**20, "direct": direct_mib(metrics), "threads": len(os.listdir(f"/proc/{self.gateway.pid}/task")),
            "descriptors": len(os.listdir(f"/proc/{self.gateway.pid}/fd")),
            "retries": sum(v for name, v in metrics.items() if name.startswith("gateway_upstream_retries_total"))}))

    def told(self):
        """Its own counts of what went wrong."""
        wanted = ("gateway_requests_total", "gateway_requests_broken_total", "gateway_upstream_failures_total")
        found = [f"`{name}` {value:.0f}" for name, value in sorted(self.metrics.items())
                 if name.startswith(wanted) and value and 'status="2xx"' not in name]
        return ", ".join(found) or "nothing"

    def fine(self):
        failed = self.result["bad"] + self.result["errors"]
        return not failed and not any(grown(name, self.before[name], self.after[name]) for name in GROWTH)

    def report(self):
        found = self.result
        kinds = ", ".join(f"{sum(kind == each for _, _, each in self.deaths.log)} {kind}" for kind in DEATHS)
        rows = [f"| {name} | {self.before[name]:.4g} | {self.after[name]:.4g} | "
                f"{'**grown**' if grown(name, self.before[name], self.after[name]) else 'no'} |" for name in GROWTH]
        return "\n".join([
            "# Soak", "",
            f"{self.args.minutes:g} minutes at {self.rate:,} requests/s, half of {self.peak:,.0f}; seed {self.args.seed}; "
            f"{len(self.deaths.log)} deaths of {UPSTREAMS} upstreams ({kinds}).", "",
            f"- {found['requests']:,} answers; not 2xx: **{found['bad']}**; broken connections: **{found['errors']}**; "
            f"not sent in time: {found['missed']}",
            f"- told by the gateway: {self.told()}",
            f"- retries: {self.series[-1][1]['retries']:.0f}",
            f"- latency from when a request was due: p50 {found['p50'] / 1e3:.2f} ms, p99 {found['p99'] / 1e3:.2f} ms, "
            f"p99.9 {found['p999'] / 1e3:.2f} ms, worst {found['max'] / 1e3:.0f} ms", "",
            "| | before | after | grown |", "|---|---|---|---|", *rows, ""])

    def write(self, folder):
        os.makedirs(folder, exist_ok=True)
        plots = {"heap": ("Heap in use", "MiB"), "direct": ("Direct memory", "MiB"), "threads": ("Threads", "threads"), "descriptors": ("File descriptors", "open")}
        every, drawn = max(1, len(self.series) // 120), {}
        for name, (title, unit) in plots.items():
            points = [(round(passed / 60, 1), values[name]) for passed, values in self.series[::every]]
            drawn[f"{name}.svg"] = charts.lines(title, "minutes", unit, {name: points})
        charts.draw(folder, drawn)
        with open(f"{folder}/report.md", "w") as file:
            file.write(self.report() + "\n" + "\n".join(f"![{plots[name][0]}]({name}.svg)" for name in plots) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1, help="of the deaths")
    parser.add_argument("--every", type=float, default=10, help="seconds between two readings")
    parser.add_argument("--out", help="folder for report.md and plots")
    args = parser.parse_args()
    end_in_order()
    try:
        fresh_jar()
        with Processes("soak") as processes:
            soak = Soak(args, processes)
            soak.start()
            soak.run()
            print(soak.report())
            if args.out:
                soak.write(args.out)
            return 0 if soak.fine() else 1
    except CannotMeasure as why:
        print(f"soak: {why}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
