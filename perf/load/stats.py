"""The arithmetic of the reports: medians, spreads, rows gathered into one."""
import math, statistics


def percentile(values, share):
    """The least of the values that at least so large a share does not exceed (nearest rank)."""
    if not values:
        raise ValueError("no values")
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def median(values):
    return statistics.median(values)


def spread(values):
    """Half of the range, as a share of the median: what the rounds differ by."""
    middle = median(values)
    return (max(values) - min(values)) / 2 / middle if middle else 0.0


def is_valid(row):
    """A row with failed answers is shown, and no figure is drawn from it."""
    return not row.get("bad") and not row.get("errors")


def gather(rows, by, over=("rps", "p50", "p99", "cpu_us")):
    """One row for each combination of `by`, in order of appearance: medians, failures summed, spread of the rate."""
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row.get(name) for name in by), []).append(row)
    return [{**dict(zip(by, key)), **_one(found, over)} for key, found in groups.items()]


def _one(found, over):
    made = {name: median([row[name] for row in found if row.get(name) is not None])
            for name in over if any(row.get(name) is not None for row in found)}
    if "rps" in over:
        made["spread"] = spread([row["rps"] for row in found])
    return {**made, "bad": sum(row.get("bad", 0) for row in found), "errors": sum(row.get("errors", 0) for row in found),
            "requests": sum(row.get("requests", 0) for row in found), "rounds": len(found)}


def differences(rows, base):
    """Of each round, every name's CPU time less the base's in the same round: {name: [µs]}."""
    at = {row["round"]: row["cpu_us"] for row in rows if row["name"] == base}
    found = {}
    for row in rows:
        if row["round"] in at:
            found.setdefault(row["name"], []).append(row["cpu_us"] - at[row["round"]])
    return found


def ratios(rows, base, value="cpu_us"):
    """Of each round, every name's value over the base's in the same round: {name: [ratio]}."""
    at = {row["round"]: row[value] for row in rows if row["name"] == base}
    found = {}
    for row in rows:
        if at.get(row["round"]):
            found.setdefault(row["name"], []).append(row[value] / at[row["round"]])
    return found


def replicas(rate, capacity, share=0.65, spare=1):
    """Replicas that carry the rate while each uses at most so large a share of its capacity, and some to spare."""
    return math.ceil(rate / (capacity * share)) + spare
