package gateway.app;

import gateway.app.admin.AdminHosts;
import gateway.app.admin.AdminListener;
import gateway.app.admin.AdminPlane;
import gateway.app.admin.AdminTokens;
import gateway.app.admin.HealthPages;
import gateway.app.admin.RuntimeJson;
import gateway.app.component.EntryRoute;
import gateway.app.component.MemberMetrics;
import gateway.app.component.MemberSettingTable;
import gateway.app.component.MemberTerms;
import gateway.app.log.OperatorLog;
import gateway.app.metrics.Metrics;
import gateway.app.proxy.DataPlane;
import gateway.app.proxy.DataPlaneMetrics;
import gateway.app.proxy.SecureListen;
import gateway.app.settings.Address;
import gateway.app.settings.SettingFormats;
import gateway.app.settings.SettingTable;
import gateway.app.settings.StartException;
import gateway.app.settings.VersionText;
import gateway.app.stop.Closing;
import gateway.app.stop.GracefulShutdown;
import gateway.app.stop.Shutdown;
import gateway.component.CacheCallers;
import gateway.component.CacheMember;
import gateway.component.MemberSettings;
import gateway.http.Secret;
import gateway.service.TrafficLog;
import gateway.snapshot.LiveSnapshot;
import gateway.wire.memory.MemoryBudget;
import gateway.wire.tls.CertificateWatch;
import gateway.wire.tls.ServerTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A process of the cache component from start to stop: the data plane and the admin plane of a gateway, with one route
/// that a member answers.
public final class CacheNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CacheNode.class);

    private final Settings settings;
    private final InstantSource clock;
    private final Closing closing = new Closing();
    private final LiveSnapshot live = new LiveSnapshot();
    private final HealthPages health;
    private final GracefulShutdown gracefulShutdown;
    private final Metrics metrics;
    private final CacheMember member;
    private final DataPlane dataPlane;
    private final AdminListener adminListener;

    private CacheNode(Settings settings, InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
        MemberTerms terms = settings.member().required(settings.secureListen().map(SecureListen::tls));
        health = new HealthPages(live, VersionText.version(), clock);
        gracefulShutdown = new GracefulShutdown(
                () -> health.enter(HealthPages.Phase.DRAINING),
                closing,
                settings.stopAfterDelay().plus(terms.leave()));
        try {
            metrics = closing.add(
                    Metrics.start(settings.metrics(), () -> Set.of(EntryRoute.ID), VersionText.version()),
                    Metrics::close);
            adminListener = closing.add(startAdminListener(), AdminListener::close);
            member = closing.add(startMember(terms), this::leave);
            health.watchMember(member::isJoined);
            new MemberMetrics(member, metrics.readings()).tell();
            CacheCallers callers = CacheCallers.of(terms.tokens(), terms::admits);
            live.replace(EntryRoute.snapshot(member.endpoint(callers), metrics.of(EntryRoute.ID)));
            dataPlane = startDataPlane();
            gracefulShutdown.hurriedBy(dataPlane::hurry);
            metrics.refreshedBy(new DataPlaneMetrics(dataPlane, metrics.readings())::refresh);
            health.watchIoThreads(dataPlane::silentIoThreads);
            closing.add(dataPlane, this::drain);
        } catch (RuntimeException e) {
            closing.close();
            throw e;
        }
    }

    /// Joins the other members and serves.
    ///
    /// @throws StartException when something outside is in the way, or the settings do not suffice
    public static CacheNode start(Settings settings) {
        return start(settings, InstantSource.system());
    }

    /// @param clock by which entries end
    public static CacheNode start(Settings settings, InstantSource clock) {
        OperatorLog.apply(settings.log());
        var node = new CacheNode(settings, clock);
        node.health.enter(HealthPages.Phase.READY);
        node.tell();
        return node;
    }

    /// Begins to measure the JVM, for `/metrics`.
    public void watchJvm() {
        metrics.watchJvm();
    }

    public InetSocketAddress address() {
        return dataPlane.address();
    }

    public InetSocketAddress adminAddress() {
        return adminListener.address();
    }

    /// Answers what is under way, hands over what it has and leaves.
    @Override
    public void close() {
        gracefulShutdown.go(Duration.ZERO);
    }

    /// How the process ends when it is told to.
    public Shutdown.Ending ending() {
        return gracefulShutdown.ending(settings.shutdownDelay());
    }

    private CacheMember startMember(MemberTerms terms) {
        long bytes = Runtime.getRuntime().maxMemory() / 100 * terms.share();
        Address listen = terms.listen();
        try {
            return CacheMember.start(
                    new MemberSettings(
                            listen.host(),
                            listen.port(),
                            terms.announced().orElse(""),
                            terms.members(),
                            terms.secret().orElseThrow(),
                            terms.operationThreads(),
                            bytes,
                            terms.leave()),
                    clock);
        } catch (IllegalStateException e) {
            throw StartException.cannotListen(listen, MemberSettingTable.LISTEN, e);
        }
    }

    private DataPlane startDataPlane() {
        Optional<ServerTls> tls = settings.secureListen().map(secure -> secure.read(clock));
        try {
            var plane = new DataPlane(
                    settings.dataPlane().withMemory(MemoryBudget.ofThisProcess()),
                    settings.listening(tls),
                    live,
                    metrics.unrouted(),
                    TrafficLog.OFF,
                    null);
            tls.ifPresent(this::watch);
            return plane;
        } catch (IOException | RuntimeException e) {
            throw StartException.cannotListen(settings.called(), SettingTable.LISTEN, e);
        }
    }

    private void watch(ServerTls tls) {
        SecureListen secure = settings.secureListen().orElseThrow();
        metrics.tellCertificates(tls::expiries);
        closing.add(CertificateWatch.start(tls, secure.check(), clock), CertificateWatch::close);
    }

    private AdminListener startAdminListener() {
        Address address = settings.adminListen();
        // With none set nobody has one: there is nothing behind it but pages that are open.
        Secret token = settings.adminToken()
                .orElseGet(() -> new Secret(UUID.randomUUID().toString()));
        AdminTokens tokens = AdminTokens.of(token, settings.adminTokens());
        AdminHosts hosts = AdminHosts.of(List.of(address.host(), settings.node()));
        try {
            return AdminListener.start(
                    address.host(),
                    address.port(),
                    AdminPlane.ofProcess(health, metrics::scrape, runtime(), tokens, hosts));
        } catch (RuntimeException e) {
            throw StartException.cannotListen(address, SettingTable.ADMIN_LISTEN, e);
        }
    }

    private RuntimeJson runtime() {
        return new RuntimeJson(
                VersionText.version(),
                settings.node(),
                "members",
                settings.ioThreads(),
                settings.requestsInFlight(),
                0,
                SettingFormats.lowerCase(settings.requestThreads()));
    }

    private void tell() {
        LOG.info(
                "cache component {} ready: data plane {}, admin plane {}, {} members see each other, node {}",
                VersionText.version(),
                Address.of(address()),
                Address.of(adminAddress()),
                member.members(),
                settings.node());
    }

    private void drain(DataPlane plane) {
        if (plane.stop(settings.drainTimeout())) LOG.info("stopping: drained");
        else LOG.warn("stopping: requests under way were cut");
    }

    private void leave(CacheMember one) {
        LOG.info("stopping: handing over to {} other members", Math.max(0, one.members() - 1));
        one.close();
    }
}
