package gateway.app.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.AdminClient;
import gateway.app.Gateway;
import gateway.app.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Plugins whose code fails once definitions name them, as one does whose jar lacks a library: a matter of those
/// definitions and those requests.
@Timeout(120)
final class FaultyPluginsTest {
    private static final String LOST = "throw new NoClassDefFoundError(\"lost/Library\");";
    private static final String PROCEED = "return gateway.policy.Verdict.proceed();";

    @TempDir
    private Path data;

    @TempDir
    private Path plugins;

    @TempDir
    private Path work;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeEach
    void make() throws IOException {
        faulty("Reading", "throw new IllegalStateException(\"lost/Library\");", "", PROCEED);
        faulty("Compiling", "", LOST, PROCEED);
        faulty("Applying", "", "", LOST);
        faulty("Ending", "", "", """
                return gateway.policy.Verdict.proceed(new gateway.policy.Followup() {
                    public void onEnd(gateway.http.Outcome outcome) { %s }
                });""".formatted(LOST));
    }

    @AfterEach
    void stop() {
        client.shutdownNow();
    }

    @Test
    void a_start_leaves_out_the_apis_that_name_them_and_serves_the_rest() throws Exception {
        Path apis = Files.createDirectories(data.resolve("apis"));
        Files.writeString(apis.resolve("reading.json"), api("reading"));
        Files.writeString(apis.resolve("compiling.json"), api("compiling"));
        Files.writeString(apis.resolve("plain.json"), api("plain").replace("{\"type\": \"plain\"}, ", ""));
        try (Gateway gateway = gateway();
                AdminClient admin = admin(gateway)) {
            assertThat(admin.call("GET", "/snapshot", "").get("problems").values())
                    .extracting(problem -> problem.get("pointer").asString())
                    .containsExactly("/apis/compiling/policies/0", "/apis/reading/policies/0");
            assertThat(status(gateway, "/reading")).isEqualTo(503);
            assertThat(status(gateway, "/compiling")).isEqualTo(503);
            assertThat(status(gateway, "/plain")).isEqualTo(204);
        }
    }

    @Test
    void a_write_is_refused_under_the_pointer_of_the_entry() throws Exception {
        try (Gateway gateway = gateway();
                AdminClient admin = admin(gateway)) {
            for (String each : new String[] {"reading", "compiling"}) {
                var refused = admin.send("PUT", "/admin/v1/apis/" + each, api(each));

                assertThat(refused.statusCode()).isEqualTo(422);
                assertThat(refused.body()).contains("\"/policies/0\"", "lost/Library");
            }
        }
    }

    @Test
    void a_request_is_answered_500_and_its_explanation_names_the_step() throws Exception {
        try (Gateway gateway = gateway();
                AdminClient admin = admin(gateway)) {
            admin.call("PUT", "/apis/applying", api("applying"));

            assertThat(status(gateway, "/applying")).isEqualTo(500);
            JsonNode step = admin.call("POST", "/explain", "{\"path\": \"/applying\"}")
                    .get("steps")
                    .get(0);
            assertThat(step.get("verdict").asString()).isEqualTo("fail");
            assertThat(step.get("why").asString()).contains("lost/Library");
        }
    }

    @Test
    void what_fails_at_the_end_of_a_request_keeps_no_place_of_it() throws Exception {
        try (Gateway gateway = gateway();
                AdminClient admin = admin(gateway)) {
            admin.call("PUT", "/apis/ending", api("ending"));

            for (int i = 0; i < 20; i++) assertThat(status(gateway, "/ending")).isEqualTo(204); // of 4 places
        }
    }

    @Test
    void what_fails_when_its_use_begins_or_ends_keeps_no_write_from_being_answered_and_no_start() throws Exception {
        new PluginJars(plugins, work).compiled("Serving.jar", PluginJars.POLICIES, "Serving", """
                package example;
                public final class Serving implements gateway.policy.PolicyType {
                    public record Key(int number) {}
                    public static final class Part implements gateway.service.Served {
                        public void served() { throw new IllegalStateException("as the test wants it"); }
                        public void retired() { throw new IllegalStateException("as the test wants it"); }
                    }
                    public String name() { return "serving"; }
                    public gateway.policy.Stage stage() { return gateway.policy.Stage.GUARD; }
                    public gateway.policy.PolicySpec read(gateway.json.ConfigNode node) {
                        return (place, services) -> {
                            services.shared(new Key(1), Part.class, Part::new);
                            return (gateway.policy.Policy) exchange -> gateway.policy.Verdict.proceed();
                        };
                    }
                }""");
        try (Gateway gateway = gateway();
                AdminClient admin = admin(gateway)) {
            assertThat(admin.send("PUT", "/admin/v1/apis/gone", api("serving")).statusCode())
                    .isEqualTo(201);
            assertThat(admin.send("DELETE", "/admin/v1/apis/gone", "").statusCode())
                    .isEqualTo(204);
            assertThat(admin.send("PUT", "/admin/v1/apis/serving", api("serving"))
                            .statusCode())
                    .isEqualTo(201);
            assertThat(status(gateway, "/serving")).isEqualTo(204);
            assertThat(admin.call("GET", "/audit", "").get("items").values()).hasSize(3);
        }
        try (Gateway gateway = gateway()) {
            assertThat(status(gateway, "/serving")).isEqualTo(204);
        }
    }

