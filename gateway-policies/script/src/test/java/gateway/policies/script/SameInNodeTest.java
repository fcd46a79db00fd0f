package gateway.policies.script;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gateway.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The same expressions here and in another engine.
@Timeout(120)
final class SameInNodeTest {
    private static final String EACH = """
            const lines = require('fs').readFileSync(0, 'utf8').split('\\n').filter(line => line !== '');
            console.log(JSON.stringify(lines.map(line => String((0, eval)('(' + line + ')')))));
            """;

    @Test
    void scripts_compute_what_they_compute_in_node() throws Exception {
        String expressions = expressions();
        Optional<List<String>> theirs = inNode(expressions);
        assumeTrue(theirs.isPresent(), "node is not installed");
        List<String> lines = expressions.lines().toList();

        var told = new ArrayList<String>();
        for (int i = 0; i < lines.size(); i++) {
            String ours = ScriptRun.computed(lines.get(i));
            if (!ours.equals(theirs.get().get(i)))
                told.add(lines.get(i) + "\n  here " + ours + "\n  node "
                        + theirs.get().get(i));
        }

        assertThat(told).isEmpty();
        assertThat(lines).hasSizeGreaterThan(150);
    }

    private static String expressions() throws IOException {
        try (InputStream in = SameInNodeTest.class.getResourceAsStream("same-in-node.txt")) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private static Optional<List<String>> inNode(String expressions) throws InterruptedException {
        try {
            Process node = new ProcessBuilder("node", "-e", EACH)
                    .redirectErrorStream(true)
                    .start();
            try (var out = node.getOutputStream()) {
                out.write(expressions.getBytes(UTF_8));
            }
            String answer = new String(node.getInputStream().readAllBytes(), UTF_8);
            assertThat(node.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(node.exitValue()).as(answer).isZero();
            return Optional.of(Json.parse(answer)
                    .valueStream()
                    .map(each -> each.stringValue())
                    .toList());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
