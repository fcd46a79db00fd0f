"""Part: what the collector and the number of operation threads change of a member of the cache component, beside the tier's own in the same rounds."""
import cache
from bench import STARTING
from tune import CONTROL

THREADS = {"W1": ("2", "4"), "W2": ("1", "4"), "W4": ("2", "8"), "W8": ("4", "16")}  # beside the tier's, one for each CPU
COLLECTORS = ("G1", "Parallel")


def variants(tier):
    """What is tried: {name: settings}, the control first and once more as a measure of noise."""
    return {CONTROL: {}, **{each: {"GATEWAY_COLLECTOR": each} for each in COLLECTORS},
            **{f"{each} operation threads": {"GATEWAY_CACHE_OPERATION_THREADS": each} for each in THREADS[tier]}, f"{CONTROL}, again": {}}


def seconds(length, tier):
    return 5 + len(variants(tier)) * (STARTING + 2 * length.warm + 2 * length.side_rounds * length.side_seconds)


def measure(bench, tier):
    left_out = {}
    with bench.rig(tier) as rig:
        rows, pauses = cache.measured(rig, variants(tier), left_out)
    return {"rows": rows, "pauses": pauses, "left_out": left_out}
