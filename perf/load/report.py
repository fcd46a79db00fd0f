"""Gathers what the parts have found in a folder into report.md and its plots."""
import datetime, json, os

import charts, sections_cache, sections_side, sections_tier
from sections_goals import goals
from machine import TIERS
from processes import ROOT, CannotMeasure
from tables import markdown, percent

PER_TIER = {  # headline: (part, section)
    "Peak throughput": ("throughput", sections_tier.peak_throughput),
    "Requests a second for each CPU, and scaling": ("throughput", sections_tier.scaling),
    "Traffic log to Elasticsearch: overhead": ("throughput", sections_tier.overhead),
    "Latency at a fixed rate": ("latency", sections_tier.latency),
    "Curves by connections": ("throughput", sections_tier.curves),
    "JVM": ("throughput", sections_tier.jvm),
    "Capacity planning": ("throughput", sections_tier.capacity),
}
ALONE = {
    "What each policy costs": ("policies", sections_side.policies), "Peers on the same cores": ("peers", sections_side.peers),
    "Cache": ("cache", sections_cache.cache),
    "Stores": ("stores", sections_side.stores), "Start and memory": ("footprint", sections_side.footprint),
    "JMH": ("jmh", sections_side.jmh),
}
BUSY = 0.05  # share of all CPU time that went to others during a part, over which its figures are doubted


def remember(out, told):
    """Machine, command and commit of a run; commands and commits of earlier runs in the same folder are kept."""
    os.makedirs(out, exist_ok=True)
    before = _read(f"{out}/run.json") or {}
    kept = {f"{each}s": list(dict.fromkeys([*before.get(f"{each}s", []), told[each]])) for each in ("command", "commit")}
    with open(f"{out}/run.json", "w") as file:
        json.dump({**told, **kept}, file, indent=1)


def _read(path):
    try:
        with open(path) as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def collect(out):
    """{part: {tier: data}}, tiers in order."""
    found = {}
    for part in dict.fromkeys([part for part, _ in [*PER_TIER.values(), *ALONE.values()]] + ["tune", "tune-cache"]):
        for tier in TIERS:
            data = _read(f"{out}/{part}-{tier}.json")
            if data:
                found.setdefault(part, {})[tier] = data
    return found


def write(out):
    """Writes report.md and the plots; returns its path."""
    told, found = _read(f"{out}/run.json"), collect(out)
    if not told or not found:
        raise CannotMeasure(f"nothing has been measured into {out}")
    text, plots = [head(told, found)], {}
    if goals(found):
        _add(text, plots, "Goals", (goals(found), {}))
    for title, (part, section) in PER_TIER.items():
        if part in found:
            _add(text, plots, title, section(found[part]))
    for title, (part, section) in ALONE.items():
        for tier, data in found.get(part, {}).items():
            _add(text, plots, title if tier == "W1" else f"{title} ({tier})", section(data))
    for tier, data in found.get("tune", {}).items():
        _add(text, plots, f"Settings of {tier}", sections_side.tune(data))
    for tier, data in found.get("tune-cache", {}).items():
        _add(text, plots, f"Settings of a member of the cache component, {tier}", sections_cache.tune(data))
    charts.draw(out, plots)
    path = os.path.join(out, "report.md")
    with open(path, "w") as file:
        file.write("\n".join(text))
    return os.path.relpath(path, ROOT) if path.startswith(ROOT) else path


def require_answers(out):
    """For short runs: refuses when a sample had no good answer at all."""
    for part, tiers in collect(out).items():
        for tier, data in tiers.items():
            for row in data.get("rows", []):  # starts have none
                if row["requests"] <= row["bad"]:
                    raise CannotMeasure(f"{part} {tier}, {row['name']}: {row['requests']} answers, {row['bad']} of them not 2xx")


def _add(text, plots, title, section):
    words, drawn = section
    text.append(f"## {title}\n\n{words}")
    plots.update(drawn)


def head(told, found):
    machine, parts = told["machine"], [data for tiers in found.values() for data in tiers.values()]
    began = datetime.datetime.fromtimestamp(min(data["began"] for data in parts), datetime.timezone.utc)
    tools = ", ".join(f"{name} {version}" for name, version in machine["tools"].items())
    commits = ", ".join(told.get("commits") or ["unknown"])
    lines = [f"# Benchmark of {began:%Y-%m-%d %H:%M} UTC", "", f"`{'`, `'.join(told['commands'])}`", "", f"Commit: {commits}.", "",
             f"{machine['cpus']} CPUs ({machine['cpu']}{', virtual' if machine['virtual'] else ''}), {machine['memory_mb']:,} MB, Linux {machine['kernel']}, "
             f"{machine['java']}; {tools}. Everything ran on this one machine over loopback.", ""]
    lines += [f"**Left out:** {tier} {why}." for tier, why in told["left_out"].items()] + [""]
    lines += [f"- {note}" for note in dict.fromkeys(note for data in parts for note in data["notes"])]
    if any(data["length"] == "smoke" for data in parts):
        lines += ["", "**A smoke run: no figure here means anything.**"]
    return "\n".join(lines) + "\n\n" + _parts(found)


def _parts(found):
    rows, busy = [], []
    for part, tiers in found.items():
        for tier, data in tiers.items():
            cores = data["cores"]
            rows.append([part, tier, data["length"], f"{data['minutes']:.1f} min", f"{data['load_before']:.2f}", f"{data['load_after']:.2f}",
                         percent(data["others"]), percent(data["stolen"]),
                         ", ".join(map(str, cores["gateway"])), ", ".join(map(str, cores["load"])) + (" (shared)" if data["contended"] else ""),
                         " ".join(f"{name}={value}" for name, value in data["settings"].items())])
            if data["others"] + data["stolen"] > BUSY:
                busy.append(f"{part} {tier}")
    table = markdown(["part", "tier", "length", "took", "load before", "load after", "CPU of others", "stolen", "gateway's cores", "load's cores", "settings changed"], rows)
    if busy:
        table += (f"\n**The machine was busy with other things ({', '.join(busy)}): doubt every figure, CPU time a request the least.** "
                  "The load average after a part is the measurement's own.\n")
    return table
