package gateway.policies.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import gateway.http.Body;
import gateway.http.ContentCodings;
import gateway.http.Exchanges;
import gateway.http.PassingBody;
import gateway.http.PieceChange;
import gateway.http.PieceChangeException;
import gateway.http.PieceStation;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.brotli.dec.BrotliInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
        return answer.headers().contains("Content-Encoding");
    }

    private static Optional<String> coding(Response answer) {
        return answer.headers().first("Content-Encoding");
    }

    private static String unpacked(Response answer) throws IOException {
        var bytes = new ByteArrayInputStream(answer.body().bytes(1 << 24));
        try (InputStream in = switch (coding(answer).orElseThrow()) {
            case "zstd" -> new ZstdInputStreamNoFinalizer(bytes);
            case "br" -> new BrotliInputStream(bytes);
            default -> new GZIPInputStream(bytes);
        }) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    @Test
    void packs_by_gzip_and_says_so() throws IOException {
        Response answer = sent(POLICY, json().with("ETag", "\"1\"").with("Content-Length", "200000"), "gzip");

        assertThat(coding(answer)).contains("gzip");
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
                "deflate;q=1, gzip;q=0.5",
                "identity;q=0.5, gzip",
                "gzip ; q=1.0"
            })
    void packs_for_whoever_takes_it(String accepted) {
        assertThat(coding(sent(POLICY, json(), accepted))).contains("gzip");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip, deflate, br, zstd | zstd",
                "gzip, deflate, br | br",
                "zstd;q=0.5, br;q=0.6, gzip;q=0.4 | br",
                "zstd;q=0, br;q=0, * | gzip",
                "ZSTD, identity;q=0.5 | zstd",
                "br;q=0.4, identity;q=0.5, gzip;q=0.5 | gzip"
            })
    void packs_by_what_the_client_likes_best_and_among_equals_by_what_the_definition_does(
            String accepted, String coding) throws IOException {
        Response answer = sent(POLICY, json(), accepted);

        assertThat(coding(answer)).contains(coding);
        assertThat(unpacked(answer)).isEqualTo(LONG);
        assertThat(answer.headers().all("Vary")).containsExactly("Accept-Encoding");
    }

    @Test
    void packs_by_nothing_that_the_definition_does_not_list() {
        String policy = "{\"type\": \"compression\", \"encodings\": [\"br\", \"zstd\"]}";

        assertThat(coding(sent(policy, json(), "zstd, br, gzip"))).contains("br");
        assertThat(coding(sent(policy, json(), "gzip"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"zstd,1", "zstd,9", "br,1", "br,9", "gzip,9"})
    void packs_noise_and_what_is_short_at_any_level(String coding, int level) throws IOException {
        String policy = "{\"type\": \"compression\", \"minimum\": \"1B\", \"level\": %d}".formatted(level);
        var noise = new StringBuilder();
        new Random(level).ints(300_000, ' ', '~').forEach(each -> noise.append((char) each));

        for (String each : List.of("", "b", noise.toString())) {
            Response answer = sent(policy, Response.of(200, "text/plain", each.getBytes(UTF_8)), coding);

            assertThat(coding(answer).orElse("none")).isEqualTo(each.isEmpty() ? "none" : coding);
            if (!each.isEmpty()) assertThat(unpacked(answer)).isEqualTo(each);
        }
    }

    /// A process without a folder for libraries stands for one whose C library is another.
    @Test
    void packs_by_gzip_where_native_libraries_do_not_load_and_says_so_once() throws Exception {
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-Djava.io.tmpdir=/nowhere",
                        "-cp",
                        System.getProperty("java.class.path"),
                        WithoutLibraries.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said)
                .contains("gzip and gzip")
                .containsOnlyOnce("br is not made here, since its native library does not load")
                .containsOnlyOnce("zstd is neither made nor undone here, since its native library does not load");
    }

    static final class WithoutLibraries {
        private WithoutLibraries() {}

        @SuppressWarnings("SystemOut") // read by the test
        public static void main(String[] arguments) {
            String first = coding(sent(POLICY, json(), "zstd, br, gzip")).orElse("none");
            String second = ContentCodings.loaded().understood(List.of("zstd, gzip"));
            System.out.println(first + " and " + second);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "deflate",
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
        var room = new PackingRoom(GzipPacker.MEMORY);
        var rules = new Compression(List.of(Packing.GZIP), new MediaRanges(List.of("text/*")), 1, 4, false);
        var first = answer(rules, room).change(json(), bytes -> {});

        assertThat(answer(rules, room).change(json(), bytes -> {})).isEqualTo(PieceChange.NONE);
        first.broken();
        first.broken();
        assertThat(room.take(Packing.GZIP)).isTrue();
        assertThat(room.take(Packing.GZIP)).isFalse();
    }

    @Test
    void keeps_half_of_the_room_for_gzip_which_stands_in_for_others_then() {
        var room = new PackingRoom(2L * ZstdPacker.MEMORY);
        var rules =
                new Compression(List.of(Packing.ZSTD, Packing.GZIP), new MediaRanges(List.of("text/*")), 1, 4, false);
        var first = answer(rules, room).change(json(), bytes -> {});
        var second = answer(rules, room);
        var change = second.change(json(), bytes -> {});

        assertThat(coding(second.onResponse(json()))).contains("gzip");
        change.broken();
        first.broken();
        assertThat(room.take(Packing.ZSTD)).isTrue();
    }

    @Test
    void an_encoder_ended_by_another_thread_while_it_packs_is_released_by_the_one_that_packs() throws Exception {
        for (Packing packing : Packing.values()) {
            assertThat(packing.isAvailable()).isTrue(); // loads its library
            var room = new PackingRoom(4L * packing.memory());
            for (int i = 0; i < 50; i++) {
                assertThat(room.take(packing)).isTrue();
                var pieces = new PackedPieces(
                        packing,
                        packing.packer(8, OptionalLong.empty(), new ZstdBuffers()),
                        OptionalLong.empty(),
                        room);
                PieceStation station = PieceStation.of("compression", pieces, bytes -> {});
                var body = PassingBody.of(Body.of(LONG.getBytes(UTF_8)), station, bytes -> {});
                Thread ending = Thread.ofPlatform().start(station::broken);
                try {
                    body.bytes(1 << 24);
                } catch (PieceChangeException e) {
                    assertThat(e.getCause()).isInstanceOf(IllegalStateException.class);
                }
                ending.join();
            }
            assertThat(room.take(packing)).isTrue();
        }
    }

    @Test
    void answers_to_head_and_304_tell_of_what_would_be_packed() {
        Response head = PolicyRun.of(POLICY)
                .answering(Response.of(200, "application/json", new byte[0])
                        .with("Content-Length", "5000")
                        .with("ETag", "\"1\""))
                .send(Exchanges.of("HEAD", "/").with("Accept-Encoding", "gzip"));
        Response unchanged =
                sent(POLICY, Response.of(304, "application/json", new byte[0]).with("ETag", "\"1\""), "gzip");

        for (Response each : List.of(head, unchanged)) {
            assertThat(each.headers().all("Vary")).containsExactly("Accept-Encoding");
            assertThat(each.headers().all("ETag")).containsExactly("W/\"1\"");
            assertThat(each.headers().contains("Content-Length")).isFalse();
        }
    }

    @Test
    void leaves_grpc_alone() {
        assertThat(isPacked(sent(POLICY, Response.of(200, "application/grpc+json", LONG.getBytes(UTF_8)), "gzip")))
                .isFalse();
    }

    private static CompressedAnswer answer(Compression rules, PackingRoom room) {
        return new CompressedAnswer(rules, rules.encodings(), false, room, new ZstdBuffers());
    }

    @Test
    void names_every_problem() {
        assertThatThrownBy(() -> PolicyRun.of(
                        "{\"type\": \"compression\", \"types\": [\"no type\"], \"minimum\": 0, \"level\": 10,"
                                + " \"encodings\": [\"lzw\"]}"))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/policies/0/types/0")
                .hasMessageContaining("/policies/0/minimum")
                .hasMessageContaining("/policies/0/level")
                .hasMessageContaining("/policies/0/encodings/0");
        assertThatThrownBy(() -> PolicyRun.of("{\"type\": \"compression\", \"encodings\": [\"br\", \"br\"]}"))
                .hasMessageContaining("expected each at most once");
        assertThatThrownBy(() -> PolicyRun.of("{\"type\": \"compression\", \"encodings\": []}"))
                .hasMessageContaining("expected one or more");
    }
}
