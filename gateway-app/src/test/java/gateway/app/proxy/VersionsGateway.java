package gateway.app.proxy;

import gateway.app.steering.Upstreams;
import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.json.ConfigNode;
import gateway.net.IpRanges;
import gateway.policy.CompiledPolicy;
import gateway.policy.FakeServices;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
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
import gateway.wire.accept.Listening;
import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// A real data plane that serves one API, `orders` at `/orders`, from its JSON, to clients of HTTP/1 and HTTP/2, in
/// front of two upstreams and under a clock that the test moves. Each test has its own.
final class VersionsGateway implements AfterEachCallback {
    /// Two versions, the second in front of the second upstream.
    static final String LIST = "'list': [{'name': 'v1'}, {'name': 'v2', 'upstream': SECOND}]";

    static final String BY_HEADER = "'in': 'header', 'name': 'X-Api-Version', ";
    static final String BY_QUERY = "'in': 'query', 'name': 'version', ";
    static final String BY_PATH = "'in': 'path', ";

    final RecordingUpstream first = new RecordingUpstream();
    final RecordingUpstream second = new RecordingUpstream();
    final FakeServices services = new FakeServices();
    final BlockingQueue<TrafficRecord> records = new LinkedBlockingQueue<>();

    private final LiveSnapshot live = new LiveSnapshot();
    private final SnapshotCompiler compiler =
            new SnapshotCompiler(new DefinitionReader(registry()), services, new Upstreams()::upstreamFor);
    private final DataPlane dataPlane;

    private VersionsGateway() throws IOException {
        var settings = DataPlaneSettings.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .withIoThreads(1);
        var listening = new Listening(Optional.empty(), IpRanges.NONE, true);
        dataPlane = new DataPlane(settings, listening, live, ApiMeters.NONE, records::add, null);
    }

    static VersionsGateway start() {
        try {
            return new VersionsGateway();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Serves the API with these fields, `'` for `"`; `FIRST` and `SECOND` are the upstreams, of which the API's is the
    /// first.
    VersionsGateway serve(String fields) {
        String api = "{'id': 'orders', 'match': {'path': '/orders'}, 'upstream': FIRST, " + fields + "}";
        String json = api.replace("FIRST", upstream(first.url()))
                .replace("SECOND", upstream(second.url()))
                .replace('\'', '"');
        Snapshot before = live.current();
        live.replace(compiler.compile(DefinitionSet.ofApis(before.revision() + 1, Map.of("orders", json)), before));
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

    /// A client of HTTP/2.
    Http2Wire http2() throws IOException {
        return new Http2Wire(dataPlane.address()).begin();
    }

    private static PolicyRegistry registry() {
        var types = new ArrayList<PolicyType>();
        ServiceLoader.load(PolicyType.class).forEach(types::add);
        types.add(new Broken());
        return PolicyRegistry.of(types);
    }

    @Override
    public void afterEach(ExtensionContext test) throws IOException {
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
        public CompiledPolicy compile(PolicyPlace placement, Services services) {
            return (Policy) exchange -> {
                throw new IllegalStateException("broken on purpose");
            };
        }
    }
}
