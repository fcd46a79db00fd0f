#!/usr/bin/env python3
"""One attack on a gateway of this machine, for so many seconds; what the gateway did comes as JSON. Started by perf/chaos.

    perf/load/attack.py heads-query --plain 8080 --tls 8443 --admin 9090 --seconds 10
"""
import argparse, asyncio, gc, json, os, resource, signal, sys, time

import attacks
from attacks.link import Place
from attacks.swarm import Swarm

READY = "ready"
LOOK = 0.05  # seconds between two looks for the moment


def arguments(words):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("attack", choices=list(attacks.FOUND))
    parser.add_argument("--plain", type=int, required=True, help="port of the plain listener on 127.0.0.1")
    parser.add_argument("--tls", type=int, default=0, help="port of the TLS listener")
    parser.add_argument("--admin", type=int, default=0, help="port of the admin plane; its token is $ATTACK_TOKEN")
    parser.add_argument("--at", metavar="FILE", help="that will hold the moment of the monotonic clock at which it begins, once all are ready; "
                                                     "at once when not given")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--share", type=float, default=1.0, help="of the connections and of their pace")
    parser.add_argument("--one-client", action="store_true", help="from one address rather than from 250")
    return parser.parse_args(words)


def give_way():
    """Runs only when nobody else wants the core: neither the upstream nor good clients may wait for an attacker."""
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def await_moment(file):
    """Says that it is ready, and waits for the moment that is written then."""
    print(READY, flush=True)
    while not os.path.exists(file):
        time.sleep(LOOK)
    with open(file) as moment:
        time.sleep(max(0.0, float(moment.read()) - time.monotonic()))


def main():
    args = arguments(sys.argv[1:])
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    give_way()
    gc.freeze()
    place = Place(args.plain, args.tls, args.admin, os.environ.get("ATTACK_TOKEN", ""))
    network = 1 + list(attacks.FOUND).index(args.attack)
    swarm = Swarm(attacks.FOUND[args.attack].scaled(args.share), place, network, args.one_client)
    if args.at:
        await_moment(args.at)
    print(json.dumps(asyncio.run(swarm.run(args.seconds))), flush=True)
    os._exit(0)  # the kernel closes what is left faster than Python does


if __name__ == "__main__":
    main()
