package gateway.app.commands;

import gateway.app.Settings;
import gateway.app.admin.DefinitionSchemas;
import gateway.app.chart.Line;
import gateway.app.chart.LineChart;
import gateway.app.settings.StartException;
import gateway.config.PolicyRegistry;
import gateway.json.InvalidConfigException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `gateway bench`: what a definition's pipeline costs on this machine, and which tier carries it.
@Command(
        name = "bench",
        description = "Measure a definition's pipeline at fixed rates; recommend tier and replicas.",
        mixinStandardHelpOptions = true)
public final class BenchCommand implements Callable<Integer>, WithoutSettings {
    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "API definition; without it a key, a limit and a quota")
    private @Nullable Path file;

    @Option(
            names = "--upstream",
            paramLabel = "sample|own|URL",
            description = "service behind it: a sample, the definition's own targets, another (default: sample)")
    private String upstream = "sample";

    @Option(names = "--expect", paramLabel = "RPS", description = "requests a second that you expect in all")
    private @Nullable Double expected;

    @Option(names = "--rates", split = ",", paramLabel = "RPS", description = "default: six shares of the peak")
    private List<Double> rates = List.of();

    @Option(names = "--seconds", paramLabel = "N", description = "for each rate (default: 5)")
    private int seconds = 5;

    @Option(names = "--connections", paramLabel = "N", description = "kept by the load generator (default: 100)")
    private int connections = 100;

    @Option(names = "--method", paramLabel = "METHOD", description = "default: the first that the API serves")
    private @Nullable String method;

    @Option(names = "--target", paramLabel = "PATH", description = "path and query (default: the path of the API)")
    private @Nullable String target;

    @Option(names = "--header", paramLabel = "LINE", description = "sent with each request, as \"Name: value\"")
    private List<String> headers = List.of();

    @Option(names = "--body-bytes", paramLabel = "N", description = "length of each request's body (default: none)")
    private int bodyBytes;

    @Option(names = "--set", paramLabel = "NAME=VALUE", description = "GATEWAY_ setting of the gateway measured")
    private Map<String, String> settings = Map.of();

    @Option(
            names = "--output",
            paramLabel = "FOLDER",
            description = "for report.md and latency.svg (default: gateway-bench)")
    private Path output = Path.of("gateway-bench");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public String insteadOfSettings() {
        return "settings of the gateway that is measured are given by --set NAME=VALUE";
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        Subject subject = subject();
        makeOutput();
        try (var stage = new BenchStage()) {
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(stage::close, "bench-close")); // Ctrl-C ends the children too
            BenchReport report = measure(stage, subject);
            write(report);
            return report.isConclusive() ? 0 : 1;
        } catch (ClosedSelectorException | CancelledKeyException e) { // by the shutdown hook
            say("broken off: nothing is written");
            return 1;
        }
    }

    private void check() {
        require(seconds > 0, "--seconds: expected 1 or more, got " + seconds);
        require(connections > 0, "--connections: expected 1 or more, got " + connections);
        require(bodyBytes >= 0, "--body-bytes: expected 0 or more, got " + bodyBytes);
        require(
                upstream.matches("sample|own|https?://[^/?#@]+(/[^?#]*)?"),
                "--upstream: expected sample, own or a URL such as http://10.0.0.1:9001, got " + upstream);
        require(expected == null || expected > 0, "--expect: expected more than 0, got " + expected);
        for (double rate : rates) require(rate >= 1, "--rates: expected 1 or more each, got " + rate);
        require(method == null || LoadRequest.isMethod(method), "--method: expected a name such as GET, got " + method);
        for (String header : headers) {
            require(LoadRequest.isHeader(header), "--header: expected \"Name: value\", got " + header);
        }
        for (String name : settings.keySet()) {
            require(name.startsWith("GATEWAY_"), "--set: expected GATEWAY_NAME=VALUE, got " + name);
        }
    }

    private void require(boolean right, String otherwise) {
        if (!right) throw new ParameterException(spec.commandLine(), otherwise);
    }

    private Subject subject() {
        PolicyRegistry known =
                Settings.read(Optional.empty(), settings).plugins().load(DefinitionSchemas::check);
        if (file == null) return Subject.read(Subject.SAMPLE, known);
        try {
            return Subject.read(Files.readString(file), known);
        } catch (NoSuchFileException e) {
            throw new StartException(file + ": there is no such file");
        } catch (CharacterCodingException e) {
            throw new StartException(file + ": expected JSON in UTF-8");
        } catch (IOException e) {
            throw new StartException(file + " cannot be read: " + e.getMessage());
        } catch (InvalidConfigException e) {
            throw new StartException(file + ":\n" + e.getMessage());
        }
    }

    /// Before anything is measured: what cannot be written would be lost at the end.
    private void makeOutput() {
        try {
            Files.createDirectories(output);
        } catch (IOException e) {
            throw new StartException("--output: " + output + " cannot be a folder: " + e);
        }
        if (!Files.isWritable(output)) throw new StartException("--output: " + output + " cannot be written to");
    }

    private BenchReport measure(BenchStage stage, Subject subject) throws IOException, InterruptedException {
        Subject measured = switch (upstream) {
            case "own" -> subject;
            case "sample" -> subject.inFrontOf(stage.startService());
            default -> subject.inFrontOf(upstream);
        };
        ChildGateway gateway = stage.startGateway(measured, settings);
        LoadRequest request = measured.request(
                Optional.ofNullable(method),
                Optional.ofNullable(target),
                headers,
                bodyBytes,
                stage.secret(gateway, measured));
        FixedRate load = stage.load(gateway.address(), connections, request);
        var measurement = new Measurement(gateway, load, Duration.ofSeconds(seconds), this::say);
        measurement.rehearse();
        List<RateResult> points = measurement.at(warmedUp(measurement));
        String title = request.method() + " " + subject.api().match().path() + " of "
                + subject.api().id();
        return new BenchReport(title, points, expected == null ? OptionalDouble.empty() : OptionalDouble.of(expected));
    }

    /// The rates to be driven: those asked for, or shares of the peak.
    private List<Double> warmedUp(Measurement measurement) throws IOException {
        if (!rates.isEmpty()) {
            measurement.warmUp(Collections.max(rates));
            return rates;
        }
        double peak = measurement.peak();
        say("peak on this machine: %.0f requests/s".formatted(peak));
        return Measurement.rates(peak);
    }

    private void write(BenchReport report) throws IOException {
        String text = report.markdown();
        if (report.isConclusive()) {
            Files.writeString(
                    output.resolve("latency.svg"),
                    chart(report.sound(), report.service().capacity(1, Sizing.USE))
                            .svg());
            text += "\n![latency over rate](latency.svg)\n";
        }
        Files.writeString(output.resolve("report.md"), text);
        PrintWriter out = spec.commandLine().getOut();
        out.println();
        out.println(text);
        out.println("written to " + output.toAbsolutePath().normalize());
        out.flush();
    }

    /// Latency over rate, and how much of it one CPU carries at [Sizing#USE] where that is in sight.
    static LineChart chart(List<RateResult> points, double capacity) {
        List<Line> lines = new ArrayList<>();
        lines.add(line("p50", points, Latencies::p50));
        lines.add(line("p99", points, Latencies::p99));
        double most = points.stream().mapToDouble(RateResult::offered).max().orElse(0);
        if (capacity < most) {
            double highest = points.stream()
                    .mapToDouble(point -> point.latency().p99())
                    .max()
                    .orElse(0);
            String name = "%.0f%% of one CPU".formatted(100 * Sizing.USE);
            lines.add(new Line(name, List.of(Line.Point.at(capacity, 0), Line.Point.at(capacity, highest))));
        }
        return new LineChart("Latency from the moment a request was due", "requests/s", "ms", lines);
    }

    private static Line line(String name, List<RateResult> points, ToDoubleFunction<Latencies> latency) {
        return new Line(
                name,
                points.stream()
                        .map(point -> Line.Point.at(point.offered(), latency.applyAsDouble(point.latency())))
                        .toList());
    }

    private void say(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }
}
