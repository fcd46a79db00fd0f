#!/usr/bin/env python3
"""Measures the gateway and writes a report: perf/run, see perf/README.md."""
import argparse, datetime, os, re, shutil, sys, time

import cache, footprint, jmh, latency, machine, peers, policies, report, stores, throughput, tune, tune_cache
from bench import Bench, without_secret
from gateway import find_jdk, fresh_jar
from lengths import LENGTHS
from processes import ROOT, CannotMeasure, end_in_order, own_seconds
from progress import Progress, clock

TUNING = {"tune": tune, "tune-cache": tune_cache}
PARTS = {"throughput": throughput, "latency": latency, "policies": policies, "peers": peers, "stores": stores,
         "cache": cache, "footprint": footprint, "jmh": jmh, **TUNING}
STANDING = ("throughput", "latency")  # share the gateways they measure
HIDDEN = ("--out", "--elasticsearch", "--elasticsearch-user")  # with their values
EVERY_TIER = (*STANDING, *TUNING)


def arguments(words):
    parser = argparse.ArgumentParser(prog="perf/run", description="Measures the gateway and writes a report with tables and plots.")
    lengths = parser.add_mutually_exclusive_group()
    lengths.add_argument("--smoke", action="store_true", help="under a minute, about two with --cache: whether everything works; no figure means anything")
    lengths.add_argument("--quick", action="store_true", help="about 3 minutes: W1")
    lengths.add_argument("--full", action="store_true", help="30 s samples, as the reference: hours")
    parser.add_argument("--only", metavar="PART,...", help="some parts: " + ", ".join(PARTS))
    parser.add_argument("--tune", action="store_true", help="only the part that tries the tiers' settings (perf/tune); with --cache those of a member of the cache component")
    parser.add_argument("--cache", action="store_true", help="only the part on the cache: hits, misses, validations, the component, nginx and Varnish")
    parser.add_argument("--tiers", metavar="W1,...", help="some tiers; others are left out")
    parser.add_argument("--out", metavar="FOLDER", help="results go here and are merged with what is there; default perf/results/DATE")
    parser.add_argument("--report", action="store_true", help="measure nothing, write the report of --out again")
    parser.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], help="a setting of docker/entrypoint.sh, told in the report")
    parser.add_argument("--elasticsearch", metavar="URL", help="of a server to use instead of starting one")
    parser.add_argument("--elasticsearch-user", metavar="USER:PASSWORD", default=os.environ.get("PERF_ELASTICSEARCH_USER", "elastic:"))
    parser.add_argument("--plan", action="store_true", help="only tell what would be measured, and how long it takes")
    return parser.parse_args(words)


def check(args):
    wrong = [line for line in args.set if not re.fullmatch(r"GATEWAY_[A-Z0-9_]+=.*", line)]
    if wrong:
        raise CannotMeasure(f"--set: expected GATEWAY_NAME=VALUE, got {wrong[0]}")


def choose_length(args):
    return LENGTHS["smoke" if args.smoke else "quick" if args.quick else "full" if args.full else "default"]


def choose(args, length):
    """The parts and tiers to be measured: [(part, tier)], and {tier: why it is left out}."""
    named = ["tune-cache" if args.cache else "tune"] if args.tune else ["cache"] if args.cache else []
    parts = named or (args.only.split(",") if args.only else list(length.parts))
    unknown = [part for part in parts if part not in PARTS]
    tiers = args.tiers.split(",") if args.tiers else list(length.tiers)
    unknown += [tier for tier in tiers if tier not in machine.TIERS]
    if unknown:
        raise CannotMeasure(f"unknown: {', '.join(unknown)}; parts are {', '.join(PARTS)}, tiers {', '.join(machine.TIERS)}")
    held, left_out = [], {}
    for tier in tiers:
        place = machine.place(tier, machine.online(), machine.memory())
        if isinstance(place, str):
            left_out[tier] = place
        else:
            held.append(tier)
    if not held:
        raise CannotMeasure("; ".join(f"{tier} {why}" for tier, why in left_out.items()))
    chosen = [(part, tier) for tier in held for part in parts if part in EVERY_TIER or tier == held[0]]
    return sorted(chosen, key=lambda each: (each[0] not in STANDING, each[0] in TUNING)), left_out


def planned(part, tier, length, chosen):
    """Seconds that a part takes on a quiet machine."""
    if part in TUNING:
        return TUNING[part].seconds(length, tier)
    if part == "latency":
        return latency.seconds(length, ("throughput", tier) not in chosen)
    return PARTS[part].seconds(length)


def check_tools():
    missing = [tool for tool in ("nginx", "taskset", "nice") if not shutil.which(tool)]
    if missing:
        raise CannotMeasure(f"needs {', '.join(missing)} on the PATH")
    find_jdk()
    fresh_jar()


def told_command(words):
    """The command as the report tells it: without the folder, which says something of this machine alone, and without passwords."""
    kept, silent = ["perf/run"], False
    for word in words:
        name, _, value = word.partition("=")
        if not silent and name not in HIDDEN:
            kept.append(without_secret(word))
        silent = not silent and name in HIDDEN and not value
    return " ".join(kept)


def measure(args, length, out):
    chosen, left_out = choose(args, length)
    total = sum(planned(part, tier, length, chosen) for part, tier in chosen)
    told = f"{', '.join(f'{part} {tier}' for part, tier in chosen)}: about {clock(total)} minutes"
    print(told + "".join(f"\nleft out: {tier} {why}" for tier, why in left_out.items()), file=sys.stderr)
    if args.plan:
        return False
    check_tools()
    settings = dict(line.split("=", 1) for line in args.set)
    server = (args.elasticsearch, *args.elasticsearch_user.split(":", 1)) if args.elasticsearch else ()
    commit = machine.commit(ROOT)
    bench = Bench(length, out, settings, server, commit)
    report.remember(out, {"machine": machine.describe(find_jdk()), "left_out": left_out, "commit": commit, "command": told_command(sys.argv[1:])})
    bench.progress = Progress(total)
    try:
        for part, tier in chosen:
            if part not in STANDING:
                bench.stand_down()
            began, before, done = time.time(), machine.load(), bench.progress.done
            watch = machine.Watch(own_seconds)
            data = PARTS[part].measure(bench, tier)
            bench.keep(part, tier, began, before, watch, data)
            bench.progress.done = done + planned(part, tier, length, chosen)
    finally:
        bench.stand_down()
        bench.progress.end()
    return True


def main():
    args = arguments(sys.argv[1:])
    end_in_order()
    out = args.out or f"{ROOT}/perf/results/{datetime.date.today()}"
    try:
        check(args)
        length = choose_length(args)
        if args.report or measure(args, length, out):
            print(report.write(out))
            if args.smoke or args.quick:
                report.require_answers(out)
    except (CannotMeasure, OSError) as why:
        sys.exit(f"perf/run: {why}")
    except KeyboardInterrupt:
        sys.exit("perf/run: broken off; finished parts are kept")


if __name__ == "__main__":
    main()
