package gateway.app.proxy;

import gateway.app.steering.HttpCalls;
import gateway.app.steering.Upstreams;
import gateway.net.AllowedNetworks;
import gateway.policy.Policy;
import gateway.service.CallAnswer;
import gateway.service.CallBounds;
import gateway.service.CallRequest;
import gateway.service.CallTarget;
import gateway.service.DependencyException;
import gateway.service.KeptParts;
import gateway.service.ServerCalls;
import gateway.wire.client.FakeNames;
import gateway.wire.io.RequestThreadMode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/// A data plane with one IO thread whose policies call, and a server for them that the test plays.
final class CallingProxy implements AutoCloseable {
    static final CallBounds PATIENT = new CallBounds(Duration.ofSeconds(30), 1024);

    final FakeNames names = new FakeNames();
    final AtomicLong ticks = new AtomicLong();
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final RawUpstream server = new RawUpstream();
    final HttpCalls calls;
    private final Proxy proxy;

    /// Without policies.
    CallingProxy() throws IOException {
        this(calls -> new Policy[0]);
    }

    CallingProxy(Function<CallingProxy, Policy[]> policies) throws IOException {
        var upstreams = new Upstreams(AllowedNetworks.USUAL, new KeptParts(), names, ticks::get);
        calls = upstreams.calls(meters);
        proxy = Proxy.in(RequestThreadMode.IO)
                .ioThreads(1)
                .upstreams(upstreams)
                .policies(policies.apply(this))
                .start();
        calls.runOn(proxy.dataPlane().ioThreads());
    }

    Proxy proxy() {
        return proxy;
    }

    /// Calls to the server that the test plays.
    ServerCalls toServer() {
        return to(server.url());
    }

    ServerCalls to(String url) {
        return calls.to(CallTarget.of(URI.create(url)), "/target");
    }

    /// Calls from a thread of its own, while the test plays the server.
    Future<CallAnswer> begin(CallRequest request, CallBounds bounds) {
        var call = new FutureTask<>(() -> toServer().send(request, bounds, null));
        Thread.ofPlatform().daemon().start(call);
        return call;
    }

    Future<CallAnswer> begin() {
        return begin(CallRequest.get("/keys"), PATIENT);
    }

    /// Why the call has failed.
    static String reason(Future<CallAnswer> call) throws InterruptedException {
        try {
            return "answered " + call.get().status();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof DependencyException failure) return failure.reason();
            throw new AssertionError(e.getCause());
        }
    }

    static String reason(ServerCalls calls) {
        try {
            return "answered " + calls.send(CallRequest.get("/"), PATIENT, null).status();
        } catch (DependencyException e) {
            return e.reason();
        }
    }

    /// What comes of `work` on the IO thread.
    <T> T onIoThread(Callable<T> work) throws Exception {
        var done = new CompletableFuture<T>();
        proxy.dataPlane().ioThreads().getFirst().io().execute(() -> {
            try {
                done.complete(work.call());
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        });
        return done.get();
    }

    @Override
    public void close() throws IOException {
        calls.stop();
        proxy.close();
        server.close();
    }
}
