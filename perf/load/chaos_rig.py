"""A gateway of tier W1 with everything around it that an attack needs: upstreams of several kinds, good clients, attackers."""
import json, os, socket, subprocess, sys, time

import machine
from attack import READY
from attacks.link import MORE, context
from gateway import JAR, TOKEN, Gateway, find_jdk
from generators import REQUESTS, Generator
from limits import Limits
from processes import CannotMeasure, free_port, tail
from services import BODY, nginx
from tls_ratio import EC, issue
from websocket_ratio import compiled, java

TIER = "W1"
LOAD = os.path.dirname(os.path.abspath(__file__))
LARGE = 2**20
FILES = 65536  # open files that the tier is made for
CONNECTIONS, SOCKETS = 16384, 2048  # where this machine allows fewer; the tier's own number of connections
UPSTREAM = """server {{ listen 127.0.0.1:{port} backlog=4096; large_client_header_buffers 4 64k;
 location / {{ default_type application/json; return 200 '{body}'; }} location /large {{ root {folder}; }}
 location /upload {{ proxy_pass http://127.0.0.1:{port}/; }} }}"""  # which reads an upload before it answers
STARTING = 3  # seconds in which good clients start, before they and the attackers begin
PATIENCE = 120  # for attackers to be ready


def environment(hard_files, tls_port, certificate, settings):
    """The settings of the gateway under attack: W1's, HTTP/2 on both listeners. Where fewer files may be open than the
    tier is made for, the entry point would allow fewer connections, and an attack would end at that limit."""
    few = {"GATEWAY_CONNECTIONS": str(min(CONNECTIONS, hard_files - SOCKETS - 1024)), "GATEWAY_WEB_SOCKETS": str(SOCKETS)}
    return {"GATEWAY_HTTP2": "all", "GATEWAY_TLS_LISTEN": f"127.0.0.1:{tls_port}", "GATEWAY_TLS_CERTIFICATES": certificate,
            **(few if hard_files < FILES else {}), **settings}


class Silent:
    """A server that takes connections and never says a word: the kernel accepts for it."""

    def __init__(self):
        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))
        self.socket.listen(4096)
        self.port = self.socket.getsockname()[1]


class Attackers(list):
    """Their processes, and the file in which they look for the moment at which they begin."""

    def __init__(self, processes, file):
        super().__init__(processes)
        self.file = file

    def begin(self, at):
        with open(f"{self.file}.new", "w") as file:
            file.write(repr(at))
        os.rename(f"{self.file}.new", self.file)  # whole or not there


