"""Load generators: wrk2, wrk or oha for the peak (closed loop), `gateway load` for latency at a rate (open loop)."""
import dataclasses, json, os, re, shutil, subprocess

from gateway import JAR
from processes import CannotMeasure, cores

UNITS = {"us": 1e-3, "ms": 1.0, "s": 1e3, "m": 6e4, "h": 3.6e6}
TIMEOUT = 10


@dataclasses.dataclass(frozen=True)
class Request:
    """What is sent, over and over. `headers` are "Name: value" lines."""
    name: str
    method: str = "GET"
    bytes: int = 0  # of a body that means nothing
    body: str = ""  # one that means something; its type is among the headers; by wrk and oha
    headers: tuple = ()
    rotates: tuple = ()
    numbered: tuple = ()  # added to the path, its %d a number, and how many there are of it in turn, 0 for never one twice; by wrk alone
    pause_ms: tuple = ()  # least and most, before each request of a connection; by wrk alone

    def rotating(self, header, values):
        """With a header that takes so many values in turn; by wrk alone."""
        return dataclasses.replace(self, rotates=(header, values))

    def with_headers(self, *lines):
        return dataclasses.replace(self, headers=self.headers + lines)


REQUESTS = {"get": Request("GET"), "post-1k": Request("POST 1 KB", "POST", 1024), "post-5k": Request("POST 5 KB", "POST", 5120)}


@dataclasses.dataclass(frozen=True)
class Found:
    """What a generator saw. Times are milliseconds; `bad` are answers other than 2xx and 3xx, `errors` broken connections."""
    requests: int
    seconds: float
    p50: float
    p99: float
    bad: int = 0
    errors: int = 0

    @property
    def rps(self):
        return self.requests / self.seconds if self.seconds else 0.0


def milliseconds(text):
    """wrk's "1.72ms", "950.00us", "1.02s" as milliseconds."""
    number, unit = re.fullmatch(r"([\d.]+)([a-z]+)", text).groups()
    return round(float(number) * UNITS[unit], 6)


def read_wrk(text):
    """The output of wrk or wrk2 --latency."""
    try:
        requests, seconds = re.search(r"(\d+) requests in ([\d.]+[a-z]+)", text).groups()
        p50 = milliseconds(re.search(r"^\s+50(?:\.000)?%\s+(\S+)", text, re.M).group(1))
        p99 = milliseconds(re.search(r"^\s+99(?:\.000)?%\s+(\S+)", text, re.M).group(1))
    except AttributeError:
        raise CannotMeasure(f"cannot read what wrk says: {text[-400:]}")
    bad = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    errors = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", text)
    return Found(int(requests), milliseconds(seconds) / 1e3, p50, p99, int(bad.group(1)) if bad else 0,
                 sum(map(int, errors.groups())) if errors else 0)


def read_oha(text):
    """The output of oha --output-format json. Requests cut off by the end are no errors."""
    found = json.loads(text)
    codes = {int(code): count for code, count in found["statusCodeDistribution"].items()}
    broken = sum(n for why, n in found["errorDistribution"].items() if "deadline" not in why)
    return Found(sum(codes.values()), found["summary"]["total"], (found["latencyPercentiles"]["p50"] or 0) * 1e3,
                 (found["latencyPercentiles"]["p99"] or 0) * 1e3, sum(n for c, n in codes.items() if not 200 <= c < 400), broken)


def read_fixed_rate(text):
    """The output of `gateway load`: one JSON object, times in microseconds."""
    try:
        return json.loads(text.strip().splitlines()[-1])
    except (IndexError, ValueError):
        raise CannotMeasure(f"cannot read what `gateway load` says: {text[-400:]}")


def _quoted(text):
    """As a string of Lua."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def lua(request):
    lines = [f'wrk.method = "{request.method}"']
    if request.body:
        lines.append(f"wrk.body = {_quoted(request.body)}")
    if request.bytes:
        lines += [f'wrk.body = string.rep("x", {request.bytes})', 'wrk.headers["Content-Type"] = "application/octet-stream"']
    for name, value in (line.split(": ", 1) for line in request.headers):
        lines.append(f'wrk.headers["{name}"] = {_quoted(value)}')
    if request.rotates:
        header, values = request.rotates
        lines += ["local at = 0", "function request()", f"  at = at % {values} + 1", f'  wrk.headers["{header}"] = "c" .. at',
                  "  return wrk.format()", "end"]
    if request.numbered:
        added, count = request.numbered
        number = f"at % {count}" if count else "first + at"
        lines += ["local threads, at = 0, 0", "function setup(thread)", '  thread:set("first", threads * 1000000000)', "  threads = threads + 1", "end",
                  "function request()", "  at = at + 1", f'  return wrk.format(nil, wrk.path .. string.format("{added}", {number}))', "end"]
    if request.pause_ms:
        lines.append(f"function delay() return math.random({request.pause_ms[0]}, {request.pause_ms[1]}) end")
    return "\n".join(lines) + "\n"


class Generator:
    """The first of wrk2, wrk and oha that is here, on the cores named."""

    def __init__(self, on, folder, java=None):
        self.on, self.folder, self.java = on, folder, java
        self.tool = next((name for name in ("wrk2", "wrk", "oha") if shutil.which(name)), None)
        if not self.tool:
            raise CannotMeasure("needs a load generator: wrk2, wrk or oha on the PATH (apt-get install wrk)")
        self.scripts = 0

    def peak(self, url, request, connections, seconds):
        """As many requests as connections carry, each sending the next when its answer came."""
        threads = max(1, min(len(self.on), connections))
        if self.tool == "oha":
            command, read = self._oha(request, connections, seconds), read_oha
        else:
            command = [self.tool, *(["-R", "999999"] if self.tool == "wrk2" else []), "--latency", "-t", str(threads),
                       "-c", str(connections), "-d", f"{seconds}s", "--timeout", f"{TIMEOUT}s", "-s", self._script(request)]
            read = read_wrk
        return read(self._run([*command, url], seconds))

    def fixed(self, url, request, connections, seconds, rate, warm=2):
        """Latency from the moment a request was due, at so many requests a second: a dict, times in microseconds."""
        lines = request.headers + (("Content-Type: application/octet-stream",) if request.bytes else ())
        command = [self.java, "-XX:+UseSerialGC", "-Xms64m", "-Xmx64m", "-XX:TieredStopAtLevel=4", "-jar", JAR, "load", url,
                   "--rate", str(int(rate)), "--connections", str(connections), "--warm-up", str(warm), "--seconds", str(seconds),
                   "--method", request.method, "--body-bytes", str(request.bytes), *(f"--header={line}" for line in lines)]
        return read_fixed_rate(self._run(command, seconds + warm))

    def _oha(self, request, connections, seconds):
        command = ["oha", "--no-tui", "--output-format", "json", "-z", f"{seconds}s", "-c", str(connections), "-m", request.method]
        for line in request.headers:
            command += ["-H", line]
        body = request.body or "x" * request.bytes
        return command + (["-d", body] if body else [])

    def _script(self, request):
        self.scripts += 1
        path = os.path.join(self.folder, f"request-{self.scripts % 8}.lua")
        with open(path, "w") as file:
            file.write(lua(request))
        return path

    def _run(self, command, seconds):
        done = subprocess.run(["taskset", "-c", cores(self.on), *command], capture_output=True, text=True,
                              timeout=seconds + 60)
        if done.returncode and not done.stdout:
            raise CannotMeasure(f"{command[0]} ended with {done.returncode}: {done.stderr[-400:]}")
        return done.stdout
