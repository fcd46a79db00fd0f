#!/usr/bin/env python3
"""What the traffic log costs the whole gateway: off, to a real Elasticsearch and to a file, in turn, in the same minutes.

Three gateways that differ in nothing but the log are pinned to core 0; the load generator (wrk), the upstream (nginx) and
Elasticsearch to core 1. Rounds visit them in turn. CPU time is that of the whole process, the shipper, the HTTP client,
the JIT and the collector included, and is read once the log has nothing under way and nothing on disk: what a request
leaves to be done later counts. Two kinds of load: as many requests as are answered, and a pace that Elasticsearch keeps up
with on what wrk and nginx leave of core 1. "core" says how busy core 0 was by the gateway while it was loaded: where it is
well under 1, something else was the bottleneck, and the requests a second say nothing of the gateway.

    perf/load/traffic_log_cost.py                       # about 15 minutes on two cores that nobody else uses
    perf/load/traffic_log_cost.py --profile profiles    # and where the time goes, by async-profiler

Needs what cpu_ratio.py needs, and Elasticsearch: gateway-app/target/es-dist, which mvn verify unpacks, or --elasticsearch.
"""
import argparse, glob, json, os, re, shutil, statistics, subprocess, sys, time, urllib.request, zipfile

import cpu_ratio
from cpu_ratio import Bench, ROOT, UPSTREAM, UPSTREAM_SERVER, BODY, answers, cpu_seconds, jdk, load, rss_mib, spawn

ELASTICSEARCH = 9209
OFF, ON, FILE = "off", "elasticsearch", "file"
PROFILER = "~/.m2/repository/tools/profiler/async-profiler/4.*/async-profiler-4.*.jar"
CONFIG = """cluster.name: cost
node.name: cost-1
discovery.type: single-node
network.host: 127.0.0.1
http.port: {port}
transport.port: 0
path.data: {d}/data
path.logs: {d}/logs
xpack.security.enabled: false
cluster.routing.allocation.disk.threshold_enabled: false
"""


def get(url):
    with urllib.request.urlopen(url, timeout=30) as answer:
        return answer.read().decode()


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


