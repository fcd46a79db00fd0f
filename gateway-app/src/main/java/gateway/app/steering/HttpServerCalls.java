package gateway.app.steering;

import gateway.config.Steering;
import gateway.http.Body;
import gateway.http.BodyTooLargeException;
import gateway.http.Outgoing;
import gateway.http.Response;
import gateway.http.Span;
import gateway.http.UpstreamException;
import gateway.service.CallAnswer;
import gateway.service.CallBounds;
import gateway.service.CallRequest;
import gateway.service.CallTarget;
import gateway.service.DependencyException;
import gateway.service.ServerCalls;
import gateway.wire.client.AbsentClient;
import gateway.wire.client.IoThreadResources;
import gateway.wire.client.Resolver;
import gateway.wire.client.Target;
import gateway.wire.client.Terms;
import gateway.wire.client.Timeouts;
import gateway.wire.client.UpstreamCall;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioIoThread;

/// Calls to one server, past its breaker.
final class HttpServerCalls implements ServerCalls {
    private static final String TOO_LARGE = "too-large";
    private static final String USER_AGENT = "gateway";

    /// What the client writes itself, or has a meaning for one hop only.
    private static final Set<HttpString> LEFT_OUT = Set.of(
            Headers.HOST,
            Headers.CONTENT_LENGTH,
            Headers.TRANSFER_ENCODING,
            Headers.CONNECTION,
            new HttpString("Keep-Alive"),
            new HttpString("Proxy-Connection"),
            Headers.UPGRADE,
            Headers.EXPECT,
            Headers.TE,
            Headers.TRAILER);

    private final CallTarget to;
    private final HttpCalls calls;
    private final Target target;
    private final Resolver resolver;
    private final CircuitBreaker breaker;
    private final CallMeter meter;

    HttpServerCalls(CallTarget to, HttpCalls calls, Resolver resolver, CircuitBreaker breaker, CallMeter meter) {
        this.to = to;
        this.calls = calls;
        this.target = Target.of(to.url(), to.tls(), to.protocol());
        this.resolver = resolver;
        this.breaker = breaker;
        this.meter = meter;
    }

    CircuitBreaker breaker() {
        return breaker;
    }

    CallMeter meter() {
        return meter;
    }

    @Override
    public CallAnswer send(CallRequest request, CallBounds bounds, @Nullable Span within) {
        if (Thread.currentThread() instanceof XnioIoThread)
            throw new IllegalStateException("an IO thread must not wait for " + to.name());
        long begun = System.nanoTime();
        Span span = within == null ? null : begin(within, request);
        String result = "failed";
        try {
            CallAnswer answer = admitted(request, bounds, span);
            result = answer.status() / 100 + "xx";
            if (span != null) span.set("http.response.status_code", answer.status());
            return answer;
        } catch (DependencyException e) {
            result = e.reason();
            throw e;
        } finally {
            meter.took(result, System.nanoTime() - begun);
            if (span != null) end(span, result);
        }
    }

    private Span begin(Span within, CallRequest request) {
        Span span = within.begin(Span.Kind.CLIENT, request.method());
        span.set("http.request.method", request.method());
        span.set("server.address", target.address().host());
        span.set("server.port", target.address().port());
        span.set("url.scheme", to.url().getScheme());
        return span;
    }

    private static void end(Span span, String result) {
        if (!result.startsWith("2") && !result.startsWith("3")) span.fail(result);
        span.end();
    }

    private CallAnswer admitted(CallRequest request, CallBounds bounds, @Nullable Span span) {
        if (calls.isStopped()) throw HttpCalls.notServing(to);
        IoThreadResources ioThread = calls.ioThread(to, bounds.timeout().toNanos());
        long ticket = breaker.enter();
        if (ticket == CircuitBreaker.SHUT) throw failure("breaker-open", "too many calls have failed of late", null);
        boolean judged = false;
        long begun = System.nanoTime();
        try {
            CallAnswer answer = exchanged(request, bounds, ioThread, span);
            judged = judge(ticket, answer.status() >= 500, begun);
            return answer;
        } catch (BodyTooLargeException e) {
            judged = judge(ticket, true, begun);
            throw failure(TOO_LARGE, "its answer is larger than " + e.limit() + " bytes", e);
        } catch (UpstreamException e) {
            if (calls.isStopped()) throw HttpCalls.notServing(to);
            judged = e.kind().blamesUpstream() && judge(ticket, true, begun);
            throw failure(e.reason().word(), String.valueOf(e.getMessage()), e);
        } catch (RejectedExecutionException e) { // the IO thread has ended
            throw HttpCalls.notServing(to);
        } finally {
            if (!judged) breaker.withdrawn(ticket); // a ticket not handed back would keep it half-open for ever
        }
    }

    private boolean judge(long ticket, boolean failed, long begun) {
        breaker.ended(ticket, failed, System.nanoTime() - begun);
        return true;
    }

    private CallAnswer exchanged(
            CallRequest request, CallBounds bounds, IoThreadResources ioThread, @Nullable Span span) {
        AbsentClient client = AbsentClient.on(ioThread, fields(request, span));
        Outgoing outgoing = Outgoing.of(request.method(), request.path(), request.headers(), request.body());
        UpstreamCall call = target.call(terms(bounds), outgoing, client, null);
        calls.begin(call, client);
        try {
            if (calls.isStopped()) throw HttpCalls.notServing(to);
            Response answer = call.await();
            byte[] content = answer.body().bytes(bounds.mostBytes());
            return new CallAnswer(answer.status(), answer.headers(), Body.of(content));
        } catch (BodyTooLargeException e) {
            client.onIoThread(call::cancel);
            throw e;
        } finally {
            calls.end(call);
            client.onIoThread(client.bodies()::release);
        }
    }

    private Terms terms(CallBounds bounds) {
        long total = bounds.timeout().toNanos();
        var timeouts = new Timeouts(Math.min(total, to.connectTimeout().toNanos()), total, Long.MAX_VALUE, total);
        return new Terms(timeouts, false, resolver, Steering.USUAL_DNS_REFRESH.toNanos());
    }

    private static HeaderMap fields(CallRequest request, @Nullable Span span) {
        var fields = new HeaderMap();
        request.headers().forEach((name, value) -> {
            HttpString field = HttpString.tryFromString(name);
            if (!LEFT_OUT.contains(field)) fields.add(field, value);
        });
        if (!fields.contains(Headers.USER_AGENT)) fields.put(Headers.USER_AGENT, USER_AGENT);
        if (span != null) fields.put(new HttpString("traceparent"), span.traceparent());
        if (!request.method().equals("GET") && !request.method().equals("HEAD"))
            fields.put(Headers.CONTENT_LENGTH, "0"); // has the client write one where the body is empty
        return fields;
    }

    private DependencyException failure(String reason, String message, @Nullable Throwable cause) {
        return new DependencyException(to.name(), reason, message, cause);
    }

    @Override
    public String toString() {
        return to.name();
    }
}
