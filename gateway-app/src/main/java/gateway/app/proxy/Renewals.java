package gateway.app.proxy;

import gateway.http.BodyTooLargeException;
import gateway.http.Exchange;
import gateway.http.HeldBody;
import gateway.http.Outcome;
import gateway.http.Outcome.Ending;
import gateway.http.PassingBody;
import gateway.http.Response;
import gateway.http.UpstreamException;
import gateway.pipeline.Pipeline;
import gateway.pipeline.PipelineRun;
import gateway.pipeline.PipelineRun.PendingRenewal;
import gateway.wire.client.AbsentClient;
import gateway.wire.io.OffRequestThreads;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/// Asks upstreams behind answers that were given from what is kept, each on a thread of its own and without a client.
/// They are bounded by themselves, and take no place that a request with a client could have.
final class Renewals {
    private static final int SHARE = 8; // of the places of requests
    private static final int SHARE_OF_API = 4; // of these: a slow upstream is not to take them from the others
    private static final long MOST_UNWANTED = 64 << 10; // read for the connection's sake

    private final Semaphore places;
    private final int mostOfApi;
    private final Map<String, Integer> underWay = new ConcurrentHashMap<>(); // by API
    private final ErrorBoundary boundary;
    private final LongAdder begun = new LongAdder();
    private final LongAdder dropped = new LongAdder();

    /// @param requests that may be in flight
    Renewals(int requests, ErrorBoundary boundary) {
        int most = Math.max(1, requests / SHARE);
        this.places = new Semaphore(most);
        this.mostOfApi = Math.max(1, most / SHARE_OF_API);
        this.boundary = boundary;
    }

    /// Begins one, or drops it where there is no room; on the thread of the request that was answered.
    void start(ClientRequest request, Pipeline pipeline, PendingRenewal pending) {
        String api = request.exchange().api();
        boolean isTight = request.ioThread().memory().isCrowded();
        if (isTight || !(request.exchange().outgoing().body() instanceof HeldBody held) || !enter(api)) {
            drop(pending);
            return;
        }
        AbsentClient absent = AbsentClient.besides(request);
        try {
            absent.hold(held.content().length);
            Exchange copy = request.exchange().copy(request.known(), absent.requestHeaders());
            OffRequestThreads.start("renewal", () -> renew(pipeline, pending, copy, absent));
            begun.increment();
        } catch (UpstreamException | RejectedExecutionException e) { // no memory is left, or the process ends
            absent.release();
            leave(api);
            drop(pending);
        }
    }

    private boolean enter(String api) {
        if (!places.tryAcquire()) return false;
        if (underWay.merge(api, 1, Integer::sum) <= mostOfApi) return true;
        leave(api);
        return false;
    }

    private void leave(String api) {
        underWay.computeIfPresent(api, (_, count) -> count == 1 ? null : count - 1);
        places.release();
    }

    private void drop(PendingRenewal pending) {
        dropped.increment();
        pending.renewal().dropped();
    }

    private void renew(Pipeline pipeline, PendingRenewal pending, Exchange exchange, AbsentClient absent) {
        long begunAt = System.nanoTime();
        var run = new PipelineRun(absent);
        Ending ending = Ending.GATEWAY_FAILED;
        int status = 500;
        try {
            Optional<Response> answer = pipeline.renew(pending, exchange, run);
            if (answer.isPresent()) read(answer.get(), pending, absent);
            status = answer.map(Response::status).orElse(204);
            ending = Ending.COMPLETE;
        } catch (UpstreamException e) { // nothing came of it: the next request may try
            absent.cancel();
            ending = Ending.UPSTREAM_BROKE_OFF;
        } catch (Throwable e) {
            absent.cancel();
            boundary.note(e, exchange);
        } finally {
            end(run, exchange, new Outcome(status, ending, 0, System.nanoTime() - begunAt));
            absent.release();
            leave(exchange.api());
        }
    }

    /// All of what somebody keeps; else as much as lets the connection be used again.
    private static void read(Response answer, PendingRenewal pending, AbsentClient absent) {
        if (answer.body() instanceof HeldBody) return;
        boolean isWanted = answer.body() instanceof PassingBody;
        try {
            var _ = answer.body().bytes(isWanted ? pending.renewal().most() : MOST_UNWANTED);
        } catch (BodyTooLargeException e) {
            absent.cancel();
            if (isWanted) pending.renewal().outgrown();
        }
    }

    private void end(PipelineRun run, Exchange exchange, Outcome outcome) {
        try {
            run.end(outcome);
            for (PipelineRun.Breakage each : run.broken()) boundary.note(each, exchange);
        } catch (Throwable e) {
            boundary.note(e, exchange);
        }
    }

    /// That have gone to an upstream, or looked for what another node has.
    long begun() {
        return begun.sum();
    }

    /// For which there was no room.
    long dropped() {
        return dropped.sum();
    }
}
