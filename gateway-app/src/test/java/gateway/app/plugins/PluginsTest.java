package gateway.app.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import gateway.app.AdminClient;
import gateway.app.Gateway;
import gateway.app.Settings;
import gateway.app.commands.BenchCommand;
import gateway.app.log.CapturedLog;
import gateway.app.settings.StartException;
import gateway.config.PolicyRegistry;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// Jars of users in whole gateways; the first is the example of the documents.
final class PluginsTest {
    private static final Path EXAMPLE = Path.of("../docs/examples/require-tenant/src/main");

    private static final String OF_SHAPE = """
            package example;
            public final class %s implements gateway.policy.PolicyType {
                public String name() { return "%s"; }
                public gateway.policy.Stage stage() { return gateway.policy.Stage.GUARD; }
                public gateway.policy.PolicySpec read(gateway.json.ConfigNode node) {
                    node.field("shade", "of it").named("%s", here -> here.field("%s", "of it").requiredText());
                    return (place, services) ->
                            (gateway.policy.Policy) exchange -> gateway.policy.Verdict.proceed();
                }
            }""";

    @TempDir
    private Path data;

    @TempDir
    private Path plugins;

    @TempDir
    private Path work;

    private PluginJars jars = new PluginJars(Path.of(""), Path.of(""));

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeEach
    void make() {
        jars = new PluginJars(plugins, work);
    }

    @AfterEach
    void stop() {
        client.shutdownNow();
    }

    @Test
    void the_example_is_dropped_in_and_works() throws Exception {
        example("require-tenant.jar");
        try (Gateway gateway = gateway(Map.of());
                AdminClient admin = admin(gateway)) {
            define(admin);

            assertThat(status(gateway, "north")).isEqualTo(204);
            assertThat(status(gateway, "west")).isEqualTo(403);
            assertThat(admin.send("PUT", "/admin/v1/apis/orders", definition().replace("north", ""))
                            .body())
                    .contains("/policies/0/tenants/0");
            assertThat(admin.call("GET", "/schemas/apis", "").toString()).contains("require-tenant", "who may call");
        }
    }

    @Test
    void the_example_is_built_against_this_engine() throws IOException {
        String ours = Files.readString(Path.of("../pom.xml"));
        String its = Files.readString(EXAMPLE.resolve("../../pom.xml"));
        String version = ours.substring(ours.indexOf("<version>") + 9, ours.indexOf("</version>"));

        assertThat(its)
                .contains(
                        "<gateway.version>" + version + "</gateway.version>",
                        "<artifactId>gateway-engine</artifactId>");
        for (String plugin : List.of("toolchains", "compiler", "jar")) {
            String named = "<artifactId>maven-" + plugin + "-plugin</artifactId>\\s*<version>([^<]*)</version>";
            assertThat(Pattern.compile(named)
                            .matcher(its)
                            .results()
                            .map(found -> found.group(1))
                            .toList())
                    .as(plugin)
                    .isEqualTo(Pattern.compile(named)
                            .matcher(ours)
                            .results()
                            .map(found -> found.group(1))
                            .toList());
        }
    }

