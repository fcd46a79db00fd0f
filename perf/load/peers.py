"""Part: other proxies on the gateway's cores, in the same rounds, as a ratio to nginx."""
import os, shutil, subprocess

from bench import STARTING, Target
from gateway import find_jdk
from processes import ROOT, CannotMeasure, free_port, rss_mib
from services import proxy

HAPROXY = """global
 nbthread {threads}
 maxconn 8192
defaults
 mode http
 timeout connect 5s
 timeout client 60s
 timeout server 60s
frontend f
 bind 127.0.0.1:{port} backlog 4096
 default_backend b
backend b
 http-reuse always
 server u 127.0.0.1:{upstream} pool-max-conn 512
"""
CADDYFILE = """{{
 admin off
 auto_https off
}}
http://127.0.0.1:{port} {{
 reverse_proxy 127.0.0.1:{upstream} {{
  transport http {{
   keepalive_idle_conns_per_host 512
  }}
 }}
}}
"""
SPRING = f"{ROOT}/perf/peers/spring"
ROUTE = "--spring.cloud.gateway.server.webflux.routes[0]."


def seconds(length):
    here = 4 + bool(shutil.which("caddy"))
    return 10 + here * (STARTING + length.warm + length.side_rounds * length.side_seconds)


def measure(bench, tier):
    length, rows, left_out = bench.length, [], {}
    with bench.rig(tier) as rig:
        candidates = {}
        for name, start in STARTERS.items():
            try:
                with bench.progress.spend(f"{tier} peers: {name} starts", STARTING):
                    candidates[name] = start(rig)
            except CannotMeasure as why:
                left_out[name] = str(why).splitlines()[0][:300]
        for name, each in list(candidates.items()):
            rig.warm(each, length.warm, f"peers: {name}")
        for number in range(length.side_rounds):
            for name, each in candidates.items():
                told = f"peers: {name}, round {number + 1} of {length.side_rounds}"
                rows.append({"round": number, **rig.sample(each, "get", 100, length.side_seconds, told)})
        memory = {name: rss_mib(each.pid) for name, each in candidates.items()}
    return {"rows": rows, "left_out": left_out, "rss": memory}


def _nginx(rig):
    process, port = proxy(rig.processes, rig.place.gateway, rig.upstream)
    return Target("nginx", f"http://127.0.0.1:{port}/x", process.pid)


def _gateway(rig):
    gateway = rig.gateway("gateway")
    gateway.api("bench", "/bench", rig.upstream)
    return Target("gateway", gateway.url("/bench"), gateway.pid)


def _configured(rig, name, text, suffix, command):
    """A program that takes a file of configuration; `command` is its line, given the file."""
    if not shutil.which(command("")[0]):
        raise CannotMeasure(f"{command('')[0]} is not installed")
    port, threads = free_port(), len(rig.place.gateway)
    file = rig.processes.write(f"{name}{suffix}", text.format(port=port, upstream=rig.upstream, threads=threads))
    process = rig.processes.spawn(rig.place.gateway, command(file), rig.processes.path(f"{name}.log"))
    rig.processes.await_port(process, port, name)
    return Target(name, f"http://127.0.0.1:{port}/x", process.pid)


def _haproxy(rig):
    return _configured(rig, "HAProxy", HAPROXY, ".cfg", lambda file: ["haproxy", "-db", "-f", file])


def _caddy(rig):
    return _configured(rig, "Caddy", CADDYFILE, ".caddy", lambda file: ["caddy", "run", "--adapter", "caddyfile", "--config", file])


def _spring(rig):
    """Built by Maven when it is not yet; its JVM is the tier's, without the gateway's own options."""
    built = f"{SPRING}/target/dependency"
    if not os.path.isdir(built):
        done = subprocess.run(["mvn", "-q", "-B", "-ntp", "-f", f"{SPRING}/pom.xml", "package"], capture_output=True, text=True) \
            if shutil.which("mvn") else None
        if not done or done.returncode:
            raise CannotMeasure("perf/peers/spring does not build here: " + (done.stdout[:200] if done else "no mvn"))
    port, cpus = free_port(), len(rig.place.gateway)
    command = [f"{find_jdk()}/bin/java", f"-XX:ActiveProcessorCount={cpus}", "-Xmx1144m", "-XX:+UseG1GC", "-XX:+UseCompactObjectHeaders",
               "-cp", f"{SPRING}/target/classes:{built}/*", "peer.Peer", f"--server.port={port}", "--server.address=127.0.0.1",
               "--logging.level.root=WARN", f"{ROUTE}id=bench", f"{ROUTE}uri=http://127.0.0.1:{rig.upstream}",
               f"{ROUTE}predicates[0]=Path=/**", "--spring.cloud.gateway.server.webflux.httpclient.pool.type=FIXED",
               "--spring.cloud.gateway.server.webflux.httpclient.pool.max-connections=512"]
    process = rig.processes.spawn(rig.place.gateway, command, rig.processes.path("spring.log"), groups=rig.limited("spring"))
    rig.processes.await_port(process, port, "Spring Cloud Gateway", 90)
    return Target("Spring Cloud Gateway", f"http://127.0.0.1:{port}/x", process.pid)


STARTERS = {"nginx": _nginx, "gateway": _gateway, "HAProxy": _haproxy, "Spring Cloud Gateway": _spring, "Caddy": _caddy}
