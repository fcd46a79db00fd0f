"""The report's sections on tiers: peak, overhead of the traffic log, curves, JVM, latency at a rate, capacity."""
from charts import lines
from latency import DIRECT, LABELS
from stats import gather, is_valid, median, replicas
from tables import count, decimals, failures, markdown, milliseconds, percent
from throughput import MODES, peaks

REFERENCE = 1638  # GET, ES Off, W1: the published figure that the tiers are compared with
FACTOR = 15
OVERHEAD = 0.05
P99 = 5.0
RATES = (1_000, 5_000, 10_000, 50_000, 100_000)
UTILISATION = 0.65  # of the autoscaler


def _rows(data):
    return gather(data["rows"], ("name", "mode", "request", "connections"))


def _requests(data):
    return list(dict.fromkeys(row["request"] for row in data["rows"]))


def tier_name(tier, data):
    return f"{tier} (contended)" if data["contended"] else tier


def peak_throughput(found):
    """`found` is {tier: data of the part throughput}."""
    rows, plots = [], {}
    for tier, data in found.items():
        best = peaks(data)
        for request in _requests(data):
            alone = max((row["rps"] for row in _rows(data) if row["name"] == "upstream alone" and row["request"] == request
                         and is_valid(row)), default=None)
            off, on = (best.get((mode, request)) for mode in ("off", "on"))
            rows.append([tier_name(tier, data), request, count(alone), *_peak_cells(off), *_peak_cells(on)])
    text = "The best rate over all numbers of connections; median of the rounds. Rows with failed answers do not count.\n\n" + markdown(
        ["tier", "request", "upstream alone, requests/s", "ES Off, requests/s", "connections", "CPU a request",
         "ES On, requests/s", "connections", "CPU a request"], rows)
    for tier, data in found.items():
        row = peaks(data).get(("off", "GET"))
        if tier == "W1" and row:
            text += (f"\nW1, GET, ES Off is {row['rps'] / REFERENCE:.1f} times the reference's {REFERENCE:,} requests/s (goal: {FACTOR}). "
                     "The reference was measured on other hardware, over a network.\n")
    return text, plots


def _peak_cells(row):
    return [count(row["rps"]), row["connections"], f"{decimals(row['cpu_us'])} µs"] if row else ["-", "-", "-"]


def scaling(found):
    """Requests a second and CPU of the tier, against the smallest tier measured."""
    rows, base = [], None
    for tier, data in found.items():
        row = peaks(data).get(("off", "GET"))
        if not row:
            continue
        cpus = len(data["cores"]["gateway"])
        base = base or (row["rps"] / cpus)
        rows.append([tier_name(tier, data), cpus, count(row["rps"]), count(row["rps"] / cpus), percent(row["rps"] / cpus / base)])
    text = markdown(["tier", "CPUs", "GET, ES Off, requests/s", "requests/s a CPU", "of the smallest tier's"], rows)
    contended = [tier for tier, data in found.items() if data["contended"]]
    if contended:
        text += (f"\n{', '.join(contended)}: the load, the upstream and what stands around share a core with the gateway here, so its rate "
                 "is not the tier's own and tells nothing of scaling. CPU time a request is less disturbed.\n")
    return text, {}


def overheads(data):
    """What ES On changes of the rate, for each request and number of connections that are valid in both."""
    gathered = {(row["mode"], row["request"], row["connections"]): row for row in _rows(data) if row["mode"]}
    pairs = [(row, gathered.get(("on", *key[1:]))) for key, row in gathered.items() if key[0] == "off"]
    return [on["rps"] / off["rps"] - 1 for off, on in pairs if on and is_valid(off) and is_valid(on)]


