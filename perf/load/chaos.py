#!/usr/bin/env python3
"""Attacks a gateway of tier W1 in every way we know, beside good clients, and tells whether it stands: perf/chaos.

    perf/chaos --out chaos                         # all attacks at once, five rounds of two minutes: about 20 minutes
    perf/chaos --each --out chaos                  # one after the other: what each does
    perf/chaos --attack tls,heads-query --rounds 1 # some families or attacks
    perf/chaos --quick                             # half a minute: whether it stays up
    perf/chaos --list

Ends with 0 when every verdict is passed, 1 when one is not, 2 when nothing could be measured, and 3 when one could not be
told, such as p99 beside a harness that was itself too slow. What counts as what: docs/decisions/0128-chaos.md.
"""
import argparse, json, os, resource, shutil, sys

import attacks, chaos_page, machine
from chaos_rig import Rig
from chaos_rounds import Length, alone, attacked, death, ran_out, recovered, run, unattacked
from chaos_verdict import exit_code, recovery, up, verdicts
from gateway import JAR, find_jdk, fresh_jar
from processes import ROOT, CannotMeasure, Processes, end_in_order, own_seconds
from progress import Progress

LENGTHS = {"default": Length(rounds=5, quiet=60, attack=120, warm=20, peak=6), "each": Length(rounds=1, quiet=10, attack=20, warm=10, peak=4),
           "quick": Length(rounds=1, quiet=0, attack=6, warm=0, peak=0, share=0.05)}
QUICK_RECOVERY = 20


def arguments(words):
    parser = argparse.ArgumentParser(prog="perf/chaos", formatter_class=argparse.RawDescriptionHelpFormatter, description=__doc__)
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("--each", action="store_true", help="every attack alone, one after the other; nothing is judged but that it stays up")
    modes.add_argument("--quick", action="store_true", help="few connections for a few seconds; only staying up and recovering are judged")
    modes.add_argument("--list", action="store_true", help="only tell the attacks")
    parser.add_argument("--attack", metavar="NAME,...", default="", help="some attacks or families; all when not given")
    parser.add_argument("--seconds", type=float, help="of each attack")
    parser.add_argument("--quiet", type=float, help="seconds of each round without an attack")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--share", type=float, help="of every attack's connections and pace; 1 when not given")
    parser.add_argument("--rate", type=float, help="requests a second of good clients; a tenth of the peak when not given")
    parser.add_argument("--one-client", action="store_true", help="every attack from one address rather than from 250")
    parser.add_argument("--jar", help="another jar than this checkout's, which is built anew when it is older than a source")
    parser.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], help="a setting of docker/entrypoint.sh or the gateway")
    parser.add_argument("--out", metavar="FOLDER", help="for report.md, its plots and results.json")
    return parser.parse_args(words)


def choose_length(args):
    """The mode's, with what was asked for otherwise."""
    length = LENGTHS["each" if args.each else "quick" if args.quick else "default"]
    asked = {"rounds": args.rounds, "quiet": args.quiet, "attack": args.seconds, "share": args.share}
    return Length(**{**vars(length), **{name: value for name, value in asked.items() if value is not None}})


def chosen(args):
    try:
        return attacks.chosen([word for word in args.attack.split(",") if word])
    except ValueError as unknown:
        raise CannotMeasure(str(unknown)) from None


def settings(args):
    wrong = [line for line in args.set if not line.startswith("GATEWAY_") or "=" not in line]
    if wrong:
        raise CannotMeasure(f"--set: expected GATEWAY_NAME=VALUE, got {wrong[0]}")
    return dict(line.split("=", 1) for line in args.set)


def listed(found):
    lines = [f"{each.name:24} {each.connections:6,} connections, {each.pace:g} a second: {each.what}" for each in found]
    return "\n".join([*lines, f"{len(found)} attacks, {sum(each.connections for each in found):,} connections"])


def check_tools(args):
    missing = [tool for tool in ("nginx", "taskset", "openssl", *(() if args.quick else ("wrk",))) if not shutil.which(tool)]
    if missing:
        raise CannotMeasure(f"needs {', '.join(missing)} on the PATH")
    find_jdk()
    if not args.jar:
        fresh_jar()


def open_files():
    """All that may be open, for this process and those it starts; returns how many."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard if hard != resource.RLIM_INFINITY else sys.maxsize


def quick(rig, found, length, one_client):
    """All of them at once for a moment: [Verdict]."""
    told = attacked(rig, found, 0, length.attack, length.share, one_client, collect=False)
    deaths = [death(rig, told["died"])] if told["died"] is not None else [ran_out(rig)] if ran_out(rig) else []
    return [up(deaths), recovery([] if deaths else [recovered(rig, QUICK_RECOVERY)])], told["attackers"]


def planned(args, length, found):
    """Seconds, roughly."""
    if args.quick:
        return 20 + length.attack
    each = length.attack + 30
    return 30 + 2 * length.warm + length.peak + (len(found) * each + length.quiet if args.each else length.rounds * (length.quiet + each))


def measure(args, length, found):
    """What is to be told: {mode, verdicts, …}."""
    hard, progress = open_files(), Progress(planned(args, length, found))
    watch = machine.Watch(own_seconds)
    with Processes("chaos") as processes, Rig(processes, os.path.abspath(args.jar or JAR), settings(args), hard) as rig:
        told = {"mode": "quick" if args.quick else "each" if args.each else "rounds", "attacks": [each.name for each in found],
                "length": vars(length), "machine": machine.describe(find_jdk()), "commit": machine.commit(ROOT) if not args.jar else "a jar given",
                "limits": str(rig.limits[0]), "open files": hard, "settings": settings(args), "one client": args.one_client}
        if args.quick:
            judged, told["counted"] = quick(rig, found, length, args.one_client)
        else:
            with progress.spend("warming up, seeking the peak", length.warm + length.peak):
                rig.peak(length.warm)
                told["peak"] = rig.peak(length.peak)
            told["rate"] = args.rate or told["peak"] * length.tenth
            with progress.spend("warming up with good clients of every kind", length.warm):
                unattacked(rig, told["rate"], length.warm)
            if args.each:
                told["rows"] = alone(rig, found, length, told["rate"], args.one_client, progress)
                judged = [up([f"{row['attack']}: {row['died'] or row['ran out']}" for row in told["rows"] if row["died"] or row["ran out"]])]
            else:
                told.update(run(rig, found, length, told["rate"], args.one_client, progress))
                judged = verdicts(told)
    progress.end()
    return {**told, **watch.shares(), "verdicts": [vars(each) for each in judged]}, judged


def main():
    args = arguments(sys.argv[1:])
    end_in_order()
    try:
        found, length = chosen(args), choose_length(args)
        if args.list:
            print(listed(found))
            return 0
        check_tools(args)
        told, judged = measure(args, length, found)
    except (CannotMeasure, OSError) as why:
        print(f"perf/chaos: {why}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("perf/chaos: broken off", file=sys.stderr)
        return 2
    print(chaos_page.summary(told))
    if args.out:
        os.makedirs(args.out, exist_ok=True)
        with open(f"{args.out}/results.json", "w") as file:
            json.dump(told, file)
        print(chaos_page.write(told, args.out))
    return exit_code(judged)


if __name__ == "__main__":
    sys.exit(main())