class Rig:
    """Use as a context. The gateway may be started again when an attack has ended it."""

    def __init__(self, processes, jar=JAR, settings=None, hard_files=FILES):
        place = machine.place(TIER, machine.online(), machine.memory())
        if isinstance(place, str):
            raise CannotMeasure(f"{TIER} {place}")
        self.processes, self.jar, self.place, self.gateway, self.gateways, self.limits = processes, jar, place, None, 0, []
        self.settings, self.hard_files = settings or {}, hard_files
        self.silent = Silent()

    def __enter__(self):
        self.certificate = issue(self.processes.folder, EC)
        self.processes.write("large", "x" * LARGE)
        os.chmod(self.processes.folder, 0o755)  # nginx's workers are somebody else
        self.upstream, self.others, self.sockets = free_port(), free_port(), free_port()
        self.processes.first(self._nginx("upstream", self.upstream))
        self._nginx("others", self.others)
        classes = compiled(self.processes.path("classes"))
        echo = self.processes.spawn(self.place.load, java(classes, "serve", str(self.sockets), "64"), self.processes.path("sockets.log"))
        self.processes.await_port(echo, self.sockets, "the server of WebSockets")
        self.start()
        return self

    def _nginx(self, name, port):
        return nginx(self.processes, name, self.place.load, UPSTREAM.format(port=port, body=BODY, folder=self.processes.folder), port)

    def __exit__(self, *_):
        if self.gateway:
            self.gateway.stop()
        for limits in self.limits:
            limits.close()

    def start(self):
        """A gateway anew, with nothing of the one before."""
        if self.gateway:
            self.gateway.stop()
        self.gateways += 1
        self.tls_port = free_port()
        self.limits.append(Limits(f"{os.path.basename(self.processes.folder)}-{self.gateways}", *machine.TIERS[TIER]))
        self.gateway = Gateway.of_tier(
            self.processes, f"gateway-{self.gateways}", TIER, self.place.gateway, self.limits[-1].groups,
            environment(self.hard_files, self.tls_port, self.certificate, self.settings), jar=self.jar)
        self.define()

    def define(self):
        """APIs for the good and for the attackers, who have an upstream of their own: a gigabyte that it reads for them is
        nothing that the good should wait for. One policy each where an attack is on a policy."""
        limit = {"type": "rate-limit", "requests": 100, "per": "1s", "by": "header:x-user"}
        pattern = {"type": "path-rules", "block": [{"regex": "/(a+)+$"}]}
        for id, policies in {"good": [], "large": [], "upload": [], "keyed": [{"type": "key-auth", "header": "X-API-Key"}],
                             "counted": [limit], "patterns": [pattern]}.items():
            self.gateway.api(id, f"/{id}", self.upstream if id == "good" else self.others, policies)
        for id, port in {"socket": self.sockets, "silent": self.silent.port}.items():
            self.gateway.admin("apis", {"id": id, "match": {"path": f"/{id}"}, "policies": [],
                                        "upstream": {"targets": [{"url": f"http://127.0.0.1:{port}"}], "timeout": "5s"}})

    def log(self):
        with open(self.processes.path(f"{self.gateway.name}.log"), errors="replace") as file:
            return file.read()

    def last_words(self):
        return tail(self.processes.path(f"{self.gateway.name}.log"), 3)

    def is_up(self):
        return self.gateway.process.poll() is None

    def peak(self, seconds):
        """Requests a second when 100 connections each ask again as soon as they are answered."""
        generator = Generator(self.place.load, self.processes.folder, f"{find_jdk()}/bin/java")
        return generator.peak(self.gateway.url("/good/x"), REQUESTS["get"], 100, seconds).rps

    def begin(self, attackers=None):
        """The moment at which good clients can have started, told to the attackers who wait for it."""
        at = time.monotonic() + STARTING
        if attackers:
            attackers.begin(at)
        return at

    def clients(self, rate, at, seconds):
        """Good clients from `at` on."""
        return self._python(self.processes.first, "clients.py", "--plain", self.gateway.port, "--tls", self.tls_port,
                            "--upstream", self.upstream, "--rate", rate, "--at", at, "--seconds", seconds)

    def attackers(self, attacks, seconds, share=1.0, one_client=False):
        """One process for each attack, which is ready and waits for [begin]. How long that takes differs from machine to
        machine: a moment chosen before had good clients counted that nobody attacked yet."""
        at = self.processes.path(f"begin-{len(os.listdir(self.processes.folder))}")
        found = [self._python(self.processes.last, "attack.py", each.name, "--plain", self.gateway.port, "--tls", self.tls_port, "--admin",
                              self.gateway.admin_port, "--at", at, "--seconds", seconds, "--share", share, *(["--one-client"] if one_client else []))
                 for each in attacks]
        for process in found:
            self.processes.wait(process, lambda: READY in self._said(process), "an attacker", PATIENCE)
        return Attackers(found, at)

    def _said(self, process):
        with open(process.output, errors="replace") as file:
            return file.read()

    def _python(self, place, script, *words):
        output = self.processes.path(f"{script}-{len(os.listdir(self.processes.folder))}.out")
        process = self.processes.spawn(self.place.load, [sys.executable, "-B", f"{LOAD}/{script}", *map(str, words)], output,
                                       {"ATTACK_TOKEN": TOKEN})
        process.output = output
        place(process)
        return process

    def result(self, process, seconds):
        """What a client or attacker found; None when it had to be ended first."""
        try:
            process.wait(max(0.1, seconds))
        except subprocess.TimeoutExpired:
            self.processes.stop(process)
            return None
        self.processes.started = [each for each in self.processes.started if each is not process]
        text = self._said(process)
        try:
            return json.loads(text.strip().splitlines()[-1])
        except (IndexError, ValueError):
            raise CannotMeasure(f"{os.path.basename(process.output)} ended with {process.returncode}: {text[-600:]}")

    def end(self, processes):
        for process in processes:
            self.processes.stop(process)

    def good_answer(self):
        """Whether a fresh connection to each listener gets the upstream's answer."""
        for tls in (False, True):
            if not self._answered(tls):
                return False
        return True

    def _answered(self, tls, patience=2):
        try:
            with socket.create_connection(("127.0.0.1", self.tls_port if tls else self.gateway.port), patience) as link:
                if tls:
                    link = context("http/1.1").wrap_socket(link, server_hostname="localhost")
                link.sendall(b"GET /good/x HTTP/1.1\r\nHost: good.example\r\nConnection: close\r\n\r\n")
                return link.recv(MORE).startswith(b"HTTP/1.1 200")
        except OSError:
            return False
