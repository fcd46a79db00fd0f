package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// How many requests are let in, and how the data plane ends.
@ParameterizedClass
@EnumSource(RequestThreadMode.class)
final class AdmissionTest {
    @Parameter
    RequestThreadMode mode;

    @Test
    void answers_503_past_the_most_requests_in_flight() throws IOException {
        try (Proxy proxy =
                Proxy.in(mode).settings(settings -> settings.withMaxInFlight(1)).start()) {
            RawConnection first = proxy.client().send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            RawConnection second = proxy.client().send("GET /2 HTTP/1.1\r\nHost: a\r\n\r\n");
            String refusal = second.readAnswer();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            String answer = first.readAnswer();

            assertThat(Http.start(refusal)).isEqualTo("HTTP/1.1 503 Service Unavailable");
            assertThat(Http.only(refusal, "Retry-After")).isEqualTo("1");
            assertThat(Http.start(answer)).isEqualTo("HTTP/1.1 200 OK");
            assertThat(proxy.dataPlane().refusedRequests()).isEqualTo(1);
        }
    }

    @Test
    void answers_what_is_in_flight_before_it_stops() throws Exception {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection idle = proxy.client();
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            var stopped = CompletableFuture.supplyAsync(() -> proxy.dataPlane().stop(Duration.ofSeconds(10)));
            awaitRefusal(proxy);
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

            assertThat(Http.body(client.readAnswer())).isEqualTo("ok");
            assertThat(stopped.get(10, TimeUnit.SECONDS)).isTrue();
            assertThat(idle.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void gives_up_what_does_not_end_in_time() throws Exception {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            proxy.upstream().accept().readHead();

            assertThat(proxy.dataPlane().stop(Duration.ofMillis(50))).isFalse();
            assertThat(client.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void counts_its_connections() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            proxy.upstream().accept().readHead();

            assertThat(proxy.dataPlane().connections()).isEqualTo(1);
            assertThat(proxy.dataPlane().requestsInFlight()).isEqualTo(1);
            client.close();
        }
    }

    private static void awaitRefusal(Proxy proxy) throws IOException {
        while (true) {
            try {
                proxy.client();
            } catch (SocketException e) {
                return;
            }
            Thread.onSpinWait();
        }
    }
}
