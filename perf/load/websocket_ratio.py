#!/usr/bin/env python3
"""CPU time of a WebSocket message, sent and echoed, as a ratio to nginx in front of the same echoing server.

By cpu_ratio.py's own measuring, with EchoSockets.java for both ends: so many open sockets, each sending its next message
when the echo came. A "request" is a message and its echo, so it passes the candidate twice.

    perf/load/websocket_ratio.py
    perf/load/websocket_ratio.py --bytes 4096 --connections 1000 --rounds 3

Needs nginx and taskset.
"""
import json, os, subprocess

from bench import Target
from cpu_ratio import GATEWAY_CORES, LOAD_CORES, Ratios, ratio_command
from gateway import Gateway, find_jdk
from generators import Found, Request
from processes import ROOT, CannotMeasure, cores, free_port
from services import nginx

SERVER = """server {{ listen 127.0.0.1:{port} backlog=4096;
 location / {{ proxy_http_version 1.1; proxy_set_header Connection "Upgrade"; proxy_set_header Upgrade $http_upgrade;
 proxy_read_timeout 3600s; proxy_pass http://127.0.0.1:{upstream}; }} }}"""


def java(*arguments):
    return [f"{find_jdk()}/bin/java", "-XX:+UseSerialGC", "-Xms64m", "-Xmx64m", "-cp", arguments[0], "EchoSockets", *arguments[1:]]


def compiled(folder):
    """EchoSockets, compiled once for both ends and all rounds."""
    done = subprocess.run([f"{find_jdk()}/bin/javac", "-d", folder, f"{ROOT}/perf/load/EchoSockets.java"], capture_output=True,
                          text=True)
    if done.returncode:
        raise CannotMeasure(f"cannot compile EchoSockets.java: {done.stderr[-400:]}")
    return folder


class Sockets:
    """Loads by open WebSockets."""

    def __init__(self, on, folder, size):
        self.on, self.folder, self.size = on, folder, size

    def peak(self, url, request, connections, seconds):
        done = subprocess.run(["taskset", "-c", cores(self.on), *java(self.folder, "load", url, str(connections), str(seconds),
                               str(self.size))], capture_output=True, text=True, timeout=seconds + 60)
        try:
            found = json.loads(done.stdout.strip().splitlines()[-1])
        except (IndexError, ValueError):
            raise CannotMeasure(f"EchoSockets ended with {done.returncode}: {(done.stdout + done.stderr)[-400:]}")
        return Found(found["messages"], found["seconds"], found["p50"] / 1e3, found["p99"] / 1e3, 0, found["errors"])


class WebSocketRatios(Ratios):
    """The gateway and nginx, both up, in front of one echoing server."""

    def __init__(self, args, processes):
        self.args, self.processes, self.up = args, processes, {}
        self.request = Request("GET")
        self.folder = compiled(os.path.join(processes.folder, "classes"))
        self.generator = Sockets(LOAD_CORES, self.folder, args.bytes)

    def start(self):
        echo, port = free_port(), free_port()
        server = self.processes.spawn(LOAD_CORES, java(self.folder, "serve", str(echo), str(self.args.bytes)),
                                      self.processes.path("echo.log"))
        self.processes.await_port(server, echo, "the echoing server")
        reference = nginx(self.processes, "nginx-websocket", GATEWAY_CORES, SERVER.format(port=port, upstream=echo), port)
        self.up["nginx"] = Target("nginx", f"http://127.0.0.1:{port}/x", reference.pid)
        gateway = Gateway.plain(self.processes, "gateway-websocket", GATEWAY_CORES, self.args.jvm.split(), {
            "GATEWAY_IO_THREADS": "1"})
        gateway.api("bench", "/", echo)
        self.up["gateway"] = Target("gateway", gateway.url("/x"), gateway.pid)
        self.warm()


if __name__ == "__main__":
    ratio_command(__doc__, ["nginx", "taskset"], lambda args: {"": WebSocketRatios},
                  ("--bytes", {"type": int, "default": 64, "help": "of a message"}))
