"""The report's sections on what was measured at the smallest tier alone: policies, peers, stores, footprint, JMH, tuning."""
from charts import bar, bars
from fitted import USUAL
from policies import BASE, BESIDE, CONTROL
from stats import differences, gather, is_valid, median, ratios
from tables import count, decimals, failures, interval, markdown, milliseconds, percent
from tune import CONTROL as TIER


def _left_out(data, what):
    left = data.get("left_out") or {}
    return "".join(f"\nNot measured: {name} ({why}).\n" for name, why in left.items()) if isinstance(left, dict) else f"\n{what}: {left}.\n"


def policies(data):
    gathered = {row["name"]: row for row in gather(data["rows"], ("name", "request", "connections"))}
    if not gathered:
        return "Only tried, not measured." + _left_out(data, "Policies"), {}
    deltas = differences(data["rows"], BASE)
    rows, values = [], []
    for name, found in sorted(deltas.items(), key=lambda each: median(each[1])):
        row = gathered[name]
        is_policy = not name.startswith(BASE)
        rows.append([(f"`{name}`" if is_policy else name) + _sent(row), count(row["rps"]), f"{decimals(row['cpu_us'])} µs",
                     "-" if name == BASE else f"{interval(found)} µs", _of_the_policy_alone(data["rows"], name), milliseconds(row["p99"]), failures(row)])
        if (is_policy or name == CONTROL) and is_valid(row):
            values.append(bar(name, found, f"{median(found):+.2f} µs", ours=name == CONTROL))
    text = (f"Each alone on a route, in one gateway; GET, {USUAL} connections, unless its row says otherwise. The difference is taken in each round; `{CONTROL}`, the last of each round, says how far noise and drift go. "
            "The last difference is to the route without the policy, sent the same right before by as many connections: so much is the policy's own. "
            "What the first one has more is the price of a larger request, and of a machine that drifts within a round.\n\n" +
            markdown(["policy", "requests/s", "CPU a request", "more than no policy, median [least..most]", "more than the same request without it", "P99", ""], rows))
    return text + _left_out(data, "Policies") + "\n![CPU time of each policy](policies.svg)\n", {
        "policies.svg": bars("CPU time that each policy adds", "µs a request", values)}


def _sent(row):
    """What a row was measured by, where that is not the usual."""
    told = [row["request"]] * (row["request"] != "GET") + [f"{row['connections']} connections"] * (row["connections"] != USUAL)
    return f" ({', '.join(told)})" if told else ""


def _of_the_policy_alone(rows, name):
    """What it takes more than the same request without it, where that was asked beside it."""
    base = BESIDE.format(name)
    return f"{interval(differences(rows, base)[name])} µs" if any(row["name"] == base for row in rows) else "-"


def peers(data):
    gathered = {row["name"]: row for row in gather(data["rows"], ("name",))}
    relative = ratios(data["rows"], "nginx")
    rows = [[name, count(row["rps"]), milliseconds(row["p50"]), milliseconds(row["p99"]), f"{decimals(row['cpu_us'])} µs",
             interval(relative[name]) if name in relative else "-", f"{data['rss'].get(name, 0):,} MiB", failures(row)]
            for name, row in gathered.items()]
    drawn = [bar(name, [each["cpu_us"] for each in data["rows"] if each["name"] == name], f"{row['cpu_us']:.1f} µs", ours=name == "gateway")
             for name, row in gathered.items() if is_valid(row)]
    text = ("On the same cores in the same rounds, without any policy; GET, 100 connections. CPU time is the whole process's; its ratio to nginx is "
            "taken in each round.\n\n" + markdown(["proxy", "requests/s", "P50", "P99", "CPU a request", "× nginx, median [least..most]", "resident", ""], rows))
    return text + _left_out(data, "Peers") + "\n![CPU time a request of each proxy](peers.svg)\n", {
        "peers.svg": bars("CPU time a request, same cores, same rounds", "µs a request", drawn)}


