#!/usr/bin/env python3
"""CPU time over TLS as a ratio to nginx, with the same certificate (EC, P-256), version (1.3) and cipher (AES-128-GCM).

Two questions, each by cpu_ratio.py's own measuring: what a GET costs on connections that stand, and what it costs with a
connection and a whole handshake of its own (`Connection: close`; wrk resumes no session).

    perf/load/tls_ratio.py                        # both
    perf/load/tls_ratio.py --only handshake --rounds 3

Needs what cpu_ratio.py needs, and openssl.
"""
import argparse, json, shutil, subprocess, sys

from bench import Target
from cpu_ratio import GATEWAY_CORES, LOAD_CORES, Ratios, bars
from gateway import Gateway
from generators import Generator, Request
from processes import CannotMeasure, Processes, end_in_order, free_port
from services import nginx, upstream

SERVER = """upstream u {{ server 127.0.0.1:{upstream}; keepalive 512; keepalive_requests 1000000000; }}
 server {{ listen 127.0.0.1:{plain}; listen 127.0.0.1:{port} ssl backlog=4096;
 ssl_certificate {certificate}; ssl_certificate_key {certificate}; ssl_protocols TLSv1.3;
 ssl_conf_command Ciphersuites TLS_AES_128_GCM_SHA256; ssl_session_cache off; ssl_session_tickets on;
 location / {{ proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://u; }} }}"""
QUESTIONS = {"get": (), "handshake": ("Connection: close",)}


class TlsRatios(Ratios):
    """The gateway and nginx, both up, both presenting the same certificate."""

    def __init__(self, args, processes, headers):
        self.args, self.processes, self.up = args, processes, {}
        self.request = Request("GET").with_headers(*headers)
        self.generator = Generator(LOAD_CORES, processes.folder)

    def start(self, certificate):
        upstream_port = upstream(self.processes, LOAD_CORES)
        plain, port, secure = free_port(), free_port(), free_port()
        server = SERVER.format(upstream=upstream_port, plain=plain, port=port, certificate=certificate)
        reference = nginx(self.processes, "nginx-tls", GATEWAY_CORES, server, plain)
        self.up["nginx"] = Target("nginx", f"https://127.0.0.1:{port}/x", reference.pid)
        gateway = Gateway.plain(self.processes, "gateway-tls", GATEWAY_CORES, self.args.jvm.split(), {
            "GATEWAY_IO_THREADS": "1", "GATEWAY_TLS_LISTEN": f"127.0.0.1:{secure}", "GATEWAY_TLS_VERSION": "1.3",
            "GATEWAY_TLS_CERTIFICATES": certificate})
        gateway.api("bench", "/", upstream_port)
        self.up["gateway"] = Target("gateway", f"https://127.0.0.1:{secure}/x", gateway.pid)
        for target in self.up.values():
            print(f"warming {target.name} for {self.args.warm} s", file=sys.stderr)
            self.load(target, self.args.warm)


def issue(folder):
    """A certificate and its key in one file, which both servers read."""
    key, certificate = f"{folder}/tls.key", f"{folder}/tls.crt"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
                   check=True, capture_output=True)
    both = f"{folder}/tls.pem"
    with open(both, "w") as file:
        for part in (certificate, key):
            file.write(open(part).read())
    return both


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=list(QUESTIONS), choices=list(QUESTIONS))
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--warm", type=int, default=30, help="seconds of load before the first round, each candidate")
    parser.add_argument("--seconds", type=int, default=4, help="of load, each round and candidate")
    parser.add_argument("--connections", type=int, default=100)
    parser.add_argument("--jvm", default="-XX:ActiveProcessorCount=1 -Xms1200m -Xmx1200m -XX:+UseG1GC")
    parser.add_argument("--json", metavar="FILE")
    args = parser.parse_args()
    for tool in ["nginx", "wrk", "taskset", "openssl"]:
        if not shutil.which(tool):
            sys.exit(f"needs {tool}, which is not on the PATH")
    end_in_order()
    results = {}
    try:
        for question in args.only:
            with Processes("tls-ratio") as processes:
                ratios_of = TlsRatios(args, processes, QUESTIONS[question])
                ratios_of.start(issue(processes.folder))
                results[question] = ratios_of.measure()
                print(question)
                bars(results[question])
        if args.json:
            with open(args.json, "w") as file:
                json.dump(results, file, indent=1)
    except CannotMeasure as why:
        sys.exit(f"tls_ratio.py: {why}")


if __name__ == "__main__":
    main()
