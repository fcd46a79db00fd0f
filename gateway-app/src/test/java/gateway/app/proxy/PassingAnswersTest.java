package gateway.app.proxy;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.app.proxy.OneRoute.WithBodies;
import gateway.http.Body;
import gateway.http.BodyMemory;
import gateway.http.Outcome;
import gateway.http.PieceChange;
import gateway.http.PieceOutput;
import gateway.http.Response;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import gateway.service.TrafficRecord;
import gateway.wire.memory.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Answers whose pieces a policy sees or changes on their way, over sockets.
@Timeout(60)
final class PassingAnswersTest {
    private static final BodyUse WATCHED = BodyUse.ofResponses(BodyAccess.watched());
    private static final BodyUse CHANGED = BodyUse.ofResponses(BodyAccess.streamed());
    private static final String ASK = PassingProxy.ASK;
    private static final String LARGE = PassingProxy.LARGE;

    private final SeenPieces seen = new SeenPieces();

    @Test
    void an_answer_that_is_watched_goes_out_as_it_came_and_ends_once() throws IOException {
        try (PassingProxy proxy = PassingProxy.asked(ASK, seen.policy(WATCHED))) {
            RawConnection client = proxy.client;
            RawConnection upstream = proxy.upstream;
            upstream.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 10\r\n\r\nhello");
            String head = client.readHead();
            assertThat(client.read(5)).isEqualTo("hello");
            upstream.send("world");

            assertThat(client.read(5)).isEqualTo("world");
            assertThat(Http.contentLength(head)).isEqualTo(10);
            assertThat(Http.only(head, "ETag")).isEqualTo("\"1\"");
            until(() -> seen.ends().size() == 1);
            assertThat(seen.ends()).containsExactly("complete");
            assertThat(seen.content()).isEqualTo("helloworld");
        }
    }

