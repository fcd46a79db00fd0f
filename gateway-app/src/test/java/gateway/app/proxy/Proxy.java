package gateway.app.proxy;

import gateway.app.steering.Upstreams;
import gateway.config.ApiDefinition;
import gateway.config.TargetDefinition;
import gateway.config.UpstreamDefinition;
import gateway.policy.Policy;
import gateway.service.ApiMeters;
import gateway.service.TrafficRecord;
import gateway.snapshot.LiveSnapshot;
import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/// A running data plane with one API in front of a [RawUpstream].
final class Proxy implements AutoCloseable {
    private final RawUpstream upstream = new RawUpstream();
    private final List<RawConnection> clients = new ArrayList<>();
    private final BlockingQueue<TrafficRecord> records = new LinkedBlockingQueue<>();
    private final DataPlane dataPlane;

    private Proxy(Setup setup) throws IOException {
        var listen = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var settings = setup.settings.apply(
                DataPlaneSettings.on(listen).withIoThreads(setup.ioThreads).withRequestThreads(setup.mode));
        String[] urls = setup.targets.length == 0 ? new String[] {upstream.url()} : setup.targets;
        var targets = Arrays.stream(urls)
                .map(url -> new TargetDefinition(URI.create(url), 1))
                .toList();
        var to = new UpstreamDefinition(
                setup.weighted.isEmpty() ? targets : setup.weighted,
                UpstreamDefinition.Balance.ROUND_ROBIN,
                setup.connectTimeout,
                setup.responseTimeout,
                setup.timeout,
                setup.preserveHost);
        ApiDefinition api = OneRoute.api(setup.path, setup.stripPath, to, setup.maxBodyBytes);
        LiveSnapshot live = OneRoute.live(api, setup.upstreams::upstreamFor, setup.policies);
        dataPlane = new DataPlane(settings, live, ApiMeters.NONE, records::add);
    }

    static Setup in(RequestThreadMode mode) {
        return new Setup(mode);
    }

    RawUpstream upstream() {
        return upstream;
    }

    DataPlane dataPlane() {
        return dataPlane;
    }

    /// The next request that has ended; waits for it, not for long.
    TrafficRecord ended() throws InterruptedException {
        TrafficRecord record = records.poll(10, TimeUnit.SECONDS);
        if (record == null) throw new AssertionError("no request has ended within 10 s");
        return record;
    }

    /// A new connection of a client.
    RawConnection client() throws IOException {
        RawConnection client = RawConnection.to(dataPlane.address());
        clients.add(client);
        return client;
    }

    /// The same of another client, such as `127.0.0.2`.
    RawConnection client(String address) throws IOException {
        RawConnection client = RawConnection.from(address, dataPlane.address());
        clients.add(client);
        return client;
    }

    @Override
    public void close() throws IOException {
        for (RawConnection client : clients) client.close();
        upstream.close();
        dataPlane.stop(Duration.ZERO);
    }

    /// What differs from an API that serves every path, two IO threads and patient timeouts.
    static final class Setup {
        private final RequestThreadMode mode;
        private int ioThreads = 2;
        private UnaryOperator<DataPlaneSettings> settings = UnaryOperator.identity();
        private String path = "/";
        private boolean stripPath;
        private boolean preserveHost;
        private long maxBodyBytes = Long.MAX_VALUE;
        private Duration connectTimeout = Duration.ofSeconds(5);
        private Duration responseTimeout = Duration.ofSeconds(30);
        private Duration timeout = Duration.ofSeconds(60);
        private String[] targets = {};
        private List<TargetDefinition> weighted = List.of();
        private Policy[] policies = {};
        private Upstreams upstreams = new Upstreams();

        private Setup(RequestThreadMode mode) {
            this.mode = mode;
        }

        Setup ioThreads(int threads) {
            ioThreads = threads;
            return this;
        }

        Setup settings(UnaryOperator<DataPlaneSettings> change) {
            settings = change;
            return this;
        }

        Setup stripping(String prefix) {
            path = prefix;
            stripPath = true;
            return this;
        }

        Setup preserveHost() {
            preserveHost = true;
            return this;
        }

        Setup maxBody(long bytes) {
            maxBodyBytes = bytes;
            return this;
        }

        Setup timeouts(Duration connect, Duration response, Duration total) {
            connectTimeout = connect;
            responseTimeout = response;
            timeout = total;
            return this;
        }

        Setup targets(String... urls) {
            targets = urls;
            return this;
        }

        Setup targets(List<TargetDefinition> definitions) {
            weighted = definitions;
            return this;
        }

        Setup upstreams(Upstreams others) {
            upstreams = others;
            return this;
        }

        Setup policies(Policy... some) {
            policies = some;
            return this;
        }

        Proxy start() throws IOException {
            return new Proxy(this);
        }
    }
}
