package gateway.app.identity;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import gateway.json.Json;
import gateway.policies.identity.SamlSmith;
import gateway.policies.identity.StsAnswers;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Assertions that a security token service judges, on a whole gateway: one of another maker, and one that breaks in
/// every way.
@Timeout(400)
final class GatewayTokenServiceTest {
    private static final SamlSmith ISSUER = SamlSmith.rsa(2048);
    private static final SamlSmith STRANGER = SamlSmith.rsa(2048);

    @TempDir
    private Path data;

    private final IdentityProvider service = IdentityProvider.start();
    private final List<String> questions = new CopyOnWriteArrayList<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeEach
    void start() {
        judge();
    }

    @AfterEach
    void stop() {
        client.close();
        service.close();
    }

    /// From now on the service calls all valid but what is said of `carol`.
    private void judge() {
        service.behave(exchange -> {
            String question = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            questions.add(question);
            answer(exchange, StsAnswers.saying(question.contains(">carol<") ? "invalid" : "valid"));
        });
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/soap+xml; charset=utf-8");
        exchange.sendResponseHeaders(200, content.length);
        exchange.getResponseBody().write(content);
    }

    @Test
    void a_service_that_verifies_by_signxml_reads_the_assertions_as_they_were_signed() throws Exception {
        Path python = ForeignTools.python("signxml==5.2.0");
        Path program = ForeignTools.program("saml_sts.py", python.getParent());
        Path certificate = Files.writeString(data.resolve("certificate.pem"), ISSUER.pem());
        Process sts = new ProcessBuilder(python.toString(), program.toString(), certificate.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said = sts.inputReader(StandardCharsets.UTF_8);
                GuardedGateway gateway = start("http://127.0.0.1:" + said.readLine(), "1h")) {
            String alice = signed("alice", "alice");
            String unsigned = ISSUER.sign(
                    SamlSmith.response(SamlSmith.assertion("inside", Instant.now()), Instant.now()), "response");

            assertThat(status(gateway, alice)).isEqualTo(200);
            assertThat(status(gateway, SamlSmith.response(signed("alice", "other"), Instant.now())))
                    .isEqualTo(200);
            assertThat(status(gateway, signed("carol", "carol"))).isEqualTo(401);
            assertThat(status(gateway, unsigned)).isEqualTo(401); // the response around it is signed, it is not

            assertThat(List.of(said.readLine(), said.readLine(), said.readLine(), said.readLine()))
                    .containsExactly("valid", "valid", "invalid", "invalid");
        } finally {
            sts.destroy();
        }
    }

    @Test
    void only_assertions_that_are_good_by_themselves_are_asked_about_and_each_once() throws Exception {
        try (GuardedGateway gateway = start(service.url(), "1h")) {
            String alice = signed("alice", "alice");
            String carol = signed("carol", "carol");
            for (int i = 0; i < 3; i++) {
                assertThat(status(gateway, alice)).isEqualTo(200);
                assertThat(status(gateway, carol)).isEqualTo(401);
                assertThat(status(gateway, STRANGER.sign(SamlSmith.assertion("mine", Instant.now()), "mine")))
                        .isEqualTo(401);
                assertThat(status(gateway, alice.replace("alice", "admin"))).isEqualTo(401);
            }

            assertThat(questions).hasSize(2);
            assertThat(gateway.arrived()).hasSize(3);
        }
    }

    @Test
    void whatever_breaks_is_503_and_over_as_soon_as_the_service_is_back() throws Exception {
        try (GuardedGateway gateway = start(service.url(), "0s")) {
            String alice = signed("alice", "alice");
            for (Runnable breakage : breakages()) {
                judge();
                until(() -> status(gateway, alice) == 200);

                breakage.run();
                HttpResponse<String> answer = call(gateway, alice);

                assertThat(answer.statusCode()).isEqualTo(503);
                assertThat(answer.headers().firstValue("Retry-After")).isPresent();
                assertThat(answer.body()).contains("dependency-unavailable").doesNotContain("127.0.0.1");
            }
        }
    }

