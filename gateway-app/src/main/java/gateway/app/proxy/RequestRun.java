package gateway.app.proxy;

import gateway.capture.BodyCapture;
import gateway.http.Outcome;
import gateway.http.Outcome.Ending;
import gateway.http.PieceChangeException;
import gateway.http.Response;
import gateway.http.Span;
import gateway.http.UpstreamException;
import gateway.pipeline.FailureAnswers;
import gateway.pipeline.PipelineRun;
import gateway.pipeline.PipelineRun.PendingRenewal;
import gateway.policy.ErrorForms;
import gateway.route.Route;
import gateway.wire.client.Handshake;
import gateway.wire.io.HttpTransaction;
import io.undertow.util.HeaderMap;
import io.undertow.util.StatusCodes;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One request from its head to its end. It begins and ends on the IO thread; in between its thread walks the
/// pipeline. It is over when both the walk and the exchange are, in whichever order; then its run through the pipeline
/// is ended.
final class RequestRun implements Runnable, HttpTransaction.Listener {
    private enum Stage {
        BEGIN,
        WALK,
        ANSWER,
        PAUSE
    }

    private static final long BUSY_PAUSE_MILLIS = 250;

    private final GatewayHandler handler;
    private final ClientRequest request;
    private final @Nullable Route route;
    private final PipelineRun pipelineRun;
    private final long revision;
    private final long startedAt;
    private @Nullable Response response;
    private @Nullable ResponseWriter writer;
    private @Nullable Tunnel tunnel;
    private @Nullable BodyCapture capture;
    private Stage stage = Stage.BEGIN;
    private boolean walking;
    private boolean walked;
    private boolean over;
    private boolean finished;

    /// @param errors of the API that the request has found, which may be answered without its route
    RequestRun(
            GatewayHandler handler,
            ClientRequest request,
            @Nullable Route route,
            ErrorForms errors,
            long revision,
            long startedAt) {
        this.handler = handler;
        this.request = request;
        this.pipelineRun = new PipelineRun(request);
        this.route = route;
        this.revision = revision;
        this.startedAt = startedAt;
        if (!errors.isEmpty()) pipelineRun.tellErrorsBy(errors.of(request.exchange()));
    }

    /// An answer that needs no pipeline.
    void answerWith(Response ready) {
        response = noticed(ready);
        walked = true;
    }

    /// Each stage once, in order: begins on the IO thread as soon as the parser has let go of the request, walks on the
    /// request thread, answers on the IO thread. One object instead of one for each stage.
    @Override
    public void run() {
        switch (stage) {
            case BEGIN -> begin();
            case WALK -> walk();
            case ANSWER -> walkEnded();
            case PAUSE -> pauseEnded();
        }
    }

    private void begin() {
        request.transaction().whenOver(this);
        request.connection().begin(this);
        handler.tap().begun(request, route);
        if (walked) answer();
        else startWalk();
    }

    private void startWalk() {
        try {
            stage = Stage.WALK;
            request.progress().takes(handler.admission().place(request.connection(), request));
            request.thread().start(this);
        } catch (Throwable e) {
            if (walking) {
                fail(e);
                return;
            }
            response = broken(e);
            walkEnded();
        }
    }

    private void walk() {
        walking = true;
        try {
            if (route != null) response = walked(route);
        } catch (Throwable e) {
            response = broken(e);
        }
        if (!pipelineRun.broken().isEmpty()) noteBroken();
        stage = Stage.ANSWER;
        request.onIoThread(this);
    }

    private void noteBroken() {
        for (PipelineRun.Breakage each : pipelineRun.broken())
            handler.boundary().note(each, request.exchange());
    }

    private @Nullable Response walked(Route route) {
        if (over) return null;
        boolean placed = request.progress().enter();
        if (over) return null; // the client has left meanwhile
        if (!placed) {
            if (handler.admission().isOver()) return null;
            return noticed(Admission.refusal(request.exchange().requestId()));
        }
        Response answer = route.pipeline().run(request.exchange(), pipelineRun);
        PendingRenewal renewal = pipelineRun.takeRenewal();
        if (renewal != null) handler.renewals().start(request, route.pipeline(), renewal);
        return ResponseWriter.ready(answer);
    }

