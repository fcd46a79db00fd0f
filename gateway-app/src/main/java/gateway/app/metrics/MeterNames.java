package gateway.app.metrics;

/// Every meter's name and tags, as Micrometer writes them. Prometheus sees dots as underscores, `_total` after counters
/// and `_seconds` after times; `docs/metrics.md` lists what it sees. Those of the JVM are Micrometer's own.
public final class MeterNames {
    /// Counter: finished requests. Tags [#API] and [#STATUS].
    public static final String REQUESTS = "gateway.requests";

    /// Gauge: requests under way.
    public static final String IN_FLIGHT = "gateway.requests.in.flight";

    /// Gauge: requests that wait for a place among those.
    public static final String WAITING = "gateway.requests.waiting";

    /// Gauge: requests that keep no place, since only their clients are awaited.
    public static final String AWAITING_CLIENTS = "gateway.requests.awaiting.clients";

    /// Counter: requests whose answer did not leave whole. Tags [#API] and [#ENDING].
    public static final String REQUESTS_BROKEN = "gateway.requests.broken";

    /// Counter: requests that the gateway itself answered with a refusal. Tags [#API] and [#REASON].
    public static final String REFUSALS = "gateway.refusals";

    /// Counter: requests that no API was asked for. Tag [#REASON].
    public static final String REQUESTS_REFUSED = "gateway.requests.refused";

    /// Counter: requests that failed since the gateway is at fault.
    public static final String REQUESTS_FAILED = "gateway.requests.failed";

    /// Counter: turns of requests that ran outside their IO thread, since that waited for a lock.
    /// Counter: what went on behind answers that were given from what is kept. Tag [#RESULT].
    public static final String RENEWALS = "gateway.renewals";
    public static final String REQUESTS_RESCUED = "gateway.requests.rescued";

    /// Histogram: from request head to last byte. Tag [#API].
    public static final String REQUEST_DURATION = "gateway.request.duration";

    /// Histogram: from handing the request to the upstream to its response head. Tag [#API].
    public static final String UPSTREAM_DURATION = "gateway.upstream.duration";

    /// Histogram: what is left of [#REQUEST_DURATION] without [#UPSTREAM_DURATION]. Tag [#API].
    public static final String GATEWAY_DURATION = "gateway.own.duration";

    /// Counter: requests that the upstream did not answer. Tags [#API] and [#KIND].
    public static final String UPSTREAM_FAILURES = "gateway.upstream.failures";

    /// Gauge: connections to upstreams. Tags [#UPSTREAM] and [#STATE].
    public static final String UPSTREAM_CONNECTIONS = "gateway.upstream.connections";

    /// Gauge: targets of watched upstreams. Tags [#API] and [#STATE].
    public static final String UPSTREAM_TARGETS = "gateway.upstream.targets";

    /// Gauge: 0 while a circuit breaker is closed, 1 half-open, 2 open. Tag [#API].
    public static final String UPSTREAM_BREAKER = "gateway.upstream.breaker";

    /// Counter: attempts after the first one of a request. Tags [#API] and [#OUTCOME]: `sent` or `over-budget`.
    public static final String UPSTREAM_RETRIES = "gateway.upstream.retries";

    /// Counter: copies of requests for a second upstream. Tags [#API] and [#OUTCOME]: `sent`, `failed` or `dropped`.
    public static final String UPSTREAM_MIRRORED = "gateway.upstream.mirrored";

    /// Counter: requests kept from an upstream. Tags [#API] and [#REASON]: `breaker` or `bulkhead`.
    public static final String UPSTREAM_REFUSED = "gateway.upstream.refused";

    /// Counter: calls that policies made. Tags [#SERVER] and [#RESULT].
    public static final String CALLS = "gateway.calls";

    /// Histogram: from the begin of such a call to the end of its answer. Tag [#SERVER].
    public static final String CALLS_DURATION = "gateway.calls.duration";

    /// Gauge: such calls under way.
    public static final String CALLS_UNDER_WAY = "gateway.calls.under.way";

    /// Gauge: 0 while the circuit breaker of a server that policies call is closed, 1 half-open, 2 open. Tag [#SERVER].
    public static final String CALLS_BREAKER = "gateway.calls.breaker";

    /// Counter: decisions of policies. Tags [#API], [#POLICY] and [#VERDICT].
    public static final String VERDICTS = "gateway.policy.verdicts";

    /// Counter: decisions that `onOutage` made, since nobody answered. Tags [#API] and [#POLICY].
    public static final String POLICY_OUTAGES = "gateway.policy.outages";