    private List<Runnable> breakages() {
        String valid = StsAnswers.saying("valid");
        return List.of(
                () -> service.tell("text/html", "<html><body>login</body></html>"),
                () -> service.tell("text/xml", "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>" + valid),
                () -> service.tell("text/xml", valid.replace("status/valid", "status/perhaps")),
                () -> service.tell("text/xml", " ".repeat(10 << 20)),
                () -> service.behave(exchange -> {
                    exchange.getResponseHeaders().set("Location", "http://169.254.169.254/latest/meta-data/");
                    exchange.sendResponseHeaders(302, -1);
                }),
                () -> service.behave(exchange -> exchange.sendResponseHeaders(401, -1)),
                service::trickle,
                service::freeze);
    }

    @Test
    void a_service_that_was_killed_or_frozen_under_load_is_asked_again_within_a_second() throws Exception {
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
                GuardedGateway gateway = start(service.url(), "0s")) {
            String alice = signed("alice", "alice");
            assertThat(status(gateway, alice)).isEqualTo(200);

            service.kill();
            for (int i = 0; i < 40; i++) assertThat(status(gateway, alice)).isEqualTo(503);
            service.revive();
            Recovery.withinASecond(() -> status(gateway, alice) == 200);

            service.freeze();
            Callable<Integer> call = () -> status(gateway, alice);
            for (Future<Integer> each : callers.invokeAll(Collections.nCopies(20, call))) {
                assertThat(each.get()).isEqualTo(503);
            }
            judge();
            Recovery.withinASecond(() -> status(gateway, alice) == 200);
        }
    }

    @Test
    void a_hundred_requests_that_wait_for_a_frozen_service_hold_up_none_that_brings_no_assertion() throws Exception {
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
                GuardedGateway gateway = start(service.url(), "0s")) {
            service.freeze();
            var waiting = new ArrayList<Future<Integer>>();
            for (int i = 0; i < 100; i++) {
                String each = signed("alice", "waits" + i);
                waiting.add(callers.submit(() -> status(gateway, each)));
            }
            until(() -> !service.asked().isEmpty());

            assertThat(status(gateway, STRANGER.sign(SamlSmith.assertion("mine", Instant.now()), "mine")))
                    .isEqualTo(401);

            for (Future<Integer> each : waiting) assertThat(each.get()).isEqualTo(503);
        }
    }

    @Test
    void a_service_in_a_network_that_may_not_be_called_is_refused_with_the_definition() throws Exception {
        try (GuardedGateway gateway = start(service.url(), "0s")) {
            HttpResponse<String> refused = gateway.admin()
                    .send("POST", "/admin/v1/apis", """
                    {"id": "billing", "match": {"path": "/billing"}, "policies": [%s],
                     "upstream": {"targets": [{"url": "http://127.0.0.1:1"}]}}""".formatted(policy("https://169.254.169.254", "0s")));

            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(Json.parse(refused.body()).at("/errors/0/pointer").asString(""))
                    .isEqualTo("/policies/0/validate/url");
        }
    }

    private GuardedGateway start(String url, String cacheFor) {
        return GuardedGateway.start(data.resolve("gateway"), policy(url, cacheFor), Map.of());
    }

    private static String policy(String url, String cacheFor) {
        return """
                {"type": "saml", "from": "header", "audience": "urn:orders", "once": false,
                 "recipient": "https://api.example.com/orders",
                 "trust": {"issuer": "https://idp.example.com", "certificates": %s},
                 "validate": {"url": "%s/trust", "timeout": "500ms", "cacheFor": "%s"}}""".formatted(Json.compact(Json.mapper().getNodeFactory().stringNode(ISSUER.pem())), url, cacheFor);
    }

    private static String signed(String name, String id) {
        return ISSUER.sign(SamlSmith.assertion(id, Instant.now()).replace(">alice<", '>' + name + '<'), id);
    }

    private int status(GuardedGateway gateway, String xml) throws IOException, InterruptedException {
        return call(gateway, xml).statusCode();
    }

    private HttpResponse<String> call(GuardedGateway gateway, String xml) throws IOException, InterruptedException {
        String text = Base64.getEncoder().encodeToString(xml.getBytes(StandardCharsets.UTF_8));
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + "/"))
                .header("Authorization", "SAML " + text);
        return client.send(request.build(), BodyHandlers.ofString());
    }
}
