"""What a gateway looks like from outside while it is attacked, second by second: memory, gauges, health."""
import threading, time, urllib.error, urllib.request

from gateway import read_metrics
from processes import PAGE

PATIENCE = 2  # seconds for an answer of the admin plane
MIB = 2**20
GAUGES = {"connections": "gateway_client_connections", "in flight": "gateway_requests_in_flight", "waiting": "gateway_requests_waiting",
          "sockets": "gateway_websockets"}
COUNTS = ("gateway_client_connections_refused_total", "gateway_requests_refused_total")


def resident_mib(pid):
    """Of one process; None when it has gone."""
    try:
        with open(f"/proc/{pid}/statm") as statm:
            return int(statm.read().split()[1]) * PAGE / MIB
    except (FileNotFoundError, ProcessLookupError):
        return None


def asked(url):
    """Status of a GET and the seconds that it took; None for the status when nothing was answered in time."""
    began = time.monotonic()
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            answer.read()
            status = answer.status
    except urllib.error.HTTPError as refused:
        status = refused.code
    except OSError:
        status = None
    return status, time.monotonic() - began


def measures(metrics):
    """What is kept of /metrics: MiB, and the gauges that have to come back to 0."""
    heap = {what: sum(value for name, value in metrics.items() if name.startswith(f"jvm_memory_{what}_bytes{{") and 'area="heap"' in name)
            for what in ("used", "committed")}
    budget = {name: value for name, value in metrics.items() if "budget" in name}
    return {"heap": heap["used"] / MIB, "committed": heap["committed"] / MIB,
            "direct": metrics.get('jvm_buffer_memory_used_bytes{id="direct"}', 0) / MIB,
            **{name: metrics.get(metric, 0) for name, metric in GAUGES.items()},
            "refused": sum(value for name, value in metrics.items() if name.startswith(COUNTS)),
            **({"budget": budget} if budget else {})}


def measures_of(gateway):
    """What it says now; None when /metrics is not answered in time."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{gateway.admin_port}/metrics", timeout=PATIENCE) as answer:
            return measures(read_metrics(answer.read().decode()))
    except (OSError, ValueError):
        return None


class Watch(threading.Thread):
    """Looks at a gateway once a second until it is told that it is over, or the process has gone."""

    def __init__(self, gateway, every=1.0):
        super().__init__(daemon=True)
        self.gateway, self.every, self.over, self.samples = gateway, every, threading.Event(), []

    def run(self):
        due = time.monotonic()
        while not self.over.wait(max(0.0, due - time.monotonic())):
            due = max(due + self.every, time.monotonic())
            sample = self.sample()
            if sample["rss"] is None or self.gateway.process.poll() is not None:
                return
            self.samples.append(sample)

    def sample(self):
        base = f"http://127.0.0.1:{self.gateway.admin_port}"
        sample = {"at": time.monotonic(), "rss": resident_mib(self.gateway.pid)}
        for name in ("live", "ready"):
            sample[name], sample[f"{name} took"] = asked(f"{base}/health/{name}")
        found = measures_of(self.gateway)
        return {**sample, **found, "outside": sample["rss"] - found["committed"]} if found and sample["rss"] else sample

    def between(self, begin, end):
        """The samples of this time, with their seconds from its beginning."""
        return [{**sample, "second": round(sample["at"] - begin, 1)} for sample in self.samples if begin <= sample["at"] < end]

    def stop(self):
        self.over.set()
        self.join(4 * PATIENCE)