def overhead(found):
    """ES On against ES Off at the same connections."""
    rows, worst = [], {}
    for tier, data in found.items():
        gathered = {(row["mode"], row["request"], row["connections"]): row for row in _rows(data) if row["mode"]}
        for (mode, request, connections), off in gathered.items():
            on = gathered.get(("on", request, connections))
            if mode != "off" or not on:
                continue
            valid = is_valid(off) and is_valid(on)
            change = on["rps"] / off["rps"] - 1 if valid else None
            cpu = on["cpu_us"] - off["cpu_us"] if valid else None
            rows.append([tier_name(tier, data), request, connections, count(off["rps"]), count(on["rps"]), percent(change, sign=True),
                         f"{cpu:+.1f} µs" if valid else "-", milliseconds(off["p99"]), milliseconds(on["p99"]), failures(off) or failures(on)])
            if valid:
                worst.setdefault(tier, []).append(change)
    if not rows:
        return "Not measured: the traffic log was off.\n", {}
    text = "CPU time with the log on includes shipping what the sample left behind.\n\n" + markdown(["tier", "request", "connections", "ES Off, requests/s", "ES On, requests/s", "change", "CPU a request", "P99 ES Off",
                     "P99 ES On", ""], rows)
    for tier, changes in worst.items():
        text += f"\n{tier}: {percent(median(changes), sign=True)} in the middle, {percent(min(changes), sign=True)} at worst (goal: at most {percent(-OVERHEAD, 0)})."
    return text + "\n\n" + _traffic(found), {}


def _traffic(found):
    """What became of the records: every one accepted is indexed, or told."""
    rows = []
    for tier, data in found.items():
        samples = data["traffic"]
        if not samples:
            continue
        total = {fate: sum(sample[fate] for sample in samples) for fate in ("accepted", "indexed", "dropped", "rejected")}
        late = [sample["caught_up"] for sample in samples if sample["caught_up"] is not None]
        rows.append([tier, count(total["accepted"]), percent(total["indexed"] / max(1, total["accepted"])), count(total["dropped"]),
                     count(total["rejected"]), f"{max(late, default=0):.1f} s", sum(1 for sample in samples if sample["caught_up"] is None),
                     "not told" if data["documents"] is None else count(data["documents"])])
    return ("Records of the samples. Elasticsearch runs at the lowest priority beside load and upstream here, so it takes the rest after the sample, "
            "before the next one begins.\n\n" + markdown(["tier", "accepted", "indexed by the sample's end", "dropped", "rejected",
             "caught up after at most", "did not within the patience", "documents in the end"], rows))


def curves(found):
    """Rate and latencies by number of connections, as tables and plots."""
    text, plots = "", {}
    for tier, data in found.items():
        rows = [row for row in _rows(data) if row["mode"]]
        text += f"\n### {tier_name(tier, data)}\n\n" + markdown(
            ["request", "traffic log", "connections", "requests/s", "± of rounds", "P50", "P99", "CPU a request", ""],
            [[row["request"], MODES[row["mode"]], row["connections"], count(row["rps"]), percent(row["spread"]), milliseconds(row["p50"]),
              milliseconds(row["p99"]), f"{decimals(row['cpu_us'])} µs", failures(row)] for row in rows])
        text += _refused(tier, data, rows)
        for value, label in (("rps", "requests/s"), ("p99", "P99, ms")):
            series = {}
            for row in rows:
                if is_valid(row):
                    series.setdefault(f"{row['request']}, {MODES[row['mode']]}", []).append((row["connections"], row[value], *_ends(data, row, value)))
            if series and len({point[0] for points in series.values() for point in points}) > 1:
                name = f"{tier.lower()}-{value}.svg"
                plots[name] = lines(f"{tier}: {label} by connections", "connections", label, series)
                text += f"\n![{tier}: {label} by connections]({name})\n"
    return text, plots


def _ends(data, row, value):
    """The least and the most of the rounds."""
    seen = [each[value] for each in data["rows"] if all(each.get(name) == row[name] for name in ("name", "mode", "request", "connections"))]
    return min(seen), max(seen)


