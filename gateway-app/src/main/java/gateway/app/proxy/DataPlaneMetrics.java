package gateway.app.proxy;

import gateway.app.metrics.ApiMeterTable;
import gateway.app.metrics.MeterNames;
import gateway.app.metrics.Readings;
import gateway.wire.client.PoolState;
import gateway.wire.memory.Budget;
import gateway.wire.memory.Kind;
import gateway.wire.memory.MemoryBudget;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What the data plane counts, and its connections in both directions.
public final class DataPlaneMetrics {
    private static final int MOST_UPSTREAMS = 100;

    private final DataPlane plane;
    private final MultiGauge pools;

    public DataPlaneMetrics(DataPlane plane, Readings readings) {
        this.plane = plane;
        readings.gauge(MeterNames.IN_FLIGHT, "requests under way", plane::requestsInFlight);
        readings.gauge(MeterNames.WAITING, "requests that wait for a place among them", plane::requestsWaiting);
        readings.gauge(
                MeterNames.AWAITING_CLIENTS,
                "requests that keep no place, since only their clients are awaited",
                plane::requestsAwaitingClients);
        readings.gauge(MeterNames.CLIENT_CONNECTIONS, "connections of clients", plane::connections);
        readings.gauge(
                MeterNames.CLIENT_CONNECTIONS_LIMIT, "connections that clients may have", plane::mostConnections);
        String refused = "requests that no API was asked for";
        readings.counter(MeterNames.REQUESTS_REFUSED, refused, plane::refusedRequests, MeterNames.REASON, "overloaded");
        readings.counter(
                MeterNames.REQUESTS_REFUSED, refused, plane::refusedRequestsOfClients, MeterNames.REASON, "client");
        readings.counter(
                MeterNames.REQUESTS_REFUSED, refused, plane::malformedRequests, MeterNames.REASON, "malformed");
        readings.counter(
                MeterNames.REQUESTS_RESCUED,
                "turns of requests whose IO thread waited for a lock, run elsewhere",
                plane::rescuedTurns);
        readings.counter(MeterNames.REQUESTS_FAILED, "requests that the gateway failed on", plane::failedRequests);
        String renewals = "renewals of kept answers that go on without a client";
        readings.counter(MeterNames.RENEWALS, renewals, plane::renewals, MeterNames.RESULT, "begun");
        readings.counter(MeterNames.RENEWALS, renewals, plane::droppedRenewals, MeterNames.RESULT, "dropped");
        readings.gauge(
                MeterNames.NEWCOMERS_WAITING,
                "connections on which no API has answered yet and that wait for their turn",
                plane::newcomersWaiting);
        readings.counter(
                MeterNames.CLIENT_CONNECTIONS_DISPLACED,
                "silent connections that were ended for newcomers",
                plane::displacedConnections);
        String closed = "connections that were closed at once";
        readings.counter(
                MeterNames.CLIENT_CONNECTIONS_REFUSED, closed, plane::refusedConnections, MeterNames.REASON, "total");
        readings.counter(
                MeterNames.CLIENT_CONNECTIONS_REFUSED,
                closed,
                plane::refusedConnectionsOfClients,
                MeterNames.REASON,
                "client");
        readings.counter(
                MeterNames.CLIENT_CONNECTIONS_REFUSED,
                closed,
                plane::refusedConnectionsOfMemory,
                MeterNames.REASON,
                "memory");
        readings.gauge(MeterNames.HANDSHAKES, "TLS handshakes under way", plane::handshakes);
        readings.counter(MeterNames.HANDSHAKES_FAILED, "TLS handshakes that came to nothing", plane::failedHandshakes);
        readings.gauge(MeterNames.WEB_SOCKETS, "open WebSockets", plane::webSockets);
        readings.counter(MeterNames.WEB_SOCKETS_REFUSED, "handshakes answered 503", plane::refusedWebSockets);
        tellMemory(plane.memory(), readings);
        pools = MultiGauge.builder(MeterNames.UPSTREAM_CONNECTIONS)
                .description("connections to upstreams")
                .register(readings.registry());
    }

    private static void tellMemory(MemoryBudget memory, Readings readings) {
        for (Kind kind : Kind.values()) {
            Budget budget = memory.of(kind);
            String name = kind.toString();
            readings.gauge(
                    MeterNames.MEMORY_HELD, "bytes that are held for clients", budget::taken, MeterNames.KIND, name);
            readings.gauge(
                    MeterNames.MEMORY_LIMIT, "bytes that may be held for clients", budget::most, MeterNames.KIND, name);
            readings.counter(
                    MeterNames.MEMORY_REFUSED,
                    "times that something did not fit",
                    budget::refused,
                    MeterNames.KIND,
                    name);
        }
        readings.gauge(
                MeterNames.MEMORY_PRESSURE,
                "0; 1 when the fullest budget is tight, 2 when it is spent",
                () -> memory.pressure().level());
    }

    /// Takes in the upstreams that came and went. Servers with most connections stand under their own name.
    public void refresh() {
        List<PoolState> states = plane.upstreamPools().stream()
                .filter(pool -> pool.open() > 0)
                .sorted(Comparator.comparingInt(PoolState::open).reversed().thenComparing(PoolState::upstream))
                .toList();
        var rows = new ArrayList<Row<?>>();
        states.stream().limit(MOST_UPSTREAMS).forEach(pool -> addRows(rows, pool));
        states.stream()
                .skip(MOST_UPSTREAMS)
                .reduce((one, two) -> new PoolState("", one.open() + two.open(), one.idle() + two.idle()))
                .ifPresent(rest -> addRows(rows, new PoolState(ApiMeterTable.OTHER, rest.open(), rest.idle())));
        pools.register(rows, true);
    }

    private static void addRows(List<Row<?>> rows, PoolState pool) {
        Tags upstream = Tags.of(MeterNames.UPSTREAM, pool.upstream());
        rows.add(Row.of(upstream.and(MeterNames.STATE, "idle"), pool.idle()));
        rows.add(Row.of(upstream.and(MeterNames.STATE, "busy"), pool.inUse()));
    }
}
