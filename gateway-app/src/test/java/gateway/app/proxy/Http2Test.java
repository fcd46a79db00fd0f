package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// HTTP/2 over TLS, with the JDK's client.
final class Http2Test {
    private static final String EMPTY = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

    @Test
    void serves_whom_alpn_says_http_2_and_tells_the_upstream_that_it_was_https() throws Exception {
        try (Http2Gateway gateway = Http2Gateway.start()) {
            var answer = gateway.client().sendAsync(gateway.request("/x?y=1").build(), BodyHandlers.ofString());
            RawConnection upstream = gateway.upstream.accept();
            String head = upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: keep-alive\r\nX-A: b\r\n\r\nhello");

            assertThat(head)
                    .startsWith("GET /x?y=1 HTTP/1.1\r\n")
                    .contains("X-Forwarded-Proto: https\r\n", "X-Forwarded-For: 127.0.0.1\r\n")
                    .doesNotContain("\r\n:");
            HttpResponse<String> got = answer.get(10, TimeUnit.SECONDS);
            assertThat(got.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(got.statusCode()).isEqualTo(200);
            assertThat(got.body()).isEqualTo("hello");
            assertThat(got.headers().firstValue("x-a")).contains("b");
            assertThat(got.headers().firstValue("connection")).isEmpty();
            assertThat(got.headers().firstValue("x-request-id")).isPresent();
        }
    }

    @Test
    void serves_many_streams_of_one_connection_at_once() throws Exception {
        try (RecordingUpstream upstream = new RecordingUpstream();
                Http2Gateway gateway = Http2Gateway.inFrontOf(upstream.url())) {
            gateway.connect();
            upstream.forget();
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                answers.add(gateway.client()
                        .sendAsync(
                                gateway.request("/" + i)
                                        .POST(BodyPublishers.ofString("content " + i))
                                        .build(),
                                BodyHandlers.ofString()));
            }

            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i).get(30, TimeUnit.SECONDS).body())
                        .isEqualTo("served POST /" + i + " HTTP/1.1");
            }
            assertThat(upstream.requests)
                    .hasSize(100)
                    .allSatisfy(request -> assertThat(request.body())
                            .isEqualTo("content " + request.requestLine().split("[/ ]", -1)[2]));
            assertThat(gateway.dataPlane().connections()).isEqualTo(1);
        }
    }

    @Test
    void large_bodies_arrive_whole_both_ways() throws Exception {
        String content = "0123456789abcdef".repeat(200_000);
        try (Http2Gateway gateway = Http2Gateway.start()) {
            var answer = gateway.client()
                    .sendAsync(
                            gateway.request("/")
                                    .POST(BodyPublishers.ofString(content))
                                    .build(),
                            BodyHandlers.ofString());
            RawConnection upstream = gateway.upstream.accept();
            upstream.readHead();
            String came = upstream.read(content.length());
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: " + content.length() + "\r\n\r\n" + content);

            assertThat(came.equals(content)).isTrue();
            assertThat(answer.get(30, TimeUnit.SECONDS).body().equals(content)).isTrue();
        }
    }

    @Test
    void a_body_of_unknown_length_streams_both_ways() throws Exception {
        try (Http2Gateway gateway = Http2Gateway.start()) {
            var body = BodyPublishers.fromPublisher(BodyPublishers.ofString("streamed"));
            var answer =
                    gateway.client().sendAsync(gateway.request("/").POST(body).build(), BodyHandlers.ofString());
            RawConnection upstream = gateway.upstream.accept();
            String head = upstream.readHead();
            String came = upstream.readChunked();
            upstream.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");

            assertThat(head).contains("Transfer-Encoding: chunked\r\n");
            assertThat(came).isEqualTo("streamed");
            assertThat(answer.get(10, TimeUnit.SECONDS).body()).isEqualTo("abcde");
        }
    }

    @Test
    void an_answer_to_head_and_one_without_content_end_with_their_head() throws Exception {
        try (Http2Gateway gateway = Http2Gateway.start()) {
            var head = gateway.client().sendAsync(gateway.request("/").HEAD().build(), BodyHandlers.ofString());
            RawConnection upstream = gateway.upstream.accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 77\r\nConnection: close\r\n\r\n");

            HttpResponse<String> got = head.get(10, TimeUnit.SECONDS);
            assertThat(got.headers().firstValue("content-length")).contains("77");
            assertThat(got.body()).isEmpty();
            for (String status : List.of("204 No Content", "304 Not Modified")) {
                var answer = gateway.client().sendAsync(gateway.request("/").build(), BodyHandlers.ofString());
                RawConnection next = gateway.upstream.accept();
                next.readHead();
                next.send("HTTP/1.1 " + status + "\r\nConnection: close\r\n\r\n");

                assertThat(answer.get(10, TimeUnit.SECONDS).statusCode())
                        .isEqualTo(Integer.parseInt(status.substring(0, 3)));
            }
        }
    }

    @Test
    void a_client_that_cancels_ends_the_call_to_the_upstream_and_nothing_else() throws Exception {
        try (Http2Gateway gateway = Http2Gateway.start()) {
            var cancelled = gateway.client().sendAsync(gateway.request("/slow").build(), BodyHandlers.ofString());
            RawConnection slow = gateway.upstream.accept();
            slow.readHead();
            cancelled.cancel(true);

            assertThat(slow.isClosedByPeer()).isTrue();
            var next = gateway.client().sendAsync(gateway.request("/next").build(), BodyHandlers.ofString());
            RawConnection upstream = gateway.upstream.accept();
            upstream.readHead();
            upstream.send(EMPTY);
            assertThat(next.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
            assertThat(gateway.dataPlane().connections()).isEqualTo(1);
        }
    }

    @Test
    void an_upload_past_the_limit_is_answered_early_and_the_connection_goes_on() throws Exception {
        try (Http2Gateway gateway = Http2Gateway.withMaxBody(1000)) {
            for (int i = 0; i < 3; i++) {
                var answer = gateway.client()
                        .send(
                                gateway.request("/")
                                        .POST(BodyPublishers.ofByteArray(new byte[4_000_000]))
                                        .build(),
                                BodyHandlers.ofString());

                assertThat(answer.statusCode()).isEqualTo(413);
            }
            assertThat(gateway.dataPlane().connections()).isEqualTo(1);
        }
    }

    @Test
    void an_upstream_that_breaks_off_does_not_look_complete() throws Exception {
        try (Http2Gateway gateway = Http2Gateway.start()) {
            var answer = gateway.client().sendAsync(gateway.request("/").build(), BodyHandlers.ofString());
            RawConnection upstream = gateway.upstream.accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
            upstream.reset();

            assertThatThrownBy(() -> answer.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(IOException.class);
        }
    }

    @Test
    void draining_lets_streams_end_and_turns_the_client_to_a_new_connection() throws Exception {
        try (Http2Gateway gateway = Http2Gateway.start()) {
            var answer = gateway.client().sendAsync(gateway.request("/").build(), BodyHandlers.ofString());
            RawConnection upstream = gateway.upstream.accept();
            upstream.readHead();
            var stopped =
                    CompletableFuture.supplyAsync(() -> gateway.dataPlane().stop(Duration.ofSeconds(30)));
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlast");

            assertThat(answer.get(10, TimeUnit.SECONDS).body()).isEqualTo("last");
            assertThat(stopped.get(20, TimeUnit.SECONDS)).isTrue();
        }
    }
}
