package gateway.app.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/// The command as it is typed, with real gateways in processes of their own.
final class BenchCommandTest {
    private final StringWriter said = new StringWriter();

    @TempDir
    private Path folder;

    /// Whether the points lie on a line depends on what else the machine does; either way the report says so.
    @Test
    void measures_a_definition_and_writes_what_it_found() throws IOException {
        int code = run("--rates", "100,1000", "--seconds", "1", "--connections", "4", "--expect", "5000");

        String report = Files.readString(folder.resolve("report.md"));
        assertThat(report).contains("# gateway bench: GET /sample of sample", "| 100 | ", "| 1000 | ");
        assertThat(report)
                .containsPattern(code == 0 ? "For 5000 requests/s: [0-9]+ replicas" : "[Nn]o tier (is )?recommended");
        assertThat(Files.exists(folder.resolve("latency.svg"))).isEqualTo(code == 0);
        assertThat(said.toString())
                .contains("warming up for 3 s at 1000 requests/s", report)
                .doesNotContain("peak on this machine");
    }

    @Test
    void looks_for_the_peak_when_it_is_told_no_rates() {
        run("--seconds", "1", "--connections", "4");

        assertThat(said.toString()).contains("then looking for the peak", "peak on this machine: ", "left");
    }

    @Test
    void says_what_answers_came_when_they_are_not_good() throws IOException {
        Path definition = Files.writeString(folder.resolve("closed.json"), """
            {"id": "closed", "match": {"path": "/"}, "upstream": {"targets": [{"url": "http://127.0.0.1:1"}]},
             "policies": [{"type": "ip-filter", "deny": ["127.0.0.0/8"]}]}""");

        int code = run(definition.toString());

        assertThat(code).isEqualTo(CommandLine.ExitCode.SOFTWARE);
        assertThat(said.toString()).contains("requests are answered 403");
    }

    @Test
    void says_that_the_service_behind_cannot_be_reached() {
        int code = run("--upstream", "http://127.0.0.1:1");

        assertThat(code).isEqualTo(CommandLine.ExitCode.SOFTWARE);
        assertThat(said.toString()).contains("answered 502: the service behind the API cannot be reached");
    }

    @Test
    void names_the_file_with_the_problems_of_a_definition() throws IOException {
        Path definition = Files.writeString(folder.resolve("bad.json"), "{\"id\": \"x\"}");

        run(definition.toString());

        assertThat(said.toString()).contains(definition + ":", "/match: expected an object");
    }

    @Test
    void names_a_definition_that_cannot_be_read() throws IOException {
        Path latin = Files.write(folder.resolve("latin.json"), new byte[] {'{', (byte) 0xe9, '}'});

        run(latin.toString());
        run(folder.toString());

        assertThat(said.toString()).contains(latin + ": expected JSON in UTF-8", folder + " cannot be read: ");
    }

    @Test
    void refuses_an_output_that_is_no_folder_before_it_measures() throws IOException {
        folder = Files.writeString(folder.resolve("taken"), "");

        int code = run();

        assertThat(code).isEqualTo(CommandLine.ExitCode.SOFTWARE);
        assertThat(said.toString())
                .contains("--output: " + folder + " cannot be a folder")
                .doesNotContain("peak");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--rates=0        | --rates: expected 1 or more each, got 0.0",
                "--seconds=0      | --seconds: expected 1 or more, got 0",
                "--expect=-1      | --expect: expected more than 0, got -1.0",
                "--header=nothing | --header: expected \"Name: value\", got nothing",
                "--method=A,B     | --method: expected a name such as GET, got A,B",
                "--upstream=ftp://x | --upstream: expected sample, own or a URL such as http://10.0.0.1:9001, got ftp://x",
                "--set=JAVA=x     | --set: expected GATEWAY_NAME=VALUE, got JAVA"
            })
    void refuses_wrong_numbers_by_name(String argument, String message) {
        int code = run(argument);

        assertThat(code).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(said.toString()).contains(message);
    }

    @Test
    void the_plot_is_an_svg_document() throws Exception {
        var points = java.util.List.of(ServiceTimeTest.point(100, 0.1), ServiceTimeTest.point(200, 0.2));

        String svg = BenchCommand.chart(points, 150).svg();

        var document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new org.xml.sax.InputSource(new java.io.StringReader(svg)));
        assertThat(document.getElementsByTagName("polyline").getLength()).isEqualTo(3);
        assertThat(document.getElementsByTagName("circle").getLength()).isEqualTo(6);
    }

    private int run(String... arguments) {
        String[] all = java.util.Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = "--output=" + folder;
        return new CommandLine(new BenchCommand())
                .setOut(new PrintWriter(said, true))
                .setErr(new PrintWriter(said, true))
                .execute(all);
    }
}
