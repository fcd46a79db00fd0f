#!/usr/bin/env python3
"""What the traffic log costs the whole gateway: off, to a real Elasticsearch and to a file, in turn, in the same minutes.

Three gateways that differ in nothing but the log are pinned to core 0; the load generator (wrk), the upstream (nginx) and
Elasticsearch to core 1. Rounds visit them in turn. CPU time is that of the whole process, the shipper, the HTTP client,
the JIT and the collector included, and is read once the log has nothing under way and nothing on disk: what a request
leaves to be done later counts. Two kinds of load: as many requests as are answered, and a pace that Elasticsearch keeps up
with on what wrk and nginx leave of core 1. "core" says how busy core 0 was by the gateway while it was loaded: where it is
well under 1, something else was the bottleneck, and the requests a second say nothing of the gateway. "replayed" went to
disk first, since Elasticsearch was slower than the gateway; where records were "dropped", the log did less than it should.

    perf/load/traffic_log_cost.py                       # about 15 minutes on two cores that nobody else uses
    perf/load/traffic_log_cost.py --profile profiles    # and where the time goes, by async-profiler

Needs what cpu_ratio.py needs; Elasticsearch is that of the integration tests, which Maven unpacks where it is not yet.
"""
import argparse, glob, json, os, re, shutil, statistics, subprocess, sys, time, zipfile

from bench import Target
from cpu_ratio import GATEWAY_CORES, LOAD_CORES, Ratios
from gateway import Gateway, find_jdk
from generators import Request
from processes import CannotMeasure, Processes, cpu_seconds, end_in_order
from services import Elasticsearch, upstream

OFF, ON, FILE = "off", "elasticsearch", "file"
STREAM = "logs-gateway.traffic-cost"
PROFILER = "~/.m2/repository/tools/profiler/async-profiler/4.*/async-profiler-4.*.jar"


def threads(pid):
    """CPU seconds of each kind of thread; numbers in names are left out."""
    found = {}
    for task in glob.glob(f"/proc/{pid}/task/*"):
        try:
            name = re.sub(r"[-#\s]*\d[-\d]*", "", open(task + "/comm").read().strip()).strip()
            found[name] = found.get(name, 0) + int(open(task + "/schedstat").read().split()[0]) / 1e9
        except FileNotFoundError:
            pass
    return found


