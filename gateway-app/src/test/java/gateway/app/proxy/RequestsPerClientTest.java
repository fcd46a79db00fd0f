package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.net.IpRange;
import gateway.net.IpRanges;
import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// How many requests one client may have under way.
@ParameterizedClass
@EnumSource(RequestThreadMode.class)
final class RequestsPerClientTest {
    private static final String LAST_ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
    private static final IpRanges HERE = IpRanges.of(List.of((IpRange) IpRange.parse("127.0.0.1")));

    @Parameter
    RequestThreadMode mode;

    private Proxy proxy(IpRanges trusted) throws IOException {
        return Proxy.in(mode)
                .settings(plane -> plane.withRequestsPerClient(1).withTrustedProxies(trusted))
                .start();
    }

    @Test
    void one_too_many_is_answered_503_until_another_has_ended() throws IOException {
        try (Proxy proxy = proxy(IpRanges.NONE)) {
            RawConnection first = proxy.client().send(get(""));
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            RawConnection second = proxy.client();

            String refusal = second.send(get("")).readAnswer();
            assertThat(Http.start(refusal)).isEqualTo("HTTP/1.1 503 Service Unavailable");
            assertThat(Http.only(refusal, "Retry-After")).isEqualTo("1");
            assertThat(proxy.dataPlane().refusedRequestsOfClients()).isOne();
            assertServed(proxy, proxy.client("127.0.0.2").send(get("")));

            upstream.send(LAST_ANSWER);
            first.readAnswer();
            awaitNone(proxy);
            assertServed(proxy, second.send(get("")));
        }
    }

    @Test
    void behind_a_trusted_proxy_whom_it_names_is_the_client() throws IOException {
        try (Proxy proxy = proxy(HERE)) {
            for (String client : List.of("203.0.113.7", "203.0.113.8", "2001:db8::1", "2001:db8:0:1::1")) {
                proxy.client().send(get(client));
                proxy.upstream().accept().readHead();
            }

            assertThat(proxy.client().send(get("203.0.113.7")).readAnswer()).startsWith("HTTP/1.1 503 ");
            assertThat(proxy.client().send(get("2001:db8::ffff:1")).readAnswer())
                    .as("of the same /64")
                    .startsWith("HTTP/1.1 503 ");
        }
    }

    @Test
    void a_trusted_proxy_itself_has_as_many_as_it_likes() throws IOException {
        try (Proxy proxy = proxy(HERE)) {
            proxy.client().send(get(""));
            proxy.upstream().accept().readHead();

            assertServed(proxy, proxy.client().send(get("")));
        }
    }

    @Test
    void clients_are_forgotten_however_their_requests_end() throws IOException {
        try (Proxy proxy = proxy(HERE)) {
            RawConnection answered = proxy.client().send(get("203.0.113.7"));
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send(LAST_ANSWER);
            answered.readAnswer();
            RawConnection gone = proxy.client().send(get("203.0.113.8"));
            proxy.upstream().accept().readHead();
            gone.close();
            RawConnection direct = proxy.client("127.0.0.2").send(get(""));
            proxy.upstream().accept().readHead();
            assertThat(proxy.dataPlane().admission.clients()).isPositive();
            direct.close();

            awaitNone(proxy);
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (proxy.dataPlane().admission.clients() > 0 && System.nanoTime() < until) Thread.onSpinWait();
            assertThat(proxy.dataPlane().admission.clients()).isZero();
        }
    }

    private static void assertServed(Proxy proxy, RawConnection client) throws IOException {
        RawConnection upstream = proxy.upstream().accept();
        upstream.readHead();
        upstream.send(LAST_ANSWER);
        assertThat(client.readAnswer()).startsWith("HTTP/1.1 200 OK");
    }

    private static String get(String client) {
        return "GET / HTTP/1.1\r\nHost: a\r\n" + (client.isEmpty() ? "" : "X-Forwarded-For: " + client + "\r\n")
                + "\r\n";
    }

    private static void awaitNone(Proxy proxy) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!proxy.dataPlane().admission.isIdle() && System.nanoTime() < until) Thread.onSpinWait();
        assertThat(proxy.dataPlane().admission.isIdle()).isTrue();
    }
}
