"""What stands around the gateway: the nginx upstream and reference, Redis, Elasticsearch."""
import base64, json, os, re, shutil, subprocess, time, urllib.error, urllib.request

from gateway import find_jdk
from processes import ROOT, CannotMeasure, free_port

BODY = '{"time": "2020-04-06 20:00:38.661919975 +0000 UTC m=+20526.911315903"}'
NGINX = """worker_processes {workers}; pid {folder}/{name}.pid; error_log {folder}/{name}.err; daemon off;
events {{ worker_connections 8192; }}
http {{ access_log off; keepalive_requests 1000000000; keepalive_timeout 3600s; client_max_body_size 64m;
 client_body_buffer_size 1m; client_body_temp_path {folder}/{name}-body; proxy_temp_path {folder}/{name}-proxy;
 fastcgi_temp_path {folder}/{name}-f; uwsgi_temp_path {folder}/{name}-u; scgi_temp_path {folder}/{name}-s;
 {server} }}"""
UPSTREAM_SERVER = """server {{ listen 127.0.0.1:{port} backlog=4096;
 location / {{ default_type application/json; return 200 '{body}'; }} }}"""
PROXY_SERVER = """upstream u {{ server 127.0.0.1:{upstream}; keepalive 512; keepalive_requests 1000000000; }}
 server {{ listen 127.0.0.1:{port} backlog=4096;
 location / {{ proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://u; }} }}"""
PASSWORD = "only-for-the-benchmark"
ELASTICSEARCH_YML = """cluster.name: perf
node.name: perf-1
discovery.type: single-node
network.host: 127.0.0.1
http.port: 0
transport.port: 0
node.portsfile: true
path.data: {folder}/data
path.logs: {folder}/logs
xpack.security.enabled: true
cluster.routing.allocation.disk.threshold_enabled: false
"""


def nginx(processes, name, on, server, port):
    if not shutil.which("nginx"):
        raise CannotMeasure("needs nginx on the PATH (apt-get install nginx-light)")
    conf = processes.write(f"{name}.conf", NGINX.format(folder=processes.folder, name=name, workers=len(on), server=server))
    process = processes.spawn(on, ["nginx", "-e", processes.path(f"{name}.err"), "-c", conf], processes.path(f"{name}.log"))
    processes.await_port(process, port, name)
    return process


def upstream(processes, on, port=None, name="upstream", body=BODY):
    """An nginx that answers every request with the same 70 bytes of JSON, or what is given. Returns its port."""
    port = port or free_port()
    nginx(processes, name, on, UPSTREAM_SERVER.format(port=port, body=body), port)
    return port


def proxy(processes, on, upstream_port, port=None):
    """An nginx that proxies to the upstream. Returns process and port."""
    port = port or free_port()
    return nginx(processes, "nginx", on, PROXY_SERVER.format(port=port, upstream=upstream_port), port), port


class Redis:
    """A Redis that keeps nothing on disk."""

    def __init__(self, processes, on, port=None):
        if not shutil.which("redis-server"):
            raise CannotMeasure("needs redis-server on the PATH (apt-get install redis-server)")
        self.port = port or free_port()
        self.process = processes.spawn(on, ["redis-server", "--port", str(self.port), "--save", "", "--appendonly", "no",
                                            "--dir", processes.folder], processes.path("redis.log"))
        processes.wait(self.process, lambda: self.info().get("redis_version"), "redis-server", 20)
        self.pid = self.process.pid

    def info(self):
        """What INFO says: {name: text}."""
        import socket
        with socket.create_connection(("127.0.0.1", self.port), 5) as link, link.makefile("rb") as answers:
            link.sendall(b"*1\r\n$4\r\nINFO\r\n")
            size = int(answers.readline()[1:])
            return dict(line.split(":", 1) for line in answers.read(size).decode().splitlines() if ":" in line)


