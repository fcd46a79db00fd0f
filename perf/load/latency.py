"""Part: latency at half and at four fifths of the peak, at a fixed rate, counted from when a request was due.

The upstream alone takes the rates of ES Off too: what it and the load generator need on their core is in every latency."""
from bench import Target
from generators import REQUESTS
from throughput import MODES, modes, peaks, standing, target, targets

SHARES = (0.5, 0.8)
CONNECTIONS = 100
PROBE = 4
DIRECT = "direct"
LABELS = {DIRECT: "upstream alone", **MODES}


def seconds(length, alone=True):
    """Not alone, it finds everything standing and warm, and the peak known."""
    samples = len(SHARES) * len(length.latency_requests) * length.latency_rounds * (1 + len(modes(length)))
    return samples * (length.latency_seconds + 5) + (standing(length) + PROBE * len(modes(length)) if alone else 0)


def measure(bench, tier):
    """The peaks are those that the throughput found in this folder; without one it is sought at 100 connections.
    Each mode is driven at shares of its own peak, which is what it can do on this machine."""
    length, rows = bench.length, []
    rig, started = bench.standing(tier, targets)
    direct = Target(LABELS[DIRECT], f"http://127.0.0.1:{rig.upstream}/bench", None)
    for request in length.latency_requests:
        peaks_of = {mode: _peak(rig, started, mode, request) for mode in started}
        asked = {DIRECT: (direct, peaks_of["off"]), **{mode: (target(mode, started[mode]), peak) for mode, peak in peaks_of.items()}}
        for number in range(length.latency_rounds):
            for share in SHARES:
                for mode, (one, peak) in asked.items():
                    told = f"{LABELS[mode]}, {request}, {share:.0%} of {peak:,.0f} requests/s, round {number + 1} of {length.latency_rounds}"
                    found = rig.fixed(one, request, CONNECTIONS, length.latency_seconds, peak * share, told)
                    rows.append({"mode": mode, "share": share, "peak": peak, "round": number, **found})
                    if mode in started:
                        started[mode].settle(length.settle)
    return {"rows": rows}


def _peak(rig, started, mode, request):
    kept = rig.bench.kept("throughput", rig.tier)
    found = peaks(kept).get((mode, REQUESTS[request].name)) if kept else None
    if found:
        return found["rps"]
    rig.bench.note("the peak was sought anew, with 100 connections, for want of the throughput's")
    return rig.sample(target(mode, started[mode]), request, CONNECTIONS, PROBE, f"{request}, seeking the peak")["rps"]
