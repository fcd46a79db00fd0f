#!/usr/bin/env python3
"""CPU time over TLS as a ratio to nginx, with the same certificate, version (1.3) and cipher (AES-128-GCM).

Five questions, each by cpu_ratio.py's own measuring: what a GET costs on connections that stand (get), what it costs with a
connection and a whole handshake of its own, with an EC key (full-ec, P-256) and an RSA key (full-rsa, 2048 bits), or with a
resumed one (resumed, by `openssl s_time -reuse`, since wrk resumes none), and what an answer of 1 MiB costs (large).

    perf/load/tls_ratio.py                                      # all
    perf/load/tls_ratio.py --only full-ec --engines auto jdk    # both engines of the gateway beside nginx

Needs what cpu_ratio.py needs, and openssl.
"""
import functools, os, re, subprocess, time

from bench import Target
from cpu_ratio import GATEWAY_CORES, LOAD_CORES, Ratios, ratio_command
from gateway import Gateway
from generators import Found, Generator, Request
from processes import CannotMeasure, cores, free_port
from services import BODY, nginx

UPSTREAM = """server {{ listen 127.0.0.1:{port} backlog=4096;
 location / {{ default_type application/json; return 200 '{body}'; }} location /large {{ root {folder}; }} }}"""
REFERENCE = """upstream u {{ server 127.0.0.1:{upstream}; keepalive 512; keepalive_requests 1000000000; }}
 server {{ listen 127.0.0.1:{plain}; listen 127.0.0.1:{port} ssl backlog=4096;
 ssl_certificate {certificate}; ssl_certificate_key {certificate}; ssl_protocols TLSv1.3;
 ssl_conf_command Ciphersuites TLS_AES_128_GCM_SHA256; ssl_session_cache off; ssl_session_tickets on;
 location / {{ proxy_http_version 1.1; proxy_set_header Connection ""; proxy_max_temp_file_size 0; proxy_pass http://u; }} }}"""
# The clients offer one cipher only: BoringSSL lets them choose between AES-128 and AES-256.
CLIENTS = "openssl_conf = all\n[all]\nssl_conf = ssl\n[ssl]\nsystem_default = one\n[one]\nCiphersuites = TLS_AES_128_GCM_SHA256\n"
EC, RSA = ("ec", "-pkeyopt", "ec_paramgen_curve:P-256"), ("rsa:2048",)
QUESTIONS = {  # name: (key, path, headers)
    "get": (EC, "/x", ()),
    "full-ec": (EC, "/x", ("Connection: close",)),
    "full-rsa": (RSA, "/x", ("Connection: close",)),
    "resumed": (EC, "/x", ()),
    "large": (EC, "/large", ()),
}
LARGE = 2**20
RESUMING = 8  # clients at once; each is a process that shakes hands over and over


class TlsRatios(Ratios):
    """The gateway, with each engine that is asked for, and nginx, all up, all presenting the same certificate."""

    def __init__(self, args, processes, question):
        self.args, self.processes, self.up, self.question = args, processes, {}, question
        self.key, self.path, headers = QUESTIONS[question]
        self.request = Request("GET").with_headers(*headers)
        self.generator = Generator(LOAD_CORES, processes.folder)

    def start(self):
        certificate = issue(self.processes.folder, self.key)
        os.environ |= {"OPENSSL_CONF": self.processes.write("clients.cnf", CLIENTS), "SSL_CERT_FILE": certificate}
        self.processes.write("large", "x" * LARGE)
        os.chmod(self.processes.folder, 0o755)  # nginx's workers are somebody else
        upstream, plain, port = free_port(), free_port(), free_port()
        nginx(self.processes, "upstream", LOAD_CORES,
              UPSTREAM.format(port=upstream, body=BODY, folder=self.processes.folder), upstream)
        server = REFERENCE.format(upstream=upstream, plain=plain, port=port, certificate=certificate)
        reference = nginx(self.processes, "nginx-tls", GATEWAY_CORES, server, plain)
        self.up["nginx"] = Target("nginx", f"https://127.0.0.1:{port}{self.path}", reference.pid)
        for engine in self.args.engines:
            self.gateway(f"gateway-{engine}", engine, certificate, upstream)
        self.warm()

    def gateway(self, name, engine, certificate, upstream):
        secure = free_port()
        gateway = Gateway.plain(self.processes, name, GATEWAY_CORES, self.args.jvm.split(), {
            "GATEWAY_IO_THREADS": "1", "GATEWAY_TLS_LISTEN": f"127.0.0.1:{secure}", "GATEWAY_TLS_VERSION": "1.3",
            "GATEWAY_TLS_CERTIFICATES": certificate, "GATEWAY_TLS_ENGINE": engine})
        gateway.api("bench", "/", upstream)
        self.up[name] = Target(name, f"https://127.0.0.1:{secure}{self.path}", gateway.pid)

    def load(self, target, seconds):
        return resumed(target.url, seconds) if self.question == "resumed" else super().load(target, seconds)


def resumed(url, seconds):
    """Connections that resume a session for one GET each. Those that did not resume count as errors."""
    address, path = re.fullmatch(r"https://([^/]+)(/.*)", url).groups()
    command = ["taskset", "-c", cores(LOAD_CORES), "openssl", "s_time", "-connect", address, "-www", path, "-reuse",
               "-time", str(seconds), "-tls1_3"]
    began = time.monotonic()
    clients = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for _ in range(RESUMING)]
    told = [client.communicate(timeout=seconds + 60)[0] for client in clients]
    took = time.monotonic() - began
    made = [re.search(r"(\d+) connections in \d+ real seconds", each) for each in told]
    if None in made:
        raise CannotMeasure(f"openssl s_time says: {told[made.index(None)][-400:]}")
    full = sum(re.split("starting", each)[-1].split("\n")[0].count("*") for each in told)
    return Found(sum(int(each.group(1)) for each in made), took, 0.0, 0.0, errors=full)


def issue(folder, key):
    """A certificate and its key in one file, which both servers read."""
    own, certificate = f"{folder}/tls.key", f"{folder}/tls.crt"
    subprocess.run(["openssl", "req", "-x509", "-newkey", *key, "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", own, "-out", certificate], check=True, capture_output=True,
                   env={name: value for name, value in os.environ.items() if name != "OPENSSL_CONF"})
    both = f"{folder}/tls.pem"
    with open(both, "w") as file:
        for part in (certificate, own):
            file.write(open(part).read())
    return both


def questions(args):
    return {question: functools.partial(TlsRatios, question=question) for question in args.only}


if __name__ == "__main__":
    ratio_command(__doc__, ["nginx", "wrk", "taskset", "openssl"], questions,
                  ("--only", {"nargs": "*", "default": list(QUESTIONS), "choices": list(QUESTIONS)}),
                  ("--engines", {"nargs": "*", "default": ["auto"], "choices": ["auto", "jdk", "openssl"]}))