    /// As code in Kotlin, Scala and Groovy does.
    @Test
    void checked_exceptions_that_nobody_declares_are_told_as_all_others_are() throws Exception {
        String checked = "throw sneak(new java.io.IOException(\"lost/Library\"));";
        faulty("Unread", checked, "", PROCEED);
        faulty("Uncompiled", "", checked, PROCEED);
        faulty("Unapplied", "", "", checked);
        faulty("Unended", "", "", """
                return gateway.policy.Verdict.proceed(new gateway.policy.Followup() {
                    public void onEnd(gateway.http.Outcome outcome) { %s }
                });""".formatted(checked));
        try (Gateway gateway = gateway();
                AdminClient admin = admin(gateway)) {
            for (String each : new String[] {"unread", "uncompiled"}) {
                var refused = admin.send("PUT", "/admin/v1/apis/" + each, api(each));

                assertThat(refused.statusCode()).isEqualTo(422);
                assertThat(refused.body()).contains("\"/policies/0\"", "lost/Library");
            }
            admin.call("PUT", "/apis/unapplied", api("unapplied"));
            assertThat(status(gateway, "/unapplied")).isEqualTo(500);
            assertThat(admin.call("POST", "/explain", "{\"path\": \"/unapplied\"}")
                            .at("/steps/0/verdict")
                            .asString())
                    .isEqualTo("fail");
            String limited = api("unended")
                    .replace(
                            "{\"type\": \"unended\"}",
                            "{\"type\": \"unended\"}, {\"type\": \"concurrency-limit\", \"requests\": 2, \"by\": \"ip\"}");
            admin.call("PUT", "/apis/unended", limited);
            for (int i = 0; i < 20; i++) assertThat(status(gateway, "/unended")).isEqualTo(204);
        }
    }

    /// A policy whose code is `read`, `compile` and `apply`, each before what it should do.
    private void faulty(String name, String read, String compile, String apply) throws IOException {
        new PluginJars(plugins, work).compiled(name + ".jar", PluginJars.POLICIES, name, """
                package example;
                public final class %1$s implements gateway.policy.PolicyType {
                    private final boolean fails = true;
                    public String name() { return "%2$s"; }
                    public gateway.policy.Stage stage() { return gateway.policy.Stage.GUARD; }
                    public gateway.policy.PolicySpec read(gateway.json.ConfigNode node) {
                        if (fails) { %3$s }
                        return (place, services) -> compile();
                    }
                    private gateway.policy.Policy compile() {
                        if (fails) { %4$s }
                        return this::apply;
                    }
                    private gateway.policy.Verdict apply(gateway.http.Exchange exchange) {
                        %5$s
                    }
                    @SuppressWarnings("unchecked")
                    private static <T extends Throwable> RuntimeException sneak(Throwable why) throws T {
                        throw (T) why;
                    }
                }""".formatted(
                        name, name.toLowerCase(Locale.ROOT), read, compile, apply));
    }

    private static String api(String policy) {
        return """
                {"match": {"path": "/%1$s"}, "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]},
                 "policies": [{"type": "%1$s"}, {"type": "mock-response", "status": 204}]}""".formatted(policy);
    }

    private Gateway gateway() {
        return Gateway.start(Settings.read(
                Optional.empty(),
                Map.of(
                        "GATEWAY_LISTEN",
                        "127.0.0.1:0",
                        "GATEWAY_ADMIN_LISTEN",
                        "127.0.0.1:0",
                        "GATEWAY_REQUESTS_IN_FLIGHT",
                        "4",
                        "GATEWAY_DATA",
                        data.toString(),
                        "GATEWAY_PLUGINS",
                        plugins.toString())));
    }

    private static AdminClient admin(Gateway gateway) {
        return AdminClient.of(
                URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort()),
                gateway.adminToken().reveal());
    }

    private int status(Gateway gateway, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + gateway.address().getPort() + path);
        var request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(30));
        return client.send(request.build(), BodyHandlers.ofString()).statusCode();
    }
}
