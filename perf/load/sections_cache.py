"""The report's section on the cache and its component, and what was to be reached."""
import math

from cache import BASE, COLLECTORS, HIT, MISS, NGINX, READ, WRITE
from charts import bar, bars
from stats import differences, gather, is_valid, median, ratios
from tables import count, decimals, failures, interval, markdown, milliseconds
from tune import CONTROL

REFERENCE = {"W1": {READ.name: 2169, WRITE.name: 1974}, "W8": {READ.name: 13619, WRITE.name: 13069}}
LEAST = {READ.name: 17000, WRITE.name: 15000}  # a second, at W1
OF_PROXIED, OF_NGINX, MORE = 0.75, 1.3, 3.0  # a hit over a proxied request, over a hit of nginx; µs of a miss
USED = 0.65  # of what a member carries, as docs/cache-component.md counts
WANTED = (10000, 50000, 100000)  # requests a second
OURS = f"component, {next(iter(COLLECTORS))}"


def _sound(rows, *names):
    """The rows of those names, without rounds in which one of them failed."""
    bad = {row["round"] for row in rows if row["name"] in names and not is_valid(row)}
    return [row for row in rows if row["name"] in names and row["round"] not in bad]


def reached(data):
    """(what, reference, here, goal, whether it was reached)."""
    found = []
    for base, most, told in ((BASE, OF_PROXIED, "a request without policies"), (NGINX, OF_NGINX, "a hit of nginx")):
        over = ratios(_sound(data["rows"], HIT, base), base).get(HIT)
        if over:
            found.append((f"cache, a hit's CPU time over that of {told}", "-", interval(over), f"at most {most}", median(over) <= most))
    more = differences(_sound(data["rows"], MISS, BASE), BASE).get(MISS)
    if more:
        found.append(("cache, a miss of 1 KB that is kept, over no policy", "-", f"{interval(more)} µs", f"at most {MORE:.0f} µs more", median(more) <= MORE))
    for row in gather([row for row in data["members"] if row["name"] == OURS], ("request",)):
        least, reference = LEAST[row["request"]], REFERENCE["W1"][row["request"]]
        found.append((f"cache component, {row['request']}, requests/s", f"{reference:,}", f"{count(row['rps'])} ({row['rps'] / reference:.1f} times)",
                      f"at least {least:,}", row["rps"] >= least and is_valid(row)))
    return found


def needed(wanted, each):
    """As many as carry so many requests a second at `USED`, one more for the one that is away, and no fewer than three."""
    return max(3, math.ceil(wanted / (each * USED)) + 1)


def cache(data):
    gathered = gather(data["rows"], ("name",))
    relative = {base: ratios(data["rows"], base) for base in (BASE, NGINX)}
    rows = [[row["name"], count(row["rps"]), milliseconds(row["p50"]), milliseconds(row["p99"]), f"{decimals(row['cpu_us'])} µs",
             *(interval(found[row["name"]]) if row["name"] in found else "-" for found in relative.values()), failures(row)] for row in gathered]
    members = [[row["name"], row["request"], count(row["rps"]), milliseconds(row["p50"]), milliseconds(row["p99"]), f"{decimals(row['cpu_us'])} µs",
                failures(row)] for row in gather(data["members"], ("name", "request"))]
    capacity = [[row["request"], count(row["rps"]), *(str(needed(wanted, row["rps"])) for wanted in WANTED)]
                for row in gather([row for row in data["members"] if row["name"] == OURS], ("request",)) if is_valid(row)]
    rates = [[row["name"], count(row["wanted"]), count(row["rps"]), milliseconds(row["p50"]), milliseconds(row["p99"]),
              failures(row) or ("**the rate was not reached**" if row["rps"] < row["wanted"] * 0.99 else "")] for row in data["fixed"]]
    pauses = [[name, len(each), milliseconds(median(each)) if each else "-", milliseconds(max(each)) if each else "-", milliseconds(sum(each))]
              for name, each in data["pauses"].items()]
    reference = [[tier, *(f"{each[name]:,}" for name in (READ.name, WRITE.name))] for tier, each in REFERENCE.items()]
    drawn = [bar(row["name"], [each["cpu_us"] for each in data["rows"] if each["name"] == row["name"]], f"{row['cpu_us']:.1f} µs", ours=row["name"] == HIT)
             for row in gathered if is_valid(row)]
    left = "".join(f"\nNot measured: {name} ({why}).\n" for name, why in data["left_out"].items())
    return ("Answers of 1 KB, on the same cores in the same rounds; 100 connections. CPU time is the whole process's.\n\n" +
            markdown(["", "requests/s", "P50", "P99", "CPU a request", f"× {BASE}, median [least..most]", f"× {NGINX}", ""], rows) +
            "\n![CPU time a request of hits and misses](cache.svg)\n\nAt half of the own peak, at a fixed rate; latency counts from when a request was due.\n\n" +
            markdown(["", "rate", "reached", "P50", "P99", ""], rates) +
            "\nOne member of the cache component, entries of 1 KB.\n\n" +
            markdown(["", "request", "requests/s", "P50", "P99", "CPU a request", ""], members) +
            f"\nMembers for so many requests a second: each carries {USED:.0%} of what one was seen to, one more is for the one that is away.\n\n" +
            markdown(["", "one member", *(f"{wanted:,}/s" for wanted in WANTED)], capacity) +
            "\nIts pauses for collections in all of these samples, as the JVM logs its safepoints.\n\n" +
            markdown(["", "pauses", "median", "longest", "together"], pauses) +
            "\nThe reference's cache, on other hardware, its load on other machines.\n\n" +
            markdown(["tier", "reads a second", "writes a second"], reference) + left), {
        "cache.svg": bars("CPU time a request of 1 KB, same cores, same rounds", "µs a request", drawn)}


def tune(data):
    rows = []
    for row in gather(data["rows"], ("name", "request")):
        same = [each for each in data["rows"] if each["request"] == row["request"]]
        rates, cpu, pauses = ratios(same, CONTROL, "rps"), ratios(same, CONTROL), data["pauses"].get(row["name"], [])
        rows.append([row["name"], row["request"], count(row["rps"]), *_ratio(rates, row["name"]), milliseconds(row["p99"]), f"{decimals(row['cpu_us'])} µs",
                     *_ratio(cpu, row["name"]), len(pauses), milliseconds(max(pauses)) if pauses else "-", failures(row)])
    left = "".join(f"\nNot measured: {name} ({why}).\n" for name, why in data["left_out"].items())
    return (f"One setting changed at a time, all in the same rounds; entries of 1 KB, 100 connections. Ratios are to “{CONTROL}”, taken in each round; "
            f"“{CONTROL}, again” is the same once more and says how far noise goes. Pauses are those of reads and writes together, as the JVM logs its safepoints.\n\n" +
            markdown(["setting", "request", "requests/s", "ratio", "P99", "CPU a request", "ratio", "pauses", "longest", ""], rows) + left), {}


def _ratio(found, name):
    return [interval(found[name]) if name in found else "-"]