def _refused(tier, data, rows):
    over = sorted({row["connections"] for row in rows if row["bad"] and row["connections"] > data["admits"]})
    if not over:
        return ""
    return (f"\n{tier} lets {data['admits']:,} requests be in flight and four times as many wait for up to 1 s, and answers 503 to more, as its settings say: "
            f"with {' and '.join(map(str, over))} connections some waited longer. `--set GATEWAY_REQUEST_WAIT=...` lets them wait.\n")


def jvm(found):
    rows, collections = [], []
    for tier, data in found.items():
        for mode, one in data["diagnostics"].items():
            rows.append([tier, MODES[mode], f"{one['heap_used']:,.0f} of {one['heap_max']:,.0f} MiB", f"{one['rss']:,} MiB", one.get("peak_threads", "-"),
                         one["blocked"]])
            collections += [[tier, MODES[mode], name, each["count"], f"{each['ms']:,.0f} ms"] for name, each in one["collections"].items()]
    return ("After all samples; threads are the JVM's platform threads, blocked ones the most of three looks under load.\n\n" +
            markdown(["tier", "traffic log", "heap used of max", "resident", "peak threads", "blocked"], rows) + "\n" +
            markdown(["tier", "traffic log", "collections", "count", "time"], collections)), {}


def latency(found):
    """At fixed rates. `found` is {tier: data of the part latency}."""
    rows, plots, bad = [], {}, []
    for tier, data in found.items():
        gathered = gather(data["rows"], ("mode", "request", "share", "wanted"),
                          ("rps", "p50", "p99", "p999", "max", "lagP50", "lagP99", "cpu_share", "generator_cpu"))
        for row in gathered:
            missed = "" if row["rps"] >= row["wanted"] * 0.99 else "**the rate was not reached**"
            rows.append([tier_name(tier, data), row["request"], LABELS[row["mode"]], f"{row['share']:.0%}", count(row["wanted"]), count(row["rps"]),
                         *(milliseconds(row[name]) for name in ("p50", "p99", "p999", "max", "lagP99")), percent(row["cpu_share"], 0) if row["mode"] != DIRECT else "-",
                         failures(row) or missed])
            if tier == "W1" and row["share"] == 0.8 and row["request"] == "GET" and row["mode"] != DIRECT:
                verdict = "reached" if row["p99"] < P99 and is_valid(row) and not missed else "missed"
                bad.append(f"W1, GET, {MODES[row['mode']]}, 80 %: P99 {milliseconds(row['p99'])}, goal under {P99:.0f} ms: {verdict}.")
    text = ("Open loop: requests are due at a fixed rate, and latency counts from then. `lag P99` is how late the load generator itself was, "
            "which is part of the latency. Shares are of the peak that the same row's traffic log setting has above; the upstream alone "
            "takes the rates of ES Off, for what it and the load generator take is part of every latency too.\n\n" +
            markdown(["tier", "request", "traffic log", "load", "wanted, requests/s", "came", "P50", "P99", "P99.9", "max", "lag P99",
                      "CPU used", ""], rows))
    return text + "".join(f"\n{line}\n" for line in bad), plots


def capacity(found):
    """Replicas for rates, out of the peaks that were measured; nothing for tiers that were not."""
    text = (f"Replicas that carry a rate with each at {percent(UTILISATION, 0)} of its measured peak, where the autoscaler holds it, and one to spare. "
            "Real upstreams are slower and real policies cost more: [the policies' costs](#what-each-policy-costs) come on top of each request's CPU time.\n\n")
    rows = []
    for tier, data in found.items():
        best = peaks(data)
        for (mode, request), row in best.items():
            rows.append([tier_name(tier, data), request, MODES[mode], count(row["rps"]), count(row["rps"] * UTILISATION),
                         *(replicas(rate, row["rps"], UTILISATION) for rate in RATES)])
    return text + markdown(["tier", "request", "traffic log", "peak, requests/s", "planned, requests/s",
                            *(f"{rate:,} requests/s" for rate in RATES)], rows), {}
