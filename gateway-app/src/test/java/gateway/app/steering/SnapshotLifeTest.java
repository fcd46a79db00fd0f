package gateway.app.steering;

import static gateway.Eventually.until;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.http.Body;
import gateway.http.Headers;
import gateway.net.AllowedNetworks;
import gateway.policy.FakeServices;
import gateway.service.CallAnswer;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import gateway.snapshot.LiveSnapshot;
import gateway.snapshot.Snapshot;
import gateway.snapshot.SnapshotCompiler;
import gateway.wire.client.FakeNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What snapshots use begins with the first that is served and ends with the last, however many follow each other.
@Timeout(60)
final class SnapshotLifeTest {
    private final FakeServices services = new FakeServices();

    @AutoClose
    private final Upstreams upstreams =
            new Upstreams(AllowedNetworks.USUAL, services.parts(), names(), System::nanoTime);

    @AutoClose
    private final ServerSocket server = listening();

    private final SnapshotCompiler compiler =
            new SnapshotCompiler(new DefinitionReader(PolicyRegistry.load()), services, upstreams::upstreamFor);
    private final LiveSnapshot live = new LiveSnapshot();

    private static FakeNames names() {
        var names = new FakeNames();
        names.set("orders.internal", "127.0.0.3");
        return names;
    }

    private static ServerSocket listening() {
        try {
            return new ServerSocket(0, 10_000, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void tellKeys() {
        services.calls()
                .serve(
                        "http://127.0.0.1:" + server.getLocalPort(),
                        _ -> new CallAnswer(200, Headers.create(), Body.of("{\"keys\": []}".getBytes(UTF_8))));
    }

    private Snapshot compiled(int round) {
        var documents = new HashMap<DocumentId, String>();
        for (String api : new String[] {"orders", "billing"}) {
            int number = api.equals("orders") ? 1 + round % 50 : 7;
            documents.put(DocumentId.api(api), definition(api, number, 1 + round % 3));
        }
        return compiler.compile(new DefinitionSet(round, documents), live.current());
    }

    private String definition(String api, int number, int part) {
        return """
            {"id": "%1$s", "match": {"path": "/%1$s"},
             "policies": [
               {"type": "basic-auth", "cacheFor": "%2$ds",
                "users": [{"name": "a", "password": "$2b$04$eImiTXuWVxfM37uY4JANjOlP5xH0F9nO5Qz5Qq4NqM0n0gk4vC5y2"}]},
               {"type": "jwt", "issuers": [{"name": "corp", "jwks": "http://127.0.0.1:%4$d/keys", "audiences": [],
                "algorithms": ["RS256"], "refetch": "%2$ds"}]},
               {"type": "rate-limit", "requests": %2$d, "per": "1m"}],
             "upstream": {
               "targets": [{"url": "http://127.0.0.1:%4$d"}, {"url": "http://orders.internal:%4$d"}],
               "healthCheck": {"type": "tcp", "interval": "%3$ds"},
               "circuitBreaker": {"failurePercent": 50}, "retry": {"attempts": 2}, "bulkhead": {"requests": %2$d},
               "mirror": {"targets": [{"url": "http://127.0.0.1:%4$d"}, {"url": "http://127.0.0.2:%4$d"}]}}}""".formatted(api, number, part, server.getLocalPort());
    }

    @Test
    void a_thousand_snapshots_leave_what_the_last_one_uses_and_none_leaves_nothing() {
        live.replace(compiled(0));
        until(() -> upstreams.checked() == 4); // two targets of two upstreams
        int ofOne = parts();

        for (int round = 1; round <= 1_000; round++) live.replace(compiled(round));

        until(() -> upstreams.checked() == 4);
        until(() -> parts() == ofOne);
        live.replace(Snapshot.EMPTY);
        assertThat(upstreams.checked()).isZero();
        until(() -> parts() == 0);
    }

    @Test
    void a_snapshot_that_is_made_to_see_whether_it_can_be_leaves_nothing() {
        live.replace(compiled(0));
        until(() -> upstreams.checked() == 4);
        int before = parts();

        for (int round = 1; round <= 100; round++) compiled(round);

        assertThat(parts()).isEqualTo(before);
        assertThat(upstreams.checked()).isEqualTo(4);
    }

    /// How many there are when the next snapshot has been made: a name that is looked up for an upstream that is
    /// retired meanwhile has its target known until then.
    private int parts() {
        services.parts().making().close();
        return services.parts().size();
    }
}
