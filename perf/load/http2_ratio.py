#!/usr/bin/env python3
"""CPU time of a GET over HTTP/2 as a ratio to nginx, in the clear by prior knowledge, upstream by HTTP/1.1 on both sides.

By cpu_ratio.py's own measuring, with h2load in place of wrk.

    perf/load/http2_ratio.py
    perf/load/http2_ratio.py --streams 32 --connections 8 --rounds 3

Needs nginx with its module for HTTP/2, h2load (apt-get install nghttp2-client) and taskset.
"""
import re, subprocess, sys, time

from bench import Target
from cpu_ratio import GATEWAY_CORES, LOAD_CORES, Ratios, ratio_command
from gateway import Gateway
from generators import Found, Request
from processes import CannotMeasure, cores, free_port
from services import nginx, upstream

SERVER = """upstream u {{ server 127.0.0.1:{upstream}; keepalive 512; keepalive_requests 1000000000; }}
 server {{ listen 127.0.0.1:{plain}; listen 127.0.0.1:{port} http2 backlog=4096; keepalive_requests 1000000000;
 location / {{ proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://u; }} }}"""

LONGEST_WARM = 240


class H2load:
    """Loads by HTTP/2, so many streams at once on each connection. Knows no percentiles: p99 is the mean."""

    def __init__(self, on, streams):
        self.on, self.streams = on, streams

    def peak(self, url, request, connections, seconds):
        command = ["taskset", "-c", cores(self.on), "h2load", "-D", str(seconds), "-c", str(connections), "-m",
                   str(self.streams), url]
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 60)
        counts = re.search(r"requests: .* (\d+) done, (\d+) succeeded, (\d+) failed, (\d+) errored", done.stdout)
        mean = re.search(r"time for request:\s+\S+\s+\S+\s+([0-9.]+)(us|ms|s)\s", done.stdout)
        if not counts or not mean:
            raise CannotMeasure(f"h2load ended with {done.returncode}: {(done.stdout + done.stderr)[-400:]}")
        requests, good, _, errors = (int(count) for count in counts.groups())
        took = float(mean.group(1)) * {"us": 1e-3, "ms": 1.0, "s": 1e3}[mean.group(2)]
        return Found(requests, seconds, took, took, requests - good - errors, errors)


class Http2Ratios(Ratios):
    """The gateway and nginx, both up, both taking HTTP/2 in the clear."""

    def __init__(self, args, processes):
        self.args, self.processes, self.up = args, processes, {}
        self.request = Request("GET")
        self.generator = H2load(LOAD_CORES, args.streams)

    def start(self):
        upstream_port = upstream(self.processes, LOAD_CORES)
        plain, port = free_port(), free_port()
        server = SERVER.format(upstream=upstream_port, plain=plain, port=port)
        reference = nginx(self.processes, "nginx-http2", GATEWAY_CORES, server, plain)
        self.up["nginx"] = Target("nginx", f"http://127.0.0.1:{port}/x", reference.pid)
        gateway = Gateway.plain(self.processes, "gateway-http2", GATEWAY_CORES, self.args.jvm.split(), {
            "GATEWAY_IO_THREADS": "1", "GATEWAY_HTTP2": "all"})
        gateway.api("bench", "/", upstream_port)
        self.up["gateway"] = Target("gateway", gateway.url("/x"), gateway.pid)
        self.warm()

    def warm(self):
        """By requests and not by time alone: beside other work a JVM does few of them in half a minute, and its compilers,
        whose CPU time counts, then go on into the rounds."""
        super().warm()
        target, began, done = self.up["gateway"], time.monotonic(), 0
        while done < self.args.warm_requests:
            if time.monotonic() - began > LONGEST_WARM:
                print(f"not warm: {done} requests in {LONGEST_WARM} s", file=sys.stderr)
                return
            done += self.load(target, 5).requests


if __name__ == "__main__":
    ratio_command(__doc__, ["nginx", "h2load", "taskset"], lambda args: {"": Http2Ratios},
                  ("--streams", {"type": int, "default": 5, "help": "at once on each connection"}),
                  ("--warm-requests", {"type": int, "default": 600_000, "help": "of the gateway, after --warm"}),
                  connections=20)
