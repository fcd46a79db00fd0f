package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.identity.ForeignTools;
import gateway.app.log.KeptLevels;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The admin API of a whole gateway against its own document, by Schemathesis: what the document allows is taken, or
/// refused for what no schema knows, which `unknowable.py` lists; what it forbids is refused, and answers are as it
/// says.
final class SchemathesisTest {
    private static final String TOOL = "schemathesis==4.32.5";
    private static final long PATIENCE_SECONDS = 180;

    /// Those that take documents with policies: cases of all the borders of so large a schema take many minutes, and
    /// each that is drawn from it takes a second or more. A few are drawn.
    private static final List<String> LARGE = List.of(
            "createApi", "putApi", "createPolicySet", "putPolicySet", "putGlobal", "changeDocuments", "validate");

    /// 412 too: a schema does not know what is stored. `unknowable.py` asks whether a 422 has a good reason.
    private static final String SETTINGS = """
            [checks.positive_data_acceptance]
            expected-statuses = ["2xx", "3xx", "401", "403", "404", "409", "412", "422", "503"]
            [checks.negative_data_rejection]
            expected-statuses = ["400", "401", "403", "404", "405", "409", "412", "413", "415", "422", "503"]
            """;

    /// What is stored and no definition: answers show it too.
    private static final String LEFT_OUT = """
            {"id": "left-out", "match": {"path": "/left-out"}, "unheard-of": [1, null]}""";

    @TempDir
    private Path folder;

    @Test
    void the_document_is_as_strict_as_the_server() throws Exception {
        Path python = ForeignTools.python(TOOL);
        Path settings = Files.writeString(folder.resolve("schemathesis.toml"), SETTINGS);
        Path apis = Files.createDirectories(folder.resolve("data/apis"));
        Files.writeString(apis.resolve("left-out.json"), LEFT_OUT);
        try (var _ = new KeptLevels(); // it draws names of loggers
                Gateway gateway = Gateway.start(Settings.read(
                        Optional.empty(),
                        Map.of(
                                "GATEWAY_LISTEN", "127.0.0.1:0",
                                "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                                "GATEWAY_DATA", folder.resolve("data").toString(),
                                "GATEWAY_SCRIPTS", "groovy",
                                "GATEWAY_DRAIN_TIMEOUT", "1s")))) {
            String base = "http://127.0.0.1:" + gateway.adminAddress().getPort() + "/admin/v1";
            String token = "Bearer " + gateway.adminToken().reveal();
            Path document = folder.resolve("openapi.json");
            try (var client = HttpClient.newHttpClient()) {
                var request = HttpRequest.newBuilder(URI.create(base + "/openapi.json"))
                        .header("Authorization", token)
                        .build();
                client.send(request, BodyHandlers.ofFile(document));
            }

            try (InputStream reasons = SchemathesisTest.class.getResourceAsStream("unknowable.py")) {
                Files.copy(Objects.requireNonNull(reasons), folder.resolve("unknowable.py"));
            }
            List<String> run = List.of(
                    python.resolveSibling("schemathesis").toString(),
                    "--config-file",
                    settings.toString(),
                    "run",
                    document.toString(),
                    "--url",
                    base,
                    "-H",
                    "Authorization: " + token,
                    "--no-color",
                    "--continue-on-failure",
                    "--generation-deterministic",
                    "--max-examples",
                    "3");
            assertThat(found(run, List.of("--phases", "coverage,fuzzing"), "--exclude-operation-id"))
                    .contains("Tested: ");
            assertThat(found(
                            run,
                            List.of("--phases", "fuzzing", "--suppress-health-check", "all", "--no-shrink"),
                            "--include-operation-id"))
                    .contains("Tested: " + LARGE.size());
        }
    }

    /// What it says; an assertion fails unless it has found nothing.
    ///
    /// @param choice what becomes of the large ones
    private String found(List<String> run, List<String> options, String choice) throws Exception {
        Stream<String> chosen = LARGE.stream().flatMap(id -> Stream.of(choice, id));
        List<String> command = Stream.of(run.stream(), options.stream(), chosen)
                .flatMap(each -> each)
                .toList();
        Path log = folder.resolve("log");
        var builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment()
                .put("SCHEMATHESIS_HOOKS", folder.resolve("unknowable.py").toString());
        Process tool = builder.start();
        boolean ended = tool.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (!ended) tool.destroyForcibly();
        String said = Files.readString(log);
        assertThat(ended && tool.exitValue() == 0).as(said).isTrue();
        return said;
    }
}
