package gateway.app.identity;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.policies.identity.SamlSmith;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Issuers that tell their keys by metadata, on a whole gateway.
@Timeout(120)
final class GatewaySamlKeysTest {
    private static final SamlSmith OLD = SamlSmith.rsa(2048);
    private static final SamlSmith NEW = SamlSmith.ec();

    @TempDir
    private Path data;

    private final IdentityProvider issuer = IdentityProvider.start();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @AfterEach
    void stop() {
        client.close();
        issuer.close();
    }

    private void tell(SamlSmith... keys) {
        issuer.tell("application/samlmetadata+xml", SamlSmith.metadata("", keys));
    }

    @Test
    void keys_rotate_under_load_and_no_assertion_by_a_key_that_is_told_is_refused() throws Exception {
        tell(OLD);
        try (GuardedGateway gateway = start("\"refresh\": \"1s\", \"refetch\": \"1s\"");
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            until(() -> status(gateway, OLD) == 200);
            Map<Integer, Boolean> seen = new ConcurrentHashMap<>();
            var over = new AtomicBoolean();
            var under = new ArrayList<Future<Integer>>();
            for (int i = 0; i < 100; i++) {
                under.add(callers.submit(() -> {
                    while (!over.get()) seen.put(status(gateway, OLD), true);
                    return status(gateway, OLD);
                }));
            }

            try {
                tell(OLD, NEW);
                until(() -> status(gateway, NEW) == 200);
            } finally {
                over.set(true);
            }

            for (Future<Integer> each : under) assertThat(each.get()).isEqualTo(200);
            assertThat(seen).containsOnlyKeys(200);
            tell(NEW);
            until(() -> status(gateway, OLD) == 401);
            assertThat(status(gateway, NEW)).isEqualTo(200);
        }
    }

    @Test
    void a_hundred_assertions_by_a_new_key_wait_for_slow_metadata_and_hold_up_none_by_an_old_one() throws Exception {
        tell(OLD);
        try (GuardedGateway gateway = start("\"refetch\": \"1s\"");
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            until(() -> status(gateway, OLD) == 200);
            Instant early = Instant.now().plusSeconds(1);
            until(() -> Instant.now().isAfter(early)); // so often an unknown key may be asked for
            var told = new CountDownLatch(1);
            byte[] metadata = SamlSmith.metadata("", OLD, NEW).getBytes(StandardCharsets.UTF_8);
            issuer.behave(exchange -> {
                awaited(told);
                exchange.sendResponseHeaders(200, metadata.length);
                exchange.getResponseBody().write(metadata);
            });
            int asked = issuer.asked().size();
            var waiting = new ArrayList<Future<Integer>>();

            try {
                for (int i = 0; i < 100; i++) waiting.add(callers.submit(() -> status(gateway, NEW)));
                until(() -> issuer.asked().size() > asked);
                for (int i = 0; i < 20; i++) assertThat(status(gateway, OLD)).isEqualTo(200);
                assertThat(waiting).noneMatch(Future::isDone);
            } finally {
                told.countDown();
            }

            for (Future<Integer> each : waiting) assertThat(each.get()).isEqualTo(200);
            assertThat(issuer.asked()).hasSize(asked + 1);
        }
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void keys_go_on_while_the_issuer_is_away_or_tells_rubbish() throws Exception {
        tell(OLD);
        try (GuardedGateway gateway = start("\"refresh\": \"1s\", \"refetch\": \"1s\"")) {
            until(() -> status(gateway, OLD) == 200);
            int asked = issuer.asked().size();

            issuer.tell("text/html", "<html><body>login</body></html>");
            until(() -> issuer.asked().size() > asked + 1);
            assertThat(status(gateway, OLD)).isEqualTo(200);

            issuer.kill();
            assertThat(status(gateway, OLD)).isEqualTo(200);
            issuer.revive();
            tell(NEW);
            until(() -> status(gateway, NEW) == 200);
        }
    }

    @Test
    void without_keys_it_is_503_and_over_within_a_second_of_their_return() throws Exception {
        issuer.behave(exchange -> exchange.sendResponseHeaders(500, -1));
        try (GuardedGateway gateway = start("\"refetch\": \"1s\"")) {
            assertThat(List.of(status(gateway, OLD), status(gateway, NEW))).containsOnly(503);

            tell(OLD);
            Recovery.withinASecond(() -> status(gateway, OLD) == 200);
        }
    }

    private GuardedGateway start(String more) {
        return GuardedGateway.start(data, """
                {"type": "saml", "from": "header", "audience": "urn:orders", "once": false,
                 "trust": {"issuer": "https://idp.example.com", "metadataUrl": "%s/saml", %s}}""".formatted(issuer.url(), more), Map.of());
    }

    private int status(GuardedGateway gateway, SamlSmith by) throws IOException, InterruptedException {
        String xml = by.sign(SamlSmith.assertion("assertion", Instant.now()), "assertion");
        String text = Base64.getEncoder().encodeToString(xml.getBytes(StandardCharsets.UTF_8));
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + "/"))
                .header("Authorization", "SAML " + text);
        return client.send(request.build(), BodyHandlers.ofString()).statusCode();
    }
}
