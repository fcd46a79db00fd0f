"""Part: what each setting of a tier changes, one at a time, beside the tier's own settings in the same rounds."""
from bench import STARTING, Target
from footprint import start
from processes import CannotMeasure

CONTROL = "as the tier"
CONNECTIONS = 100
SHARE = 0.8
COMMON = {
    "Serial": {"GATEWAY_COLLECTOR": "Serial"}, "Parallel": {"GATEWAY_COLLECTOR": "Parallel"}, "ZGC": {"GATEWAY_COLLECTOR": "Z"},
    "Shenandoah": {"GATEWAY_COLLECTOR": "Shenandoah"},
    "heap share 50 %": {"GATEWAY_HEAP_SHARE": "50"}, "heap share 65 %": {"GATEWAY_HEAP_SHARE": "65"},
    "pause goal 10 ms": {"GATEWAY_PAUSE_GOAL": "10ms"}, "compact headers off": {"GATEWAY_COMPACT_HEADERS": "off"}, "AOT cache off": {},
}
OWN = {
    "W1": {"1 IO thread": {"GATEWAY_IO_THREADS": "1"}, "4 IO threads": {"GATEWAY_IO_THREADS": "4"},
           "VT parallelism 2": {"GATEWAY_SCHEDULER_PARALLELISM": "2"}},
    "W2": {"1 IO thread": {"GATEWAY_IO_THREADS": "1"}, "2 IO threads": {"GATEWAY_IO_THREADS": "2"},
           "8 IO threads": {"GATEWAY_IO_THREADS": "8"}, "VT parallelism 1": {"GATEWAY_SCHEDULER_PARALLELISM": "1"},
           "VT parallelism 4": {"GATEWAY_SCHEDULER_PARALLELISM": "4"}},
}


def variants(tier):
    """What is tried: {name: settings of docker/entrypoint.sh}, the control first and once more as a measure of noise."""
    return {CONTROL: {}, **COMMON, **OWN.get(tier, {}), "as the tier, again": {}}


def seconds(length, tier):
    each = 2 * STARTING + length.warm + length.side_rounds * length.side_seconds + length.latency_rounds * (length.latency_seconds + 4)
    return 5 + len(variants(tier)) * each


def measure(bench, tier):
    """All stay up at once, at rest but for the one that is measured, so that a drifting machine drifts for all."""
    length, rows, fixed, left_out, starts = bench.length, [], [], {}, {}
    with bench.rig(tier) as rig:
        up = {}
        for number, (name, env) in enumerate(variants(tier).items()):
            try:
                with bench.progress.spend(f"{tier} {name}: starts", STARTING):
                    up[name] = rig.gateway(f"tune-{number}", env, name != "AOT cache off")
                    up[name].api("bench", "/bench", rig.upstream)
            except CannotMeasure as why:
                left_out[name] = str(why).splitlines()[-1][:300]
                continue
            rig.warm(_target(name, up[name]), length.warm, name)
        peak = _rounds(rig, up, rows)
        for number in range(length.latency_rounds):
            for name, gateway in in_turn(up, number, length.latency_rounds):
                found = rig.fixed(_target(name, gateway), "get", CONNECTIONS, length.latency_seconds, peak * SHARE,
                                  f"{name}, {SHARE:.0%} of the peak, round {number + 1} of {length.latency_rounds}")
                fixed.append({"round": number, **found})
        diagnosed = {name: gateway.diagnostics() for name, gateway in up.items()}
        for gateway in up.values():
            gateway.stop()
        for number, name in enumerate(up):
            with bench.progress.spend(f"{tier} {name}: starts again", STARTING):
                starts[name] = start(rig, f"again-{number}", rig.processes.path("tune-0-data"), variants(tier)[name], name != "AOT cache off")
    return {"rows": rows, "fixed": fixed, "diagnostics": diagnosed, "starts": starts, "left_out": left_out, "peak": peak}


def _target(name, gateway):
    return Target(name, gateway.url("/bench"), gateway.pid)


def in_turn(up, number, rounds):
    """The candidates of a round, each round beginning with another: the first of a round was seen to fare worse."""
    each, at = list(up.items()), number * len(up) // rounds
    return each[at:] + each[:at]


def _rounds(rig, up, rows):
    """Closed-loop rounds; returns the control's median rate."""
    length = rig.bench.length
    for number in range(length.side_rounds):
        for name, gateway in in_turn(up, number, length.side_rounds):
            before = _collecting(gateway)
            found = rig.sample(_target(name, gateway), "get", CONNECTIONS, length.side_seconds,
                               f"{name}, round {number + 1} of {length.side_rounds}")
            rows.append({"round": number, **found, "gc_share": (_collecting(gateway) - before) / 1e3 / length.side_seconds})
    rates = sorted(row["rps"] for row in rows if row["name"] == CONTROL)
    return rates[len(rates) // 2]


def _collecting(gateway):
    """Milliseconds that collections have taken so far; pauses, and for ZGC and Shenandoah what they count as such."""
    return sum(each["ms"] for each in gateway.diagnostics()["collections"].values())
