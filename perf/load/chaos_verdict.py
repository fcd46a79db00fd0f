"""What an attack may do and what it may not: the arithmetic of perf/chaos. Times are milliseconds, memory MiB."""
import dataclasses

from callers import DIRECT, KINDS
from stats import median, percentile

TWICE = 2.0  # p99 of good clients beside the attack, over that without it
SLOW = 5.0  # p99 of the upstream alone past which a round tells of the machine rather than of the gateway
FAILED = 0.001  # share of the good clients' requests
LIMIT = 2000 * 10**6 / 2**20  # memory of W1
SETTLING = 0.2  # share of the samples at the beginning that is left out: buffers and tables are being filled
GROWTH = {"direct": (0.10, 16), "outside": (0.10, 48), "live": (0.10, 24)}  # a share of it, and some
ANSWER, EMPTY = 5, 60  # seconds after an attack to the first good answers, and until nothing is left of it
STALL = 1000.0  # p50 of a second from which on nobody was really served in it
KINDS_TOLD = {"all": "all good clients", **{kind.name: kind.told for kind in KINDS}}


@dataclasses.dataclass(frozen=True)
class Verdict:
    """`passed` is None for what could not be told."""
    name: str
    seen: str
    wanted: str
    passed: bool | None


def latencies(found):
    """Of what the clients saw, the sorted latencies of each kind, and of all that went to the gateway."""
    kinds = {name: kind["latencies"] for name, kind in found.items()}
    return {"all": sorted(each for name, kind in kinds.items() if name != DIRECT for each in kind), **kinds}


def summary(found):
    """p50 and p99 of each kind, with its failures."""
    told = {}
    for name, values in latencies(found).items():
        failures = {}
        for kind, of in found.items():
            if name == kind or name == "all" and kind != DIRECT:
                for why, count in of["failures"].items():
                    failures[why] = failures.get(why, 0) + count
        told[name] = {"requests": len(values), "p50": percentile(values, 0.5) if values else None,
                      "p99": percentile(values, 0.99) if values else None, "failures": failures}
    return told


def is_valid(round):
    """Whether the harness kept out of the way, with the attack and without it."""
    direct = [round[phase][DIRECT]["p99"] for phase in ("quiet", "attack")]
    return all(each is not None and each <= SLOW for each in direct)


def ratios(rounds, kind):
    """p99 beside the attack over that without it, of each round that is valid."""
    return [each["attack"][kind]["p99"] / each["quiet"][kind]["p99"] for each in rounds
            if is_valid(each) and each["attack"][kind]["p99"] and each["quiet"][kind]["p99"]]


def longest_stall(seconds):
    """Of (second, requests, p50, p99), the longest run of seconds in which nobody was really served."""
    longest = run = 0
    for _, _, p50, _ in seconds:
        run = run + 1 if p50 >= STALL else 0
        longest = max(longest, run)
    return longest


def settled(values):
    return values[int(len(values) * SETTLING):]


