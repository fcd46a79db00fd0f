"""The machine a measurement ran on, what else ran on it, and which tiers it can hold."""
import dataclasses, os, platform, re, shutil, subprocess, time

TIERS = {"W1": (1, 2000 * 10**6), "W2": (2, 2000 * 10**6), "W4": (4, 4000 * 10**6), "W8": (8, 8000 * 10**6)}
BESIDES = 2000 * 10**6  # load, upstream, Redis and Elasticsearch


@dataclasses.dataclass(frozen=True)
class Placement:
    """Who runs where. `contended` when the load has no core of its own."""
    gateway: tuple
    load: tuple
    contended: bool


def place(tier, online, memory):
    """The tier's placement on these cores with so many bytes of memory, or the reason why it does not fit."""
    cpus, needed = TIERS[tier]
    if cpus > len(online):
        return f"needs {cpus} CPUs, this machine gives {len(online)}"
    if needed + BESIDES > memory:
        return f"needs {(needed + BESIDES) // 10**6:,} MB with what stands around it, this machine has {memory // 10**6:,}"
    rest = tuple(online[cpus:])
    return Placement(tuple(online[:cpus]), rest or tuple(online[-1:]), not rest)


def online():
    return tuple(sorted(os.sched_getaffinity(0)))


def memory():
    with open("/proc/meminfo") as file:
        return int(re.search(r"MemTotal:\s+(\d+)", file.read()).group(1)) * 1024


class Watch:
    """What else ran meanwhile: the share of the machine's CPU time that went to processes which are not ours, and to other machines."""

    def __init__(self, own):
        self.own, self.began = own, (time.monotonic(), *_used(), own())

    def shares(self):
        at, busy, stolen, own = (now - then for now, then in zip((time.monotonic(), *_used(), self.own()), self.began))
        capacity = max(1e-9, at * (os.cpu_count() or 1))
        return {"others": max(0.0, busy - own) / capacity, "stolen": stolen / capacity}


def _used():
    """Seconds of all CPUs in processes, and those that the hypervisor gave to others; interrupts belong to nobody and are left out."""
    with open("/proc/stat") as file:
        user, nice, system, _, _, _, _, stolen = map(int, file.readline().split()[1:9])
    return (user + nice + system) / os.sysconf("SC_CLK_TCK"), stolen / os.sysconf("SC_CLK_TCK")


def load():
    return os.getloadavg()[0]


def _first(*command):
    if not shutil.which(command[0]):
        return None
    done = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r"\d+\.[\d.]+\d|\d+\.\d+", done.stdout + done.stderr)
    return found.group(0) if found else None


def commit(folder):
    """The commit that is checked out there, and whether tracked files differ from it."""
    def git(*words):
        return subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True).stdout.strip()
    name = git("rev-parse", "--short", "HEAD") if shutil.which("git") else ""
    if not name:
        return "unknown"
    return f"{name} with changes" if git("status", "--porcelain", "--untracked-files=no") else name


def describe(jdk):
    """Hardware and versions, for the head of the report."""
    with open("/proc/cpuinfo") as file:
        cpu = re.search(r"model name\s*: (.*)", file.read())
    virtual = "hypervisor" in open("/proc/cpuinfo").read()
    with open(f"{jdk}/release") as file:
        release = dict(re.findall(r'^(\w+)="(.*)"', file.read(), re.M))
    return {"cpu": cpu.group(1) if cpu else platform.machine(), "virtual": virtual, "cpus": len(online()),
            "memory_mb": memory() // 10**6, "kernel": platform.release(),
            "java": f"{release.get('IMPLEMENTOR', '')} {release.get('JAVA_RUNTIME_VERSION', release.get('JAVA_VERSION', ''))}".strip(),
            "tools": {name: version for name, version in {
                "nginx": _first("nginx", "-v"), "wrk2": _first("wrk2", "-v"), "wrk": _first("wrk", "-v"), "oha": _first("oha", "--version"),
                "redis": _first("redis-server", "--version"), "haproxy": _first("haproxy", "-v")}.items() if version}}