class TrafficLogCost(Ratios):
    def __init__(self, args, processes):
        super().__init__(args, processes)
        self.gateways, self.sent = {}, {}
        pause = round(args.connections * 1000 / args.pace)
        self.paced = Request("GET", pause_ms=(max(1, pause // 2), max(1, pause * 3 // 2)))

    def start(self):
        port = upstream(self.processes, LOAD_CORES)
        print("starting Elasticsearch", file=sys.stderr)
        self.elasticsearch = Elasticsearch(self.processes, LOAD_CORES)
        logs = {OFF: {}, ON: {**self.elasticsearch.env(STREAM), "GATEWAY_TRAFFIC_LOG_SPILL_SIZE": "16GiB"},
                FILE: {"GATEWAY_TRAFFIC_LOG_FILES": "1"}}
        for name, settings in logs.items():
            gateway = Gateway.plain(self.processes, name, GATEWAY_CORES, self.args.jvm.split(), {
                "GATEWAY_STORE": "memory", "GATEWAY_IO_THREADS": "1", "GATEWAY_REQUEST_THREADS": self.args.request_threads,
                "GATEWAY_TRAFFIC_LOG": name, **settings})
            gateway.api("bench", "/", port)
            self.gateways[name], self.sent[name] = gateway, 0
            self.up[name] = Target(name, gateway.url("/x"), gateway.pid)
        for name in self.up:
            print(f"warming {name} for {self.args.warm} s", file=sys.stderr)
            self.visit(name, self.args.warm, self.request)
        while self.counts(ON)["indexed"] < self.args.documents:
            print(f"Elasticsearch has {self.counts(ON)['indexed']} of {self.args.documents} documents to warm up with", file=sys.stderr)
            self.visit(ON, max(2, self.args.warm), self.request)

    def counts(self, name):
        """The log's counters; all 0 when it is off."""
        return self.gateways[name].traffic()

    def settle(self, name):
        told = time.monotonic()
        time.sleep(2)  # asking costs the gateway something: once, if the log is done by then, which takes it a second
        while True:
            counts = self.counts(name)
            if counts["under_way"] == 0 and counts["spilled"] == 0:
                return counts
            if time.monotonic() - told > 5:
                told = time.monotonic()
                print(f"{name}: waiting for {counts['spilled']} records on disk", file=sys.stderr)
            time.sleep(1)

    def visit(self, name, seconds, request):
        """Loads one gateway and waits until its log is done."""
        target = self.up[name]
        pid = target.pid
        old, before, kinds = self.counts(name), cpu_seconds(pid), threads(pid)
        found = self.generator.peak(target.url, request, self.args.connections, seconds)
        busy = (cpu_seconds(pid) - before) / seconds
        counts = self.settle(name)
        self.sent[name] += found.requests
        per = 1e6 / max(1, found.requests)
        after = threads(pid)
        return {"requests": found.requests, "rps": found.rps, "p99": f"{found.p99:.2f}ms", "bad": found.bad, "us": (cpu_seconds(pid) - before) * per, "busy": busy,
                **{fate: counts[fate] - old[fate] for fate in ["replayed", "dropped"]},
                "threads": {kind: (after[kind] - kinds.get(kind, 0)) * per for kind in after}}

    def measure(self):
        rows = {(kind, name): [] for kind in ["saturated", "paced"] for name in self.up}
        for number in range(self.args.rounds):
            for kind, name in rows:
                print(f"round {number + 1} of {self.args.rounds}: {kind}, {name}", file=sys.stderr)
                rows[kind, name].append(self.visit(name, self.args.seconds, self.paced if kind == "paced" else self.request))
        return {f"{kind} {name}": self.summary(found, rows[kind, OFF]) for (kind, name), found in rows.items()}

    def summary(self, found, off):
        more = [x["us"] - y["us"] for x, y in zip(found, off)]
        less = [100 * (1 - x["rps"] / y["rps"]) for x, y in zip(found, off)]
        kinds = {kind for x in found for kind in x["threads"]}
        return {"us": statistics.median(x["us"] for x in found), "more_us": statistics.median(more), "more_us_min": min(more),
                "more_us_max": max(more), "rps": statistics.median(x["rps"] for x in found),
                "lower_percent": statistics.median(less), "lower_min": min(less), "lower_max": max(less), "p99": found[-1]["p99"],
                "busy": statistics.median(x["busy"] for x in found), "not_2xx": sum(x["bad"] for x in found),
                "requests": sum(x["requests"] for x in found), "replayed": sum(x["replayed"] for x in found),
                "dropped": sum(x["dropped"] for x in found),
                "threads": {kind: statistics.median(x["threads"].get(kind, 0) for x in found) for kind in kinds}}

    def invariant(self):
        """Whether every record is accounted for, here and in Elasticsearch; says what it has found."""
        fine = True
        for name in [ON, FILE]:
            c = self.settle(name)
            balanced = c["accepted"] + c["recovered"] == c["indexed"] + c["spilled"] + c["rejected"] + c["dropped"] + c["under_way"]
            complete = c["accepted"] >= self.sent[name]  # wrk leaves requests behind when its time is up
            fine &= balanced and complete
            print(f"{name}: {self.sent[name]} answers seen; {c['accepted']} accepted + {c['recovered']} recovered "
                  f"{'=' if balanced else '≠'} {c['indexed']} indexed + {c['spilled']} spilled + {c['rejected']} rejected + "
                  f"{c['dropped']} dropped + {c['under_way']} under way")
        documents = self.elasticsearch.documents(STREAM)
        print(f"Elasticsearch: {documents} documents, {self.counts(ON)['indexed']} counted as indexed")
        return fine and documents == self.counts(ON)["indexed"]

    def profile(self, folder):
        """Stacks of every thread, by CPU time, under saturating load: one file of collapsed stacks and one flame graph."""
        jars = sorted(glob.glob(os.path.expanduser(self.args.profiler)))
        if not jars:
            raise CannotMeasure("no async-profiler; mvn dependency:get -Dartifact=tools.profiler:async-profiler:4.6 fetches it")
        os.makedirs(folder, exist_ok=True)
        library = self.processes.path("libasyncProfiler.so")
        machine = "arm64" if os.uname().machine == "aarch64" else "x64"
        open(library, "wb").write(zipfile.ZipFile(jars[-1]).read(f"linux-{machine}/libasyncProfiler.so"))
        for name in [OFF, ON]:
            print(f"profiling {name} for {self.args.seconds * 6} s", file=sys.stderr)
            self.agent(self.up[name].pid, library, "start,event=ctimer,interval=200us,threads")
            self.generator.peak(self.up[name].url, self.request, self.args.connections, self.args.seconds * 6)
            self.settle(name)
            for form, end in [("collapsed", "txt"), ("flamegraph", "html")]:
                self.agent(self.up[name].pid, library, f"dump,{form},threads,file={os.path.abspath(folder)}/{name}.{end}")
            self.agent(self.up[name].pid, library, "stop")
            self.hottest(f"{folder}/{name}.txt", name)

    @staticmethod
    def agent(pid, library, command):
        jcmd = f"{find_jdk()}/bin/jcmd"
        done = subprocess.run([jcmd, str(pid), "JVMTI.agent_load", library, f'"{command}"'], capture_output=True, text=True)
        if "return code: 0" not in done.stdout:
            raise CannotMeasure(f"async-profiler: {done.stdout}{done.stderr}")

    @staticmethod
    def hottest(file, name):
        """The methods of the log and what they call, as shares of all samples."""
        samples, own = 0, {}
        for line in open(file):
            stack, _, count = line.rpartition(" ")
            samples += int(count)
            frames = [f for f in stack.split(";") if "app/traffic/" in f or "TrafficTap" in f]
            for frame in {re.sub(r"\$\$Lambda\.0x\w+", "$$Lambda", f) for f in frames}:
                own[frame] = own.get(frame, 0) + int(count)
        print(f"\n{name}: {samples} samples; share of all, with what it calls")
        for frame, count in sorted(own.items(), key=lambda item: -item[1])[:25]:
            print(f"  {100 * count / samples:5.1f} %  {frame}")


def table(results):
    widest = max(r["us"] for r in results.values())
    for name, r in results.items():
        print(f"{name:24s} {'█' * max(1, round(30 * r['us'] / widest)):30s} {r['us']:6.2f} µs  {r['more_us']:+6.2f} "
              f"[{r['more_us_min']:+.2f}..{r['more_us_max']:+.2f}]  {r['rps']:7.0f} rps  {r['lower_percent']:5.1f} % lower "
              f"[{r['lower_min']:.1f}..{r['lower_max']:.1f}]  core {r['busy']:.2f}  p99 {r['p99']}  "
              f"replayed {100 * r['replayed'] / r['requests']:.0f} %  dropped {100 * r['dropped'] / r['requests']:.1f} %  "
              f"not 2xx {r['not_2xx']}")
    for kind in ["saturated", "paced"]:
        off, on = results[f"{kind} {OFF}"]["threads"], results[f"{kind} {ON}"]["threads"]
        names = sorted(on, key=lambda name: -on[name])
        print(f"\n{kind}: µs a request by thread, {ON} (and {OFF})")
        for name in names[:12]:
            print(f"  {name:20s} {on[name]:6.2f}  ({off.get(name, 0):.2f})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--warm", type=int, default=20, help="seconds of load before the first round, each gateway")
    parser.add_argument("--seconds", type=int, default=5, help="of load, each round, kind and gateway")
    parser.add_argument("--documents", type=int, default=300_000, help="that Elasticsearch holds before the first round")
    parser.add_argument("--connections", type=int, default=100)
    parser.add_argument("--pace", type=int, default=8_000, help="requests a second of the paced load, about")
    parser.add_argument("--post", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--request-threads", default="io", choices=["io", "jdk"])
    parser.add_argument("--jvm", default="-XX:ActiveProcessorCount=1 -Xms1200m -Xmx1200m -XX:+UseG1GC")
    parser.add_argument("--profile", metavar="FOLDER", help="profile afterwards, into that folder")
    parser.add_argument("--profiler", default=PROFILER, metavar="JAR", help="async-profiler's, from Maven Central")
    parser.add_argument("--json", metavar="FILE")
    args = parser.parse_args()
    for tool in ["nginx", "wrk", "taskset", "nice"]:
        if not shutil.which(tool):
            sys.exit(f"needs {tool}, which is not on the PATH")
    end_in_order()
    try:
        with Processes("traffic-log-cost") as processes:
            cost = TrafficLogCost(args, processes)
            cost.start()
            results = cost.measure()
            table(results)
            fine = cost.invariant()
            if args.json:
                with open(args.json, "w") as file:
                    json.dump(results, file, indent=1)
            if args.profile:
                cost.profile(args.profile)
    except CannotMeasure as why:
        sys.exit(f"traffic_log_cost.py: {why}")
    sys.exit(0 if fine else "records are missing: the counters do not balance")


if __name__ == "__main__":
    main()