    @Test
    void each_byte_of_a_large_answer_is_seen_once_however_slow_its_client_is() throws IOException {
        try (PassingProxy proxy = PassingProxy.asked(ASK, seen.policy(WATCHED))) {
            RawConnection client = proxy.client;
            RawConnection upstream = proxy.upstream;
            Thread sending = Thread.ofVirtual().start(() -> {
                try {
                    upstream.send("HTTP/1.1 200 OK\r\nContent-Length: " + 20 * LARGE.length() + "\r\n\r\n");
                    for (int i = 0; i < 20; i++) upstream.send(LARGE);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            client.readHead();
            until(() -> !seen.content().isEmpty());

            assertThat(client.read(20 * LARGE.length()).equals(LARGE.repeat(20)))
                    .isTrue();
            assertThat(sending).isNotNull();
            until(() -> seen.ends().contains("complete"));
            assertThat(seen.content().equals(LARGE.repeat(20))).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void an_answer_that_its_upstream_cuts_off_is_broken_once(boolean changed) throws IOException {
        try (PassingProxy proxy = PassingProxy.asked(ASK, seen.policy(changed ? CHANGED : WATCHED))) {
            RawConnection client = proxy.client;
            RawConnection upstream = proxy.upstream;
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello");
            client.readHead();
            upstream.close();

            assertThatThrownBy(client::readToEnd).isInstanceOf(IOException.class); // reset
            until(() -> !seen.ends().isEmpty());
            assertThat(seen.ends()).containsExactly("broken");
            assertThat(seen.content()).isEqualTo("hello");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void an_answer_whose_client_leaves_is_broken_once(boolean changed) throws IOException {
        try (PassingProxy proxy = PassingProxy.asked(ASK, seen.policy(changed ? CHANGED : WATCHED))) {
            RawConnection client = proxy.client;
            RawConnection upstream = proxy.upstream;
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello");
            client.readHead();
            client.reset();

            until(() -> !seen.ends().isEmpty());
            assertThat(seen.ends()).containsExactly("broken");
        }
    }

    @Test
    void an_answer_that_is_changed_has_no_length_and_loses_what_tells_of_the_old_one() throws IOException {
        try (PassingProxy proxy = PassingProxy.asked(ASK, seen.policy(CHANGED))) {
            RawConnection client = proxy.client;
            RawConnection upstream = proxy.upstream;
            upstream.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 5\r\n\r\nhello");

            String head = client.readHead();
            assertThat(client.readUntil("0\r\n\r\n").replaceAll("\r\n[0-9a-f]*(\r\n)?|^[0-9a-f]+\r\n", ""))
                    .isEqualTo("[HELLO]");
            assertThat(Http.only(head, "Transfer-Encoding")).isEqualTo("chunked");
            assertThat(head).doesNotContain("ETag").doesNotContain("Content-Length");
            assertThat(seen.ends()).containsExactly("complete");
            until(() -> proxy.dataPlane().memory().of(Kind.BODIES).taken() <= 64 * 1024);
        }
    }

    @Test
    void what_a_policy_further_in_answers_is_changed_too() throws IOException {
        Policy answers = _ -> Verdict.answer(Response.of(200, "text/plain", LARGE.getBytes(StandardCharsets.US_ASCII)));
        try (Proxy proxy = PassingProxy.with(seen.policy(CHANGED), answers)) {
            RawConnection client = proxy.client().send(ASK);
            client.readHead();

            assertThat(client.readChunked()).isEqualTo("[" + LARGE.toUpperCase(Locale.ROOT) + "]");
            assertThat(seen.ends()).containsExactly("complete");
        }
    }

    @Test
    void whoever_holds_it_further_out_finds_what_was_made_of_it() throws IOException {
        Policy holds = new WithBodies(
                BodyUse.ofResponses(BodyAccess.held(1000)),
                _ -> Verdict.proceed(new Followup() {
                    @Override
                    public Response onResponse(Response response) {
                        String text = new String(response.held().orElseThrow().content(), StandardCharsets.US_ASCII);
                        return response.withBody(Body.of(("held " + text).getBytes(StandardCharsets.US_ASCII)));
                    }
                }));
        try (PassingProxy proxy = PassingProxy.asked(ASK, holds, seen.policy(CHANGED))) {
            RawConnection client = proxy.client;
            RawConnection upstream = proxy.upstream;
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");

            assertThat(Http.body(client.readAnswer())).isEqualTo("held [HELLO]");
            assertThat(seen.ends()).containsExactly("complete");
        }
    }

    @Test
    void an_answer_that_another_takes_the_place_of_is_broken() throws IOException {
        Policy replaces = _ -> Verdict.proceed(new Followup() {
            @Override
            public Response onResponse(Response response) {
                return response.withBody(Body.of("other".getBytes(StandardCharsets.US_ASCII)));
            }
        });
        try (PassingProxy proxy = PassingProxy.asked(ASK, replaces, seen.policy(WATCHED))) {
            RawConnection client = proxy.client;
            RawConnection upstream = proxy.upstream;
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");

            assertThat(Http.body(client.readAnswer())).isEqualTo("other");
            until(() -> !seen.ends().isEmpty());
            assertThat(seen.ends()).containsExactly("broken");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"204 No Content", "304 Not Modified"})
    void an_answer_without_content_passes_nobody(String status) throws IOException {
        try (PassingProxy proxy = PassingProxy.asked(ASK, seen.policy(CHANGED))) {
            RawConnection client = proxy.client;
            proxy.upstream.send("HTTP/1.1 " + status + "\r\nETag: \"1\"\r\nConnection: close\r\n\r\n");

            assertThat(client.readHead()).contains("ETag: \"1\"");
            client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection other = proxy.nextUpstream();
            other.readHead();
            other.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
            assertThat(Http.contentLength(client.readHead())).isEqualTo(5);
            assertThat(seen.ends()).isEmpty();
        }
    }

    @Test
    void trailers_pass_but_those_that_sign_what_was_changed() throws IOException {
        String ask = "GET / HTTP/1.1\r\nHost: a\r\nTE: trailers\r\n\r\n";
        try (PassingProxy proxy = PassingProxy.asked(ask, seen.policy(CHANGED))) {
            RawConnection client = proxy.client;
            RawConnection upstream = proxy.upstream;
            upstream.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                    .send("5\r\nhello\r\n0\r\nX-Sum: 1\r\nRepr-Digest: sha-256=:x:\r\n\r\n");
            client.readHead();

            assertThat(client.readUntil("\r\n\r\n")).contains("]", "X-Sum: 1").doesNotContain("Repr-Digest");
        }
    }

    @Test
    void a_change_that_breaks_cuts_the_answer_off_and_is_named() throws Exception {
        PieceChange breaking = new PieceChange() {
            @Override
            public void piece(ByteBuffer piece, PieceOutput to) {
                throw new IllegalStateException("of a test");
            }

            @Override
            public void complete(PieceOutput to) {}

            @Override
            public void broken() {
                seen.broken();
            }
        };
        Policy breaks = new WithBodies(
                CHANGED,
                _ -> Verdict.proceed(new Followup() {
                    @Override
                    public PieceChange change(Response answer, BodyMemory memory) {
                        return breaking;
                    }
                }));
        try (PassingProxy proxy = PassingProxy.asked(ASK, breaks)) {
            RawConnection client = proxy.client;
            RawConnection upstream = proxy.upstream;
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");

            assertThatThrownBy(() -> client.readUntil("0\r\n\r\n")).isInstanceOf(IOException.class);
            until(() -> !seen.ends().isEmpty());
            assertThat(seen.ends()).containsExactly("broken");
            TrafficRecord record = proxy.ended();
            assertThat(record.outcome().ending()).isEqualTo(Outcome.Ending.GATEWAY_FAILED);
            assertThat(record.api().policy()).isEqualTo("test");
        }
    }
}
