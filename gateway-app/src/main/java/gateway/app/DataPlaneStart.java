package gateway.app;

import gateway.app.proxy.DataPlane;
import gateway.app.proxy.DataPlaneSettings;
import gateway.app.settings.Address;
import gateway.app.settings.Http2Use;
import gateway.app.settings.SettingTable;
import gateway.app.settings.StartException;
import gateway.net.IpRanges;
import gateway.service.ApiMeters;
import gateway.service.Tracer;
import gateway.service.TrafficLog;
import gateway.snapshot.LiveSnapshot;
import gateway.wire.accept.Listening;
import gateway.wire.accept.TlsListen;
import gateway.wire.memory.MemoryBudget;
import gateway.wire.tls.ServerTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Starts the data plane as the settings have it.
final class DataPlaneStart {
    private DataPlaneStart() {}

    /// @param tls what the TLS listener presents; empty when there is none
    /// @param tracer null when nothing is traced
    /// @param memory what is held for clients draws on it
    /// @throws StartException when an address cannot be bound
    static DataPlane with(
            Settings settings,
            LiveSnapshot live,
            ApiMeters unrouted,
            TrafficLog trafficLog,
            Optional<ServerTls> tls,
            @Nullable Tracer tracer,
            MemoryBudget memory) {
        Address first = settings.listen()
                .orElseGet(() -> settings.secureListen().orElseThrow().listen());
        var plane = DataPlaneSettings.on(socket(first))
                .withIoThreads(settings.ioThreads())
                .withMaxInFlight(settings.requestsInFlight())
                .withWaiting(settings.waiting())
                .withRequestThreads(settings.requestThreads())
                .withConnections(settings.connections())
                .withRequestsPerClient(settings.requestsPerClient())
                .withLeastRates(settings.leastRates())
                .withWebSockets(settings.webSockets())
                .withMemory(memory)
                .withTrustedProxies(IpRanges.of(settings.trustedProxies()));
        try {
            return new DataPlane(plane, listening(settings, tls), live, unrouted, trafficLog, tracer);
        } catch (IOException | RuntimeException e) {
            throw StartException.cannotListen(first, SettingTable.LISTEN, e);
        }
    }

    private static Listening listening(Settings settings, Optional<ServerTls> tls) {
        return new Listening(
                tls.map(presented -> new TlsListen(
                        socket(settings.secureListen().orElseThrow().listen()), presented)),
                IpRanges.of(settings.proxyProtocol()),
                settings.http2() == Http2Use.ALL,
                settings.listen().isPresent());
    }

    private static InetSocketAddress socket(Address address) {
        return new InetSocketAddress(address.host(), address.port());
    }
}
