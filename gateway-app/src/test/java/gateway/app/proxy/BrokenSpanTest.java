package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.steering.Upstreams;
import gateway.http.Outcome;
import gateway.http.Span;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import gateway.service.ApiMeters;
import gateway.service.Tracer;
import gateway.service.TrafficLog;
import gateway.wire.accept.Listening;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// A tracer that fails when a request ends.
final class BrokenSpanTest {
    private final LinkedBlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();
    private final Policy noting = exchange -> Verdict.proceed(new Followup() {
        @Override
        public void onEnd(Outcome outcome) {
            outcomes.add(outcome);
        }
    });

    @Test
    void policies_are_told_of_the_end_of_a_request_whose_span_cannot_be_ended() throws Exception {
        try (RawUpstream upstream = new RawUpstream()) {
            DataPlane dataPlane = start(upstream);
            try (RawConnection client =
                    RawConnection.to(dataPlane.address()).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")) {
                RawConnection asked = upstream.accept();
                asked.readHead();
                asked.send("HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nok");

                assertThat(client.readAnswer()).startsWith("HTTP/1.1 202 ");
                Outcome outcome = outcomes.poll(5, TimeUnit.SECONDS);
                assertThat(outcome).isNotNull();
                assertThat(outcome.status()).isEqualTo(202);
            } finally {
                dataPlane.stop(Duration.ofSeconds(5));
            }
            assertThat(dataPlane.failedRequests()).isEqualTo(1);
            assertThat(dataPlane.requestsInFlight()).isZero();
        }
    }

    private DataPlane start(RawUpstream upstream) throws IOException {
        var listen = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var api = OneRoute.api("/", false, OneRoute.to(upstream.url()));
        return new DataPlane(
                DataPlaneSettings.on(listen),
                Listening.PLAIN,
                OneRoute.live(api, new Upstreams()::upstreamFor, noting),
                ApiMeters.NONE,
                TrafficLog.OFF,
                new BrokenTracer());
    }

    private static final class BrokenTracer implements Tracer {
        @Override
        public boolean samples(String traceId) {
            return true;
        }

        @Override
        public Span begin(String traceparent, String caller, long startedAt) {
            return new BrokenSpan(traceparent);
        }
    }

    private record BrokenSpan(String traceparent) implements Span {
        @Override
        public Span begin(Kind kind, String name) {
            return new BrokenSpan(traceparent);
        }

        @Override
        public void rename(String name) {
            throw new IllegalStateException("as the test wants it");
        }

        @Override
        public void set(String attribute, String value) {}

        @Override
        public void set(String attribute, long value) {}

        @Override
        public void fail(String type) {}

        @Override
        public void end() {}
    }
}
