package gateway.pipeline;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.Outgoing;
import gateway.http.PassingBody;
import gateway.http.PieceChange;
import gateway.http.PieceStation;
import gateway.http.PieceWatch;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.policy.BodyAccess;
import gateway.policy.BodyAccess.Streamed;
import gateway.policy.BodyAccess.Watched;
import gateway.policy.BodyUse;
import gateway.policy.Followup;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The bodies whose pieces one step sees or changes while they pass: puts its stations on their way.
final class PassingBodies {
    private static final String CONTENT_LENGTH = "Content-Length";

    private final String owner;
    private final BodyAccess request;
    private final BodyAccess response;

    private PassingBodies(String owner, BodyUse use) {
        this.owner = owner;
        this.request = use.request();
        this.response = use.response();
    }

    /// Null for a step that wants no pieces, which most do: nothing is called for them.
    ///
    /// @param owner the step, as definitions name it
    static @Nullable PassingBodies of(String owner, BodyUse use) {
        return isPassing(use.request()) || isPassing(use.response()) ? new PassingBodies(owner, use) : null;
    }

    private static boolean isPassing(BodyAccess access) {
        return switch (access) {
            case BodyAccess.None _, BodyAccess.Held _ -> false;
            case Watched _, Streamed _ -> true;
        };
    }

    private static boolean wants(BodyAccess access, Headers fields, OptionalLong length) {
        return switch (access) {
            case BodyAccess.None _, BodyAccess.Held _ -> false;
            case Watched(var only) -> only.wants(fields, length);
            case Streamed(var only) -> only.wants(fields, length);
        };
    }

    /// The same request, whose body passes the followup's station on its way to the upstream.
    void join(Followup followup, Exchange exchange, PipelineRun pipelineRun) {
        Outgoing outgoing = exchange.outgoing();
        Body body = outgoing.body();
        if (body.equals(Body.EMPTY) || exchange.opensWebSocket()) return;
        if (!wants(request, outgoing.headers(), body.length())) return;
        UpstreamWaiter memory = pipelineRun.waiter();
        if (request instanceof Watched) {
            PieceWatch watch = followup.watchRequest(exchange, memory);
            if (watch.equals(PieceWatch.NONE)) return;
            outgoing.pass(passing(body, PieceStation.of(owner, watch), pipelineRun));
            return;
        }
        PieceChange change = followup.changeRequest(exchange, memory);
        if (change.equals(PieceChange.NONE)) return;
        outgoing.pass(passing(body, changing(change, memory), pipelineRun));
    }

    /// The same answer, whose body passes the followup's station on its way to the client.
    Response join(Followup followup, Exchange exchange, Response answer, PipelineRun pipelineRun) {
        if (!answer.mayHaveContent(exchange.method())) return answer;
        if (!wants(response, answer.headers(), answer.body().length())) return answer;
        UpstreamWaiter memory = pipelineRun.waiter();
        if (response instanceof Watched) {
            PieceWatch watch = followup.watch(answer, memory);
            if (watch.equals(PieceWatch.NONE)) return answer;
            return answer.carrying(passing(answer.body(), PieceStation.of(owner, watch), pipelineRun));
        }
        PieceChange change = followup.change(answer, memory);
        if (change.equals(PieceChange.NONE)) return answer;
        Response changed = answer.withBody(passing(answer.body(), changing(change, memory), pipelineRun));
        changed.headers().remove(CONTENT_LENGTH);
        return changed;
    }

    /// Where there is no memory for it, it is told of its end.
    private PieceStation changing(PieceChange change, UpstreamWaiter memory) {
        try {
            return PieceStation.of(owner, change, memory);
        } catch (Throwable e) {
            change.broken();
            throw e;
        }
    }

    private static PassingBody passing(Body body, PieceStation station, PipelineRun pipelineRun) {
        pipelineRun.awaitPieces(station);
        return PassingBody.of(body, station, pipelineRun.waiter());
    }
}
