package gateway.app.server;

import gateway.app.server.wire.RawClient;
import gateway.app.upstream.Upstreams;
import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.json.ConfigNode;
import gateway.policy.CompiledPolicy;
import gateway.policy.FakeServices;
import gateway.policy.Placement;
import gateway.policy.Policy;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.service.ApiMeters;
import gateway.service.DefinitionSet;
import gateway.service.TrafficRecord;
import gateway.snapshot.LiveSnapshot;
import gateway.snapshot.Snapshot;
import gateway.snapshot.SnapshotCompiler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// A real data plane that serves one API, `orders` at `/orders`, from its JSON, in front of two upstreams and under a
/// clock that the test moves.
final class VersionsGateway implements AutoCloseable {
    final RecordingUpstream first = new RecordingUpstream();
    final RecordingUpstream second = new RecordingUpstream();
    final FakeServices services = new FakeServices();
    final BlockingQueue<TrafficRecord> records = new LinkedBlockingQueue<>();

    private final LiveSnapshot live = new LiveSnapshot();
    private final SnapshotCompiler compiler =
            new SnapshotCompiler(new DefinitionReader(registry()), services, new Upstreams()::upstreamFor);
    private final DataPlane dataPlane;

    VersionsGateway() throws IOException {
        var settings = DataPlaneSettings.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .withIoThreads(1);
        dataPlane = new DataPlane(settings, live, ApiMeters.NONE, records::add);
    }

    /// Serves the API with these fields, `'` for `"`; `FIRST` and `SECOND` are the upstreams, of which the API's is the
    /// first.
    VersionsGateway serve(String fields) {
        String api = "{'id': 'orders', 'match': {'path': '/orders'}, 'upstream': FIRST, " + fields + "}";
        String json = api.replace("FIRST", upstream(first.url()))
                .replace("SECOND", upstream(second.url()))
                .replace('\'', '"');
        Snapshot before = live.current();
        live.replace(compiler.compile(new DefinitionSet(before.revision() + 1, Map.of("orders", json)), before));
        return this;
    }

    static String upstream(String url) {
        return "{'targets': [{'url': '" + url + "'}]}";
    }

    /// The answer to a request with these header lines.
    String get(String target, String... lines) throws IOException {
        return send("GET " + target + " HTTP/1.1", lines);
    }

    String send(String start, String... lines) throws IOException {
        var request = new ArrayList<>(List.of(start, "Host: api.example.com"));
        request.addAll(List.of(lines));
        request.add("Connection: close");
        return RawClient.exchange(dataPlane.address().getPort(), Http.head(request.toArray(String[]::new)));
    }

    /// As it is.
    String sendRaw(String request) throws IOException {
        return RawClient.exchange(dataPlane.address().getPort(), request);
    }

    private static PolicyRegistry registry() {
        var types = new ArrayList<PolicyType>();
        ServiceLoader.load(PolicyType.class).forEach(types::add);
        types.add(new Broken());
        return PolicyRegistry.of(types);
    }

    @Override
    public void close() throws IOException {
        dataPlane.stop(Duration.ZERO);
        first.close();
        second.close();
    }

    /// A policy that fails in a way nobody expects.
    private record Broken() implements PolicyType, PolicySpec {
        @Override
        public String name() {
            return "broken";
        }

        @Override
        public Stage stage() {
            return Stage.TRANSFORM;
        }

        @Override
        public PolicySpec read(ConfigNode node) {
            return this;
        }

        @Override
        public CompiledPolicy compile(Placement placement, Services services) {
            return (Policy) exchange -> {
                throw new IllegalStateException("broken on purpose");
            };
        }
    }
}
