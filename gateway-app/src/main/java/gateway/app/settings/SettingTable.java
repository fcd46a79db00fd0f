package gateway.app.settings;

import gateway.http.Secret;
import gateway.json.Durations;
import gateway.net.IpRange;
import gateway.wire.io.RequestThreadMode;
import gateway.wire.memory.HeapShares;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Every setting of the process that belongs to no adapter.
public final class SettingTable {
    private static final int MOST_REQUESTS = 1_000_000;

    public static final Setting<Optional<Address>> LISTEN = Setting.of(
            "listen",
            "0.0.0.0:8080",
            "where clients call in the clear; off: over TLS alone",
            SettingFormats.ADDRESS_OR_OFF);
    public static final Setting<Address> ADMIN_LISTEN =
            Setting.of("adminListen", "127.0.0.1:9090", "where operators call", SettingFormats.ADDRESS);
    public static final Setting<List<String>> ADMIN_HOSTS = Setting.of(
            "adminHosts",
            "",
            "further names by which the admin plane is called without a token; `*.example.org` for all below one",
            SettingFormats.list(SettingFormats.matching(
                    "names such as \"gateway.example.org\" or \"*.example.org\", without port, or \"*\"",
                    "\\*|(\\*\\.)?[A-Za-z0-9_-]{1,63}(\\.[A-Za-z0-9_-]{1,63}){0,30}")));
    public static final Setting<Optional<Secret>> ADMIN_TOKEN = Setting.of(
                    "adminToken",
                    "",
                    "bearer token of the admin API; on loopback one is made when none is set",
                    SettingFormats.SECRET)
            .shownAs(text -> text.isEmpty() ? "" : "***");
    public static final Setting<Optional<Path>> ADMIN_TOKENS = Setting.of(
            "adminTokens",
            "",
            "file of further tokens of the admin API, each with its rights",
            SettingFormats.OPTIONAL_FILE);
    public static final Setting<Path> DATA =
            Setting.of("data", "gateway-data", "folder of definitions, keys and counters", SettingFormats.FOLDER);
    public static final Setting<StoreLocation> STORE = Setting.of(
                    "store", "memory", "memory, or the location of a Redis", SettingFormats.STORE)
            .shownAs(SettingFormats::hiddenUser);
    public static final Setting<String> NODE =
            Setting.of("node", "", "name of this node", SettingFormats.TEXT).fallingBackTo(reader -> hostName());
    public static final Setting<Tier> TIER = Setting.of(
                    "tier", "", "size of machine", SettingFormats.choice(Tier.class, Tier::name))
            .fallingBackTo(reader ->
                    Tier.of(Runtime.getRuntime().availableProcessors()).name());
    public static final Setting<RequestThreadMode> REQUEST_THREADS = Setting.of(
            "requestThreads",
            "io",
            "what carries a request's virtual thread: its IO thread, or the JDK's scheduler",
            SettingFormats.choice(RequestThreadMode.class, SettingFormats::lowerCase));
    public static final Setting<Integer> IO_THREADS = Setting.of(
                    "ioThreads", "", "IO threads of the data plane", SettingFormats.wholeNumber(1, 256))
            .fallingBackTo(reader -> Integer.toString(reader.read(TIER).ioThreads()));
    public static final Setting<Integer> WORKERS = Setting.of(
                    "workers",
                    "",
                    "threads for policies that compute for long or block",
                    SettingFormats.wholeNumber(1, 1_024))
            .fallingBackTo(reader -> Integer.toString(reader.read(TIER).workers()));
    public static final Setting<Duration> WORKER_WAIT = Setting.of(
            "workerWait",
            Durations.text(Duration.ofSeconds(1)),
            "how long a request waits for one of them until it is answered 503; ten times that for brief work, a signature say",
            SettingFormats.duration(Duration.ofMillis(1), Duration.ofMinutes(1)));
    public static final Setting<Scripts> SCRIPTS = Setting.of(
            "scripts",
            "javascript",
            "languages of scripts: `javascript`, which runs in a sandbox, or `groovy` too, which does not",
            SettingFormats.choice(Scripts.class, SettingFormats::lowerCase));
    public static final Setting<Integer> REQUESTS_IN_FLIGHT = Setting.of(
                    "requestsInFlight",
                    "",
                    "requests under way at once; others wait",
                    SettingFormats.wholeNumber(1, MOST_REQUESTS))
            .fallingBackTo(reader -> Integer.toString(reader.read(TIER).requestsInFlight()));
    public static final Setting<Integer> REQUESTS_WAITING = Setting.of(
                    "requestsWaiting",
                    "",
                    "requests that wait until others have ended; one more is answered 503; 0: none waits",
                    SettingFormats.wholeNumber(0, MOST_REQUESTS))
            .fallingBackTo(reader -> Integer.toString(Math.min(MOST_REQUESTS, 4 * reader.read(REQUESTS_IN_FLIGHT))));
    public static final Setting<Duration> REQUEST_WAIT = Setting.of(
            "requestWait",
            Durations.text(Duration.ofSeconds(1)),
            "how long they wait until they are answered 503",
            SettingFormats.duration(Duration.ofMillis(1), Duration.ofMinutes(1)));
    public static final Setting<Integer> COUNTERS = Setting.of(
                    "counters",
                    "",
                    "counters in memory at most; past it those that hold back least make room",
                    SettingFormats.wholeNumber(1_000, 100_000_000))
            .fallingBackTo(reader ->
                    Integer.toString(HeapShares.counters(Runtime.getRuntime().maxMemory())));
    public static final Setting<List<IpRange>> TRUSTED_PROXIES = Setting.of(
            "trustedProxies",
            "",
            "networks whose X-Forwarded-* headers are believed",
            SettingFormats.list(SettingFormats.NETWORK));
    public static final Setting<Boolean> VIA = Setting.of(
            "via",
            "on",
            "whether upstreams are told by `Via` that requests came through a gateway",
            SettingFormats.SWITCH);
    public static final Setting<ReadinessRule> READINESS = Setting.of(
            "readiness",
            "serving",
            "ready without Redis while some API serves as declared (serving), or while all do (strict)",
            SettingFormats.choice(ReadinessRule.class, SettingFormats::lowerCase));
    public static final Setting<Duration> SHUTDOWN_DELAY = Setting.of(
            "shutdownDelay",
            Durations.text(Duration.ofSeconds(5)),
            "how long to serve on after SIGTERM, not ready, until balancers have noticed",
            SettingFormats.duration(Duration.ZERO, Duration.ofHours(1)));
    public static final Setting<List<IpRange>> PROXY_PROTOCOL = Setting.of(
            "proxyProtocol",
            "",
            "networks whose connections begin with a header of the PROXY protocol",
            SettingFormats.list(SettingFormats.NETWORK));
    public static final Setting<List<IpRange>> ALLOWED_NETWORKS = Setting.of(
            "allowedNetworks",
            "",
            "networks that upstreams may lie in; all but link-local, metadata and multicast ones when not set",
            SettingFormats.list(SettingFormats.NETWORK));
    public static final Setting<Http2Use> HTTP2 = Setting.of(
            "http2",
            "tls",
            "where clients may speak HTTP/2: over TLS, on the plain listener too, or nowhere",
            SettingFormats.choice(Http2Use.class, SettingFormats::lowerCase));
    public static final Setting<Duration> DRAIN_TIMEOUT = Setting.of(
            "drainTimeout",
            Durations.text(Duration.ofSeconds(30)),
            "how long requests under way may still take at the end",
            SettingFormats.duration(Duration.ZERO, Duration.ofHours(1)));

    public static final List<Setting<?>> ALL = List.of(
            LISTEN,
            ADMIN_LISTEN,
            ADMIN_HOSTS,
            ADMIN_TOKEN,
            ADMIN_TOKENS,
            DATA,
            STORE,
            NODE,
            TIER,
            REQUEST_THREADS,
            IO_THREADS,
            WORKERS,
            WORKER_WAIT,
            SCRIPTS,
            REQUESTS_IN_FLIGHT,
            REQUESTS_WAITING,
            REQUEST_WAIT,
            COUNTERS,
            TRUSTED_PROXIES,
            VIA,
            PROXY_PROTOCOL,
            ALLOWED_NETWORKS,
            HTTP2,
            READINESS,
            SHUTDOWN_DELAY,
            DRAIN_TIMEOUT);

    private SettingTable() {}

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
