package gateway.app.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PlotCommandTest {
    @TempDir
    private Path folder;

    private final StringWriter said = new StringWriter();

    @Test
    void each_chart_becomes_a_file() throws Exception {
        int code = run("{\"peers.svg\": {\"title\": \"Peers\", \"bars\": [{\"name\": \"nginx\", \"value\": 1}]}}");

        assertThat(code).isZero();
        assertThat(folder.resolve("peers.svg")).content().startsWith("<svg").contains("Peers", "nginx");
    }

    @Test
    void nothing_is_written_when_one_chart_is_wrong_or_would_lie_elsewhere() throws Exception {
        int code = run("{\"a.svg\": {\"title\": \"a\", \"bars\": []}, \"../b.svg\": {\"title\": \"b\", \"bars\": []}}");

        assertThat(code).isNotZero();
        assertThat(said.toString()).contains("expected a name such as peers.svg");
        try (var files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    private int run(String charts) {
        var input = new ByteArrayInputStream(charts.getBytes(StandardCharsets.UTF_8));
        return new CommandLine(new PlotCommand(input))
                .setOut(new PrintWriter(said, true))
                .setErr(new PrintWriter(said, true))
                .execute("--output=" + folder);
    }
}
