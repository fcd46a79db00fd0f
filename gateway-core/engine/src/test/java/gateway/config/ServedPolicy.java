package gateway.config;

import gateway.http.Exchanges;
import gateway.http.Outcome;
import gateway.http.Outcome.Ending;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.pipeline.Pipeline;
import gateway.pipeline.PipelineExplanation;
import gateway.pipeline.PipelineRun;
import gateway.policy.Services;
import gateway.service.DefinitionSet;
import gateway.snapshot.LiveSnapshot;
import gateway.snapshot.SnapshotCompiler;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// A policy in a snapshot that is served, until it is closed.
final class ServedPolicy implements AutoCloseable {
    private static final byte[] ANSWER = "{\"a\": 1}".getBytes(StandardCharsets.UTF_8);

    private final SnapshotCompiler compiler;
    private final LiveSnapshot live = new LiveSnapshot();

    ServedPolicy(DefinitionReader reader, DefinitionSet definitions, Services services) {
        compiler = new SnapshotCompiler(
                reader, services, _ -> (_, _) -> Response.of(200, "application/json", ANSWER.clone()));
        live.replace(compiler.compileLeniently(definitions, live.current()));
        if (!live.current().problems().isEmpty())
            throw new AssertionError(live.current().problems());
    }

    /// The whole way of a request, to its end.
    Response answer(Exchanges request) {
        var run = new PipelineRun(UpstreamWaiter.NOBODY);
        Response answer = pipeline().run(request.make(), run);
        run.end(new Outcome(answer.status(), Ending.COMPLETE, 0, 1));
        return answer;
    }

    /// How the request would fare.
    PipelineExplanation explain(Exchanges request) {
        return pipeline().explain(request.make());
    }

    private Pipeline pipeline() {
        return live.current().apis().get("orders").route().orElseThrow().pipeline();
    }

    /// It is served no more.
    @Override
    public void close() {
        live.replace(compiler.compileLeniently(DefinitionSet.ofApis(2, Map.of()), live.current()));
    }
}