def thirds(values):
    """The most of the first third, and of the last."""
    size = max(1, len(values) // 3)
    return max(values[:size]), max(values[-size:])


def is_flat(name, values):
    """Whether the last third's maximum is little above the first's."""
    first, last = thirds(values)
    share, some = GROWTH[name]
    return last <= first * (1 + share) + some


def up(deaths):
    if deaths:
        return Verdict("process up", "; ".join(deaths), "up, no OutOfMemoryError", False)
    return Verdict("process up", "up", "up, no OutOfMemoryError", True)


def health(samples):
    if not samples:
        return Verdict("health", "nobody looked", "live is 200, ready answers", None)
    silent = sum(each["live"] is None or each["ready"] is None for each in samples)
    live = sum(each["live"] not in (200, None) for each in samples)
    unready = sum(each["ready"] not in (200, None) for each in samples)
    slowest = max(max(each["live took"], each["ready took"]) for each in samples)
    seen = f"{len(samples)} times asked, {silent} without answer, {live} times not live, {unready} times not ready, slowest {slowest:.2f} s"
    return Verdict("health", seen, "live is 200, ready answers", silent == 0 and live == 0)


def slowdown(rounds, kind):
    """p99 at most doubled, by the median of the rounds that are valid; not told when they are fewer than half."""
    found, wanted = ratios(rounds, kind), f"at most {TWICE:g} times"
    name = f"p99 of {KINDS_TOLD[kind]}"
    if not rounds:
        return Verdict(name, "no round ended", wanted, None)
    if len(found) * 2 <= len(rounds):
        return Verdict(name, f"**invalid**: the upstream alone exceeded {SLOW:g} ms in {len(rounds) - len(found)} of {len(rounds)} rounds",
                       wanted, None)
    quiet = median([each["quiet"][kind]["p99"] for each in rounds])
    attacked = median([each["attack"][kind]["p99"] for each in rounds])
    seen = f"{median(found):.2f} times [{min(found):.2f}..{max(found):.2f}], {quiet:.2f} ms to {attacked:.2f} ms"
    return Verdict(name, seen, wanted, median(found) <= TWICE)


def failures(rounds):
    requests = sum(each["attack"]["all"]["requests"] for each in rounds)
    why = {}
    for each in rounds:
        for kind, of in each["attack"].items():
            for words, count in of["failures"].items() if kind not in ("all", DIRECT) else ():
                why[f"{kind}: {words}"] = why.get(f"{kind}: {words}", 0) + count
    failed = sum(why.values())
    told = ", ".join(f"{words} {count:,}" for words, count in sorted(why.items(), key=lambda each: -each[1])[:6])
    seen = f"{failed:,} of {requests:,}" + (f" ({told})" if told else "")
    return Verdict("failed requests of good clients", seen, f"at most {FAILED:.1%}", failed <= requests * FAILED if requests else None)


def memory(samples, live):
    """`samples` of all attacks one after the other, `live` the heap after a full collection at the end of each."""
    resident = [each["rss"] for each in samples]
    if not resident:
        return [Verdict("memory", "nobody looked", "flat", None)]
    found = [Verdict("resident memory", f"at most {max(resident):,.0f} MiB", f"under {LIMIT:,.0f} MiB", max(resident) < LIMIT)]
    series = {"direct": ("direct memory", settled([each["direct"] for each in samples if "direct" in each])),
              "outside": ("resident outside of the heap", settled([each["outside"] for each in samples if "outside" in each])),
              "live": ("live heap under attack", [each for each in live if each is not None])}
    for key, (name, values) in series.items():
        share, some = GROWTH[key]
        wanted = f"last third at most {share:.0%} and {some} MiB over the first"
        if len(values) < 3:
            found.append(Verdict(name, f"{len(values)} readings", wanted, None))
            continue
        first, last = thirds(values)
        found.append(Verdict(name, f"{first:,.0f} MiB, then {last:,.0f} MiB", wanted, is_flat(key, values)))
    return found


def recovery(recoveries):
    """`recoveries` are {answer, empty, left}: seconds, None for never."""
    if not recoveries:
        return Verdict("recovery", "not reached", f"answers within {ANSWER} s, nothing left within {EMPTY} s", None)

    def slowest(name):
        times = [each[name] for each in recoveries]
        return None if None in times else max(times)
    answer, empty = slowest("answer"), slowest("empty")
    left = "; ".join(sorted({each["left"] for each in recoveries if each["left"]}))
    seen = (f"answers {'never came' if answer is None else f'within {answer:.1f} s'}, "
            f"{f'left: {left}' if empty is None else f'nothing left within {empty:.1f} s'}")
    return Verdict("recovery", seen, f"answers within {ANSWER} s, nothing left within {EMPTY} s",
                   answer is not None and answer <= ANSWER and empty is not None and empty <= EMPTY)


def verdicts(told):
    """Of all that was measured: {rounds, deaths, samples, live, recoveries}."""
    kinds = [kind for kind in KINDS_TOLD if kind != DIRECT]
    return [up(told["deaths"]), health(told["samples"]), *(slowdown(told["rounds"], kind) for kind in kinds), failures(told["rounds"]),
            *memory(told["samples"], told["live"]), recovery(told["recoveries"])]


def exit_code(found):
    """1 when one is not passed, 3 when what was passed is not all that was asked for."""
    if any(each.passed is False for each in found):
        return 1
    return 3 if any(each.passed is None for each in found) else 0
