package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.settings.SettingValue;
import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.http.Exchanges;
import gateway.http.FailureReason;
import gateway.http.Response;
import gateway.net.UpstreamProtocol;
import gateway.policy.ErrorForm;
import gateway.policy.FakeServices;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.Verdict;
import gateway.route.VersionNotice;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.snapshot.Snapshot;
import gateway.snapshot.SnapshotCompiler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// What the documents say is what the code is.
final class DocumentsTest {
    private static final Path ROOT = Path.of("..");

    /// Nobody is there to be told, or it is a server that a policy asks.
    private static final EnumSet<FailureReason> NEVER_TOLD =
            EnumSet.of(FailureReason.CLIENT_GONE, FailureReason.UNAVAILABLE);

    private static final Path EXAMPLE = Path.of("src/test/java/gateway/example/RequireHeader.java");

    private static final List<String> VERSION_FIELDS = List.of(
            "in",
            "name",
            "default",
            "fallbackToDefault",
            "strip",
            "list",
            "upstream",
            "policies",
            "deprecatedSince",
            "sunset",
            "expires",
            "link");

    @Test
    void the_policy_that_the_readme_walks_through_is_the_one_that_compiles() throws IOException {
        String source = Files.readString(EXAMPLE);
        String afterImports = source.substring(source.indexOf("///")).strip();

        assertThat(read("README.md")).contains(afterImports);
    }

    @Test
    void the_policy_that_the_readme_walks_through_works() {
        var definition = new DefinitionReader(PolicyRegistry.load()).read("""
            {"id": "orders", "match": {"path": "/"}, "upstream": {"targets": [{"url": "http://h"}]},
             "policies": [{"type": "require-header", "name": "X-Tenant"}]}""");
        var policy = (Policy)
                definition.policies().getFirst().spec().compile(new PolicyPlace("orders", "p"), new FakeServices());

        assertThat(policy.apply(Exchanges.get("/").make())).isInstanceOf(Verdict.Stop.class);
    }

    @Test
    void the_readme_lists_every_policy() throws IOException {
        for (String policy : PolicyRegistry.load().names()) {
            if (policy.equals("require-header")) continue;
            assertThat(read("README.md")).contains("| [" + policy + "](docs/policies/" + policy + ".md) |");
        }
    }

    @Test
    void the_page_of_grpc_shows_a_definition_that_is_read() throws IOException {
        String page = read("docs/grpc.md");
        String example = page.substring(page.indexOf("```json") + 7);

        var api = new DefinitionReader(PolicyRegistry.load()).read(example.substring(0, example.indexOf("```")));

        assertThat(api.upstream().targets())
                .singleElement()
                .satisfies(target -> assertThat(target.protocol()).isEqualTo(UpstreamProtocol.H2C));
    }

    @Test
    void the_page_of_versions_shows_a_definition_that_is_read_and_names_every_field() throws IOException {
        String page = read("docs/versions.md");
        String example = page.substring(page.indexOf("```json") + 7);
        example = example.substring(0, example.indexOf("```"));

        var versions = new DefinitionReader(PolicyRegistry.load())
                .read(example)
                .versions()
                .orElseThrow();

        assertThat(versions.list()).hasSize(2);
        for (String field : VERSION_FIELDS) assertThat(page).contains("\n| `" + field + "` |");
        assertThat(page).contains(told(VersionNotice.of(versions.list().getFirst(), versions)));
    }

    @Test
    void the_page_of_errors_shows_a_definition_that_is_read_and_names_every_placeholder() throws IOException {
        String page = read("docs/errors.md");
        String example = page.substring(page.indexOf("```json") + 7);
        example = example.substring(0, example.indexOf("```"));

        var errors = new DefinitionReader(PolicyRegistry.load()).read(example).errors();

        assertThat(errors.forms()).hasSize(4);
        for (String field : List.of("form", "body", "contentType", "page"))
            assertThat(page).contains("\n| `" + field + "` |");
        for (String name : ErrorForm.PLACEHOLDERS.keySet()) assertThat(page).contains("\n| `{" + name + "}` |");
    }

    @Test
    void the_page_of_policy_sets_shows_a_set_and_an_api_that_are_read() throws IOException {
        String[] examples = read("docs/policy-sets.md").split("```json", -1);
        String set = examples[1].substring(0, examples[1].indexOf("```"));
        String api = examples[2].substring(0, examples[2].indexOf("```"));
        var documents = Map.of(new DocumentId(DocumentKind.POLICY_SETS, "gold"), set, DocumentId.api("orders"), api);
        var compiler = new SnapshotCompiler(
                new DefinitionReader(PolicyRegistry.load()),
                new FakeServices(),
                upstream -> (exchange, waiter) -> Response.of(200));

        var snapshot = compiler.compile(new DefinitionSet(1, documents), Snapshot.EMPTY);

        assertThat(snapshot.apis()).containsOnlyKeys("orders");
    }

    @Test
    void the_page_of_the_traffic_log_names_every_reason_of_a_request_without_an_answer() throws IOException {
        String page = read("docs/traffic-log.md");

        for (FailureReason reason : EnumSet.complementOf(NEVER_TOLD)) {
            assertThat(page)
                    .contains(
                            "\n| `" + reason.refusal() + "` | " + reason.kind().status() + " |");
        }
    }

    private static String told(VersionNotice notice) {
        return "Deprecation: %s\nSunset: %s\nLink: %s\n"
                .formatted(notice.deprecation(), notice.sunset(), notice.link());
    }

    @Test
    void the_page_of_settings_lists_every_setting_with_its_default() throws IOException {
        String rows = Settings.read(Optional.empty(), Map.of()).values().stream()
                .map(DocumentsTest::row)
                .collect(Collectors.joining("\n"));

        assertThat(read("docs/settings.md")).contains(rows);
    }

    private static String row(SettingValue value) {
        String fallback = switch (value.name()) {
            case "node" -> "host name";
            case "tier" -> "by CPUs";
            case "requestsWaiting" -> "4 × `requestsInFlight`";
            case "requestsPerClient" -> "half of `requestsInFlight` and `requestsWaiting`";
            case "counters" -> "by heap";
            case "connections" -> "by tier and open files";
            case "webSockets" -> "half of `connections`";
            case "ioThreads", "workers", "requestsInFlight", "cacheOperationThreads" -> "by tier";
            default -> value.fallback().isEmpty() ? "none" : "`" + value.fallback() + "`";
        };
        return "| `%s` | `%s` | %s | %s |".formatted(value.name(), value.variable(), fallback, value.meaning());
    }

    private static String read(String path) throws IOException {
        return Files.readString(ROOT.resolve(path));
    }
}
