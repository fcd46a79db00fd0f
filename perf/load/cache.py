"""Part: the policy cache beside no policy, nginx' proxy_cache and Varnish, and a member of the cache component with ZGC and G1."""
import contextlib, http.client, os, re, shutil, urllib.parse

from bench import STARTING, Target
from generators import Request
from processes import CannotMeasure, free_port
from services import nginx
from stats import median
from tune import in_turn

TOKEN = "only-for-the-benchmark-and-nothing-else"
BASE, HIT, MISS, VALIDATED = "no policy", "hit", "miss, kept", "validated"
NGINX, NGINX_MISS, VARNISH = "nginx, hit", "nginx, miss, kept", "Varnish, hit"
COLLECTORS = {"ZGC": "Z", "G1": "G1"}
KEYS = 1000  # entries of the component, each in a group of its own; and targets that are validated
CONNECTIONS = 100
SHARE = 0.5  # of the own peak, for P99
FASTEST = 40000  # requests a second, which the generator keeps up with
POLICIES = {BASE: [], HIT: [{"type": "cache", "for": "1h"}], MISS: [{"type": "cache", "for": "1h"}], VALIDATED: [{"type": "cache"}]}
UPSTREAM = """server {{ listen 127.0.0.1:{port} backlog=4096;
 location / {{ default_type application/json; add_header ETag '"1"';
  if ($http_if_none_match = '"1"') {{ return 304; }}
  return 200 '{body}'; }} }}"""
CACHING = """proxy_cache_path {folder}/nginx-cache keys_zone=c:64m max_size=256m;
 upstream u {{ server 127.0.0.1:{upstream}; keepalive 512; keepalive_requests 1000000000; }}
 server {{ listen 127.0.0.1:{port} backlog=4096;
 location / {{ proxy_cache c; proxy_cache_valid 200 1h; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://u; }} }}"""
GET = Request("GET")
READ = Request("GET 1 KB", numbered=("/g%d/k", KEYS))
WRITE = Request("PUT 1 KB", "PUT", 1024, headers=("Cache-Control: max-age=3600",), numbered=("/g%d/k", KEYS))
SAFEPOINT = re.compile(r'Safepoint "((?:G1|Z|Shenandoah|Parallel|Serial)\w*)".* Total:\s*(\d+) ns')


def request(name, number):
    """What a candidate is sent; `number` tells one sample's misses from those of all others."""
    if name in (MISS, NGINX_MISS):
        return Request("GET", numbered=(f"?s={number}&n=%d", 0))
    return Request("GET", numbered=("?n=%d", KEYS)) if name == VALIDATED else GET


def fill(target, asked):
    """Sends each of so many numbered requests once: what is read or validated later has to be there."""
    added, count = asked.numbered
    place, headers = urllib.parse.urlsplit(target.url), dict(line.split(": ", 1) for line in asked.headers + target.headers)
    with contextlib.closing(http.client.HTTPConnection(place.netloc, timeout=10)) as connection:
        for number in range(count):
            connection.request(asked.method, place.path + added % number, b"x" * asked.bytes or None, headers)
            answer = connection.getresponse()
            answer.read()
            if not 200 <= answer.status < 300:
                raise CannotMeasure(f"{target.name}: {asked.method} {added % number} was answered {answer.status}")


def seconds(length):
    ours = len(POLICIES) + 2 + bool(shutil.which("varnishd"))
    each = length.warm + length.side_rounds * length.side_seconds
    return 10 + 4 * STARTING + ours * each + 2 * len(COLLECTORS) * each + 5 * (length.latency_seconds + 4)


def measure(bench, tier):
    length, rows, fixed, left_out, numbers = bench.length, [], [], {}, iter(range(10**6))
    with bench.rig(tier) as rig:
        upstream = origin(rig.processes, rig.place.load)
        candidates = {}
        with bench.progress.spend(f"{tier} cache: the gateway starts", STARTING):
            gateway = rig.gateway("cache")
        for number, (name, policies) in enumerate(POLICIES.items()):
            gateway.api(f"c{number}", f"/c{number}", upstream, policies)
            candidates[name] = Target(name, gateway.url(f"/c{number}"), gateway.pid)
        candidates.update(_nginx(rig, upstream))
        try:
            candidates[VARNISH] = _varnish(rig, upstream)
        except CannotMeasure as why:
            left_out[VARNISH] = str(why).splitlines()[0][:300]
        fill(candidates[VALIDATED], request(VALIDATED, 0))
        for name, each in candidates.items():
            rig.warm(each, length.warm, f"cache: {name}", (request(name, f"w{next(numbers)}"),))
        for number in range(length.side_rounds):
            for name, each in candidates.items():
                told = f"cache: {name}, round {number + 1} of {length.side_rounds}"
                rows.append({"round": number, **rig.sample(each, request(name, next(numbers)), CONNECTIONS, length.side_seconds, told)})
        for name in (HIT, NGINX, VARNISH):
            if name in candidates:
                fixed.append(_fixed(rig, candidates[name], GET, rows))
        gateway.stop()
        members, pauses = measured(rig, {f"component, {name}": {"GATEWAY_COLLECTOR": each} for name, each in COLLECTORS.items()}, left_out)
    return {"rows": rows, "members": members, "fixed": fixed, "pauses": pauses, "left_out": left_out}


