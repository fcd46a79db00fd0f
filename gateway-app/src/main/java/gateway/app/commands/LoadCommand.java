package gateway.app.commands;

import gateway.app.settings.StartException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `gateway load`: the load generator of `gateway bench` alone, against any address. Prints one line of JSON, its times
/// in microseconds.
@Command(
        name = "load",
        description = "Send requests at a fixed rate to a URL; print one line of JSON, times in microseconds.",
        mixinStandardHelpOptions = true)
public final class LoadCommand implements Callable<Integer>, WithoutSettings {
    private static final int HTTP = 80;

    @Parameters(paramLabel = "URL", description = "http://HOST[:PORT]/PATH")
    private URI url = URI.create("http://127.0.0.1/");

    @Option(names = "--rate", paramLabel = "RPS", description = "requests a second (default: 100)")
    private double rate = 100;

    @Option(names = "--seconds", paramLabel = "N", description = "that count (default: 5)")
    private double seconds = 5;

    @Option(names = "--warm-up", paramLabel = "N", description = "seconds before, at the same rate (default: 0)")
    private double warmUp;

    @Option(names = "--connections", paramLabel = "N", description = "kept all the time (default: 100)")
    private int connections = 100;

    @Option(names = "--method", paramLabel = "METHOD", description = "default: GET")
    private String method = "GET";

    @Option(names = "--header", paramLabel = "LINE", description = "sent with each request, as \"Name: value\"")
    private List<String> headers = List.of();

    @Option(names = "--body-bytes", paramLabel = "N", description = "length of each request's body (default: none)")
    private int bodyBytes;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /// @return 1 when nothing was answered
    @Override
    public String insteadOfSettings() {
        return "it starts no gateway";
    }

    @Override
    public Integer call() throws IOException {
        check();
        var address = new InetSocketAddress(url.getHost(), url.getPort() < 0 ? HTTP : url.getPort());
        if (address.isUnresolved()) throw new StartException(url.getHost() + " has no address");
        String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        String target = url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
        var request = new LoadRequest(method, target, url.getAuthority(), headers, bodyBytes);
        try (FixedRate load = FixedRate.over(connections, address, request)) {
            RateResult result = load.run(rate, duration(warmUp), duration(seconds));
            spec.commandLine().getOut().println(json(result));
            return result.requests() > 0 ? 0 : 1;
        } catch (ConnectException e) {
            throw new StartException(url.getAuthority() + " takes no connection");
        }
    }

    private void check() {
        require(
                "http".equals(url.getScheme()) && url.getHost() != null && url.getPort() < 1 << 16,
                "URL: expected http://HOST[:PORT]/PATH, got " + url);
        require(rate >= 1, "--rate: expected 1 or more, got " + rate);
        require(seconds > 0 && warmUp >= 0, "--seconds and --warm-up: expected more than 0 and 0 or more");
        require(connections > 0, "--connections: expected 1 or more, got " + connections);
        require(LoadRequest.isMethod(method), "--method: expected a name such as GET, got " + method);
        for (String header : headers) {
            require(LoadRequest.isHeader(header), "--header: expected \"Name: value\", got " + header);
        }
        require(bodyBytes >= 0, "--body-bytes: expected 0 or more, got " + bodyBytes);
    }

    private void require(boolean right, String otherwise) {
        if (!right) throw new ParameterException(spec.commandLine(), otherwise);
    }

    private static Duration duration(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1e3));
    }

    private static String json(RateResult result) {
        Latencies times = result.latency();
        return String.format(
                Locale.ROOT,
                "{\"rate\":%.1f,\"requests\":%d,\"bad\":%d,\"lastBad\":%d,\"errors\":%d,\"late\":%d,\"missed\":%d,"
                        + "\"cpuSeconds\":%.2f,\"mean\":%.1f,\"p50\":%.1f,\"p90\":%.1f,\"p99\":%.1f,\"p999\":%.1f,"
                        + "\"max\":%.1f,\"lagP50\":%.1f,\"lagP99\":%.1f}",
                result.answered(),
                result.requests(),
                result.refused(),
                result.refusal(),
                result.broken(),
                result.late(),
                result.missed(),
                result.generator().toNanos() / 1e9,
                times.mean() * 1e3,
                times.p50() * 1e3,
                times.p90() * 1e3,
                times.p99() * 1e3,
                times.p999() * 1e3,
                times.max() * 1e3,
                times.lagP50() * 1e3,
                times.lagP99() * 1e3);
    }
}