    /// Histogram: time of policies that call out. Tags [#API] and [#POLICY].
    public static final String POLICY_DURATION = "gateway.policy.duration";

    /// Counter: requests that came to `cache` policies. Tags [#API] and [#RESULT].
    public static final String CACHE_REQUESTS = "gateway.cache.requests";

    /// Gauge: answers that are kept on this node. Tag [#API].
    public static final String CACHE_ENTRIES = "gateway.cache.entries";

    /// Gauge: bytes that they take. Tag [#API].
    public static final String CACHE_BYTES = "gateway.cache.bytes";

    /// Gauge: connections of clients.
    public static final String CLIENT_CONNECTIONS = "gateway.client.connections";

    /// Gauge: how many of them there may be.
    public static final String CLIENT_CONNECTIONS_LIMIT = "gateway.client.connections.limit";

    /// Gauge: connections on which no API has answered yet and that wait until it is their turn.
    public static final String NEWCOMERS_WAITING = "gateway.client.connections.waiting";

    /// Counter: connections of clients that kept silent and were ended for newcomers.
    public static final String CLIENT_CONNECTIONS_DISPLACED = "gateway.client.connections.displaced";

    /// Counter: connections of clients that were closed at once. Tag [#REASON].
    public static final String CLIENT_CONNECTIONS_REFUSED = "gateway.client.connections.refused";

    /// Gauge: WebSockets that are open.
    public static final String WEB_SOCKETS = "gateway.websockets";

    /// Counter: WebSocket handshakes that were answered 503.
    public static final String WEB_SOCKETS_REFUSED = "gateway.websockets.refused";

    /// Gauge: bytes that are held for clients. Tag [#KIND].
    public static final String MEMORY_HELD = "gateway.memory.held";

    /// Gauge: bytes that may be held for clients. Tag [#KIND].
    public static final String MEMORY_LIMIT = "gateway.memory.limit";

    /// Counter: how often something did not fit. Tag [#KIND].
    public static final String MEMORY_REFUSED = "gateway.memory.refused";

    /// Gauge: 0, 1 when the fullest budget is tight, 2 when it is spent.
    public static final String MEMORY_PRESSURE = "gateway.memory.pressure";

    /// Gauge: revision of the definitions that are served.
    public static final String REVISION = "gateway.revision";

    /// Gauge: TLS handshakes with clients under way.
    public static final String HANDSHAKES = "gateway.tls.handshakes";

    /// Counter: TLS handshakes with clients that failed or took too long.
    public static final String HANDSHAKES_FAILED = "gateway.tls.handshakes.failed";

    /// Gauge: when a certificate of the TLS listener expires, in seconds since 1970. Tag [#CERTIFICATE].
    public static final String CERTIFICATE_EXPIRY = "gateway.tls.certificate.expiry.seconds";

    /// Tag: the first DNS name of a certificate.
    public static final String CERTIFICATE = "certificate";

    /// Gauge: APIs that are served.
    public static final String APIS = "gateway.apis";

    /// Gauge: definitions left out since they cannot be compiled.
    public static final String APIS_LEFT_OUT = "gateway.apis.left.out";

    /// Counter: attempts to serve other definitions. Tag [#OUTCOME].
    public static final String RELOADS = "gateway.reloads";

    /// Counter: writes whose entry the audit log did not take at once.
    public static final String AUDIT_MISSED = "gateway.audit.missed";

    /// Counter: of these, entries that are no longer tried, since too many waited.
    public static final String AUDIT_DROPPED = "gateway.audit.dropped";

    /// Gauge: entries that wait to be written to the audit log.
    public static final String AUDIT_WAITING = "gateway.audit.waiting";

    /// Gauge: workers that are at work.
    public static final String WORKERS_RUNNING = "gateway.workers.running";

    /// Gauge: workers there may be.
    public static final String WORKERS_LIMIT = "gateway.workers.limit";

    /// Gauge: work that waits for a worker.
    public static final String WORKERS_WAITING = "gateway.workers.waiting";

    /// Counter: work that a worker has taken.
    public static final String WORKERS_TAKEN = "gateway.workers.taken";

    /// Counter: seconds that it has waited before.
    public static final String WORKERS_WAITED = "gateway.workers.waited.seconds";

    /// Counter: work that no worker took in time.
    public static final String WORKERS_REFUSED = "gateway.workers.refused";

    /// Counter: good loads of what policies want anew from time to time.
    public static final String REFRESH_LOADS = "gateway.refresh.loads";

