package gateway.app.proxy;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.proxy.OneRoute.WithBodies;
import gateway.config.TargetDefinition;
import gateway.http.Response;
import gateway.net.UpstreamProtocol;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests whose pieces a policy sees or changes on their way, over sockets.
@Timeout(60)
final class PassingRequestsTest {
    private static final BodyUse WATCHED = BodyUse.ofRequests(BodyAccess.watched());
    private static final BodyUse CHANGED = BodyUse.ofRequests(BodyAccess.streamed());
    private static final String LARGE = PassingProxy.LARGE;

    private final SeenPieces seen = new SeenPieces();

    @Test
    void a_request_that_is_watched_goes_out_as_it_came() throws IOException {
        try (PassingProxy proxy = PassingProxy.asked(
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + LARGE.length() + "\r\n\r\n" + LARGE,
                seen.policy(WATCHED))) {
            RawConnection client = proxy.client;
            RawConnection upstream = proxy.upstream;
            String head = proxy.head;

            assertThat(Http.contentLength(head)).isEqualTo(LARGE.length());
            assertThat(upstream.read(LARGE.length())).isEqualTo(LARGE);
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            assertThat(Http.body(client.readAnswer())).isEqualTo("ok");
            assertThat(seen.content()).isEqualTo(LARGE);
            assertThat(seen.ends()).containsExactly("complete");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Content-Length: 5\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"})
    void a_request_that_is_changed_goes_out_in_chunks(String rest) throws IOException {
        try (PassingProxy proxy = PassingProxy.asked("POST / HTTP/1.1\r\nHost: a\r\n" + rest, seen.policy(CHANGED))) {
            RawConnection client = proxy.client;
            RawConnection upstream = proxy.upstream;
            String head = proxy.head;

            if (head.contains("chunked")) assertThat(upstream.readChunked()).isEqualTo("[HELLO]");
            else assertThat(upstream.read(Http.contentLength(head))).isEqualTo("[HELLO]"); // small: gathered first
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            assertThat(Http.body(client.readAnswer())).isEqualTo("ok");
            assertThat(seen.ends()).containsExactly("complete");
        }
    }

    @Test
    void a_large_request_is_changed_piece_by_piece() throws IOException {
        try (PassingProxy proxy = PassingProxy.asked(
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + LARGE.length() + "\r\n\r\n" + LARGE,
                seen.policy(CHANGED))) {
            RawConnection client = proxy.client;
            RawConnection upstream = proxy.upstream;

            assertThat(upstream.readChunked()).isEqualTo("[" + LARGE.toUpperCase(Locale.ROOT) + "]");
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            assertThat(Http.body(client.readAnswer())).isEqualTo("ok");
            assertThat(seen.ends()).containsExactly("complete");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_request_whose_client_leaves_is_broken_once(boolean changed) throws IOException {
        try (PassingProxy proxy = PassingProxy.asked(
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nhello",
                seen.policy(changed ? CHANGED : WATCHED))) {
            RawConnection client = proxy.client;
            until(() -> seen.content().equals("hello"));
            client.reset();

            until(() -> !seen.ends().isEmpty());
            assertThat(seen.ends()).containsExactly("broken");
        }
    }

    @Test
    void both_pass_over_http_2_between_client_and_upstream() throws Exception {
        var request = new SeenPieces();
        Policy policy = SeenPieces.policy(new BodyUse(BodyAccess.streamed(), BodyAccess.streamed()), request, seen);
        Policy echoes = new WithBodies(
                BodyUse.ofRequests(BodyAccess.held(1 << 20)),
                exchange -> Verdict.answer(Response.of(
                        200, "text/plain", exchange.held().orElseThrow().content())));
        try (Http2Gateway behind = Http2Gateway.start(echoes);
                Http2Gateway gateway = Http2Gateway.inFrontOf(
                        OneRoute.patientlyTo(
                                new TargetDefinition(URI.create(behind.plainUrl("")), 1).by(UpstreamProtocol.H2C)),
                        same -> same,
                        policy)) {
            var answer = gateway.client()
                    .send(
                            gateway.request("/")
                                    .POST(BodyPublishers.ofString(LARGE))
                                    .build(),
                            BodyHandlers.ofString());

            assertThat(answer.version()).isEqualTo(Version.HTTP_2);
            assertThat(answer.headers().firstValue("content-length")).isEmpty();
            assertThat(answer.body()).isEqualTo("[[" + LARGE.toUpperCase(Locale.ROOT) + "]]");
            assertThat(request.content()).isEqualTo(LARGE);
            assertThat(request.ends()).containsExactly("complete");
            assertThat(seen.ends()).containsExactly("complete");
        }
    }
}
