"""A gateway of this repository as a process: started as a tier's or plainly, told its APIs and keys, asked what it did."""
import glob, json, os, re, subprocess, time, urllib.request

from processes import ROOT, CannotMeasure, cpu_seconds, free_port, rss_mib, status

JAR = f"{ROOT}/gateway-app/target/gateway-app.jar"
TOKEN = "benchmark-token-of-32-characters-"
BUILD = "mvn -pl gateway-app -am -Dmaven.test.skip=true package"
# What the JVM says when it goes on without its AOT cache; the other lines of [aot] say why.
AOT_REFUSED = re.compile(r"Unable to use AOT cache|while processing the AOT cache|Unable to map shared spaces|Loading static archive failed")
JAVA_THREAD = re.compile(r'^"(?!C[12] Compiler)[^"]*" #[0-9]+ .*? cpu=([0-9.]+)ms .*? allocated=([0-9]+)([BKMG]) ', re.MULTILINE)
COUNTERS = {"java.threads.livePeak": "peak_threads", "java.threads.live": "threads",
            "sun.rt._sync_ContendedLockAttempts": "contended"}


def find_jdk():
    found = subprocess.run([f"{ROOT}/.ci/find-jdk"], capture_output=True, text=True).stdout.strip()
    if not found:
        raise CannotMeasure("needs a JDK 25 or newer: set JAVA_HOME to it")
    return found


def require_jar(jar=JAR):
    if not os.path.exists(jar):
        raise CannotMeasure(f"needs {os.path.relpath(jar, ROOT)}: {BUILD}")


def fresh_jar():
    """Builds the jar when it is missing or older than a source, as ./gateway does: else its figures would be another commit's."""
    done = subprocess.run([f"{ROOT}/gateway", "--version"], stdout=subprocess.DEVNULL)
    newer = newer_than(os.path.getmtime(JAR), *glob.glob(f"{ROOT}/gateway-*/src/main"), *glob.glob(f"{ROOT}/gateway-*/*/src/main")) if os.path.exists(JAR) else JAR
    if done.returncode or newer:
        raise CannotMeasure(f"gateway-app/target/gateway-app.jar cannot be built, or is older than {os.path.relpath(newer or JAR, ROOT)}: {BUILD}")


def newer_than(moment, *folders):
    """A file below these folders that was changed after the moment, or None."""
    return next((f"{path}/{name}" for folder in folders for path, _, names in os.walk(folder) for name in names
                 if os.path.getmtime(f"{path}/{name}") > moment), None)


def aot_refusal(log):
    """Why the JVM of this log did without its AOT cache; None when it took it."""
    if not AOT_REFUSED.search(log):
        return None
    told = re.findall(r"^\[[^\]]*\](?:\[(?:warning|error) *\]\[aot[^\]]*\])? (.*)", log, re.M)
    return next((line for line in told if not AOT_REFUSED.search(line)), "the JVM does not say why")


def read_counters(text):
    """What jcmd PerfCounter.print says: {name: text}."""
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)


def read_metrics(text):
    """Prometheus lines: {"name{labels}": number}."""
    found = {}
    for line in text.splitlines():
        match = re.fullmatch(r"([a-zA-Z_:][\w:]*(?:\{.*\})?) (\S+)(?: \S+)?", line)
        if match:
            found[match.group(1)] = float(match.group(2))
    return found


