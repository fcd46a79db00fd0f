package gateway.app;

import gateway.app.SharedServices.Stores;
import gateway.app.admin.AdminApi;
import gateway.app.admin.AdminHosts;
import gateway.app.admin.AdminListener;
import gateway.app.admin.AdminTokenFile;
import gateway.app.admin.AdminTokens;
import gateway.app.admin.AuditTrail;
import gateway.app.admin.CacheMetrics;
import gateway.app.admin.DefinitionSchemas;
import gateway.app.admin.Definitions;
import gateway.app.admin.HealthPages;
import gateway.app.admin.RuntimeJson;
import gateway.app.admin.SnapshotMetrics;
import gateway.app.admin.Users;
import gateway.app.log.LogLevels;
import gateway.app.log.OperatorLog;
import gateway.app.metrics.Metrics;
import gateway.app.proxy.DataPlane;
import gateway.app.proxy.DataPlaneMetrics;
import gateway.app.proxy.DataPlaneSettings;
import gateway.app.proxy.OpenFiles;
import gateway.app.proxy.SecureListen;
import gateway.app.proxy.SupposedFields;
import gateway.app.secrets.DefinitionSecrets;
import gateway.app.secrets.ProcessSecrets;
import gateway.app.secrets.SecretDocuments;
import gateway.app.secrets.SecretFilesWatch;
import gateway.app.settings.Address;
import gateway.app.settings.ProcessText;
import gateway.app.settings.Scripts;
import gateway.app.settings.SettingFormats;
import gateway.app.settings.SettingTable;
import gateway.app.settings.StartException;
import gateway.app.settings.VersionText;
import gateway.app.steering.HttpCalls;
import gateway.app.steering.UpstreamMetrics;
import gateway.app.steering.Upstreams;
import gateway.app.stop.Closing;
import gateway.app.stop.GracefulShutdown;
import gateway.app.stop.Shutdown;
import gateway.config.DefinitionReader;
import gateway.http.Secret;
import gateway.json.Durations;
import gateway.json.InvalidConfigException;
import gateway.net.IpRanges;
import gateway.service.KeptParts;
import gateway.service.Refresher;
import gateway.service.Tracer;
import gateway.service.TrafficLog;
import gateway.service.Workers;
import gateway.snapshot.LiveSnapshot;
import gateway.snapshot.SnapshotCompiler;
import gateway.wire.memory.HeapShares;
import gateway.wire.memory.MemoryBudget;
import gateway.wire.tls.CertificateWatch;
import gateway.wire.tls.ServerTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A gateway process from start to stop, and the one place that makes its long-lived parts.
///
/// Parts are made in the order in which they need each other and let go in the opposite one, also when a later one
/// cannot be made.
public final class Gateway implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);

    private static final Duration SECRETS_CHECK = Duration.ofSeconds(2);

    private final Settings settings;
    private final InstantSource clock = InstantSource.system();
    private final MemoryBudget memory = MemoryBudget.ofThisProcess();
    private final LiveSnapshot live = new LiveSnapshot();
    private final Closing closing = new Closing();
    private final HealthPages health = new HealthPages(live, VersionText.version(), clock);
    private final GracefulShutdown gracefulShutdown;
    private final Metrics metrics;
    private final Secret adminToken;
    private final DataPlane dataPlane;
    private final AdminListener adminListener;

    private Gateway(Settings settings) {
        this.settings = settings;
        gracefulShutdown = new GracefulShutdown(
                () -> health.enter(HealthPages.Phase.DRAINING), closing, settings.stopAfterDelay());
        try {
            metrics = closing.add(
                    Metrics.start(
                            settings.metrics(), () -> live.current().apis().keySet(), VersionText.version()),
                    this::tellLast);
            gracefulShutdown.hurriedBy(() -> metrics.hurry(AdaptersStart.HURRIED_FLUSH));
            new SnapshotMetrics(live, metrics.readings()).tell();
            metrics.refreshedBy(
                    new UpstreamMetrics(() -> live.current().upstreams(), metrics.registry(), metrics.apis())::refresh);
            var secretDocuments = new SecretDocuments(settings.secrets().keys(settings.store(), settings.data()));
            var secrets = new ProcessSecrets(
                    secretDocuments,
                    settings.secrets().variables(),
                    settings.secrets().folder());
            var reader =
                    new DefinitionReader(settings.plugins().load(DefinitionSchemas::check), settings.allowedNetworks());
            var definitionSecrets = new DefinitionSecrets(secretDocuments, reader);
            var adapters = new AdaptersStart(settings, clock, closing, gracefulShutdown, memory, metrics, health);
            Stores stores = adapters.stores(definitionSecrets);
            var workers = new Workers(settings.workers(), settings.workerWait());
            metrics.tellWorkers(workers);
            var parts = new KeptParts();
            metrics.refreshedBy(new CacheMetrics(parts, metrics.registry(), metrics.apis())::refresh);
            var refresher = closing.add(new Refresher(), Refresher::close);
            metrics.tellRefresher(refresher);
            var upstreams = closing.add(new Upstreams(settings.allowedNetworks(), parts), Upstreams::close);
            HttpCalls calls = upstreams.calls(metrics.registry());
            metrics.refreshedBy(calls::refresh);
            var services = new SharedServices(
                    adapters.sharing(stores, calls),
                    parts,
                    refresher,
                    workers,
                    calls,
                    secrets,
                    id -> live.current().plan(id),
                    clock,
                    metrics,
                    settings.scripts() == Scripts.GROOVY);
            long regexes = HeapShares.instructions(Runtime.getRuntime().maxMemory());
            var compiler = new SnapshotCompiler(reader, services, upstreams::upstreamFor, regexes);
            var audit = closing.add(new AuditTrail(stores.audit()), AuditTrail::close);
            metrics.tellAudit(audit::missed, audit::dropped, audit::waiting);
            var definitions = new Definitions(
                    stores.definitions(),
                    compiler::compileLeniently,
                    live,
                    new Users(stores.keys(), reader),
                    audit,
                    stores.purges(),
                    clock);
            metrics.tellReloads("applied", definitions::applied);
            metrics.tellReloads("refused", definitions::refused);
            metrics.tellReloads("failed", definitions::failed);
            definitions.start();
            closing.add(definitions.follow(), Gateway::closeQuietly);
            closing.add(
                    SecretFilesWatch.start(
                            secrets, () -> live.current().secretFiles(), definitions::recompile, SECRETS_CHECK),
                    SecretFilesWatch::close);
            adminToken = settings.adminToken().orElseGet(() -> AdminTokenFile.write(settings.data()));
            TrafficLog trafficLog = adapters.trafficLog();
            closing.add(stores.giveBack(), Runnable::run); // after the drain, before the log's last records
            Optional<ServerTls> tls = settings.secureListen().map(secure -> secure.read(clock));
            tls.ifPresent(presented -> watch(presented, definitions));
            dataPlane =
                    closing.add(startDataPlane(trafficLog, tls, adapters.tracer()), plane -> plane.stop(Duration.ZERO));
            health.watchServers(calls::away);
            calls.runOn(dataPlane.ioThreads());
            dataPlane.endWith(calls::stop);
            gracefulShutdown.hurriedBy(dataPlane::hurry);
            metrics.refreshedBy(new DataPlaneMetrics(dataPlane, metrics.readings())::refresh);
            health.watchIoThreads(dataPlane::silentIoThreads);
            var admin = new AdminApi(
                    AdminTokens.of(adminToken, settings.adminTokens()),
                    definitions,
                    stores.definitions(),
                    definitionSecrets,
                    services,
                    audit,
                    live,
                    health,
                    metrics::scrape,
                    LogLevels.ofThisProcess(),
                    runtime(),
                    new SupposedFields(IpRanges.of(settings.trustedProxies())),
                    new DefinitionSchemas(reader));
            adminListener = closing.add(startAdminListener(admin), AdminListener::close);
            closing.add(dataPlane, this::drain); // before the admin plane goes, which says meanwhile: not ready
        } catch (RuntimeException e) {
            closing.close();
            throw e;
        }
    }

    /// Starts everything and says so in one line of the log.
    ///
    /// @throws StartException when something outside is in the way: an address taken, a store away
    /// @throws InvalidConfigException when a stored definition is not even JSON
    public static Gateway start(Settings settings) {
        OperatorLog.apply(settings.log());
        var gateway = new Gateway(settings);
        gateway.health.enter(HealthPages.Phase.READY);
        gateway.tell();
        return gateway;
    }

    /// Begins to measure the JVM, for `/metrics`.
    public void watchJvm() {
        metrics.watchJvm();
    }

    public InetSocketAddress address() {
        return dataPlane.address();
    }

    /// Where clients call over TLS; empty when they cannot.
    public Optional<InetSocketAddress> secureAddress() {
        return dataPlane.secureAddress();
    }

    public InetSocketAddress adminAddress() {
        return adminListener.address();
    }

    public Secret adminToken() {
        return adminToken;
    }

    /// Turns not ready and says so until all is answered, answers what is under way and lets go of everything. Again:
    /// does nothing.
    @Override
    public void close() {
        gracefulShutdown.go(Duration.ZERO);
    }

    /// How the process ends when it is told to: as [#close], but first serving on until balancers have noticed.
    public Shutdown.Ending ending() {
        return gracefulShutdown.ending(settings.shutdownDelay());
    }

    private void tell() {
        LOG.info(
                "gateway {} ready: data plane {}, admin plane {}, store {}, revision {}, {} APIs, request threads {} on {}"
                        + " IO threads, tier {}, node {}, {}",
                VersionText.version(),
                Address.of(address()),
                Address.of(adminAddress()),
                settings.store().text(settings.data()),
                live.current().revision(),
                live.current().apis().size(),
                SettingFormats.lowerCase(dataPlane.requestThreads()),
                settings.ioThreads(),
                settings.tier(),
                settings.node(),
                ProcessText.now());
        secureAddress().ifPresent(address -> LOG.info("TLS on {}", Address.of(address)));
        if (settings.adminToken().isEmpty()) LOG.info("admin token in {}", AdminTokenFile.in(settings.data()));
        live.current().problems().forEach(problem -> LOG.error("left out: {}", problem));
        OpenFiles.tellWhenFew(
                settings.connections().most(), settings.webSockets().most(), settings.requestsInFlight());
    }

    private void watch(ServerTls tls, Definitions definitions) {
        definitions.reloadFirst(() -> SecureListen.reload(tls));
        metrics.tellCertificates(tls::expiries);
        closing.add(
                CertificateWatch.start(
                        tls, settings.secureListen().orElseThrow().check(), clock),
                CertificateWatch::close);
    }

    private DataPlane startDataPlane(TrafficLog trafficLog, Optional<ServerTls> tls, @Nullable Tracer tracer) {
        DataPlaneSettings plane = settings.dataPlane().withMemory(memory);
        try {
            return new DataPlane(plane, settings.listening(tls), live, metrics.unrouted(), trafficLog, tracer);
        } catch (IOException | RuntimeException e) {
            throw StartException.cannotListen(settings.called(), SettingTable.LISTEN, e);
        }
    }

    private AdminListener startAdminListener(AdminApi admin) {
        Address address = settings.adminListen();
        try {
            return AdminListener.start(address.host(), address.port(), admin.handler(adminHosts()));
        } catch (RuntimeException e) {
            throw StartException.cannotListen(address, SettingTable.ADMIN_LISTEN, e);
        }
    }

    /// What the operator calls this process is one of its names.
    private AdminHosts adminHosts() {
        var names = new ArrayList<>(settings.adminHosts());
        names.add(settings.adminListen().host());
        names.add(settings.node());
        return AdminHosts.of(names);
    }

    private void tellLast(Metrics told) {
        told.hurry(gracefulShutdown.share());
        told.close();
    }

    private void drain(DataPlane plane) {
        LOG.info(
                "stopping: no new connections, {} requests under way, {} at most",
                plane.requestsInFlight(),
                Durations.text(settings.drainTimeout()));
        if (plane.stop(settings.drainTimeout())) LOG.info("stopping: drained");
        else LOG.warn("stopping: requests under way were cut");
    }

    private RuntimeJson runtime() {
        return new RuntimeJson(
                VersionText.version(),
                settings.node(),
                settings.store().toString(),
                settings.ioThreads(),
                settings.requestsInFlight(),
                settings.counters(),
                SettingFormats.lowerCase(dataPlane.requestThreads()));
    }

    private static void closeQuietly(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception e) {
            LOG.warn("while stopping: {}", e.toString());
        }
    }
}
