"""The page of perf/chaos: verdicts first, then plots, then what each attack met."""
import charts
from callers import DIRECT
from chaos_verdict import KINDS_TOLD, LIMIT, TWICE, is_valid
from report import BUSY
from tables import markdown, milliseconds, percent

POINTS = 120  # of a line
MARKS = {True: "passed", False: "**failed**", None: "**not told**"}


def peaks(points, most=POINTS):
    """So many points at most, each the highest of its stretch: a plot must not lose a spike."""
    points = [(x, y) for x, y in points if y is not None]
    size = max(1, -(-len(points) // most))
    return [(points[at][0], max(y for _, y in points[at:at + size])) for at in range(0, len(points), size)]


def summary(told):
    """What is printed, and begins the page."""
    rows = [[each["name"], each["seen"], each["wanted"], MARKS[each["passed"]]] for each in told["verdicts"]]
    text = markdown(["verdict", "seen", "wanted", ""], rows)
    if told["mode"] == "each":
        text += "\n" + each_alone(told["rows"])
    if told["mode"] == "quick":
        text += "\n" + counted(told["counted"])
    return text


def outcome(row):
    if row["died"]:
        return f"**{row['died']}**"
    words = [f"**{row['ran out']}**"] if row["ran out"] else []
    words += [f"nobody served for {row['stall']} s" if row["stall"] else "served on"]
    recovery = row["recovery"]
    words.append("no answers afterwards" if recovery["answer"] is None else
                 f"left after a minute: {recovery['left']}" if recovery["empty"] is None else f"nothing left after {recovery['empty']:.0f} s")
    return ", ".join(words)


def failed(clients):
    """Failed requests to the gateway, and of which kinds."""
    if not clients:
        return "-"
    count = sum(clients["all"]["failures"].values())
    return f"{count:,} of {clients['all']['requests']:,}" if count else "none"


def each_alone(rows):
    lines = [[row["attack"], f"{row['held'] if row['held'] is not None else '?'} of {row['connections']:,}", outcome(row), failed(row["clients"]),
              "-" if not row["clients"] else f"{row['clients']['all']['p99']:.1f} ({row['quiet']['all']['p99']:.1f})",
              "-" if not row["clients"] else f"{row['clients'][DIRECT]['p99']:.1f}", most(row["samples"], "rss"), most(row["samples"], "direct"),
              "-" if row["live"] is None else f"{row['live']:,.0f}", answers(row["counted"])] for row in rows]
    return markdown(["attack", "held at once", "what happened", "failed good requests", "p99, ms (quiet)", "p99 of the upstream alone", "resident, MiB",
                     "direct, MiB", "live heap, MiB", "what it met"], lines)


def most(samples, name):
    found = [each[name] for each in samples if each.get(name) is not None]
    return f"{max(found):,.0f}" if found else "-"


def answers(tally):
    return ", ".join(f"{what} {count:,}" for what, count in sorted(tally.items(), key=lambda each: -each[1])[:6])


def counted(attackers):
    rows = [[each["attack"], max((count for _, count in each["held"]), default=0), answers(each["counted"])] for each in attackers]
    return markdown(["attack", "held at once", "what it met"], rows)


def head(told):
    host, length = told["machine"], told["length"]
    lines = ["# Chaos", "", f"Commit: {told['commit']}; tier W1, held by {told['limits']}; {host['cpus']} CPUs ({host['cpu']}), Linux {host['kernel']}, "
             f"{host['java']}; {told['open files']:,} open files.", "",
             f"{len(told['attacks'])} attacks, {length['attack']:g} s each time, {length['share']:.0%} of their connections, from "
             f"{'one address' if told['one client'] else '250 addresses'} each" + (f"; good clients sent {told['rate']:,.0f} requests/s, the peak "
             f"was {told['peak']:,.0f}" if "rate" in told else "") + ".", ""]
    if told["settings"]:
        lines += ["Settings changed: " + ", ".join(sorted(told["settings"])) + ".", ""]
    if told["others"] + told["stolen"] > BUSY:
        lines += [f"**The machine was busy with other things ({percent(told['others'])} of its CPU time, {percent(told['stolen'])} stolen): "
                  "no latency here means anything.**", ""]
    return "\n".join(lines)


def rounds_table(told):
    rows = []
    for number, each in enumerate(told["rounds"]):
        for kind, name in KINDS_TOLD.items():
            before, beside = each["quiet"][kind], each["attack"][kind]
            ratio = beside["p99"] / before["p99"] if before["p99"] and beside["p99"] else None
            rows.append([number + 1, name, milliseconds(before["p50"]), milliseconds(beside["p50"]), milliseconds(before["p99"]), milliseconds(beside["p99"]),
                         "-" if ratio is None else f"{ratio:.2f}" if ratio <= TWICE else f"**{ratio:.2f}**",
                         ", ".join(f"{why} {count:,}" for why, count in beside["failures"].items()) or "none",
                         "" if is_valid(each) else "**invalid**"])
    return markdown(["round", "clients", "p50", "beside the attack", "p99", "beside the attack", "times", "failed beside it", ""], rows)


def along(told, name):
    """One line of the samples of all attacks, one behind the other, in minutes."""
    length = told["length"]["attack"]
    return peaks([(round((each["round"] * length + each["second"]) / 60, 2), each.get(name)) for each in told["samples"]])


def slowest(told):
    """The highest p99 of a second along the rounds, quiet and attacked, for all kinds that went to the gateway."""
    made, at = {"quiet": [], "attacked": []}, 0.0
    for each in told["timeline"]:
        for phase, name, length in (("quiet", "quiet", told["length"]["quiet"]), ("attack", "attacked", told["length"]["attack"])):
            seconds = {}
            for kind, found in each[phase].items():
                for second, _, _, p99 in found if kind != DIRECT else ():
                    seconds[second] = max(seconds.get(second, 0), p99)
            made[name] += peaks([(round((at + second) / 60, 2), p99) for second, p99 in sorted(seconds.items())], 4)
            at += length
    return {name: points for name, points in made.items() if points}


def plots(told):
    """{file: SVG}."""
    found = {}
    if told["samples"]:
        memory = {name: along(told, key) for key, name in (("rss", "resident"), ("heap", "heap in use"), ("direct", "direct"),
                                                            ("outside", "resident outside of the heap"))}
        memory = {name: points for name, points in memory.items() if points}
        limit = {x for points in memory.values() for x, _ in points}
        memory["limit"] = [(x, LIMIT) for x in sorted(limit)]
        found["memory.svg"] = charts.lines("Memory under attack", "minutes of attack", "MiB", memory)
        gauges = {name: points for name in ("connections", "in flight", "waiting", "sockets") if (points := along(told, name))}
        if gauges:
            found["gauges.svg"] = charts.lines("What the gateway holds", "minutes of attack", "", gauges)
    if told["timeline"]:
        found["p99.svg"] = charts.lines("Slowest p99 of a second, good clients", "minutes", "ms", slowest(told))
    rounds = [_times(f"round {number + 1}, {KINDS_TOLD[kind]}", each["attack"][kind]["p99"] / each["quiet"][kind]["p99"])
              for number, each in enumerate(told["rounds"]) for kind in ("all", DIRECT) if each["attack"][kind]["p99"] and each["quiet"][kind]["p99"]]
    if rounds:
        found["ratios.svg"] = charts.bars("p99 beside the attack over p99 without it", f"times; at most {TWICE:g}", rounds)
    return found


def _times(name, ratio):
    return charts.bar(name, ratio, f"{ratio:.2f}")


def write(told, out):
    """report.md and its plots; returns the path."""
    drawn = plots(told) if told["mode"] == "rounds" else alone_plots(told["rows"]) if told["mode"] == "each" else {}
    charts.draw(out, drawn)
    parts = [head(told), summary(told), *(f"![{name}]({name})\n" for name in drawn)]
    if told["mode"] == "rounds":
        parts.append(rounds_table(told))
        parts += [counted(each) for each in told["attackers"][-1:]]
    path = f"{out}/report.md"
    with open(path, "w") as file:
        file.write("\n".join(parts))
    return path


def alone_plots(rows):
    bars = [charts.bar(row["attack"], row["clients"]["all"]["p99"], f"{row['clients']['all']['p99']:,.1f}") for row in rows if row["clients"]]
    memory = [charts.bar(row["attack"], most := max(each["rss"] for each in row["samples"]), f"{most:,.0f}") for row in rows if row["samples"]]
    return {**({"p99.svg": charts.bars("p99 of good clients beside each attack", "ms", bars)} if bars else {}),
            **({"memory.svg": charts.bars("Resident memory beside each attack", "MiB", memory)} if memory else {})}