    @Test
    void what_cannot_be_used_is_named_and_left_out_and_the_rest_serves() throws Exception {
        example("b-good.jar");
        example("c-again.jar");
        Files.writeString(plugins.resolve("d-text.jar"), "no jar");
        jars.jar("e-nothing.jar", Map.of("a.txt", new byte[1]));
        jars.jar("f-missing.jar", Map.of(PluginJars.POLICIES, "example.Gone".getBytes(StandardCharsets.UTF_8)));
        compiled("g-throws.jar", "Throwing", """
                public Throwing() { throw new IllegalStateException("as the test wants it"); }
                public String name() { return "throwing"; }""");
        compiled("gg-recursion.jar", "Recursing", "public String name() { return name() + 1; }");
        compiled("h-name.jar", "Named", "public String name() { return \"No Name\"; }");
        compiled("i-clash.jar", "Clashing", "public String name() { return \"rate-limit\"; }");
        shaped("j-shape.jar", "Problem");
        shaped("k-shape.jar", "Condition");
        nowhere("l-stage.jar", "Nowhere", "stage() { throw new IllegalStateException(\"as the test wants it\"); }");
        nowhere("m-stage.jar", "Unplaced", "stage() { return null; }");
        nowhere(
                "n-stages.jar",
                "Misplaced",
                "stage() { return gateway.policy.Stage.GUARD; }"
                        + " public java.util.List<gateway.policy.Stage> stages() { return java.util.List.of(); }");
        try (var log = new CapturedLog();
                Gateway gateway = gateway(Map.of());
                AdminClient admin = admin(gateway)) {
            define(admin);

            assertThat(status(gateway, "north")).isEqualTo(204);
            assertThat(log.text().lines().filter(line -> line.contains("plugin left out") && !line.startsWith("{")))
                    .satisfiesExactly(
                            line -> assertThat(line)
                                    .contains("c-again.jar: two policy types are called require-tenant"),
                            line -> assertThat(line).contains("d-text.jar: it is no jar"),
                            line -> assertThat(line).contains("e-nothing.jar: it names no policy type"),
                            line -> assertThat(line).contains("f-missing.jar").contains("example.Gone"),
                            line -> assertThat(line).contains("g-throws.jar").contains("as the test wants it"),
                            line -> assertThat(line).contains("gg-recursion.jar: java.lang.StackOverflowError"),
                            line -> assertThat(line).contains("h-name.jar: expected a policy called like"),
                            line -> assertThat(line).contains("i-clash.jar: two policy types are called rate-limit"),
                            line -> assertThat(line).contains("j-shape.jar: two schemas are called Problem"),
                            line -> assertThat(line).contains("k-shape.jar: two schemas are called Condition"),
                            line -> assertThat(line).contains("l-stage.jar").contains("as the test wants it"),
                            line -> assertThat(line).contains("m-stage.jar").contains("stage()"),
                            line -> assertThat(line)
                                    .contains("n-stages.jar: expected stage() of misplaced among its stages()"));
            assertThat(admin.call("GET", "/openapi.json", "")
                            .at("/components/schemas/Problem/properties/title")
                            .isMissingNode())
                    .isFalse();
            assertThat(openFiles()).contains("b-good.jar").doesNotContain("c-again.jar", "j-shape.jar");
        }
    }

    @Test
    void definitions_are_described_once_for_all_jars_where_nothing_is_wrong() throws IOException {
        shaped("a.jar", "Shade");
        shaped("b.jar", "Colour");
        var described = new ArrayList<List<String>>();

        PolicyRegistry all = new Plugins(
                        plugins, BrokenPlugins.REFUSE, (registry, _) -> described.add(List.copyOf(registry.names())))
                .addTo(PolicyRegistry.of(List.of()));

        assertThat(described).containsExactly(List.of("of-colour", "of-shade"));
        assertThat(all.names()).containsExactly("of-colour", "of-shade");
    }

    @Test
    void one_with_a_shape_of_another_is_left_out_and_those_after_it_are_used() throws Exception {
        shaped("a.jar", "Shade");
        jars.compiled("b.jar", PluginJars.POLICIES, "Other", OF_SHAPE.formatted("Other", "other", "Shade", "tone"));
        shaped("c.jar", "Colour");
        try (var log = new CapturedLog();
                Gateway gateway = gateway(Map.of());
                AdminClient admin = admin(gateway)) {
            assertThat(log.text()).contains("plugin left out: b.jar: two schemas are called Shade");
            assertThat(admin.call("GET", "/schemas/apis", "").toString())
                    .contains("of-shade", "of-colour")
                    .doesNotContain("\"other\"");
        }
    }

    @Test
    void a_shape_of_a_name_of_its_own_is_described() throws Exception {
        shaped("shape.jar", "Shade");
        try (Gateway gateway = gateway(Map.of());
                AdminClient admin = admin(gateway)) {
            assertThat(admin.call("GET", "/openapi.json", "")
                            .at("/components/schemas/Shade/properties/colour/type")
                            .asString())
                    .isEqualTo("string");
        }
    }

    @Test
    void a_condition_decides_where_it_is_named() throws Exception {
        jars.compiled("lengths.jar", "META-INF/services/gateway.policy.ConditionType", "PathLengths", """
                package example;
                public final class PathLengths implements gateway.policy.ConditionType {
                    public String name() { return "lengths"; }
                    public gateway.policy.Condition read(gateway.json.ConfigNode node) {
                        java.util.List<String> lengths = node.list(gateway.json.ConfigNode::requiredText);
                        return exchange -> lengths.contains("" + exchange.path().length());
                    }
                }""");
        try (Gateway gateway = gateway(Map.of());
                AdminClient admin = admin(gateway)) {
            String definition = """
                {"match": {"path": "/"}, "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]},
                 "policies": [{"type": "ip-filter", "deny": ["127.0.0.0/8"], "when": {"lengths": ["3"]}},
                              {"type": "mock-response", "status": 204}]}""";
            admin.call("PUT", "/apis/orders", definition);

            assertThat(status(gateway, "north", "/ab")).isEqualTo(403);
            assertThat(status(gateway, "north", "/abc")).isEqualTo(204);
            assertThat(admin.send("PUT", "/admin/v1/apis/orders", definition.replace("[\"3\"]", "[3]"))
                            .body())
                    .contains("/policies/0/when/lengths/0");
            assertThat(admin.call("GET", "/schemas/apis", "").toString()).contains("\"lengths\"");
        }
    }

