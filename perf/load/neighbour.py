#!/usr/bin/env python3
"""What an API does to its neighbour while its policy is asked for more than it can do.

One gateway as the tier starts it, with an API for each policy and a neighbour without any. The neighbour is asked at a fixed
rate, by turns alone and while another load offers the policy's API as much as it answers at once; latency counts from when a
request was due. The upstream is asked the same beside it: where that alone takes over 5 ms, load generators and not the
gateway are what is measured, and the row is invalid.

    perf/load/neighbour.py --policies script xslt --rounds 3

Needs wrk and nginx.
"""
import argparse, json, shutil, statistics, sys, threading

import gateway as gateways
import machine
from fitted import FITTED, ORDER, ORDER_XML
from gateway import Gateway
from generators import Generator, Request
from policies import pages
from processes import CannotMeasure, Processes, end_in_order
from services import upstream

ITEMS = 100  # in the order that is sent: as many as its schemas take
CAPACITY_CONNECTIONS, FLOOD_CONNECTIONS, NEIGHBOURS = 4, 400, 20
CLIENT = ("X-Forwarded-For: 10.0.0.9",)  # of the neighbour: the flood comes from many behind the same proxy, and has no client's share
MOST_UPSTREAM_MS = 5.0
MOST = 1.2  # times its p99 alone
JSON_ITEM, XML_ITEM = '{"sku": "A-1", "price": 3}', '<item sku="A-1" price="3"/>'


def large(body):
    """The order with as many items as its schemas take; any other body as it is."""
    if body == ORDER:
        return body.replace(JSON_ITEM, ", ".join([JSON_ITEM] * (ITEMS - 1)))
    return body.replace(XML_ITEM, XML_ITEM * (ITEMS - 1)) if ORDER_XML in body else body


class Neighbours:
    def __init__(self, args, processes):
        self.args, self.processes = args, processes
        place = machine.place(args.tier, machine.online(), machine.memory())
        if isinstance(place, str):
            raise CannotMeasure(f"{args.tier} {place}")
        self.generator = Generator(place.load, processes.folder, f"{gateways.find_jdk()}/bin/java")
        self.upstream = upstream(processes, place.load)
        self.gateway = Gateway.of_tier(processes, "neighbours", args.tier, place.gateway, env={"GATEWAY_TRUSTED_PROXIES": "127.0.0.0/8"})
        self.gateway.api("neighbour", "/neighbour", self.upstream)
        self.examples = pages()

    def measure(self, name):
        fitted = FITTED[name]
        for resource, content in fitted.resources.items():
            self.gateway.resource(resource, content)
        self.gateway.api(name, f"/{name}", self.upstream, [fitted.policy or self.examples[name]])
        headers = fitted.headers(f"/{name}/items/7") if callable(fitted.headers) else fitted.headers
        request = Request(name, "POST", body=large(fitted.body), headers=tuple(headers))
        url = self.gateway.url(f"/{name}/items/7")
        self._tell(name, "warm-up")
        self.generator.peak(url, request, CAPACITY_CONNECTIONS, self.args.warm)
        able = self.generator.peak(url, request, CAPACITY_CONNECTIONS, self.args.seconds)
        if able.bad or able.errors:
            raise CannotMeasure(f"{name}: {able.bad} of {able.requests} answers were not 2xx though few asked")
        self._tell(name, "warm-up with the flood")  # refusals make the JVM compile the way of requests anew
        self.generator.peak(url, request, FLOOD_CONNECTIONS, self.args.warm)
        rounds = []
        for number in range(self.args.rounds):
            told = f"round {number + 1} of {self.args.rounds}"
            self._tell(name, f"{told}, the neighbour alone")
            alone = self._neighbour()
            self._tell(name, f"{told}, the neighbour beside the flood")
            offered, beside, server = self._beside(url, request)
            rounds.append({"alone": alone, "beside": beside, "upstream": server, "offered": offered.rps,
                           "refused": offered.bad / offered.requests, "broken": offered.errors})
        ratio = statistics.median(each["beside"] / each["alone"] for each in rounds)
        server = statistics.median(each["upstream"] for each in rounds)
        return {"capacity": able.rps, "body": len(request.body), "rounds": rounds, "ratio": ratio, "upstream_ms": server,
                "verdict": "invalid" if server > MOST_UPSTREAM_MS else "met" if ratio <= MOST else "missed"}

    def _neighbour(self, port=None):
        url = f"http://127.0.0.1:{port}/neighbour" if port else self.gateway.url("/neighbour/items/7")
        found = self.generator.fixed(url, Request("GET", headers=CLIENT), NEIGHBOURS, self.args.seconds, self.args.rate, warm=1)
        if found["bad"] or found["errors"] or not found["p99"]:
            raise CannotMeasure(f"the neighbour of this load got no good answers: {found}")
        return found["p99"] / 1e3

    def _beside(self, url, request):
        flood = {}
        length = 2 * (self.args.seconds + 1) + 4  # the two measurements and the starts of their generators
        asking = threading.Thread(target=lambda: flood.update(it=self.generator.peak(url, request, FLOOD_CONNECTIONS, length)))
        asking.start()
        beside = self._neighbour()
        server = self._neighbour(self.upstream)
        asking.join()
        if "it" not in flood:
            raise CannotMeasure(f"{request.name}: the flood's generator broke")
        return flood["it"], beside, server

    def _tell(self, name, what):
        print(f"{name}: {what}", file=sys.stderr)


def told(name, found):
    last = found["rounds"]
    print(f"{name:16s} {'█' * max(1, min(40, round(10 * found['ratio']))):40s} p99 of the neighbour × {found['ratio']:.2f}"
          f"  {statistics.median(r['alone'] for r in last):.2f} ms alone, {statistics.median(r['beside'] for r in last):.2f} ms beside;"
          f" the upstream {found['upstream_ms']:.2f} ms; offered {statistics.median(r['offered'] for r in last) / found['capacity']:.1f} times"
          f" its {found['capacity']:,.0f} a second, of which {statistics.median(r['refused'] for r in last):.0%} was refused: {found['verdict']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tier", default="W1", choices=list(machine.TIERS))
    parser.add_argument("--policies", nargs="*", default=["openapi-validation", "xml-schema", "xslt", "jose", "script"], choices=sorted(FITTED))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--warm", type=int, default=20, help="seconds of load on each policy before the first round")
    parser.add_argument("--seconds", type=int, default=6, help="of each measurement")
    parser.add_argument("--rate", type=int, default=1000, help="requests a second to the neighbour")
    parser.add_argument("--json", metavar="FILE")
    args = parser.parse_args()
    for tool in ("wrk", "nginx", "taskset"):
        if not shutil.which(tool):
            sys.exit(f"needs {tool}, which is not on the PATH")
    end_in_order()
    results = {}
    try:
        with Processes("neighbour") as processes:
            neighbours = Neighbours(args, processes)
            for name in args.policies:
                results[name] = neighbours.measure(name)
                told(name, results[name])
    except CannotMeasure as why:
        sys.exit(f"neighbour.py: {why}")
    if args.json:
        with open(args.json, "w") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
