package gateway.jmh;

import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.Outcome;
import gateway.http.PassingBody;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.pipeline.Pipeline;
import gateway.pipeline.PipelineRun;
import gateway.wire.io.FieldView;
import io.undertow.util.HeaderMap;
import io.undertow.util.HttpString;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// What `cache` costs a request for 1 KB by itself: one that it answers, and one whose answer it keeps in place of
/// another, all of its room being taken, its exchange and response included; and the same without it. With the heap of
/// W1, of which it takes a sixteenth.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 6, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx1144m", "-XX:+UseG1GC", "-XX:+UseCompactObjectHeaders"})
public class CacheBenchmark {
    private static final Outcome OUTCOME = new Outcome(200, Outcome.Ending.COMPLETE, 1, 2);
    private static final List<String> ASKED = List.of(
            "Host",
            "api.example.com",
            "User-Agent",
            "bench",
            "Accept",
            "*/*",
            "X-Forwarded-For",
            "127.0.0.1",
            "X-Forwarded-Host",
            "api.example.com",
            "X-Forwarded-Proto",
            "https");
    private static final List<String> ANSWERED = List.of(
            "Server",
            "nginx",
            "Date",
            "Fri, 27 Nov 2026 08:00:00 GMT",
            "Content-Type",
            "application/json",
            "Content-Length",
            "1024",
            "Connection",
            "keep-alive",
            "ETag",
            "\"1\"");

    private static final Map<String, HttpString> NAMES = Stream.concat(ASKED.stream(), ANSWERED.stream())
            .distinct()
            .collect(Collectors.toUnmodifiableMap(each -> each, HttpString::new));

    private final ByteBuffer content = ByteBuffer.allocateDirect(1024);
    private @Nullable Pipeline cached;
    private @Nullable Pipeline bare;
    private long number;

    @Setup
    public void compile() {
        var services = BenchmarkServices.open();
        cached = pipeline("{\"type\": \"cache\", \"for\": \"1h\"}", services);
        bare = pipeline("", services);
        hit();
        if (!status(hit()).startsWith("gateway; hit")) throw new IllegalStateException("it is not kept");
        if (!status(miss()).endsWith("; stored")) throw new IllegalStateException("it is not to be kept");
    }

    private static String status(Response answer) {
        return answer.headers().first("Cache-Status").orElse("");
    }

    private static Pipeline pipeline(String policies, BenchmarkServices services) {
        String definition = """
                {"id": "orders", "match": {"path": "/orders"},
                 "upstream": {"targets": [{"url": "http://127.0.0.1:9001"}]}, "policies": [%s]}""".formatted(policies);
        var api = new DefinitionReader(PolicyRegistry.load()).read(definition);
        return Pipeline.compile(api.id(), api.policies(), (exchange, waiter) -> answer(), services);
    }

    private static Response answer() {
        var fields = new HeaderMap();
        for (int i = 0; i < ANSWERED.size(); i += 2) fields.add(known(ANSWERED.get(i)), read(ANSWERED.get(i + 1)));
        return new Response(200, FieldView.ofStreamed(fields), Body.of(new byte[1024]));
    }

    private static HttpString known(String name) {
        return Objects.requireNonNull(NAMES.get(name));
    }

    /// Another text each time, as from a socket.
    private static String read(String value) {
        return String.valueOf(value.toCharArray());
    }

    @Benchmark
    public Response hit() {
        return run(cached, "");
    }

    @Benchmark
    public Response miss() {
        return run(cached, "s=7&n=" + number++);
    }

    @Benchmark
    public Response without() {
        return run(bare, "s=7&n=" + number++);
    }

    private Response run(@Nullable Pipeline compiled, String query) {
        var fields = new HeaderMap();
        for (int i = 0; i < ASKED.size(); i += 2) fields.add(known(ASKED.get(i)), read(ASKED.get(i + 1)));
        Headers asked = new FieldView(fields);
        Exchange exchange = BenchmarkRequests.of(BenchmarkRequests.head(BenchmarkRequests.PATH, query), asked);
        var pipelineRun = new PipelineRun(UpstreamWaiter.NOBODY);
        Response answer = Objects.requireNonNull(compiled).run(exchange, pipelineRun);
        if (answer.body() instanceof PassingBody passing) {
            passing.pass(content.duplicate());
            passing.complete();
        }
        pipelineRun.end(OUTCOME);
        return answer;
    }
}
