package gateway.app.proxy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.policy.Policy;
import gateway.policy.Verdict;
import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Uploads that wait for leave, and answers that do not wait for the upload.
@ParameterizedClass
@EnumSource(RequestThreadMode.class)
final class ContinueTest {
    private static final String UPLOAD =
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n";

    @Parameter
    RequestThreadMode mode;

    @Test
    void lets_the_upstream_ask_for_the_body() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send(UPLOAD);
            RawConnection upstream = proxy.upstream().accept();
            String request = upstream.readHead();
            upstream.send("HTTP/1.1 100 Continue\r\n\r\n");
            String leave = client.readHead();
            client.send("hello");
            String body = upstream.read(5);
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

            assertThat(Http.only(request, "Expect")).isEqualTo("100-continue");
            assertThat(leave).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            assertThat(body).isEqualTo("hello");
            assertThat(Http.start(client.readAnswer())).isEqualTo("HTTP/1.1 200 OK");
        }
    }

    @Test
    void asks_in_the_place_of_an_upstream_that_keeps_silent() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send(UPLOAD);
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();

            assertThat(client.readHead()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            client.send("hello");
            assertThat(upstream.read(5)).isEqualTo("hello");
        }
    }

    @Test
    void is_neither_told_to_nor_asked_for_a_client_of_http_1_0() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send(UPLOAD.replace("HTTP/1.1", "HTTP/1.0") + "hello");
            RawConnection upstream = proxy.upstream().accept();
            String request = upstream.readHead();
            String body = upstream.read(5);
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

            assertThat(Http.all(request, "Expect")).isEmpty();
            assertThat(body).isEqualTo("hello");
            assertThat(Http.start(client.readAnswer())).isEqualTo("HTTP/1.0 200 OK");
        }
    }

    @Test
    void passes_a_refusal_on_without_the_body() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send(UPLOAD);
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 2\r\n\r\nno");
            String answer = client.readAnswer();

            assertThat(Http.start(answer)).isEqualTo("HTTP/1.1 417 Expectation Failed");
            assertThat(Http.only(answer, "Connection")).isEqualTo("close");
            assertThat(upstream.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void asks_when_a_policy_reads_the_body() throws IOException {
        try (Proxy proxy = Proxy.in(mode)
                .policies(exchange -> {
                    exchange.headers()
                            .set(
                                    "X-Body",
                                    new String(exchange.body().bytes(100), java.nio.charset.StandardCharsets.UTF_8));
                    return Verdict.proceed();
                })
                .start()) {
            RawConnection client = proxy.client().send(UPLOAD);
            String leave = client.readHead();
            client.send("hello");
            RawConnection upstream = proxy.upstream().accept();
            String request = upstream.readHead();

            assertThat(leave).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            assertThat(Http.only(request, "X-Body")).isEqualTo("hello");
            assertThat(Http.all(request, "Expect")).isEmpty();
            assertThat(upstream.read(5)).isEqualTo("hello");
        }
    }

    @Test
    void reads_the_body_for_a_policy_on_a_worker() throws IOException {
        OneRoute.OnWorker policy = exchange -> {
            exchange.outgoing()
                    .replaceBody(gateway.http.Body.of(
                            new byte[] {'<', exchange.body().bytes(100)[0], '>'}));
            return Verdict.proceed();
        };
        try (Proxy proxy = Proxy.in(mode).policies(policy).start()) {
            RawConnection client =
                    proxy.client().send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n");
            client.send("0\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            String request = upstream.readHead();
            String body = upstream.read(3);
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

            assertThat(Http.only(request, "Content-Length")).isEqualTo("3");
            assertThat(body).isEqualTo("<x>");
            assertThat(Http.start(client.readAnswer())).isEqualTo("HTTP/1.1 200 OK");
        }
    }

    @Test
    void sends_what_a_policy_makes_when_it_is_asked_for_even_if_it_is_longer_than_what_clients_may_send()
            throws IOException {
        Policy wrapping = exchange -> {
            exchange.limitBody(5);
            exchange.outgoing().replaceBody(new Wrapped(exchange.body()));
            return Verdict.proceed();
        };
        try (Proxy proxy = Proxy.in(mode).policies(wrapping).start()) {
            proxy.client().send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello");
            RawConnection upstream = proxy.upstream().accept();
            String request = upstream.readHead();

            assertThat(Http.only(request, "Content-Length")).isEqualTo("7");
            assertThat(upstream.read(7)).isEqualTo("<hello>");
        }
    }

    /// Makes its bytes when they are asked for.
    private record Wrapped(gateway.http.Body inner) implements gateway.http.Body {
        @Override
        public OptionalLong length() {
            return OptionalLong.empty();
        }

        @Override
        public byte[] bytes(long max) {
            return ("<" + new String(inner.bytes(max), US_ASCII) + ">").getBytes(US_ASCII);
        }
    }

    @Test
    void passes_an_early_answer_on_while_the_upload_goes_on() throws IOException {
        try (Proxy proxy = Proxy.in(mode).ioThreads(1).start()) {
            RawConnection client =
                    proxy.client().send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 20010\r\n\r\nhello");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno");
            String answer = client.readAnswer();
            client.send("world").send(new byte[20_000]).send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n");

            assertThat(Http.start(answer)).startsWith("HTTP/1.1 413");
            assertThat(Http.start(proxy.upstream().accept().readHead())).isEqualTo("GET /next HTTP/1.1");
        }
    }

    @Test
    void streams_both_ways_at_once() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client =
                    proxy.client().send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            client.readHead();
            for (String word : new String[] {"a", "b", "c"}) {
                client.send("1\r\n" + word + "\r\n");
                upstream.readUntil(word + "\r\n");
                upstream.send("1\r\n" + word + "\r\n");
                client.readUntil(word + "\r\n");
            }
            client.send("0\r\n\r\n");
            upstream.readUntil("0\r\n\r\n");
            upstream.send("0\r\n\r\n");

            assertThat(client.readUntil("0\r\n\r\n")).isEqualTo("0\r\n\r\n");
        }
    }
}
