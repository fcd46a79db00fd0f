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
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/// Asks upstreams behind answers that were given from what is kept, each on a thread of its own and without a client.
/// They are bounded by themselves, and take no place that a request with a client could have.
final class Renewals {
    private static final int SHARE = 8; // of the places of requests
    private static final long MOST_WANTED = 16 << 20; // bytes of an answer that somebody may keep
    private static final long MOST_UNWANTED = 64 << 10; // read for the connection's sake

    private final Semaphore places;
    private final ErrorBoundary boundary;
    private final LongAdder begun = new LongAdder();
    private final LongAdder dropped = new LongAdder();

    /// @param requests that may be in flight
    Renewals(int requests, ErrorBoundary boundary) {
        this.places = new Semaphore(Math.max(1, requests / SHARE));
        this.boundary = boundary;
    }

    /// Begins one, or drops it where there is no room; on the thread of the request that was answered.
    void start(ClientRequest request, Pipeline pipeline, PendingRenewal pending) {
        boolean isTight = request.ioThread().memory().isCrowded();
        if (isTight || !(request.exchange().outgoing().body() instanceof HeldBody held) || !places.tryAcquire()) {
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
            places.release();
            drop(pending);
        }
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
            if (answer.isPresent()) read(answer.get());
            status = answer.map(Response::status).orElse(204);
            ending = Ending.COMPLETE;
        } catch (BodyTooLargeException | UpstreamException e) { // nothing came of it: the next request may try
            absent.cancel();
            ending = Ending.UPSTREAM_BROKE_OFF;
        } catch (Throwable e) {
            absent.cancel();
            boundary.note(e, exchange);
        } finally {
            end(run, exchange, new Outcome(status, ending, 0, System.nanoTime() - begunAt));
            absent.release();
            places.release();
        }
    }

    /// All of what somebody keeps; else as much as lets the connection be used again.
    private static void read(Response answer) {
        if (answer.body() instanceof HeldBody) return;
        var _ = answer.body().bytes(answer.body() instanceof PassingBody ? MOST_WANTED : MOST_UNWANTED);
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
