"""Part: the peak of a tier, with the traffic log to Elasticsearch off and on, beside the upstream without a gateway."""
from bench import STARTING, STARTING_ELASTICSEARCH, Target
from stats import gather, is_valid

CATCHING_UP = 3  # planned seconds for the traffic log to ship what a sample left
THREADS = 4  # seconds of load while its threads are looked at
STREAM = "logs-gateway.traffic-perf"
MODES = {"off": "ES Off", "on": "ES On"}


def modes(length):
    return ("off", "on") if length.elasticsearch else ("off",)


def standing(length):
    """Planned seconds until what is measured stands and is warm."""
    return 5 + len(modes(length)) * (STARTING + length.warm) + (STARTING_ELASTICSEARCH if length.elasticsearch else 0)


def seconds(length):
    shapes = len(length.connections) * len(length.requests)
    catching_up = shapes * length.rounds * CATCHING_UP if length.elasticsearch else 0
    return standing(length) + length.seconds * shapes * (len(modes(length)) * length.rounds + 1) + catching_up + len(modes(length)) * THREADS


def targets(rig, length):
    """The gateways to be measured: {mode: gateway}, warmed up."""
    started = {}
    for mode in modes(length):
        if mode == "on":
            with rig.bench.progress.spend(f"{rig.tier} Elasticsearch starts", STARTING_ELASTICSEARCH):
                env = rig.elasticsearch().env(STREAM)
        with rig.bench.progress.spend(f"{rig.tier} {MODES[mode]}: the gateway starts", STARTING):
            started[mode] = rig.gateway(f"es-{mode}", env if mode == "on" else None)
            started[mode].api("bench", "/bench", rig.upstream)
        rig.warm(target(mode, started[mode]), length.warm, MODES[mode], length.requests)
        started[mode].settle(length.settle)
    return started


def target(mode, gateway):
    return Target(MODES[mode], gateway.url("/bench"), gateway.pid)


def measure(bench, tier):
    """The upstream alone is measured in the first round. CPU time with the log on includes what a sample left to be shipped."""
    length, rows, logged, diagnosed = bench.length, [], [], {}
    rig, started = bench.standing(tier, targets)
    direct = Target("upstream alone", f"http://127.0.0.1:{rig.upstream}/bench", None)
    for number in range(length.rounds):
        for request in length.requests:
            for connections in length.connections:
                told = f"{request}, {connections} connections, round {number + 1} of {length.rounds}"
                if number == 0:
                    rows.append({"round": 0, **rig.sample(direct, request, connections, length.seconds, f"upstream, {told}")})
                for mode, gateway in started.items():
                    before, used = gateway.traffic() if mode == "on" else None, gateway.cpu_seconds()
                    rows.append({"round": number, "mode": mode, **rig.sample(
                        target(mode, gateway), request, connections, length.seconds, f"{MODES[mode]}, {told}")})
                    if before:
                        logged.append(_shipped(rig, gateway, before, length, rows[-1]))
                        rows[-1]["cpu_us"] = (gateway.cpu_seconds() - used) * 1e6 / max(1, rows[-1]["requests"])
    for mode, gateway in started.items():
        diagnosed[mode] = _diagnose(rig, mode, gateway)
    indexed = rig.elasticsearch().documents(STREAM) if "on" in started else None
    admits = started["off"].admin("runtime")["requestsInFlight"]
    return {"rows": rows, "traffic": logged, "diagnostics": diagnosed, "documents": indexed, "admits": admits,
            "elasticsearch": rig.elasticsearch().version() if "on" in started else None}


def _shipped(rig, gateway, before, length, row):
    """What became of a sample's records at its end, and how long the rest took."""
    at_end = gateway.traffic()
    with rig.bench.progress.spend(f"{rig.tier} the traffic log catches up", CATCHING_UP):
        took = gateway.settle(length.settle)
    return {"request": row["request"], "connections": row["connections"], "round": row["round"], "caught_up": took,
            **{fate: at_end.get(fate, 0) - before.get(fate, 0) for fate in ("accepted", "indexed", "dropped", "rejected")}}


def _diagnose(rig, mode, gateway):
    """The JVM's own words after the samples, with a look at its threads under load."""
    import threading
    found = gateway.diagnostics()
    load = threading.Thread(target=rig.sample, args=(target(mode, gateway), "get", 100, THREADS, f"{MODES[mode]}, threads under load"))
    load.start()
    found["blocked"] = max(gateway.blocked_threads() for _ in range(3))
    load.join()
    return found


def peaks(data):
    """The best valid rate of each mode and request: {(mode, request): row}."""
    best = {}
    for row in gather([row for row in data["rows"] if row.get("mode")], ("mode", "request", "connections")):
        key = (row["mode"], row["request"])
        if is_valid(row) and row["rps"] > best.get(key, {"rps": 0})["rps"]:
            best[key] = row
    return best