def _nginx(rig, upstream):
    process, port = caching(rig.processes, rig.place.gateway, upstream)
    return {name: Target(name, f"http://127.0.0.1:{port}/x", process.pid) for name in (NGINX, NGINX_MISS)}


def origin(processes, on):
    """An nginx that answers with 1 KB that can be validated. Returns its port."""
    port = free_port()
    nginx(processes, "origin", on, UPSTREAM.format(port=port, body="x" * 1024), port)
    return port


def caching(processes, on, upstream):
    """An nginx that keeps what the upstream answers. Returns process and port."""
    port = free_port()
    os.chmod(processes.folder, 0o711)  # its workers are another user's when root starts it
    return nginx(processes, "caching", on, CACHING.format(folder=processes.folder, upstream=upstream, port=port), port), port


def _varnish(rig, upstream):
    if not shutil.which("varnishd"):
        raise CannotMeasure("varnishd is not installed")
    port, log = free_port(), rig.processes.path("varnish.log")
    process = rig.processes.spawn(rig.place.gateway, ["varnishd", "-F", "-j", "none", "-n", rig.processes.path("varnish"), "-t", "3600",
                                                      "-a", f"127.0.0.1:{port}", "-b", f"127.0.0.1:{upstream}", "-s", "malloc,64m"], log)
    rig.processes.await_port(process, port, "Varnish")
    return Target(VARNISH, f"http://127.0.0.1:{port}/x", process.pid)


def _fixed(rig, target, asked, rows):
    """P99 at half of what was the target's own peak."""
    peak = median([row["rps"] for row in rows if row["name"] == target.name and row["request"] == asked.name])
    rate = min(FASTEST, peak * SHARE)
    return rig.fixed(target, asked, CONNECTIONS, rig.bench.length.latency_seconds, max(1, rate), f"cache: {target.name}, {SHARE:.0%} of the peak")


def measured(rig, variants, left_out):
    """Members of the component, {name: settings}, in turn on the same cores; rows of all, and the pauses of each while it was measured."""
    length, rows, logs, candidates = rig.bench.length, [], {}, {}
    for number, (name, settings) in enumerate(variants.items()):
        logs[name] = rig.processes.path(f"pauses-{number}.log")
        env = {"GATEWAY_ROLE": "cache", "GATEWAY_CACHE_TOKENS": TOKEN, "GATEWAY_CACHE_MEMBER_SECRET": f"{TOKEN}-{number}",
               "GATEWAY_CACHE_MEMBER_LISTEN": f"127.0.0.1:{free_port()}", "GATEWAY_JAVA_OPTS": f"-Xlog:safepoint:file={logs[name]}", **settings}
        try:
            with rig.bench.progress.spend(f"{rig.tier} {name}: starts", STARTING):
                member = rig.gateway(f"member-{number}", env, aot=False)
        except CannotMeasure as why:
            left_out[name] = str(why).splitlines()[-1][:300]
            continue
        candidates[name] = Target(name, member.url("/cache"), member.pid, (f"Authorization: Bearer {TOKEN}",))
        fill(candidates[name], WRITE)
        rig.warm(candidates[name], 2 * length.warm, name, (WRITE, READ))
    before = {name: len(read_pauses(logs[name])) for name in candidates}
    for number in range(length.side_rounds):
        for name, each in in_turn(candidates, number, length.side_rounds):
            for asked in (WRITE, READ):
                told = f"{name}, {asked.name}, round {number + 1} of {length.side_rounds}"
                rows.append({"round": number, **rig.sample(each, asked, CONNECTIONS, length.side_seconds, told)})
    return rows, {name: read_pauses(logs[name])[before[name]:] for name in candidates}


def read_pauses(path):
    """Milliseconds of each pause for a collection, from -Xlog:safepoint."""
    with open(path, errors="replace") as file:
        return [int(found.group(2)) / 1e6 for found in map(SAFEPOINT.search, file) if found]