class Gateway:
    """One process. Its address, and what it costs and says."""

    def __init__(self, processes, name, on, command, env, groups=()):
        self.name, self.processes, self.jdk = name, processes, env.pop("JDK")
        self.port, self.admin_port = free_port(), free_port()
        self.began = time.monotonic()
        self.process = processes.spawn(on, command, processes.path(f"{name}.log"), {
            "GATEWAY_LISTEN": f"127.0.0.1:{self.port}", "GATEWAY_ADMIN_LISTEN": f"127.0.0.1:{self.admin_port}",
            "GATEWAY_ADMIN_TOKEN": TOKEN, "GATEWAY_DATA": processes.path(f"{name}-data"), **env}, groups)

    @classmethod
    def of_tier(cls, processes, name, tier, on, groups=(), env=None, aot=None, jar=JAR):
        """By docker/entrypoint.sh, so that the JVM's command line is the tier's."""
        jdk = find_jdk()
        require_jar(jar)
        started = cls(processes, name, on, [f"{ROOT}/docker/entrypoint.sh"], {
            "JDK": jdk, "GATEWAY_TIER": tier, "GATEWAY_JAVA": f"{jdk}/bin/java", "GATEWAY_JAR": jar,
            "GATEWAY_AOT_CACHE": aot or "off", **(env or {})}, groups)
        started.await_ready()
        return started

    @classmethod
    def plain(cls, processes, name, on, jvm, env, jar=JAR):
        """By java alone, with the options given; another jar than this checkout's when one is named."""
        jdk = find_jdk()
        if jar == JAR:
            require_jar()
        started = cls(processes, name, on, [f"{jdk}/bin/java", *jvm, "-jar", jar], {"JDK": jdk, **env})
        started.await_ready()
        return started

    def await_ready(self):
        self.processes.await_port(self.process, self.admin_port, self.name, path="/health/ready")
        self.processes.await_port(self.process, self.port, self.name)

    def without_aot(self):
        """Why it runs without the AOT cache that it was given; None when it took it."""
        with open(self.processes.path(f"{self.name}.log"), errors="replace") as file:
            return aot_refusal(file.read(2**16))

    @property
    def pid(self):
        return self.process.pid

    def url(self, path="/"):
        return f"http://127.0.0.1:{self.port}{path}"

    def api(self, id, path, upstream_port, policies=(), traffic_log=True):
        """An API in front of the benchmark's upstream."""
        return self.admin("apis", {"id": id, "match": {"path": path}, "policies": list(policies), "trafficLog": traffic_log,
                                   "upstream": {"targets": [{"url": f"http://127.0.0.1:{upstream_port}"}]}})

    def key(self, *apis):
        """A fresh key for these APIs."""
        return self.admin("keys", {"name": "bench", "apis": {each: {} for each in apis}})["secret"]

    def resource(self, id, content):
        """What policies name by this id."""
        self._ask(f"resources/{id}", content.encode(), "application/octet-stream", "PUT")

    def admin(self, path, body=None):
        return self._ask(path, json.dumps(body).encode() if body is not None else None, "application/json")

    def _ask(self, path, content, type, method=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.admin_port}/admin/v1/{path}", content,
            {"Authorization": f"Bearer {TOKEN}", "Content-Type": type}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            raise CannotMeasure(f"{self.name}: {path} was answered {refused.code} {refused.read(600).decode(errors='replace')}")

    def metrics(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.admin_port}/metrics", timeout=10) as answer:
            return read_metrics(answer.read().decode())

    def traffic(self):
        """Counts of traffic records by what became of them, all 0 when the log is off; `waiting` are those on their way."""
        found = dict.fromkeys(["accepted", "recovered", "indexed", "replayed", "rejected", "dropped", "spilled", "under_way"], 0)
        for line, value in self.metrics().items():
            fate = re.match(r'gateway_traffic_(?:records_total\{.*?fate="(\w+)"|(spilled|under_way)$)', line)
            if fate:
                found[fate.group(1) or fate.group(2)] = int(value)
        return {**found, "waiting": found["spilled"] + found["under_way"]}

    def settle(self, seconds):
        """Waits until no traffic record is on its way; returns the seconds that took, or None when it takes longer."""
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            if self.traffic()["waiting"] == 0:
                return time.monotonic() - began
            time.sleep(0.5)  # asking costs the gateway something
        return None

    def cpu_seconds(self):
        return cpu_seconds(self.pid)

    def rss_mib(self):
        return rss_mib(self.pid)

    def jcmd(self, *command):
        return subprocess.run([f"{self.jdk}/bin/jcmd", str(self.pid), *command], capture_output=True, text=True, timeout=60).stdout

    def java_threads(self):
        """CPU seconds of the threads that run Java code, and the bytes that they have allocated, since each began."""
        threads = JAVA_THREAD.findall(self.jcmd("Thread.print", "-e"))
        return (sum(float(cpu) for cpu, _, _ in threads) / 1000,
                sum(int(size) * 1024 ** "BKMG".index(unit) for _, size, unit in threads))

    def blocked_threads(self):
        return self.jcmd("Thread.print").count("java.lang.Thread.State: BLOCKED")

    def diagnostics(self):
        """Heap, collections and threads, from the JVM's own counters; MiB, milliseconds."""
        counters = read_counters(self.jcmd("PerfCounter.print"))
        frequency = float(counters.get("sun.os.hrt.frequency", 1e9))
        found = {"heap_used": self._spaces(counters, "used"), "heap_max": self.admin("runtime")["heap"]["maxBytes"] / 2**20,
                 "rss": self.rss_mib(), "collections": {}}
        for counter, name in COUNTERS.items():
            if counter in counters:
                found[name] = int(counters[counter])
        for number in range(4):
            name = counters.get(f"sun.gc.collector.{number}.name")
            if name:
                found["collections"][name.strip('"')] = {
                    "count": int(counters[f"sun.gc.collector.{number}.invocations"]),
                    "ms": int(counters[f"sun.gc.collector.{number}.time"]) / frequency * 1e3}
        return found

    @staticmethod
    def _spaces(counters, what):
        return sum(int(value) for name, value in counters.items()
                   if re.fullmatch(rf"sun\.gc\.generation\.\d+\.space\.\d+\.{what}", name)) / 2**20

    def live_heap_mib(self):
        """Heap in use after a full collection."""
        self.jcmd("GC.run")
        return self.admin("runtime")["heap"]["usedBytes"] / 2**20

    def stop(self):
        self.processes.stop(self.process)


def first_answer(processes, start, path):
    """The gateway that `start` makes, on data that have an API at the path, and the CPU and wall seconds to its first 2xx."""
    began = time.monotonic()
    gateway = start()
    processes.wait(gateway.process, lambda: status(gateway.url(path)) == 200, "the first answer")
    return gateway, gateway.cpu_seconds(), time.monotonic() - began


def train(folder):
    """The AOT cache as docker/train makes it in the image, in target/perf/ until what it is made of changes."""
    require_jar()
    cache, jdk = os.path.join(folder, "gateway.aot"), find_jdk()
    origin, note = _made_of(jdk), f"{cache}.of"
    os.makedirs(folder, exist_ok=True)
    if not (os.path.exists(cache) and os.path.exists(note) and open(note).read() == origin):
        done = subprocess.run([f"{ROOT}/docker/train", f"{jdk}/bin/java", JAR, cache], capture_output=True, text=True)
        if done.returncode:
            raise CannotMeasure(f"docker/train ended with {done.returncode}: {(done.stdout + done.stderr)[-600:]}")
        with open(note, "w") as file:
            file.write(origin)
    return cache


def _made_of(jdk):
    """JVM, jar and recipe of an AOT cache."""
    java, jar = subprocess.run([f"{jdk}/bin/java", "-version"], capture_output=True, text=True).stderr, os.stat(JAR)
    with open(f"{ROOT}/docker/train") as file:
        return json.dumps([java, JAR, jar.st_size, jar.st_mtime_ns, file.read()])
