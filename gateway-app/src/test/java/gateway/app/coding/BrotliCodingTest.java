package gateway.app.coding;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import gateway.http.BodyRefusedException;
import gateway.http.BodyTooLargeException;
import gateway.http.ContentCodings;
import gateway.http.UpstreamWaiter;
import gateway.service.Unpacking;
import gateway.service.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Against Google's own encoder where Node.js, which brings it, is here; else against what it has made.
final class BrotliCodingTest {
    private static final long MOST = 1 << 20;
    private static final byte[] HELLO = "hello, hello, hello".getBytes(UTF_8);
    private static final String CODED = "1b1200f88d946ede44095286966c2c6f114f24d07100";
    private static final String WIDE = "1f1200f88d946ede44095286966c2c6f114f24d07100"; // a window of 16 MiB
    private static final String NARROW = "a19000c06fa474f3264a9032b46463798b7822818e03"; // of 1 KiB

    private final ContentCodings codings = ContentCodings.loaded();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {CODED, NARROW})
    void undoes_what_the_encoder_made(String coded) {
        assertThat(undo(HexFormat.of().parseHex(coded))).isEqualTo(HELLO);
    }

    @Test
    void is_asked_of_upstreams_too() {
        assertThat(codings.understood(List.of("br, lzw, gzip;q=0.5"))).isEqualTo("br, gzip;q=0.5");
    }

    /// 4,000,000 times `a`, and 4,000,000 times `ab`.
    @ParameterizedTest
    @ValueSource(strings = {"9bff083df825c2e2b1402017a007", "9bff117af8a5c2c4e2b2300037414f"})
    void a_worker_undoes_what_fills_a_whole_window_before_any_of_it_can_be_counted(String coded) {
        byte[] bomb = HexFormat.of().parseHex(coded);
        var workers = new Workers(1, Duration.ofSeconds(10));

        assertThatThrownBy(() -> undone(bomb, workers)).isInstanceOf(BodyTooLargeException.class);

        assertThat(workers.taken()).isOne();
    }

    @ParameterizedTest
    @ValueSource(strings = {CODED, NARROW})
    void who_asks_undoes_what_says_that_it_is_little(String coded) {
        var workers = new Workers(1, Duration.ofSeconds(10));

        assertThat(undone(HexFormat.of().parseHex(coded), workers)).isEqualTo(HELLO);

        assertThat(workers.taken()).isZero();
    }

    private byte[] undone(byte[] coded, Workers workers) {
        List<String> fields = List.of("br");
        return new Unpacking(codings, workers, Duration.ofSeconds(10))
                .undone(
                        "orders",
                        fields,
                        coded,
                        MOST,
                        most -> codings.undo(fields, coded, most, UpstreamWaiter.NOBODY));
    }

    @Test
    void refuses_a_window_larger_than_4_MiB() {
        refused(HexFormat.of().parseHex(WIDE), "no br: its window is larger than 4 MiB");
    }

    @Test
    void refuses_what_is_cut_off_wherever() {
        byte[] coded = HexFormat.of().parseHex(CODED);
        for (int length = 1; length < coded.length; length++) {
            refused(Arrays.copyOf(coded, length), "no br: it is broken or cut off");
        }
    }

    /// The decoder reads 4 KiB at a time.
    @Test
    void refuses_whatever_stands_behind_the_end() {
        byte[] coded = HexFormat.of().parseHex(CODED);
        for (int more = 1; more < 9_000; more++) {
            refused(Arrays.copyOf(coded, coded.length + more), "no br: something stands behind its end");
        }
    }

    @Test
    void answers_any_bytes_with_a_refusal_or_a_bounded_result() {
        var random = new Random(7);
        byte[] coded = HexFormat.of().parseHex(CODED);
        for (int i = 0; i < 20_000; i++) {
            byte[] changed = coded.clone();
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
            }

            Throwable refused = catchThrowable(() -> assertThat(undo(changed)).hasSizeLessThanOrEqualTo(64 << 10));

            if (refused != null)
                assertThat(refused).isInstanceOfAny(BodyRefusedException.class, BodyTooLargeException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4_000, 4_091, 4_092, 4_093, 8_188, 100_000, 1_000_000})
    void undoes_bytes_of_any_length(int length) throws Exception {
        byte[] noise = new byte[length];
        new Random(length).nextBytes(noise);

        assertThat(undo(encoded(noise))).isEqualTo(noise);
    }

    @Test
    void undoes_content_that_fills_the_decoders_buffer_to_the_brim() throws Exception {
        for (int length = 4_080; length < 4_100; length++) {
            byte[] noise = new byte[length];
            new Random(length).nextBytes(noise);
            byte[] coded = encoded(noise);
            if (coded.length != 4_096) continue;

            assertThat(undo(coded)).isEqualTo(noise);
            return;
        }
        throw new AssertionError("no noise is packed into 4,096 bytes");
    }

    @Test
    void a_bomb_is_refused() throws Exception {
        byte[] bomb = encoded(new byte[10_000_000]);

        assertThat(bomb).hasSizeLessThan(100);
        assertThatThrownBy(() -> undo(bomb)).isInstanceOf(BodyTooLargeException.class);
    }

    private byte[] undo(byte[] coded) {
        return codings.undo(List.of("br"), coded, MOST, UpstreamWaiter.NOBODY);
    }

    private void refused(byte[] coded, String message) {
        assertThatThrownBy(() -> undo(coded))
                .as("%d bytes", coded.length)
                .isInstanceOf(BodyRefusedException.class)
                .hasMessage(message);
    }

    /// By Node.js with the encoder's usual settings.
    private byte[] encoded(byte[] plain) throws IOException, InterruptedException {
        Path from = Files.write(folder.resolve("plain"), plain);
        Path to = folder.resolve("coded");
        String script = "const f = require('fs'); f.writeFileSync('" + to
                + "', require('zlib').brotliCompressSync(f.readFileSync('" + from + "')))";
        Process node = node(script);
        assertThat(node.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(node.exitValue()).isZero();
        return Files.readAllBytes(to);
    }

    private static Process node(String script) {
        try {
            return new ProcessBuilder("node", "-e", script).inheritIO().start();
        } catch (IOException e) {
            return Assumptions.abort("Node.js is not here: " + e.getMessage());
        }
    }
}
