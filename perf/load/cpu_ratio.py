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
import argparse, json, os, re, shutil, signal, socket, statistics, subprocess, sys, tempfile, time, urllib.error, urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
UPSTREAM, REFERENCE, REDIS = 9001, 9009, 9379
BODY = '{"time": "2020-04-06 20:00:38.661919975 +0000 UTC m=+20526.911315903"}'
NGINX = """worker_processes 1; pid {d}/{n}.pid; error_log {d}/{n}.err; events {{ worker_connections 8192; }}
http {{ access_log off; keepalive_requests 1000000000; keepalive_timeout 3600s; client_max_body_size 64m;
 client_body_buffer_size 1m; {server} }}"""
UPSTREAM_SERVER = """server {{ listen 127.0.0.1:{p} backlog=4096;
 location / {{ default_type application/json; return 200 '{b}'; }} }}"""
REFERENCE_SERVER = """upstream u {{ server 127.0.0.1:{u}; keepalive 512; keepalive_requests 1000000000; }}
 server {{ listen 127.0.0.1:{p} backlog=4096;
 location / {{ proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://u; }} }}"""
LIMITS = [{"type": "rate-limit", "requests": 1000000, "per": "1s"}, {"type": "quota", "requests": 1000000000, "per": "30d"}]
SCENARIOS = {  # name: (store, policies)
    "zero": ("memory", []),
    "limits": ("memory", [{"type": "key-auth"}, *LIMITS]),
    "redis-leased": ("redis", [{"type": "key-auth"}, *[{**l, "counting": "leased"} for l in LIMITS]]),
    "redis-exact": ("redis", [{"type": "key-auth"}, *LIMITS]),
}


def tree(pid):
    kids = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()
    return [pid] + [p for k in kids for p in tree(int(k))]


def cpu_seconds(pid):
    ticks = 0
    for p in tree(pid):
        try:
            fields = open(f"/proc/{p}/stat").read().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
        except FileNotFoundError:
            pass
    return ticks / os.sysconf("SC_CLK_TCK")


def rss_mib(pid):
    return sum(int(open(f"/proc/{p}/statm").read().split()[1]) * 4 // 1024 for p in tree(pid))


def load(port, path, header, seconds, connections, script):
    command = ["taskset", "-c", "1", "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "--timeout", "10s"]
    command += (["-H", header] if header else []) + (["-s", script] if script else [])
    out = subprocess.run([*command, f"http://127.0.0.1:{port}{path}"], capture_output=True, text=True).stdout
    bad = re.search(r"Non-2xx or 3xx responses: (\d+)", out)
    errors = re.search(r"Socket errors: (.*)", out)
    return {"requests": max(1, int(re.search(r"(\d+) requests in", out).group(1))),
            "rps": float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1)),
            "p99": re.search(r"99%\s+(\S+)", out).group(1), "bad": int(bad.group(1)) if bad else 0,
            "errors": errors.group(1) if errors else ""}


def spawn(core, command, log, env=None):
    return subprocess.Popen(["taskset", "-c", core, *command], stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                            start_new_session=True, env={**os.environ, **(env or {})})


def wait_for(port, process, name, log):
    for _ in range(300):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=1)
            return
        except urllib.error.HTTPError:
            return
        except OSError:
            pass
        if process.poll() is not None:
            sys.exit(f"{name} exited with {process.returncode} before it answered on port {port}; see {log}")
        time.sleep(0.2)
    sys.exit(f"{name}: nothing on port {port} after 60 s; see {log}")


def answers(port):
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def probe(port, path, header):
    """Status and body of one more request, to see what a bad answer says."""
    name, _, value = header.partition(": ")
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={name: value} if name else {})
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            return answer.status
    except urllib.error.HTTPError as e:
        return f"{e.code} {e.read(300).decode(errors='replace')}"


