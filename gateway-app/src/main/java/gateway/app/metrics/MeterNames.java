package gateway.app.metrics;

/// Every meter's name and tags, as Micrometer writes them; Prometheus sees dots as underscores.
public final class MeterNames {
    /// Counter: finished requests. Tags [#API] and [#STATUS].
    public static final String REQUESTS = "gateway.requests";

    /// Gauge: requests under way.
    public static final String IN_FLIGHT = "gateway.requests.in.flight";

    /// Gauge: revision of the definitions that are served.
    public static final String REVISION = "gateway.revision";

    /// Gauge: when a certificate of the TLS listener expires, in seconds since 1970. Tag [#CERTIFICATE].
    public static final String CERTIFICATE_EXPIRY = "gateway.tls.certificate.expiry.seconds";

    /// Tag: the first DNS name of a certificate.
    public static final String CERTIFICATE = "certificate";

    /// Gauge: APIs that are served.
    public static final String APIS = "gateway.apis";

    /// Counter: records of the traffic log. Tag [#FATE].
    public static final String TRAFFIC_RECORDS = "gateway.traffic.records";

    /// Gauge: records of the traffic log on disk.
    public static final String TRAFFIC_SPILLED = "gateway.traffic.spilled";

    /// Gauge: bytes of the traffic log on disk.
    public static final String TRAFFIC_SPILL_BYTES = "gateway.traffic.spill.bytes";

    /// Gauge: records of the traffic log in the queue, in a batch or sent and not answered yet.
    public static final String TRAFFIC_UNDER_WAY = "gateway.traffic.under.way";

    /// Tag: `accepted`, `recovered`, `indexed`, `replayed`, `rejected` or `dropped`.
    public static final String FATE = "fate";

    /// Tag: an API's id; `none` when no API served the request.
    public static final String API = "api";

    /// Tag: status class, `2xx` and so on.
    public static final String STATUS = "status";

    private MeterNames() {}
}
