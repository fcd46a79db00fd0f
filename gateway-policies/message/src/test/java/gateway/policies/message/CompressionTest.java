package gateway.policies.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchanges;
import gateway.http.PieceChange;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CompressionTest {
    private static final String POLICY = "{\"type\": \"compression\"}";
    private static final String LONG = "0123456789".repeat(20_000);

    private static Response json() {
        return Response.of(200, "application/json", LONG.getBytes(UTF_8));
    }

    private static Response sent(String policy, Response answer, String accepted) {
        return PolicyRun.of(policy).answering(answer).send(Exchanges.get("/").with("Accept-Encoding", accepted));
    }

    private static boolean isPacked(Response answer) {
        return answer.headers().first("Content-Encoding").equals(Optional.of("gzip"));
    }

    private static String unpacked(Response answer) throws IOException {
        byte[] bytes = answer.body().bytes(1 << 24);
        try (var in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    @Test
    void packs_by_gzip_and_says_so() throws IOException {
        Response answer = sent(POLICY, json().with("ETag", "\"1\"").with("Content-Length", "200000"), "br, gzip");

        assertThat(isPacked(answer)).isTrue();
        assertThat(answer.headers().all("Vary")).containsExactly("Accept-Encoding");
        assertThat(answer.headers().all("ETag")).containsExactly("W/\"1\"");
        assertThat(answer.headers().contains("Content-Length")).isFalse();
        assertThat(answer.body().length()).isEmpty();
        assertThat(unpacked(answer)).isEqualTo(LONG);
        assertThat(answer.body().bytes(1 << 24).length).isLessThan(LONG.length() / 50);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gzip",
                "GZIP;Q=0.001",
                "x-gzip",
                "*",
                "br;q=1, gzip;q=0.5",
                "identity;q=0.5, gzip",
                "gzip ; q=1.0"
            })
    void packs_for_whoever_takes_it(String accepted) {
        assertThat(isPacked(sent(POLICY, json(), accepted))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "br",
                "gzip;q=0",
                "gzip;q=0, *",
                "identity, gzip;q=0.9",
                "*;q=0",
                "gzip;q=2",
                "gzip;q=x",
                "gzip;a=1"
            })
    void packs_nothing_for_others_but_tells_caches_that_answers_differ(String accepted) {
        Response answer = sent(POLICY, json().with("ETag", "\"1\""), accepted);

        assertThat(isPacked(answer)).isFalse();
        assertThat(answer.headers().all("ETag")).containsExactly("\"1\"");
        assertThat(answer.headers().all("Vary")).containsExactly("Accept-Encoding");
        assertThat(answer.body().bytes(1 << 24)).hasSize(LONG.length());
    }

    @Test
    void leaves_alone_what_is_packed_small_partial_of_another_type_or_not_to_be_transformed() {
        for (Response each : List.of(
                json().with("Content-Encoding", "br"),
                json().with("Content-Range", "bytes 0-9/10"),
                json().with("Cache-Control", "public, no-transform"),
                json().with("Set-Cookie", "a=b"),
                Response.of(200, "image/png", LONG.getBytes(UTF_8)),
                Response.of(200, "application/json", new byte[1023]))) {
            assertThat(sent(POLICY, each, "gzip").headers().first("Content-Encoding"))
                    .isEqualTo(each.headers().first("Content-Encoding"));
            assertThat(sent(POLICY, each, "gzip").headers().contains("Vary")).isFalse();
        }
        assertThat(isPacked(sent(POLICY, json().withStatus(206), "gzip"))).isFalse();
        assertThat(isPacked(PolicyRun.of(POLICY)
                        .answering(json())
                        .send(Exchanges.get("/")
                                .with("Accept-Encoding", "gzip")
                                .with("Cache-Control", "no-transform"))))
                .isFalse();
    }

    @Test
    void packs_other_types_smaller_ones_and_those_with_cookies_where_that_is_asked_for() throws IOException {
        String policy = "{\"type\": \"compression\", \"types\": [\"image/bmp\"], \"minimum\": \"1B\", \"level\": 9,"
                + " \"cookies\": true}";
        Response answer =
                sent(policy, Response.of(200, "image/bmp", "b".getBytes(UTF_8)).with("Set-Cookie", "a=b"), "gzip");

        assertThat(isPacked(answer)).isTrue();
        assertThat(unpacked(answer)).isEqualTo("b");
    }

    @Test
    void keeps_what_caches_are_told_already() {
        assertThat(sent(POLICY, json().with("Vary", "accept-encoding, Origin"), "gzip")
                        .headers()
                        .all("Vary"))
                .containsExactly("accept-encoding, Origin");
    }

    @Test
    void leaves_as_they_are_answers_that_have_no_room() {
        var room = new PackingRoom(1);
        var rules = new Compression(new MediaRanges(List.of("text/*")), 1, 4, false);
        var first = new CompressedAnswer(rules, true, room).change(json(), bytes -> {});

        assertThat(new CompressedAnswer(rules, true, room).change(json(), bytes -> {}))
                .isEqualTo(PieceChange.NONE);
        first.broken();
        first.broken();
        assertThat(room.take()).isTrue();
        assertThat(room.take()).isFalse();
    }

    @Test
    void names_every_problem() {
        assertThatThrownBy(() -> PolicyRun.of(
                        "{\"type\": \"compression\", \"types\": [\"no type\"], \"minimum\": 0, \"level\": 10}"))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/policies/0/types/0")
                .hasMessageContaining("/policies/0/minimum")
                .hasMessageContaining("/policies/0/level");
    }
}
