package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.net.IpRange;
import gateway.net.IpRangeReading;
import gateway.net.IpRanges;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Fields that end at the gateway, that it sets, and that it believes.
@ParameterizedClass
@EnumSource(RequestThreadMode.class)
final class RequestFieldsTest {
    private static final String ID = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String PARENT = "00-" + ID + "-00f067aa0ba902b7-00";

    @Parameter
    RequestThreadMode mode;

    @ParameterizedTest
    @ValueSource(strings = {"Upgrade: h2c", "TE: trailers", "Proxy-Connection: close", "Keep-Alive: timeout=5"})
    void drops_a_hop_by_hop_field_that_is_the_only_one(String field) throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            proxy.client().send(Http.head("GET / HTTP/1.0", field));
            String request = proxy.upstream().accept().readHead();

            assertThat(request).doesNotContain(field.substring(0, field.indexOf(':')));
        }
    }

    @Test
    void drops_hop_by_hop_fields_before_policies_run() throws IOException {
        Policy injecting = exchange -> {
            exchange.headers().set("X-User-Id", "42");
            return Verdict.proceed();
        };
        try (Proxy proxy = Proxy.in(mode).policies(injecting).start()) {
            proxy.client()
                    .send(Http.head(
                            "GET / HTTP/1.1",
                            "Host: a",
                            "Connection: keep-alive, X-User-Id, X-Forwarded-For, X-Gone",
                            "X-Gone: 1",
                            "Keep-Alive: timeout=5",
                            "Proxy-Connection: close",
                            "TE: trailers",
                            "X-User-Id: 1"));
            String request = proxy.upstream().accept().readHead();

            assertThat(Http.only(request, "X-User-Id")).isEqualTo("42");
            assertThat(Http.only(request, "X-Forwarded-For")).isEqualTo("127.0.0.1");
            for (String name : List.of("Connection", "X-Gone", "Keep-Alive", "Proxy-Connection", "TE", "Upgrade")) {
                assertThat(Http.all(request, name)).as(name).isEmpty();
            }
        }
    }

    @Test
    void drops_hop_by_hop_fields_of_the_answer() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send(
                    "HTTP/1.1 200 OK\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=5\r\nContent-Length: 0\r\n\r\n");
            String answer = client.readHead();

            for (String name : List.of("Connection", "X-Hop", "Keep-Alive"))
                assertThat(Http.all(answer, name)).as(name).isEmpty();
        }
    }

    @Test
    void says_where_the_request_comes_from_and_believes_no_stranger() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            proxy.client()
                    .send(Http.head(
                            "GET / HTTP/1.1",
                            "Host: api.example.com",
                            "X-Forwarded-For: 10.9.9.9",
                            "X-Forwarded-Proto: https",
                            "X-Forwarded-Host: evil",
                            "X-Real-IP: 10.9.9.9",
                            "Forwarded: for=10.9.9.9",
                            "X-Request-Id: mine",
                            "traceparent: " + PARENT));
            String request = proxy.upstream().accept().readHead();

            assertThat(Http.only(request, "X-Forwarded-For")).isEqualTo("127.0.0.1");
            assertThat(Http.only(request, "X-Forwarded-Proto")).isEqualTo("http");
            assertThat(Http.only(request, "X-Forwarded-Host")).isEqualTo("api.example.com");
            assertThat(Http.only(request, "X-Request-Id")).matches("[0-9a-f]{32}");
            assertThat(Http.only(request, "traceparent"))
                    .matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01")
                    .doesNotContain(ID);
            assertThat(Http.all(request, "X-Real-IP")).isEmpty();
            assertThat(Http.all(request, "Forwarded")).isEmpty();
        }
    }

    private static IpRange range(String text) {
        return switch (IpRange.parse(text)) {
            case IpRange range -> range;
            case IpRangeReading.Wrong wrong -> throw new AssertionError(wrong);
        };
    }

    @Test
    void believes_a_trusted_proxy() throws IOException {
        Policy telling = exchange -> {
            exchange.headers().set("X-Client", exchange.clientAddress().getHostAddress());
            return Verdict.proceed();
        };
        var trusted = IpRanges.of(List.of(range("127.0.0.0/8"), range("10.0.0.0/8")));
        try (Proxy proxy = Proxy.in(mode)
                .settings(settings -> settings.withTrustedProxies(trusted))
                .policies(telling)
                .start()) {
            proxy.client()
                    .send(Http.head(
                            "GET / HTTP/1.1",
                            "Host: a",
                            "X-Forwarded-For: 10.1.1.1, 203.0.113.9, 10.2.2.2",
                            "X-Forwarded-Proto: https",
                            "X-Request-Id: theirs",
                            "traceparent: " + PARENT));
            String request = proxy.upstream().accept().readHead();

            assertThat(Http.only(request, "X-Client")).isEqualTo("203.0.113.9");
            assertThat(Http.only(request, "X-Forwarded-For")).isEqualTo("10.1.1.1, 203.0.113.9, 10.2.2.2, 127.0.0.1");
            assertThat(Http.only(request, "X-Forwarded-Proto")).isEqualTo("https");
            assertThat(Http.only(request, "X-Request-Id")).isEqualTo("theirs");
            assertThat(Http.only(request, "traceparent"))
                    .matches("00-" + ID + "-[0-9a-f]{16}-00")
                    .isNotEqualTo(PARENT);
        }
    }
}