    /// No policy of the gateway's own has it undone today.
    @Test
    void one_that_wants_plain_bodies_gets_them_whatever_they_are_packed_by() throws Exception {
        jars.compiled("plain.jar", PluginJars.POLICIES, "Plain", """
                package example;
                import gateway.policy.*;
                public final class Plain implements PolicyType {
                    public record Spec() implements PolicySpec {
                        public BodyUse bodyUse() { return BodyUse.ofRequests(BodyAccess.plain(1 << 20)); }
                        public Policy compile(PolicyPlace place, Services services) {
                            return exchange -> Verdict.answer(gateway.http.Response.of(
                                    200, "text/plain", exchange.held().orElseThrow().plain()));
                        }
                    }
                    public String name() { return "plain"; }
                    public Stage stage() { return Stage.VALIDATE; }
                    public PolicySpec read(gateway.json.ConfigNode node) { return new Spec(); }
                }""");
        try (Gateway gateway = gateway(Map.of());
                AdminClient admin = admin(gateway)) {
            admin.call("PUT", "/apis/orders", """
                {"match": {"path": "/"}, "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]},
                 "policies": [{"type": "plain"}]}""");

            HttpResponse<String> undone = sent(gateway, "br", "1b1200f88d946ede44095286966c2c6f114f24d07100");
            HttpResponse<String> bomb = sent(gateway, "br", "cbffff3ff82700e2b14020f7fe2fff2c31f04f00c46111808e2306");

            assertThat(undone.body()).isEqualTo("hello, hello, hello");
            assertThat(bomb.statusCode()).isEqualTo(413);
            assertThat(sent(gateway, "br", "1b1200").statusCode()).isEqualTo(400);
            HttpResponse<String> unknown = sent(gateway, "compress", "1f9d90");
            assertThat(unknown.statusCode()).isEqualTo(415);
            assertThat(unknown.headers().firstValue("Accept-Encoding"))
                    .hasValueSatisfying(understood ->
                            assertThat(understood).startsWith("gzip, deflate, ").contains("br"));
        }
    }

