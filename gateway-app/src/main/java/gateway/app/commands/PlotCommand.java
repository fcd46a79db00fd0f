package gateway.app.commands;

import gateway.app.chart.Chart;
import gateway.json.ConfigNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `gateway plot`: draws the charts of a report, those of `perf/` too, so that there is one plotter.
@Command(
        name = "plot",
        description = "Draw charts as SVG: reads {\"NAME.svg\": chart, …} from standard input.",
        mixinStandardHelpOptions = true)
final class PlotCommand implements Callable<Integer>, WithoutSettings {
    private static final Pattern FILE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]*\\.svg");

    @Option(names = "--output", paramLabel = "FOLDER", description = "where the files go (default: here)")
    private Path output = Path.of(".");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final InputStream input;

    PlotCommand() {
        this(System.in);
    }

    PlotCommand(InputStream input) {
        this.input = input;
    }

    @Override
    public String insteadOfSettings() {
        return "it starts no gateway";
    }

    @Override
    public Integer call() throws IOException {
        ConfigNode charts = ConfigNode.parse(new String(input.readAllBytes(), StandardCharsets.UTF_8));
        Map<String, Chart> drawn = charts.map(Chart::read);
        for (String name : drawn.keySet()) {
            if (!FILE.matcher(name).matches()) charts.field(name).problem("expected a name such as peers.svg");
        }
        charts.throwIfInvalid();
        Files.createDirectories(output);
        for (Map.Entry<String, Chart> chart : drawn.entrySet()) {
            Files.writeString(output.resolve(chart.getKey()), chart.getValue().svg());
        }
        spec.commandLine().getOut().printf("%d charts in %s%n", drawn.size(), output);
        return 0;
    }
}