def stores(data):
    rows = []
    for row in gather(data["rows"], ("name",), ("rps", "p50", "p99", "cpu_us", "redis_us")):
        rows.append([row["name"], count(row["rps"]), milliseconds(row["p50"]), milliseconds(row["p99"]), f"{decimals(row['cpu_us'])} µs",
                     f"{decimals(row['redis_us'])} µs" if "redis_us" in row else "-", failures(row)])
    memory = [[each["name"], f"{each['heap_bytes']:,.0f} B", f"{each['redis_bytes']:,.0f} B" if each["redis_bytes"] is not None else "-", failures(each)]
              for each in data["memory"]]
    return ("One key, its rate limit and its quota; GET, 100 connections.\n\n" +
            markdown(["store", "requests/s", "P50", "P99", "CPU a request, gateway", "CPU a request, Redis", ""], rows) +
            f"\nMemory for each client that has a quota of its own, from {data['clients']:,} of them; live heap after a full collection.\n\n" +
            markdown(["store", "gateway's heap", "Redis", ""], memory)), {}


def footprint(data):
    rows = []
    for aot in (True, False):
        starts = [each for each in data["starts"] if each["aot"] is aot]
        if starts:
            refused = sum(bool(each.get("without_aot")) for each in starts)
            rows.append([("on" if aot else "off") + (f", **refused in {refused}**" if refused else ""), len(starts), *(f"{interval([each[name] for each in starts])} s" for name in ("cpu", "wall")),
                         f"{interval([each['rss'] for each in starts], 0)} MiB"])
    idle, loaded = data["idle"], data["loaded"]
    return ("From start to the first answered request, on a folder with one API; median [least..most].\n\n" +
            markdown(["AOT cache", "starts", "CPU time", "wall time", "resident, idle"], rows) + "\n" +
            markdown(["", "resident", "live heap"], [["3 s after the start", f"{idle['rss']:,} MiB", f"{idle['heap']:,.0f} MiB"],
                                                     ["after load", f"{loaded['rss']:,} MiB", f"{loaded['heap']:,.0f} MiB"]])), {}


def jmh(data):
    rows = [[row["name"], f"{row['score']:,.1f} {row['unit']}", "-" if row["error"] is None else f"± {row['error']:,.1f}",
             "-" if row["bytes"] is None else f"{row['bytes']:,.0f} B"] for row in data["rows"]]
    return (markdown(["benchmark", "score", "99.9 % interval", "allocated"], rows) if rows else "") + _left_out(data, "JMH"), {}


def tune(data):
    closed = {row["name"]: row for row in gather(data["rows"], ("name",), ("rps", "p50", "p99", "cpu_us", "gc_share"))}
    fixed = {row["name"]: row for row in gather(data["fixed"], ("name",), ("rps", "p99"))}
    cpu = ratios(data["rows"], TIER)
    rates = ratios(data["rows"], TIER, "rps")
    rows = []
    for name, row in closed.items():
        start, jvm = data["starts"][name], data["diagnostics"][name]
        rows.append([name + (" (AOT cache refused)" if start.get("without_aot") else ""), count(row["rps"]), interval(rates[name]), milliseconds(row["p99"]), milliseconds(fixed[name]["p99"]),
                     percent(row["gc_share"], 2), f"{jvm['rss']:,} MiB", f"{decimals(row['cpu_us'])} µs", interval(cpu[name]),
                     f"{start['cpu']:.2f} s", f"{start['rss']:,} MiB", failures(row) or failures(fixed[name])])
    return (f"One setting changed at a time, all in the same rounds; GET, 100 connections. Ratios are to “{TIER}”, taken in each round; "
            f"“{TIER}, again” is the same once more and says how far noise goes. The fixed rate is {data['peak'] * 0.8:,.0f} requests/s, 80 % of the tier's "
            "own. GC is the share of wall time in collections, as the collector counts it: ZGC and Shenandoah work beside the requests, so look at "
            "their CPU time.\n\n" +
            markdown(["setting", "requests/s", "ratio", "P99, peak", "P99, fixed rate", "GC", "resident", "CPU a request", "ratio", "CPU to first answer",
                      "resident, idle", ""], rows) + _left_out(data, "Settings")), {}