    private HttpResponse<String> sent(Gateway gateway, String coding, String hex)
            throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + gateway.address().getPort() + "/");
        var request = HttpRequest.newBuilder(uri)
                .header("Content-Encoding", coding)
                .POST(BodyPublishers.ofByteArray(HexFormat.of().parseHex(hex)));
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void bench_measures_a_definition_that_names_them() throws Exception {
        example("require-tenant.jar");
        Path definition = Files.writeString(work.resolve("api.json"), """
            {"id": "orders", "match": {"path": "/"}, "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]},
             "policies": [{"type": "require-tenant", "tenants": ["north"]}]}""");
        var said = new StringWriter();

        new CommandLine(new BenchCommand())
                .setOut(new PrintWriter(said, true))
                .setErr(new PrintWriter(said, true))
                .execute(
                        definition.toString(),
                        "--set=GATEWAY_PLUGINS=" + plugins,
                        "--header=X-Tenant: north",
                        "--rates=100",
                        "--seconds=1",
                        "--connections=2",
                        "--output=" + work.resolve("report"));

        assertThat(Files.readString(work.resolve("report/report.md")))
                .as(said.toString())
                .contains("# gateway bench: GET / of orders", "| 100 | ");
    }

    @Test
    void a_broken_one_refuses_the_start_when_that_is_set() throws Exception {
        Files.writeString(plugins.resolve("text.jar"), "no jar");

        Throwable refused = catchThrowable(
                () -> gateway(Map.of("GATEWAY_BROKEN_PLUGINS", "refuse")).close());

        assertThat(refused).isInstanceOf(StartException.class).hasMessageContaining("text.jar: it is no jar");
    }

    @Test
    void a_folder_that_is_not_there_refuses_the_start() {
        Throwable refused = catchThrowable(
                () -> gateway(Map.of("GATEWAY_PLUGINS", plugins.resolve("none").toString()))
                        .close());

        assertThat(refused).isInstanceOf(StartException.class).hasMessageContaining("GATEWAY_PLUGINS");
    }

    private void nowhere(String jar, String name, String stage) throws IOException {
        jars.compiled(jar, PluginJars.POLICIES, name, """
                package example;
                public final class %s implements gateway.policy.PolicyType {
                    public String name() { return "%s"; }
                    public gateway.policy.Stage %s
                    public gateway.policy.PolicySpec read(gateway.json.ConfigNode node) {
                        return (place, services) ->
                                (gateway.policy.Policy) exchange -> gateway.policy.Verdict.proceed();
                    }
                }""".formatted(name, name.toLowerCase(Locale.ROOT), stage));
    }

    @Test
    void a_name_that_cannot_be_told_twice_ends_no_start() throws Exception {
        compiled("a-late.jar", "Late", """
                private int asked;
                public String name() {
                    if (asked++ > 9) throw new IllegalStateException("as the test wants it");
                    return "late";
                }""");
        try (var log = new CapturedLog();
                Gateway gateway = gateway(Map.of())) {
            assertThat(gateway.address().getPort()).isPositive();
            assertThat(log.text()).contains("plugin a-late.jar: policies [late]");
        }
    }

    private void example(String name) throws IOException {
        Path classes = jars.compile(EXAMPLE.resolve("java/example/RequireTenant.java"));
        var entries = new HashMap<String, byte[]>();
        entries.put(
                PluginJars.POLICIES,
                Files.readAllBytes(EXAMPLE.resolve("resources").resolve(PluginJars.POLICIES)));
        PluginJars.addClasses(classes, entries);
        jars.jar(name, entries);
    }

    /// A policy type that is as it should be but for `members`.
    private void compiled(String jar, String name, String members) throws IOException {
        jars.compiled(jar, PluginJars.POLICIES, name, """
                package example;
                public final class %s implements gateway.policy.PolicyType {
                    %s
                    public gateway.policy.Stage stage() { return gateway.policy.Stage.GUARD; }
                    public gateway.policy.PolicySpec read(gateway.json.ConfigNode node) { return null; }
                }""".formatted(name, members));
    }

    /// A policy type with a field whose shape is called `shape`.
    private void shaped(String jar, String shape) throws IOException {
        String name = "Of" + shape;
        String type = "of-" + shape.toLowerCase(Locale.ROOT);
        jars.compiled(jar, PluginJars.POLICIES, name, OF_SHAPE.formatted(name, type, shape, "colour"));
    }

    /// Names of the files that this process has open.
    private static List<String> openFiles() throws IOException {
        var names = new ArrayList<String>();
        try (var all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path each : all) name(each).ifPresent(names::add);
        }
        return names;
    }

    private static Optional<String> name(Path opened) throws IOException {
        try {
            return Optional.of(Files.readSymbolicLink(opened).getFileName().toString());
        } catch (NoSuchFileException _) { // closed meanwhile
            return Optional.empty();
        }
    }

    private static void define(AdminClient admin) throws IOException, InterruptedException {
        admin.call("PUT", "/apis/orders", definition());
    }

    private static String definition() {
        return """
            {"match": {"path": "/"}, "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]},
             "policies": [{"type": "require-tenant", "tenants": ["north"]}, {"type": "mock-response", "status": 204}]}""";
    }

    private Gateway gateway(Map<String, String> settings) {
        var environment = new HashMap<>(Map.of(
                "GATEWAY_LISTEN",
                "127.0.0.1:0",
                "GATEWAY_ADMIN_LISTEN",
                "127.0.0.1:0",
                "GATEWAY_DATA",
                data.toString(),
                "GATEWAY_PLUGINS",
                plugins.toString()));
        environment.putAll(settings);
        return Gateway.start(Settings.read(Optional.empty(), environment));
    }

    private static AdminClient admin(Gateway gateway) {
        return AdminClient.of(
                URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort()),
                gateway.adminToken().reveal());
    }

    private int status(Gateway gateway, String tenant) throws IOException, InterruptedException {
        return status(gateway, tenant, "/");
    }

    private int status(Gateway gateway, String tenant, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + gateway.address().getPort() + path);
        var request = HttpRequest.newBuilder(uri).header("X-Tenant", tenant);
        return client.send(request.build(), BodyHandlers.ofString()).statusCode();
    }
}