class Elasticsearch:
    """One node: of the distribution that the integration tests unpack from Maven Central, or somebody's at a URL.

    Our own runs at the lowest priority (nice 19) on the load's cores: it stands for a server elsewhere, so it must not slow
    the load. On a small machine it then indexes less than it could; what it has not taken is counted and reported."""

    def __init__(self, processes, on, url=None, user="elastic", password=PASSWORD):
        self.url, self.user, self.password, self.process, self.pid = url, user, password, None, None
        if not url:
            self._start(processes, on, self._unpacked(processes))
            return
        try:  # before anything is measured
            self.version()
        except (OSError, ValueError, KeyError) as why:
            raise CannotMeasure(f"Elasticsearch at {url}: {why}")

    def env(self, stream):
        """The gateway's settings to ship there."""
        login = {"GATEWAY_ELASTICSEARCH_USER": self.user, "GATEWAY_ELASTICSEARCH_PASSWORD": self.password}
        return {"GATEWAY_TRAFFIC_LOG": "elasticsearch", "GATEWAY_ELASTICSEARCH_URL": self.url, "GATEWAY_TRAFFIC_LOG_STREAM": stream,
                **(login if self.password else {})}

    def call(self, path):
        login = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        headers = {"Authorization": f"Basic {login}"} if self.password else {}
        request = urllib.request.Request(self.url.rstrip("/") + path, headers=headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    def version(self):
        return next(iter(self.call("/_nodes/_all/os?filter_path=nodes.*.version")["nodes"].values()))["version"]

    def documents(self, stream, patience=30):
        """Records that the stream holds; None when the server has too much to do to say so within so many seconds."""
        until = time.monotonic() + patience
        while True:
            try:
                self.call(f"/{stream}/_refresh")
                return self.call(f"/{stream}/_count")["count"]
            except urllib.error.HTTPError as busy:
                if busy.code not in (429, 503):
                    raise
                if time.monotonic() > until:
                    return None
            time.sleep(1)

    def _start(self, processes, on, home):
        folder = processes.path("elasticsearch")
        for name in ("data", "logs", "tmp"):
            os.makedirs(f"{folder}/{name}")
        shutil.copytree(f"{home}/config", f"{folder}/config")
        with open(f"{folder}/config/elasticsearch.yml", "w") as file:
            file.write(ELASTICSEARCH_YML.format(folder=folder))
        env = {"ES_JAVA_HOME": find_jdk(), "ES_PATH_CONF": f"{folder}/config", "ES_TMPDIR": f"{folder}/tmp", "HOME": folder,
               "ES_JAVA_OPTS": "-Xms1g -Xmx1g -XX:-UseG1GC -XX:+UseParallelGC -XX:-AlwaysPreTouch"}
        as_user = ["unshare", "--user", "--map-user=1000", "--map-group=1000", "--"] if os.geteuid() == 0 else []
        for line, text in ((["create"], ""), (["add", "--stdin", "bootstrap.password"], self.password + "\n")):
            done = subprocess.run([*as_user, f"{home}/bin/elasticsearch-keystore", *line], input=text, text=True,
                                  capture_output=True, env={**os.environ, **env})
            if done.returncode:
                raise CannotMeasure(f"elasticsearch-keystore ended with {done.returncode}: {done.stderr[-400:]}")
        self.process = processes.spawn(on, ["nice", "-n", "19", *as_user, f"{home}/bin/elasticsearch"],
                                       processes.path("elasticsearch.log"), env)
        ports = f"{folder}/logs/http.ports"
        processes.wait(self.process, lambda: os.path.exists(ports) and os.path.getsize(ports), "Elasticsearch", 180)
        with open(ports) as file:
            self.url = "http://" + next(line.strip() for line in file if "[" not in line)
        processes.wait(self.process, lambda: self.call("/_cluster/health?wait_for_status=yellow&timeout=1s"), "Elasticsearch", 60)
        self.pid = self.process.pid

    @staticmethod
    def _unpacked(processes):
        with open(f"{ROOT}/pom.xml") as file:
            version = re.search(r"<elasticsearch.version>(.*?)<", file.read()).group(1)
        home = f"{ROOT}/gateway-app/target/es-dist/elasticsearch-{version}"
        if not os.path.exists(f"{home}/bin/elasticsearch"):
            done = subprocess.run(["mvn", "-q", "-B", "-ntp", "-f", f"{ROOT}/pom.xml", "-pl", "gateway-app",
                                   "dependency:unpack@unpack-elasticsearch"], capture_output=True, text=True)
            if done.returncode:
                raise CannotMeasure(f"cannot fetch Elasticsearch {version}: {done.stdout[-600:]}")
        return home
