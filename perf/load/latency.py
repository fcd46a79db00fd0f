"""Part: latency at half and at four fifths of the peak, at a fixed rate, counted from when a request was due."""
from generators import REQUESTS
from throughput import MODES, modes, peaks, standing, target, targets

SHARES = (0.5, 0.8)
CONNECTIONS = 100
PROBE = 4


def seconds(length, alone=True):
    """Not alone, it finds everything standing and warm, and the peak known."""
    samples = len(SHARES) * len(length.latency_requests) * length.latency_rounds * len(modes(length))
    return samples * (length.latency_seconds + 5) + (standing(length) + PROBE * len(modes(length)) if alone else 0)


def measure(bench, tier):
    """The peaks are those that the throughput found in this folder; without one it is sought at 100 connections.
    Each mode is driven at shares of its own peak, which is what it can do on this machine."""
    length, rows = bench.length, []
    rig, started = bench.standing(tier, targets)
    for request in length.latency_requests:
        peaks_of = {mode: _peak(rig, started, mode, request) for mode in started}
        for number in range(length.latency_rounds):
            for share in SHARES:
                for mode, gateway in started.items():
                    peak = peaks_of[mode]
                    told = f"{MODES[mode]}, {request}, {share:.0%} of {peak:,.0f} requests/s, round {number + 1} of {length.latency_rounds}"
                    found = rig.fixed(target(mode, gateway), request, CONNECTIONS, length.latency_seconds, peak * share, told)
                    rows.append({"mode": mode, "share": share, "peak": peak, "round": number, **found})
                    gateway.settle(length.settle)
    return {"rows": rows}


def _peak(rig, started, mode, request):
    kept = rig.bench.kept("throughput", rig.tier)
    found = peaks(kept).get((mode, REQUESTS[request].name)) if kept else None
    if found:
        return found["rps"]
    rig.bench.note("the peak was sought anew, with 100 connections, for want of the throughput's")
    return rig.sample(target(mode, started[mode]), request, CONNECTIONS, PROBE, f"{request}, seeking the peak")["rps"]