    /// Counter: such loads that have failed.
    public static final String REFRESH_FAILURES = "gateway.refresh.failures";

    /// Gauge: 1 while the shared store answers, 0 while its breaker is open.
    public static final String STORE_AVAILABLE = "gateway.store.available";

    /// Counter: calls that the shared store did not answer properly. Tag [#REASON].
    public static final String STORE_FAILURES = "gateway.store.failures";

    /// Counter: requests taken from shared counters and neither spent nor surely given back.
    public static final String STORE_LOST = "gateway.store.lost";

    /// Counter: spans of recorded traces. Tag [#FATE]: `ended`, `exported` or `dropped`.
    public static final String SPANS = "gateway.trace.spans";

    /// Counter: records of the traffic log. Tag [#FATE].
    public static final String TRAFFIC_RECORDS = "gateway.traffic.records";

    /// Gauge: records that wait in the traffic log's ring.
    public static final String TRAFFIC_QUEUED = "gateway.traffic.queued";

    /// Gauge: records that the ring holds at most.
    public static final String TRAFFIC_QUEUE_CAPACITY = "gateway.traffic.queue.capacity";

    /// Gauge: 1 while records reach what they are sent to, 0 while they do not.
    public static final String TRAFFIC_SHIPPING = "gateway.traffic.shipping";

    /// Gauge: records of the traffic log on disk.
    public static final String TRAFFIC_SPILLED = "gateway.traffic.spilled";

    /// Gauge: bytes of the traffic log on disk.
    public static final String TRAFFIC_SPILL_BYTES = "gateway.traffic.spill.bytes";

    /// Gauge: records of the traffic log in the queue, in a batch or sent and not answered yet.
    public static final String TRAFFIC_UNDER_WAY = "gateway.traffic.under.way";

    /// Gauge: virtual threads of the JDK's scheduler. Tag [#STATE].
    public static final String VIRTUAL_THREADS = "gateway.jvm.virtual.threads";

    /// Gauge: platform threads that carry them.
    public static final String VIRTUAL_CARRIERS = "gateway.jvm.virtual.carriers";

    /// Timer: times that a virtual thread held its carrier while it waited.
    public static final String PINNED = "gateway.jvm.pinned";

    /// Tag: `accepted`, `recovered`, `indexed`, `replayed`, `rejected` or `dropped`.
    public static final String FATE = "fate";

    public static final String COMPONENT_MEMBERS = "gateway.component.members";
    public static final String COMPONENT_ENTRIES = "gateway.component.entries";
    public static final String COMPONENT_BYTES = "gateway.component.bytes";
    public static final String COMPONENT_EVICTIONS = "gateway.component.evictions";

    /// Counters of rate limits and quotas that made room for others while they still held requests back.
    public static final String COUNTERS_DISPLACED = "gateway.counters.displaced";

    /// Tag: an API's id; `none` when no API served the request, `other` for all past the setting `metricsApis`.
    public static final String API = "api";

    /// Tag: status class, `2xx` and so on.
    public static final String STATUS = "status";

    /// Tag: `client-gone` or `upstream-broke-off`.
    public static final String ENDING = "ending";

    /// Tag: `unreachable`, `forbidden`, `broken`, `malformed`, `timeout`, `unavailable`, `overloaded`,
    /// `client-slow` or `client-deadline`.
    public static final String KIND = "kind";

    /// Tag: a policy's place in its API, such as `rate-limit` or `rate-limit-2`.
    public static final String POLICY = "policy";

    /// Tag: `proceed` or `stop`.
    public static final String VERDICT = "verdict";

    /// Tag: a server that policies call, `https://host:port`; `other` for all past the bound.
    public static final String SERVER = "server";

    /// Tag: `2xx` and so on, or why there was no answer, such as `timeout`; of caches `hit`, `stale`, `revalidated`,
    /// `miss` or `bypass`.
    public static final String RESULT = "result";

    /// Tag: an upstream server, `host:port`; `other` for all past the bound.
    public static final String UPSTREAM = "upstream";

    /// Tag: connections are `idle` or `busy`, virtual threads `mounted` or `queued`, targets `usable`, `drained`,
    /// `unhealthy` or `ejected`.
    public static final String STATE = "state";

    /// Tag: why: that of a refusal; `overloaded` or `malformed`; `total` or `client`; `unanswered` or `breaker`.
    public static final String REASON = "reason";

    /// Tag: `applied`, `refused` or `failed`.
    public static final String OUTCOME = "outcome";

    private MeterNames() {}
}
