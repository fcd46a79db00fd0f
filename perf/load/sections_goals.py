"""The report's first section: what was to be reached at W1, beside the reference, and what was."""
import sections_cache
from latency import DIRECT
from sections_tier import FACTOR, OVERHEAD, P99, REFERENCE, overheads
from stats import gather, is_valid, median
from tables import count, interval, markdown, milliseconds, percent
from throughput import MODES, peaks

START = 1.0  # seconds of CPU time to the first answered request, with the AOT cache
RESIDENT = 200.0  # MB at rest
MIB = 2**20 / 10**6


def goals(found):
    """`found` is {part: {tier: data}}. Empty when none of it has been measured at W1."""
    data = {part: tiers["W1"] for part, tiers in found.items() if "W1" in tiers}
    rows = [row for part, of in ROWS.items() if part in data for row in of(data[part])]
    if not rows:
        return ""
    return markdown(["W1", "reference", "here", "goal", ""], rows) + (
        "\nThe reference was measured on other hardware, with its load generator and upstream on other machines of a network; "
        "here all of them share this machine, over loopback.\n")


def _row(what, reference, here, goal, reached):
    return [what, reference, here, goal, "reached" if reached else "**missed**"]


def _peaks(data):
    row = peaks(data).get(("off", "GET"))
    rows = [_row("GET, ES Off, requests/s", f"{REFERENCE:,}", f"{count(row['rps'])} ({row['rps'] / REFERENCE:.1f} times)", f"{FACTOR} times",
                 row["rps"] >= FACTOR * REFERENCE)] if row else []
    changes = overheads(data)
    if changes:
        rows.append(_row("ES On against ES Off, requests/s", "-", f"{percent(median(changes), sign=True)}, at worst {percent(min(changes), sign=True)}",
                         f"at most {percent(-OVERHEAD, 0)}", median(changes) >= -OVERHEAD))
    return rows


def _latencies(data):
    rows = []
    for row in gather(data["rows"], ("mode", "request", "share", "wanted"), ("rps", "p99")):
        if row["share"] == 0.8 and row["request"] == "GET" and row["mode"] != DIRECT:
            rows.append(_row(f"P99 at 80 % of the peak, GET, {MODES[row['mode']]}", "-", milliseconds(row["p99"]), f"under {P99:.0f} ms",
                             row["p99"] < P99 and is_valid(row) and row["rps"] >= row["wanted"] * 0.99))
    return rows


def _footprint(data):
    starts = [each for each in data["starts"] if each["aot"] and not each.get("without_aot")]
    if not starts:
        return []
    cpu, resident = [each["cpu"] for each in starts], [each["rss"] * MIB for each in starts]
    return [_row("CPU time from start to the first answer, AOT cache", "-", f"{interval(cpu)} s", f"under {START:.0f} s", median(cpu) < START),
            _row("resident at rest", "-", f"{interval(resident, 0)} MB", f"under {RESIDENT:.0f} MB", median(resident) < RESIDENT)]


def _cache(data):
    return [_row(*each) for each in sections_cache.reached(data)]


ROWS = {"throughput": _peaks, "latency": _latencies, "footprint": _footprint, "cache": _cache}