class TrafficLogBench(Bench):
    def __init__(self, args):
        super().__init__(args)
        self.admin_ports, self.sent = {}, {}
        self.paced = f"{self.folder}/paced.lua"
        pause = round(args.connections * 1000 / args.pace)
        open(self.paced, "w").write(f"function delay() return math.random({max(1, pause // 2)}, {max(1, pause * 3 // 2)}) end")

    def elasticsearch(self):
        """Starts it as an ordinary user, since it refuses to run as root, behind everything else on its core."""
        home = self.args.elasticsearch or max(glob.glob(f"{ROOT}/gateway-app/target/es-dist/elasticsearch-*"), default="")
        if not os.path.exists(f"{home}/bin/elasticsearch"):
            sys.exit("no Elasticsearch; mvn verify -DskipTests unpacks one, or name its folder by --elasticsearch")
        folder = f"{self.folder}/elasticsearch"
        for name in ["data", "logs", "tmp"]:
            os.makedirs(f"{folder}/{name}")
        shutil.copytree(f"{home}/config", f"{folder}/config")
        open(f"{folder}/config/elasticsearch.yml", "w").write(CONFIG.format(d=folder, port=ELASTICSEARCH))
        user = ["unshare", "--user", "--map-user=1000", "--map-group=1000", "--"] if os.getuid() == 0 else []
        env = {"ES_JAVA_HOME": os.environ.get("JAVA_HOME") or jdk(), "ES_PATH_CONF": f"{folder}/config",
               "ES_TMPDIR": f"{folder}/tmp", "HOME": folder, "ES_JAVA_OPTS": "-Xms1g -Xmx1g"}
        command = ["nice", "-n", str(self.args.nice), *user, f"{home}/bin/elasticsearch"]
        self.processes.append(spawn("1", command, open(f"{folder}/out", "w"), env))
        print("starting Elasticsearch", file=sys.stderr)
        for _ in range(600):
            try:
                get(f"http://127.0.0.1:{ELASTICSEARCH}/_cluster/health?wait_for_status=yellow&timeout=1s")
                return
            except OSError:
                time.sleep(0.2)
            if self.processes[-1].poll() is not None:
                sys.exit("Elasticsearch ended: " + open(f"{folder}/out").read()[-2000:])
        sys.exit("Elasticsearch does not answer after 120 s")

    def start(self):
        taken = [p for p in [UPSTREAM, ELASTICSEARCH, 8100, 8101, 8102] if answers(p)]
        if taken:
            sys.exit(f"ports {taken} are taken: is another run under way?")
        self.nginx("upstream", "1", UPSTREAM_SERVER.format(p=UPSTREAM, b=BODY))
        self.elasticsearch()
        logs = {OFF: {}, ON: {"GATEWAY_ELASTICSEARCH_URL": f"http://127.0.0.1:{ELASTICSEARCH}",
                              "GATEWAY_TRAFFIC_LOG_SPILL_SIZE": "16GiB"}, FILE: {"GATEWAY_TRAFFIC_LOG_FILES": "1"}}
        for number, (name, settings) in enumerate(logs.items()):
            self.launch(name, number, [], {"GATEWAY_TRAFFIC_LOG": name, **settings})
            self.admin_ports[name] = 8200 + number
            self.sent[name] = 0
        for name in self.up:
            print(f"warming {name} for {self.args.warm} s", file=sys.stderr)
            self.visit(name, self.args.warm, None)
        while self.counts(ON)["indexed"] < self.args.documents:
            print(f"Elasticsearch has {self.counts(ON)['indexed']} of {self.args.documents} documents to warm up with", file=sys.stderr)
            self.visit(ON, max(2, self.args.warm), None)

    def counts(self, name):
        """The log's counters; all 0 when it is off."""
        lines = get(f"http://127.0.0.1:{self.admin_ports[name]}/metrics").splitlines()
        found = dict.fromkeys(["accepted", "recovered", "indexed", "replayed", "rejected", "dropped", "spilled", "under_way"], 0)
        for line in lines:
            fate = re.match(r'gateway_traffic_(?:records_total\{fate="(\w+)"\}|(spilled|under_way)) (\S+)', line)
            if fate:
                found[fate.group(1) or fate.group(2)] = int(float(fate.group(3)))
        return found

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

    def visit(self, name, seconds, script):
        """Loads one gateway and waits until its log is done."""
        pid, port, path, header = self.up[name]
        before, kinds, replayed = cpu_seconds(pid), threads(pid), self.counts(name)["replayed"]
        found = load(port, path, header, seconds, self.args.connections, script)
        busy = (cpu_seconds(pid) - before) / seconds
        counts = self.settle(name)
        self.sent[name] += found["requests"]
        per = 1e6 / found["requests"]
        after = threads(pid)
        return {**found, "us": (cpu_seconds(pid) - before) * per, "busy": busy, "replayed": counts["replayed"] - replayed,
                "threads": {kind: (after[kind] - kinds.get(kind, 0)) * per for kind in after}}

    def measure(self):
        rows = {(kind, name): [] for kind in ["saturated", "paced"] for name in self.up}
        for number in range(self.args.rounds):
            for kind, name in rows:
                print(f"round {number + 1} of {self.args.rounds}: {kind}, {name}", file=sys.stderr)
                rows[kind, name].append(self.visit(name, self.args.seconds, self.paced if kind == "paced" else None))
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
        stream = f"http://127.0.0.1:{ELASTICSEARCH}/logs-gateway.traffic-default"
        urllib.request.urlopen(urllib.request.Request(stream + "/_refresh", method="POST"), timeout=60).read()
        documents = json.loads(get(stream + "/_count"))["count"]
        print(f"Elasticsearch: {documents} documents, {self.counts(ON)['indexed']} counted as indexed")
        return fine and documents == self.counts(ON)["indexed"]

    def profile(self, folder):
        """Stacks of every thread, by CPU time, under saturating load: one file of collapsed stacks and one flame graph."""
        jars = sorted(glob.glob(os.path.expanduser(self.args.profiler)))
        if not jars:
            sys.exit("no async-profiler; mvn dependency:get -Dartifact=tools.profiler:async-profiler:4.6 fetches it")
        os.makedirs(folder, exist_ok=True)
        library = f"{self.folder}/libasyncProfiler.so"
        machine = "arm64" if os.uname().machine == "aarch64" else "x64"
        open(library, "wb").write(zipfile.ZipFile(jars[-1]).read(f"linux-{machine}/libasyncProfiler.so"))
        for name in [OFF, ON]:
            pid, port, path, header = self.up[name]
            print(f"profiling {name} for {self.args.seconds * 6} s", file=sys.stderr)
            self.agent(pid, library, "start,event=ctimer,interval=200us,threads")
            load(port, path, header, self.args.seconds * 6, self.args.connections, None)
            self.settle(name)
            for form, end in [("collapsed", "txt"), ("flamegraph", "html")]:
                self.agent(pid, library, f"dump,{form},threads,file={os.path.abspath(folder)}/{name}.{end}")
            self.agent(pid, library, "stop")
            self.hottest(f"{folder}/{name}.txt", name)

    @staticmethod
    def agent(pid, library, command):
        jcmd = os.path.join(os.environ.get("JAVA_HOME") or jdk(), "bin", "jcmd")
        done = subprocess.run([jcmd, str(pid), "JVMTI.agent_load", library, f'"{command}"'], capture_output=True, text=True)
        if "return code: 0" not in done.stdout:
            sys.exit(f"async-profiler: {done.stdout}{done.stderr}")

    @staticmethod
    def hottest(file, name):
        """The methods of the log and what they call, as shares of all samples."""
        samples, own = 0, {}
        for line in open(file):
            stack, _, count = line.rpartition(" ")
            samples += int(count)
            frames = [f for f in stack.split(";") if "app/traffic/" in f or "TrafficTap" in f]
            for frame in set(frames):
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
              f"replayed {100 * r['replayed'] / r['requests']:.0f} %  not 2xx {r['not_2xx']}")
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
    parser.add_argument("--nice", type=int, default=19, help="of Elasticsearch: wrk and nginx go first on their core")
    parser.add_argument("--elasticsearch", metavar="FOLDER")
    parser.add_argument("--profile", metavar="FOLDER", help="profile afterwards, into that folder")
    parser.add_argument("--profiler", default=PROFILER, metavar="JAR", help="async-profiler's, from Maven Central")
    parser.add_argument("--json", metavar="FILE")
    args = parser.parse_args()
    for tool in ["nginx", "wrk", "taskset", "nice", "unshare"]:
        if not shutil.which(tool):
            sys.exit(f"needs {tool}, which is not on the PATH")
    bench = TrafficLogBench(args)
    try:
        bench.start()
        results = bench.measure()
        table(results)
        fine = bench.invariant()
        if args.json:
            json.dump(results, open(args.json, "w"), indent=1)
        if args.profile:
            bench.profile(args.profile)
    finally:
        bench.stop()
    sys.exit(0 if fine else "records are missing: the counters do not balance")


if __name__ == "__main__":
    main()