def admin(port, token, path, body):
    request = urllib.request.Request(f"http://127.0.0.1:{port}/admin/v1/{path}", json.dumps(body).encode(), method="POST",
                                     headers={"Authorization": "Bearer " + token, "Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request, timeout=10))


class Bench:
    def __init__(self, args):
        self.args, self.processes, self.up = args, [], {}
        self.folder = tempfile.mkdtemp(prefix="cpu-ratio-")
        self.script = None
        if args.post:
            self.script = f"{self.folder}/post.lua"
            body = "x" * args.post
            open(self.script, "w").write(
                f'wrk.method = "POST"; wrk.body = "{body}"; wrk.headers["Content-Type"] = "application/octet-stream"')

    def nginx(self, name, core, server):
        conf = f"{self.folder}/{name}.conf"
        open(conf, "w").write(NGINX.format(d=self.folder, n=name, server=server))
        self.processes.append(spawn(core, ["nginx", "-c", conf, "-g", "daemon off;"], subprocess.DEVNULL))
        return self.processes[-1].pid

    def gateway(self, name, number):
        store, policies = SCENARIOS[name]
        self.launch(name, number, policies,
                    {"GATEWAY_STORE": "memory" if store == "memory" else f"redis://127.0.0.1:{REDIS}/{number}"})

    def launch(self, name, number, policies, settings):
        """A gateway with those settings and one API with those policies, on ports that follow from its number."""
        port, admin_port, token = 8100 + number, 8200 + number, "benchmark-token-of-32-characters-"
        log = f"{self.folder}/{name}.log"
        env = {"GATEWAY_LISTEN": f"127.0.0.1:{port}", "GATEWAY_ADMIN_LISTEN": f"127.0.0.1:{admin_port}",
               "GATEWAY_ADMIN_TOKEN": token, "GATEWAY_DATA": f"{self.folder}/{name}-data",
               "GATEWAY_IO_THREADS": "1", "GATEWAY_REQUEST_THREADS": self.args.request_threads, **settings}
        java = os.path.join(os.environ.get("JAVA_HOME") or jdk(), "bin", "java")
        process = spawn("0", [java, *self.args.jvm.split(), "-jar", f"{ROOT}/gateway-app/target/gateway-app.jar"], open(log, "w"), env)
        self.processes.append(process)
        wait_for(port, process, name, log)
        admin(admin_port, token, "apis", {"id": "bench", "match": {"path": "/"}, "policies": policies,
                                          "upstream": {"targets": [{"url": f"http://127.0.0.1:{UPSTREAM}"}]}})
        header = ""
        if policies:
            key = admin(admin_port, token, "keys", {"name": "bench", "apis": {"bench": {}}})
            header = "Authorization: Bearer " + key["secret"]
        self.up[name] = (process.pid, port, "/x", header)

    def start(self):
        taken = [p for p in [UPSTREAM, REFERENCE, REDIS, *range(8100, 8100 + len(self.args.scenarios))] if answers(p)]
        if taken:
            sys.exit(f"ports {taken} are taken: is another run under way?")
        self.nginx("upstream", "1", UPSTREAM_SERVER.format(p=UPSTREAM, b=BODY))
        self.up["nginx"] = (self.nginx("reference", "0", REFERENCE_SERVER.format(p=REFERENCE, u=UPSTREAM)), REFERENCE, "/x", "")
        if any(SCENARIOS[s][0] == "redis" for s in self.args.scenarios):
            command = ["redis-server", "--port", str(REDIS), "--save", "", "--appendonly", "no", "--dir", self.folder]
            self.processes.append(spawn("1", command, subprocess.DEVNULL))
        time.sleep(1)
        for number, scenario in enumerate(self.args.scenarios):
            self.gateway(scenario, number)
        for command, port, path in self.args.peer:
            name, command = command.split("=", 1)
            log = f"{self.folder}/{name}.log"
            self.processes.append(spawn("0", ["bash", "-c", "exec " + command], open(log, "w")))
            wait_for(int(port), self.processes[-1], name, log)
            self.up[name] = (self.processes[-1].pid, int(port), path, "")
        for name, (_, port, path, header) in self.up.items():
            print(f"warming {name} for {self.args.warm} s", file=sys.stderr)
            found = load(port, path, header, self.args.warm, self.args.connections, self.script)
            if found["bad"]:
                print(f"{name}: {found['bad']} of {found['requests']} answers were not 2xx", file=sys.stderr)

    def measure(self):
        rows = {name: [] for name in self.up}
        for number in range(self.args.rounds):
            for name, (pid, port, path, header) in self.up.items():
                print(f"round {number + 1} of {self.args.rounds}: {name}", file=sys.stderr)
                before = cpu_seconds(pid)
                found = load(port, path, header, self.args.seconds, self.args.connections, self.script)
                if found["bad"]:
                    print(f"{name}: {found['bad']} of {found['requests']} answers were not 2xx, such as {probe(port, path, header)}",
                          file=sys.stderr)
                rows[name].append({**found, "us": (cpu_seconds(pid) - before) * 1e6 / found["requests"]})
        return {name: self.summary(name, found, rows["nginx"]) for name, found in rows.items()}

    def summary(self, name, found, reference):
        ratios = [x["us"] / y["us"] for x, y in zip(found, reference)]
        return {"us_per_request": statistics.median(x["us"] for x in found), "ratio": statistics.median(ratios),
                "ratio_min": min(ratios), "ratio_max": max(ratios), "rps": statistics.median(x["rps"] for x in found),
                "p99": found[-1]["p99"], "rss_mib": rss_mib(self.up[name][0]), "not_2xx": sum(x["bad"] for x in found),
                "errors": found[-1]["errors"]}

    def stop(self):
        for process in reversed(self.processes):
            for pid in reversed(tree(process.pid)):
                try:
                    os.kill(pid, signal.SIGTERM)
                except ProcessLookupError:
                    pass
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def jdk():
    return subprocess.run([f"{ROOT}/.ci/find-jdk"], capture_output=True, text=True, check=True).stdout.strip()


def bars(results):
    """The ratios as text bars: people look rather than read."""
    widest = max(r["ratio"] for r in results.values())
    for name, r in results.items():
        print(f"{name:14s} {'█' * max(1, round(40 * r['ratio'] / widest)):40s} {r['ratio']:5.2f} × nginx "
              f"[{r['ratio_min']:.2f}..{r['ratio_max']:.2f}]  {r['us_per_request']:6.1f} µs  {r['rps']:7.0f} rps  "
              f"p99 {r['p99']}  {r['rss_mib']} MiB  not 2xx {r['not_2xx']}  {r['errors']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenarios", nargs="*", default=list(SCENARIOS), choices=list(SCENARIOS))
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--warm", type=int, default=30, help="seconds of load before the first round, each candidate")
    parser.add_argument("--seconds", type=int, default=4, help="of load, each round and candidate")
    parser.add_argument("--connections", type=int, default=100)
    parser.add_argument("--post", type=int, default=0, metavar="BYTES", help="POST so many bytes instead of GET")
    parser.add_argument("--request-threads", default="io", choices=["io", "jdk"])
    parser.add_argument("--jvm", default="-XX:ActiveProcessorCount=1 -Xms1200m -Xmx1200m -XX:+UseG1GC")
    parser.add_argument("--peer", nargs=3, action="append", default=[], metavar=("NAME=CMD", "PORT", "PATH"))
    parser.add_argument("--json", metavar="FILE")
    args = parser.parse_args()
    for tool in ["nginx", "wrk", "taskset"]:
        if not shutil.which(tool):
            sys.exit(f"needs {tool}, which is not on the PATH")
    bench = Bench(args)
    try:
        bench.start()
        results = bench.measure()
        bars(results)
        if args.json:
            json.dump(results, open(args.json, "w"), indent=1)
    finally:
        bench.stop()


if __name__ == "__main__":
    main()
