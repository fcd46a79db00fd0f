package gateway.jmh;

import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.http.Response;
import gateway.route.RouteMatch;
import gateway.service.DefinitionSet;
import gateway.snapshot.Snapshot;
import gateway.snapshot.SnapshotCompiler;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// How the number of definitions tells: on one route look-up, on compiling all of them cold, on one change.
@State(Scope.Thread)
@Fork(1)
public class SnapshotBenchmark {
    @Param({"10", "10000"})
    int definitions;

    private DefinitionSet stored = DefinitionSet.EMPTY;
    private @Nullable SnapshotCompiler compiler;
    private Snapshot snapshot = Snapshot.EMPTY;
    private String[] paths = new String[0];
    private int next;

    @Setup
    public void compileAll() {
        stored = BenchmarkDefinitions.of(definitions);
        compiler = new SnapshotCompiler(
                new DefinitionReader(PolicyRegistry.load()),
                BenchmarkServices.open(),
                upstream -> (exchange, waiter) -> Response.of(200));
        snapshot = compiler().compile(stored, Snapshot.EMPTY);
        paths = new String[1024];
        for (int i = 0; i < paths.length; i++) paths[i] = BenchmarkDefinitions.path(i * 31 % definitions) + "/items/7";
    }

    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    @Warmup(iterations = 3, time = 1)
    @Measurement(iterations = 5, time = 1)
    public RouteMatch route() {
        return snapshot.table().match("api.example.com", paths[next++ & 1023], "GET");
    }

    /// The first compilation of a JVM, class loading and interpretation included.
    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @OutputTimeUnit(TimeUnit.MILLISECONDS)
    @Fork(3)
    @Measurement(iterations = 1)
    public Snapshot compileCold() {
        return compiler().compile(stored, Snapshot.EMPTY);
    }

    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.MILLISECONDS)
    @Warmup(iterations = 3, time = 1)
    @Measurement(iterations = 5, time = 1)
    public Snapshot changeOne() {
        return compiler().compile(BenchmarkDefinitions.withChange(stored, 5, "v" + next++), snapshot);
    }

    private SnapshotCompiler compiler() {
        return Objects.requireNonNull(compiler);
    }
}