    private @Nullable Response broken(Throwable why) {
        Response answer = handler.boundary().answer(why, request.exchange());
        return answer == null ? null : noticed(answer);
    }

    /// What no pipeline has answered tells of the end of the version too, and as the API tells errors.
    private Response noticed(Response answer) {
        Response told = told(answer);
        return route == null ? told : route.noticed(told);
    }

    /// Whatever that breaks, there is an answer.
    private Response told(Response answer) {
        try {
            return pipelineRun.told(answer);
        } catch (Exception | Error e) {
            handler.boundary().note(e, request.exchange());
            return answer;
        }
    }

    private void walkEnded() {
        walked = true;
        if (over) finish();
        else if (response != null && pausesBefore(response)) pause();
        else answer();
    }

    /// Whether the client is to wait for what it is told: that more of its kind come than this API has workers for.
    private boolean pausesBefore(Response answer) {
        return FailureAnswers.wantWorkers(answer)
                && !handler.admission().isDraining()
                && !request.connection().ioThread().memory().isCrowded()
                && request.progress().pauses();
    }

    /// A client that was told at once would ask again at once, and the refusals would take the time of all others.
    private void pause() {
        stage = Stage.PAUSE;
        request.connection().watch();
        request.connection().ioThread().io().executeAfter(this, BUSY_PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void pauseEnded() {
        if (over) return;
        request.progress().clientMoved();
        answer();
    }

    private void answer() {
        if (response == null) {
            if (!handler.admission().isOver()) {
                request.connection().close();
                return;
            }
            cut(Ending.GATEWAY_STOPPED);
            response = noticed(Admission.stopping(request.exchange().requestId()));
        }
        Handshake handshake = request.handshake();
        try {
            if (handshake != null && switches(handshake, response)) return;
            UpstreamException failure = BrokenAnswer.failure(response);
            if (failure != null) {
                handler.meters(route).unanswered(failure.kind());
                response = noticed(FailureAnswers.unanswered(failure, request.exchange()));
            }
            response = GrpcAnswer.inPlaceOf(response, request.transaction(), startedAt);
            writer = new ResponseWriter(this, request, response);
            writer.start();
        } catch (Throwable e) {
            fail(e);
        }
    }

    /// Whether the connection is a WebSocket now; if not, the answer is a plain one, though maybe another.
    private boolean switches(Handshake handshake, Response answer) {
        Response settled = handler.webSockets().settle(request, handshake, answer);
        response = settled.equals(answer) ? answer : noticed(settled);
        if (response.status() != StatusCodes.SWITCHING_PROTOCOLS) return false;
        request.transaction().status(response.status());
        request.progress().answered();
        tunnel = handler.webSockets().opened(this, request, handshake);
        request.connection().served();
        request.progress().served();
        tellOpened();
        tunnel.open(request.connection().agree(request, response));
        return true;
    }

    /// A socket takes no place among the requests in flight, nor do its hours belong among their durations.
    private void tellOpened() {
        try {
            var opened = outcome();
            endSpan(opened);
            handler.meters(route).ended(opened);
        } catch (RuntimeException e) {
            handler.boundary().note(e, request.exchange());
        } finally {
            request.progress().leavePlace();
        }
    }

    /// The gateway waits no longer: what works for a request without an answer stops, and its walk comes back.
    void stop() {
        if (!walked) request.progress().giveUp();
    }

    /// An end of the socket broke rather than ended.
    void tunnelBroke(boolean atClient) {
        request.progress().cut(atClient ? Ending.CLIENT_GONE : Ending.UPSTREAM_BROKE_OFF);
    }

    /// Closing ends the exchange, and with it the request: whatever happens, none stays in flight.
    void fail(Throwable why) {
        request.progress().cut(Ending.GATEWAY_FAILED);
        if (why instanceof PieceChangeException change) pipelineRun.brokeOff(change);
        try {
            handler.boundary().note(why, request.exchange());
        } finally {
            request.connection().close();
        }
    }

    /// Whether the connection ends after this answer, since the gateway is stopping.
    boolean isLast() {
        return handler.admission().isDraining();
    }

    String requestId() {
        return request.exchange().requestId();
    }

    boolean requestComplete() {
        return request.transaction().isRequestRead();
    }

    /// Keeps what is sent of the body of a response with these fields; null when the traffic log does not want it.
    @Nullable
    BodyCapture capture(HeaderMap fields) {
        capture = handler.tap().answering(fields, request, route);
        return capture;
    }

    /// The response cannot be completed: the client must not take what it has for the whole.
    void breakOff() {
        cut(Ending.UPSTREAM_BROKE_OFF);
        request.connection().reset();
    }

    /// The client takes no more: its connection and what is queued on it go at once.
    void giveUp() {
        cut(Ending.CLIENT_SLOW);
        request.connection().giveUp();
    }

    void close() {
        request.connection().close();
    }

    /// Both messages are complete, or the connection is gone.
    @Override
    public void transactionOver() {
        over = true;
        if (request.connection().isOpen()) {
            request.progress().answered();
            if (isServed()) request.connection().served();
        }
        if (tunnel != null) tunnel.stop();
        try {
            request.connection().end();
            request.progress().end();
            if (writer != null) writer.stop();
            request.content().awaitsNot();
            if (isServed()) request.progress().served();
            request.connection().goOn(request.transaction());
        } finally {
            if (walked) finish(); // whatever broke, its place and its memory come back
        }
    }

    /// Whether it was an API that answered, and neither a policy nor the gateway that refused.
    private boolean isServed() {
        return route != null && response != null && response.reason().isEmpty();
    }

    /// Once, though the end of the exchange may end the walk from within: it wakes a thread that waits in vain.
    private void finish() {
        if (finished) return;
        finished = true;
        Outcome outcome = outcome();
        try {
            if (tunnel == null) endSpan(outcome);
            report(outcome);
        } catch (Exception | Error e) {
            handler.boundary().note(e, request.exchange());
        } finally {
            request.release();
            if (tunnel == null) request.progress().leavePlace();
            else handler.webSockets().closed(tunnel);
        }
    }

    private Outcome outcome() {
        if (!request.progress().isAnswered()) cut(request.connection().ending());
        return request.progress().outcome(request.transaction());
    }

    /// From when the gateway waits no longer, that is the reason for whatever else seems to be one.
    private void cut(Ending why) {
        request.progress().cut(handler.admission().isOver() ? Ending.GATEWAY_STOPPED : why);
    }

    /// Whatever that breaks, policies are told of the end and the request is recorded.
    private void endSpan(Outcome outcome) {
        Span span = request.exchange().span();
        if (span == null) return;
        try {
            RequestSpans.end(span, request.exchange(), route, pipelineRun.stoppedBy(), outcome);
        } catch (RuntimeException e) {
            handler.boundary().note(e, request.exchange());
        }
    }

    private String reason() {
        return response == null ? "" : response.reason();
    }

    private void tellRefusal(Outcome outcome) {
        String reason = reason();
        if (reason.isEmpty()) return;
        handler.meters(route).refused(reason);
        handler.refusals().tell(request.exchange(), reason, outcome, pipelineRun, request.upstream());
    }

    /// Whatever a policy's end breaks, the request is recorded.
    private void report(Outcome outcome) {
        try {
            if (tunnel == null) handler.meters(route).ended(outcome);
            tellRefusal(outcome);
            pipelineRun.end(outcome);
        } finally {
            handler.tap()
                    .ended(
                            request,
                            route,
                            revision,
                            pipelineRun.stoppedBy(),
                            reason(),
                            pipelineRun.reported(),
                            capture,
                            outcome);
        }
    }
}
