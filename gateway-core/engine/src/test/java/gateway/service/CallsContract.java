package gateway.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Body;
import gateway.http.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// What all [Calls] do.
public interface CallsContract {
    Calls calls();

    /// A server that answers by `server`.
    CallTarget served(Function<CallRequest, CallAnswer> server);

    /// A server that is not there.
    CallTarget absent();

    @Test
    default void what_is_sent_arrives_and_the_whole_answer_comes_back() {
        var seen = new AtomicReference<CallRequest>();
        var target = served(request -> {
            seen.set(request);
            return answer(404, "unknown");
        });

        CallAnswer answer = send(
                target,
                CallRequest.post("/a/b?x=1", "text/plain", bytes("who?")).with("X-Asked-By", "me"));

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.text()).isEqualTo("unknown");
        assertThat(answer.headers().first("X-Server")).contains("played");
        assertThat(seen.get().method()).isEqualTo("POST");
        assertThat(seen.get().path()).isEqualTo("/a/b?x=1");
        assertThat(seen.get().headers().first("X-Asked-By")).contains("me");
        assertThat(seen.get().headers().first("Content-Type")).contains("text/plain");
        assertThat(new String(seen.get().body().bytes(100), StandardCharsets.UTF_8))
                .isEqualTo("who?");
    }

    @Test
    default void an_answer_without_body_is_empty() {
        var target = served(_ -> new CallAnswer(204, Headers.create(), Body.EMPTY));

        assertThat(send(target, CallRequest.get("/")).bytes()).isEmpty();
    }

    @Test
    default void an_answer_as_large_as_its_bound_comes_back_and_a_larger_one_is_refused() {
        var most = served(_ -> answer(200, "0123456789"));
        assertThat(send(most, CallRequest.get("/")).text()).hasSize(10);

        var larger = served(_ -> answer(200, "0123456789a"));
        assertThatThrownBy(() -> send(larger, CallRequest.get("/")))
                .isInstanceOfSatisfying(
                        DependencyException.class,
                        failure -> assertThat(failure.reason()).isEqualTo("too-large"));
    }

    @Test
    default void a_server_that_is_not_there_is_refused_by_name() {
        CallTarget target = absent();

        assertThatThrownBy(() -> send(target, CallRequest.get("/")))
                .isInstanceOfSatisfying(DependencyException.class, failure -> {
                    assertThat(failure.reason()).isEqualTo("refused");
                    assertThat(failure.dependency()).isEqualTo(target.name());
                });
    }

    private CallAnswer send(CallTarget target, CallRequest request) {
        return calls().to(target, "/target").send(request, new CallBounds(Duration.ofSeconds(30), 10), null);
    }

    private static CallAnswer answer(int status, String text) {
        Headers headers = Headers.create();
        headers.set("X-Server", "played");
        return new CallAnswer(status, headers, Body.of(bytes(text)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
