package gateway.app.cache;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.FreePort;
import gateway.app.identity.ForeignTools;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The suite behind cache-tests.fyi through a running gateway: its client asks, its server is the upstream.
final class HttpCacheTestsTest {
    private static final String SUITE = "http-cache-tests@0.4.5";
    private static final Path DOCUMENT = Path.of("../docs/http-cache-tests.md");
    private static final Pattern EXPLAINED = Pattern.compile("^\\| `([^`]+)` \\|", Pattern.MULTILINE);
    private static final long PATIENCE_SECONDS = 120;

    /// More than nginx passes by the results that come with the suite.
    private static final int OPTIMAL = 58;

    @TempDir
    private Path folder;

    /// @param said `passed` or why not
    private record Case(String kind, String id, String said) {
        boolean failed() {
            return !said.equals("passed");
        }
    }

    @Test
    void every_required_case_is_passed_or_its_difference_explained() throws Exception {
        Path suite = ForeignTools.npm(SUITE);
        int port = FreePort.take();
        CachedGateway.define(folder, "suite", CachedGateway.definition("suite", "/", "", port));
        Process server = server(suite, port);
        try (CachedGateway gateway = CachedGateway.start(folder)) {
            until(() -> listens(port));

            List<Case> cases = run(suite, gateway);

            List<Case> required = of("required", cases);
            assertThat(required).hasSizeGreaterThan(150);
            assertThat(failed(required))
                    .as(() -> required.stream().filter(Case::failed).toList().toString())
                    .isEqualTo(explained());
            assertThat(of("optimal", cases).stream().filter(each -> !each.failed()))
                    .hasSizeGreaterThanOrEqualTo(OPTIMAL);
        } finally {
            server.destroyForcibly();
        }
    }

    private Process server(Path suite, int port) throws IOException {
        var builder = new ProcessBuilder(
                "node",
                suite.resolve("node_modules/http-cache-tests/server/server.mjs").toString());
        builder.environment()
                .putAll(Map.of(
                        "npm_config_protocol", "http",
                        "npm_config_port", Integer.toString(port),
                        "npm_config_pidfile", folder.resolve("pid").toString()));
        return builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("server.log").toFile())
                .start();
    }

    private static boolean listens(int port) {
        try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private List<Case> run(Path suite, CachedGateway gateway) throws Exception {
        Path script = suite.resolve("scores.mjs");
        try (InputStream content = HttpCacheTestsTest.class.getResourceAsStream("/cache/scores.mjs")) {
            Files.write(script, content.readAllBytes());
        }
        Path log = folder.resolve("cases.log");
        Process client = new ProcessBuilder(
                        "node",
                        script.toString(),
                        "http://127.0.0.1:" + gateway.gateway().address().getPort())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean ended = client.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (!ended) client.destroyForcibly();
        String said = Files.readString(log);
        assertThat(ended && client.exitValue() == 0).as(said).isTrue();
        var cases = new ArrayList<Case>();
        for (String line : said.lines().toList()) {
            String[] words = line.split(" ", 3);
            cases.add(new Case(words[0], words[1], words[2]));
        }
        return cases;
    }

    private static List<Case> of(String kind, List<Case> cases) {
        return cases.stream().filter(each -> each.kind.equals(kind)).toList();
    }

    private static Set<String> failed(List<Case> cases) {
        return cases.stream().filter(Case::failed).map(Case::id).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> explained() throws IOException {
        return EXPLAINED
                .matcher(Files.readString(DOCUMENT))
                .results()
                .map((MatchResult each) -> each.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
