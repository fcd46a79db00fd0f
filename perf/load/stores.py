"""Part: key, rate limit and quota on the embedded store and on Redis, exact and leased: CPU time and memory."""
from bench import STARTING, Target
from generators import REQUESTS
from processes import cpu_seconds

CLIENTS = 10000
FILL = 3
LIMITS = [{"type": "rate-limit", "requests": 1000000, "per": "1s"}, {"type": "quota", "requests": 1000000000, "per": "30d"}]
BY_CLIENT = [{"type": "quota", "requests": 1000000000, "per": "30d", "by": "header:X-Client"}]
KINDS = {"embedded": None, "Redis, leased": "leased", "Redis, exact": "exact"}


def limits(counting):
    """The policies of the route: a key, its rate limit and its quota."""
    return [{"type": "key-auth"}, *({**limit, "counting": counting} if counting else limit for limit in LIMITS)]


def seconds(length):
    return 5 + len(KINDS) * (STARTING + length.warm + FILL + 2 + length.side_rounds * length.side_seconds)


def measure(bench, tier):
    length, rows, memory = bench.length, [], []
    with bench.rig(tier) as rig:
        candidates = {}
        for number, (name, counting) in enumerate(KINDS.items()):
            with bench.progress.spend(f"{tier} stores: {name} starts", STARTING):
                store = {"GATEWAY_STORE": f"redis://127.0.0.1:{rig.redis().port}/{number}"} if counting else {}
                gateway = rig.gateway(f"store-{number}", store)
                gateway.api("bench", "/bench", rig.upstream, limits(counting))
                many = [{**limit, **({"counting": counting} if counting else {})} for limit in BY_CLIENT]
                gateway.api("clients", "/clients", rig.upstream, many)
            header = f"Authorization: Bearer {gateway.key('bench')}"
            candidates[name] = gateway, Target(name, gateway.url("/bench"), gateway.pid, (header,))
            rig.warm(candidates[name][1], length.warm, f"stores: {name}")
        for number in range(length.side_rounds):
            for name, (_, each) in candidates.items():
                before = cpu_seconds(rig.redis().pid)
                told = f"stores: {name}, round {number + 1} of {length.side_rounds}"
                row = rig.sample(each, "get", 100, length.side_seconds, told)
                redis = (cpu_seconds(rig.redis().pid) - before) * 1e6 / max(1, row["requests"])
                rows.append({"round": number, **row, "redis_us": redis if KINDS[name] else None})
        for name, (gateway, _) in candidates.items():
            memory.append({"name": name, **_fill(rig, gateway, bool(KINDS[name]), f"stores: {name}, {CLIENTS} clients")})
    return {"rows": rows, "memory": memory, "clients": CLIENTS}


def _fill(rig, gateway, on_redis, label):
    """Bytes that a quota of its own costs for each of many clients: in Redis, or in the gateway's heap."""
    heap, redis = gateway.live_heap_mib(), int(rig.redis().info()["used_memory"])
    with rig.bench.progress.spend(f"{rig.tier} {label}", FILL):
        found = rig.generator.peak(gateway.url("/clients"), REQUESTS["get"].rotating("X-Client", CLIENTS), 50, FILL)
    clients = min(CLIENTS, max(1, found.requests))
    return {"requests": found.requests, "bad": found.bad, "errors": found.errors,
            "heap_bytes": (gateway.live_heap_mib() - heap) * 2**20 / clients,
            "redis_bytes": (int(rig.redis().info()["used_memory"]) - redis) / clients if on_redis else None}
