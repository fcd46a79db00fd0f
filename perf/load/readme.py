#!/usr/bin/env python3
"""Writes the figures in README.md out of one run of perf/run: the newest in perf/results that has all they need.

    perf/load/readme.py          # writes them
    perf/load/readme.py --check  # ends with 1 where README.md says something else
"""
import argparse, datetime, glob, os, re, sys

import report
from processes import ROOT
from sections_tier import overheads
from stats import gather, is_valid, median, ratios
from tables import count, decimals, markdown, percent
from throughput import peaks

PARTS = ("throughput", "peers", "stores")
README = f"{ROOT}/README.md"
BLOCK = re.compile(r"(<!-- figures of one run of perf/run -->\n).*?(<!-- end of figures -->)", re.S)


def newest():
    """(its folder, {part: data of W1})."""
    for folder in sorted(glob.glob(f"{ROOT}/perf/results/*"), reverse=True):
        found = {part: tiers["W1"] for part, tiers in report.collect(folder).items() if "W1" in tiers}
        if all(part in found for part in PARTS) and len({found[part]["commit"] for part in PARTS}) == 1:
            return os.path.relpath(folder, ROOT), found
    sys.exit(f"perf/results has no run of one commit with {', '.join(PARTS)} at W1")


def figures(folder, found):
    began = datetime.datetime.fromtimestamp(min(found[part]["began"] for part in PARTS), datetime.timezone.utc)
    return "\n".join([
        f"By `perf/run` on {began:%Y-%m-%d}, commit {found['peers']['commit']}, tier W1: one CPU and 2 GB, the load, the upstream, Redis and Elasticsearch on "
        f"one other CPU of the same machine. Each table is of one sitting, in whose rounds its rows took turns; what stands in another was measured up to an "
        f"hour apart. The whole [report]({folder}/report.md) has the commands, the spread of every figure and what was missed.\n",
        "GET, 100 connections, no policy; CPU time per request as a ratio to nginx in the same rounds, median [least..most]:\n",
        _peers(found["peers"]),
        f"![CPU time a request of each proxy]({folder}/peers.svg)\n",
        "Key, rate limit and quota, by where they are counted:\n", _stores(found["stores"]),
        _throughput(found["throughput"])])


def _peers(data):
    relative = ratios(data["rows"], "nginx")
    rows = [row for row in gather(data["rows"], ("name",)) if is_valid(row)]
    return markdown(["proxy", "× nginx", "requests/s"],
                    [[row["name"], _interval(relative[row["name"]]), count(row["rps"])] for row in sorted(rows, key=lambda row: median(relative[row["name"]]))])


def _interval(values):
    return f"{median(values):.2f} [{min(values):.2f}..{max(values):.2f}]"


def _stores(data):
    return markdown(["store", "CPU a request", "requests/s"],
                    [[row["name"], f"{decimals(row['cpu_us'])} µs", count(row["rps"])] for row in gather(data["rows"], ("name",)) if is_valid(row)])


def _throughput(data):
    best, changes = peaks(data), overheads(data)
    told = f"At its peak it answered {count(best['off', 'GET']['rps'])} GETs a second with the traffic log off"
    if ("on", "GET") in best:
        told += (f" and {count(best['on', 'GET']['rps'])} with every request logged to Elasticsearch ({percent(median(changes), 0, sign=True)} in the middle of all "
                 "shapes of load)")
    return told + ".\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; end with 1 where README.md differs")
    args = parser.parse_args()
    with open(README) as file:
        before = file.read()
    if not BLOCK.search(before):
        sys.exit("README.md has no place for figures")
    text = figures(*newest())
    after = BLOCK.sub(lambda match: f"{match[1]}{text}{match[2]}", before)
    if args.check and after != before:
        sys.exit("README.md's figures are not those of the newest run: perf/load/readme.py writes them")
    if not args.check:
        with open(README, "w") as file:
            file.write(after)


if __name__ == "__main__":
    main()
