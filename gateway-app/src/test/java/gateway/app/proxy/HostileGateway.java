package gateway.app.proxy;

import gateway.app.steering.Upstreams;
import gateway.config.ApiDefinition;
import gateway.config.MatchDefinition;
import gateway.config.TargetDefinition;
import gateway.config.UpstreamDefinition;
import gateway.http.PathPattern;
import gateway.json.ConfigNode;
import gateway.net.IpRanges;
import gateway.pipeline.Pipeline;
import gateway.policy.CompiledPolicy;
import gateway.policy.Condition;
import gateway.policy.FakeServices;
import gateway.policy.Policy;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import gateway.route.Route;
import gateway.route.RouteTable;
import gateway.snapshot.LiveSnapshot;
import gateway.snapshot.Snapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// A real data plane in front of a [RecordingUpstream], with APIs that the attacks aim at. As an extension it serves
/// all tests of a class, and the upstream forgets before each.
final class HostileGateway implements AutoCloseable, BeforeEachCallback, AfterAllCallback {
    final RecordingUpstream upstream = new RecordingUpstream();
    private final DataPlane dataPlane;

    private HostileGateway(UnaryOperator<DataPlaneSettings> settings) throws IOException {
        var own = DataPlaneSettings.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .withIoThreads(1);
        dataPlane = new DataPlane(settings.apply(own), live());
    }

    static HostileGateway start() throws IOException {
        return new HostileGateway(settings -> settings);
    }

    static HostileGateway ofAllTests() {
        try {
            return start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static HostileGateway start(UnaryOperator<DataPlaneSettings> settings) throws IOException {
        return new HostileGateway(settings);
    }

    static IpRanges ranges(String json) {
        return IpRanges.read(ConfigNode.parse(json));
    }

    int port() {
        return dataPlane.address().getPort();
    }

    DataPlane dataPlane() {
        return dataPlane;
    }

    private LiveSnapshot live() {
        var upstreams = new Upstreams();
        var routes = List.of(
                        api("any", "/", false, Long.MAX_VALUE),
                        api("public", "/public", false, Long.MAX_VALUE),
                        api("stripped", "/orders", true, Long.MAX_VALUE),
                        api("small", "/small", false, 1000),
                        api("files", "/files", true, Long.MAX_VALUE),
                        api("admin", "/admin", false, Long.MAX_VALUE, HostileGateway::refuse),
                        api("injected", "/injected", false, Long.MAX_VALUE, exchange -> {
                            exchange.headers().set("X-User-Id", "alice");
                            exchange.headers()
                                    .set(
                                            "X-Seen-Address",
                                            exchange.clientAddress().getHostAddress());
                            exchange.headers()
                                    .set("X-Seen-Path", exchange.path().replaceAll("[^!-~]", "?"));
                            return Verdict.proceed();
                        }))
                .stream()
                .map(api -> new Route(
                        api,
                        PathPattern.of(api.match().path()),
                        Pipeline.compile(
                                api.id(), api.policies(), upstreams.upstreamFor(api.upstream()), new FakeServices())))
                .toList();
        var live = new LiveSnapshot();
        live.replace(new Snapshot(1, RouteTable.of(routes), Map.of(), Snapshot.EMPTY.sets(), Map.of(), List.of()));
        return live;
    }

    private static Verdict refuse(gateway.http.Exchange exchange) {
        return Verdict.stop(gateway.http.Response.of(403));
    }

    private ApiDefinition api(String id, String path, boolean strip, long maxBody, Policy... policies) {
        return new ApiDefinition(
                id,
                id,
                true,
                new MatchDefinition(List.of(), path, Set.of()),
                strip,
                id.equals("files"),
                maxBody,
                new UpstreamDefinition(
                        List.of(new TargetDefinition(URI.create(upstream.url()), 1)),
                        UpstreamDefinition.Balance.ROUND_ROBIN,
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(30),
                        false),
                Arrays.stream(policies)
                        .map(policy ->
                                new PolicyDefinition("test", Stage.TRANSFORM, new Inline(policy), Condition.ALWAYS))
                        .toList(),
                false);
    }

    private record Inline(Policy policy) implements PolicySpec {
        @Override
        public CompiledPolicy compile(PolicyPlace placement, Services services) {
            return policy;
        }
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        upstream.forget();
    }

    @Override
    public void afterAll(ExtensionContext tests) throws IOException {
        close();
    }

    @Override
    public void close() throws IOException {
        dataPlane.stop(Duration.ZERO);
        upstream.close();
    }
}
