"""Rounds of a gateway with and without the attack beside it, and what is left when the attackers have gone."""
import dataclasses, subprocess, time

from chaos_verdict import EMPTY, longest_stall, summary
from chaos_watch import GAUGES, Watch, measures_of
from clients import DEADLINE
from processes import CannotMeasure

HOLD = 8  # seconds that attackers stay behind the last counted request, in which the heap is collected
PATIENCE = 30  # for what good clients and attackers have to say


@dataclasses.dataclass(frozen=True)
class Length:
    """Seconds, and how many rounds. `peak` is what finding the peak takes, `share` that of every attack's connections."""
    rounds: int
    quiet: float
    attack: float
    warm: int
    peak: int
    share: float = 1.0
    tenth: float = 0.1  # of the peak that good clients send


def unattacked(rig, rate, seconds):
    """What good clients see when nobody attacks. The gateway is looked at all the same, since that costs it something."""
    at, watch = rig.begin(), Watch(rig.gateway)
    watch.start()
    try:
        found = rig.result(rig.clients(rate, at, seconds), at - time.monotonic() + seconds + DEADLINE + PATIENCE)
    finally:
        watch.stop()
    if found is None:
        raise CannotMeasure("the good clients did not end in time")
    return found


def attacked(rig, attacks, rate, seconds, share, one_client, collect=True):
    """What they see beside these attacks, and what the gateway looked like. `died` is the second in which it ended."""
    attackers = rig.attackers(attacks, seconds + (HOLD if collect else 0), share, one_client)
    at = rig.begin(attackers)
    clients, watch = rig.clients(rate, at, seconds) if rate else None, Watch(rig.gateway)
    watch.start()
    try:
        died = await_end(rig, at, seconds)
        live = live_heap(rig) if collect and died is None else None
        found = rig.result(clients, 1 if died is not None else DEADLINE + PATIENCE) if clients else None
        told = [rig.result(each, 0 if died is not None else PATIENCE) for each in attackers]
    finally:
        rig.end([*attackers, *([clients] if clients else [])])
        watch.stop()
    return {"at": at, "clients": found, "attackers": [each for each in told if each], "samples": watch.between(at, at + seconds),
            "live": live, "died": died}


def await_end(rig, at, seconds):
    """The second in which the process ended; None when it did not before the end."""
    while time.monotonic() < at + seconds:
        if not rig.is_up():
            return round(max(0.0, time.monotonic() - at), 1)
        time.sleep(0.1)
    return None


def live_heap(rig):
    """After a full collection; None when the gateway has no time for one."""
    try:
        return rig.gateway.live_heap_mib()
    except (OSError, CannotMeasure, subprocess.TimeoutExpired):
        return None


def recovered(rig, patience=EMPTY):
    """Seconds from now until fresh connections are answered, and until nothing is left of the attack."""
    began, answer, left = time.monotonic(), None, "?"
    while time.monotonic() - began < patience and rig.is_up():
        if answer is None and rig.good_answer():
            answer = time.monotonic() - began
        left = leftovers(rig)
        if answer is not None and not left:
            return {"answer": answer, "empty": time.monotonic() - began, "left": ""}
        time.sleep(0.25)
    return {"answer": answer, "empty": None, "left": left if rig.is_up() else "the process ended"}


def leftovers(rig):
    """The gauges that are not 0, in words."""
    found = measures_of(rig.gateway)
    if found is None:
        return "/metrics does not answer"
    return ", ".join(f"{name} {found[name]:.0f}" for name in GAUGES if found[name])


def death(rig, seconds):
    """How the process ended, in words."""
    code = rig.gateway.process.poll()
    why = ran_out(rig) or ("killed, maybe by the kernel for its memory" if code in (-9, 137) else f"exit code {code}")
    return f"died after {seconds} s: {why}"


def ran_out(rig):
    """The first line of the log about memory that was not there; None when there is none. The JVM's command line names
    the error, too."""
    return next((line.strip()[:160] for line in rig.log().splitlines() if "java.lang.OutOfMemoryError" in line), None)


def run(rig, attacks, length, rate, one_client, progress):
    """All rounds: {rounds, deaths, samples, live, recoveries, timeline, attackers}. Ends with the process, if that ends."""
    told = {"rounds": [], "deaths": [], "samples": [], "live": [], "recoveries": [], "timeline": [], "attackers": []}
    for number in range(length.rounds):
        name = f"round {number + 1} of {length.rounds}"
        with progress.spend(f"{name}: nobody attacks", length.quiet):
            before = unattacked(rig, rate, length.quiet)
        with progress.spend(f"{name}: {len(attacks)} attacks", length.attack + HOLD):
            found = attacked(rig, attacks, rate, length.attack, length.share, one_client)
        told["samples"] += [{**sample, "round": number} for sample in found["samples"]]
        told["attackers"].append(found["attackers"])
        if found["died"] is not None:
            told["deaths"].append(f"{name}: {death(rig, found['died'])}")
            return told
        if ran_out(rig):
            told["deaths"].append(f"{name}: {ran_out(rig)}")
        if found["clients"] is None:
            raise CannotMeasure("the good clients did not end in time")
        told["rounds"].append({"quiet": summary(before), "attack": summary(found["clients"])})
        told["timeline"].append({phase: {kind: each["seconds"] for kind, each in clients.items()}
                                 for phase, clients in (("quiet", before), ("attack", found["clients"]))})
        told["live"].append(found["live"])
        with progress.spend(f"{name}: the attackers have gone", EMPTY / 4):
            told["recoveries"].append(recovered(rig))
    return told


def alone(rig, attacks, length, rate, one_client, progress):
    """Each attack alone, in turn: [{attack, outcome …}]. What ended the process, or is not over, has the next one start anew."""
    with progress.spend("nobody attacks", length.quiet):
        before = summary(unattacked(rig, rate, length.quiet))
    rows = []
    for each in attacks:
        with progress.spend(f"{each.name}: {each.what}", length.attack + HOLD + EMPTY / 4):
            found = attacked(rig, [each], rate, length.attack, length.share, one_client)
            row = {"attack": each.name, "what": each.what, "connections": each.scaled(length.share).connections, "quiet": before,
                   "samples": found["samples"], "live": found["live"], "counted": found["attackers"][0]["counted"] if found["attackers"] else {},
                   "held": max((count for _, count in found["attackers"][0]["held"]), default=0) if found["attackers"] else None,
                   "died": death(rig, found["died"]) if found["died"] is not None else None,
                   "ran out": ran_out(rig) if found["died"] is None else None,
                   "clients": summary(found["clients"]) if found["clients"] else None,
                   "stall": longest_stall(found["clients"]["get"]["seconds"]) if found["clients"] else None,
                   "recovery": recovered(rig) if found["died"] is None else None}
        rows.append(row)
        if row["died"] or row["ran out"] or row["recovery"]["empty"] is None:
            rig.start()
            rig.peak(length.warm)
    return rows
