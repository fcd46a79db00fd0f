package gateway.app;

import gateway.app.admin.AdminTokenRule;
import gateway.app.component.MemberSettingTable;
import gateway.app.component.MemberTerms;
import gateway.app.entries.ComponentSettingTable;
import gateway.app.entries.ComponentTerms;
import gateway.app.log.LogSettingTable;
import gateway.app.log.LogSettings;
import gateway.app.metrics.MetricsSettingTable;
import gateway.app.metrics.MetricsSettings;
import gateway.app.plugins.PluginSettingTable;
import gateway.app.plugins.PluginSettings;
import gateway.app.proxy.ConnectionSettingTable;
import gateway.app.proxy.DataPlaneSettings;
import gateway.app.proxy.LeastRates;
import gateway.app.proxy.OpenFiles;
import gateway.app.proxy.SecureListen;
import gateway.app.proxy.TlsSettingTable;
import gateway.app.proxy.WaitingLimits;
import gateway.app.proxy.WebSocketLimits;
import gateway.app.redis.RedisSettingTable;
import gateway.app.redis.RedisSettings;
import gateway.app.secrets.SecretSettingTable;
import gateway.app.secrets.SecretSettings;
import gateway.app.settings.Address;
import gateway.app.settings.Http2Use;
import gateway.app.settings.ReadinessRule;
import gateway.app.settings.Scripts;
import gateway.app.settings.Setting;
import gateway.app.settings.SettingTable;
import gateway.app.settings.SettingValue;
import gateway.app.settings.SettingsFile;
import gateway.app.settings.SettingsReader;
import gateway.app.settings.StoreLocation;
import gateway.app.settings.Tier;
import gateway.app.trace.TraceSettingTable;
import gateway.app.trace.TraceSettings;
import gateway.app.traffic.TrafficSettingTable;
import gateway.app.traffic.TrafficSettings;
import gateway.app.traffic.TrafficSettingsReader;
import gateway.http.Secret;
import gateway.json.InvalidConfigException;
import gateway.net.AllowedNetworks;
import gateway.net.IpRange;
import gateway.net.IpRanges;
import gateway.wire.accept.ConnectionLimits;
import gateway.wire.accept.Listening;
import gateway.wire.accept.TlsListen;
import gateway.wire.io.RequestThreadMode;
import gateway.wire.tls.ServerTls;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// What an operator decided before the process started. Read once; never changes while it runs.
///
/// @param secureListen empty when TLS is not spoken
/// @param redis empty when the store is embedded
/// @param trafficLog empty when requests are not recorded
/// @param tracing empty when no request is traced
/// @param component empty when entries are shared by way of the store
/// @param member what the cache component heeds besides
/// @param values every setting as it stands, with its default and origin, for people
public record Settings(
        Optional<Address> listen,
        Address adminListen,
        List<String> adminHosts,
        Optional<Secret> adminToken,
        Optional<Path> adminTokens,
        Path data,
        StoreLocation store,
        String node,
        Tier tier,
        RequestThreadMode requestThreads,
        int ioThreads,
        int workers,
        Duration workerWait,
        Scripts scripts,
        int requestsInFlight,
        WaitingLimits waiting,
        int counters,
        List<IpRange> trustedProxies,
        boolean via,
        List<IpRange> proxyProtocol,
        AllowedNetworks allowedNetworks,
        Http2Use http2,
        ConnectionLimits connections,
        int requestsPerClient,
        LeastRates leastRates,
        WebSocketLimits webSockets,
        ReadinessRule readiness,
        Duration shutdownDelay,
        Duration drainTimeout,
        LogSettings log,
        Optional<SecureListen> secureListen,
        Optional<RedisSettings> redis,
        SecretSettings secrets,
        PluginSettings plugins,
        Optional<TrafficSettings> trafficLog,
        MetricsSettings metrics,
        Optional<TraceSettings> tracing,
        Optional<ComponentTerms> component,
        MemberTerms member,
        List<SettingValue> values) {
    /// Every setting there is.
    public static final List<Setting<?>> ALL = Stream.of(
                    SettingTable.ALL,
                    ConnectionSettingTable.ALL,
                    LogSettingTable.ALL,
                    TlsSettingTable.ALL,
                    RedisSettingTable.ALL,
                    SecretSettingTable.ALL,
                    PluginSettingTable.ALL,
                    TrafficSettingTable.ALL,
                    MetricsSettingTable.ALL,
                    TraceSettingTable.ALL,
                    ComponentSettingTable.ALL,
                    MemberSettingTable.ALL)
            .<Setting<?>>flatMap(List::stream)
            .toList();

    /// For what comes after the drain: spans, leases, traffic records and metrics on their way out, and for the drain
    /// to cut what it must.
    private static final Duration LAST_STEPS = Duration.ofSeconds(15);

    public Settings {
        adminHosts = List.copyOf(adminHosts);
        trustedProxies = List.copyOf(trustedProxies);
        proxyProtocol = List.copyOf(proxyProtocol);
        values = List.copyOf(values);
    }

    /// Reads `file`, then the `GATEWAY_*` variables of `environment` over it.
    ///
    /// @throws InvalidConfigException with every problem at once
    public static Settings read(Optional<Path> file, Map<String, String> environment) {
        Map<String, JsonNode> inFile = file.map(SettingsFile::read).orElse(Map.of());
        var reader = new SettingsReader(ALL, file.map(Path::toString).orElse(""), inFile, environment);
        ALL.forEach(reader::read);
        AdminTokenRule.check(reader);
        Optional<SecureListen> secureListen = TlsSettingTable.read(reader);
        Optional<TrafficSettings> trafficLog = new TrafficSettingsReader(reader).read();
        MetricsSettings metrics = MetricsSettingTable.read(reader);
        Optional<TraceSettings> tracing = TraceSettingTable.read(reader);
        SecretSettings secrets = SecretSettingTable.read(reader);
        Optional<ComponentTerms> component = ComponentSettingTable.read(reader);
        reader.throwIfInvalid();
        return new Settings(
                reader.read(SettingTable.LISTEN),
                reader.read(SettingTable.ADMIN_LISTEN),
                reader.read(SettingTable.ADMIN_HOSTS),
                reader.read(SettingTable.ADMIN_TOKEN),
                reader.read(SettingTable.ADMIN_TOKENS),
                reader.read(SettingTable.DATA),
                reader.read(SettingTable.STORE),
                reader.read(SettingTable.NODE),
                reader.read(SettingTable.TIER),
                reader.read(SettingTable.REQUEST_THREADS),
                reader.read(SettingTable.IO_THREADS),
                reader.read(SettingTable.WORKERS),
                reader.read(SettingTable.WORKER_WAIT),
                reader.read(SettingTable.SCRIPTS),
                reader.read(SettingTable.REQUESTS_IN_FLIGHT),
                new WaitingLimits(reader.read(SettingTable.REQUESTS_WAITING), reader.read(SettingTable.REQUEST_WAIT)),
                reader.read(SettingTable.COUNTERS),
                reader.read(SettingTable.TRUSTED_PROXIES),
                reader.read(SettingTable.VIA),
                reader.read(SettingTable.PROXY_PROTOCOL),
                AllowedNetworks.of(reader.read(SettingTable.ALLOWED_NETWORKS)),
                reader.read(SettingTable.HTTP2),
                ConnectionSettingTable.connections(reader),
                reader.read(ConnectionSettingTable.REQUESTS_PER_CLIENT),
                ConnectionSettingTable.leastRates(reader),
                ConnectionSettingTable.webSockets(reader),
                reader.read(SettingTable.READINESS),
                reader.read(SettingTable.SHUTDOWN_DELAY),
                reader.read(SettingTable.DRAIN_TIMEOUT),
                LogSettingTable.read(reader),
                secureListen,
                RedisSettingTable.read(reader),
                secrets,
                PluginSettingTable.read(reader),
                trafficLog,
                metrics,
                tracing,
                component,
                MemberSettingTable.read(reader),
                reader.values());
    }

    /// How long a stop may take once the shutdown delay is over.
    public Duration stopAfterDelay() {
        return drainTimeout.plus(LAST_STEPS);
    }

    /// What of these the data plane heeds, but for the memory that it may hold for clients.
    public DataPlaneSettings dataPlane() {
        return DataPlaneSettings.on(socket(called()))
                .withIoThreads(ioThreads())
                .withMaxInFlight(requestsInFlight())
                .withMaxAway(OpenFiles.away(connections().most(), webSockets().most(), requestsInFlight()))
                .withWaiting(waiting())
                .withRequestThreads(requestThreads())
                .withConnections(connections())
                .withRequestsPerClient(requestsPerClient())
                .withLeastRates(leastRates())
                .withWebSockets(webSockets())
                .withVia(via())
                .withTrustedProxies(IpRanges.of(trustedProxies()));
    }

    /// @param tls what the TLS listener presents; empty when there is none
    public Listening listening(Optional<ServerTls> tls) {
        return new Listening(
                tls.map(presented ->
                        new TlsListen(socket(secureListen().orElseThrow().listen()), presented)),
                IpRanges.of(proxyProtocol()),
                http2() == Http2Use.ALL,
                listen().isPresent());
    }

    /// Where clients call: in the clear, or over TLS where that is off.
    public Address called() {
        return listen().orElseGet(() -> secureListen().orElseThrow().listen());
    }

    private static InetSocketAddress socket(Address address) {
        return new InetSocketAddress(address.host(), address.port());
    }
}
