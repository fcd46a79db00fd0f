"""Part: CPU time from start to the first answered request, with the AOT cache and without, and memory at rest and after load."""
import time

from bench import Target
from gateway import first_answer

IDLE = 3
START = 4  # planned seconds of one


def seconds(length):
    return 5 + 2 * length.starts * START + IDLE + length.warm + 5


def measure(bench, tier):
    starts = []
    with bench.rig(tier) as rig:
        first = rig.gateway("footprint", None, bench.length.aot)
        first.api("bench", "/bench", rig.upstream)
        time.sleep(IDLE)
        idle = {"rss": first.rss_mib(), "heap": first.live_heap_mib()}
        target = Target("gateway", first.url("/bench"), first.pid)
        rig.warm(target, max(2, bench.length.warm), "footprint")
        loaded = {"rss": first.rss_mib(), "heap": first.live_heap_mib(), "rss_after_collection": first.rss_mib()}
        first.stop()
        for number in range(bench.length.starts):
            for aot in (True, False) if bench.length.aot else (False,):
                with bench.progress.spend(f"{tier} start {number + 1} of {bench.length.starts}, AOT cache {'on' if aot else 'off'}", START):
                    starts.append({"aot": aot, **start(rig, f"start-{number}-{aot}", rig.processes.path("footprint-data"), None, aot)})
    return {"idle": idle, "loaded": loaded, "starts": starts}


def start(rig, name, data, env, aot):
    """One start on the data of a gateway that had an API: CPU and wall seconds to the first 2xx, memory after a second's rest."""
    gateway, cpu, wall = first_answer(rig.processes, lambda: rig.gateway(name, {**(env or {}), "GATEWAY_DATA": data}, aot), "/bench")
    time.sleep(1)
    found = {"cpu": cpu, "wall": wall, "rss": gateway.rss_mib(), "without_aot": gateway.without_aot()}
    gateway.stop()
    return found
