package gateway.app.metrics;

/// Every meter's name and tags, as Micrometer writes them; Prometheus sees dots as underscores.
public final class MeterNames {
    /// Counter: finished requests. Tags [#API] and [#STATUS].
    public static final String REQUESTS = "gateway.requests";

    /// Gauge: requests under way.
    public static final String IN_FLIGHT = "gateway.requests.in.flight";

    /// Gauge: revision of the definitions that are served.
    public static final String REVISION = "gateway.revision";

    /// Gauge: APIs that are served.
    public static final String APIS = "gateway.apis";

    /// Tag: an API's id; `none` when no API served the request.
    public static final String API = "api";

    /// Tag: status class, `2xx` and so on.
    public static final String STATUS = "status";

    private MeterNames() {}
}
