package gateway.policies.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import gateway.http.BodyRefusedException;
import gateway.http.BodyTooLargeException;
import gateway.http.ContentCodings;
import gateway.http.UpstreamWaiter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

/// Against the command line tool where it is here; else against what it has made.
final class ZstdCodingTest {
    private static final long MOST = 1 << 20;
    private static final byte[] HELLO = "hello, hello, hello".getBytes(UTF_8);
    private static final String CODED = "28b52ffd04586d00003868656c6c6f2c200100e28a1175f3988e";

    private final ContentCodings codings = ContentCodings.loaded();

    @TempDir
    private Path folder;

    @Test
    void undoes_what_the_encoder_made() {
        assertThat(undo(parse(CODED))).isEqualTo(HELLO);
    }

    @Test
    void undoes_frames_behind_each_other_as_all_decoders_do() {
        assertThat(undo(parse(CODED + CODED)))
                .isEqualTo(new String(HELLO, UTF_8).repeat(2).getBytes(UTF_8));
    }

    @Test
    void is_asked_of_upstreams_too() {
        assertThat(codings.understood(List.of("zstd, lzw, gzip;q=0.5"))).isEqualTo("zstd, gzip;q=0.5");
    }

    @Test
    void refuses_what_is_cut_off_wherever() {
        byte[] coded = parse(CODED);
        for (int length = 1; length < coded.length; length++) refused(Arrays.copyOf(coded, length));
    }

    @Test
    void refuses_whatever_stands_behind_the_end() {
        byte[] coded = parse(CODED);
        for (int more = 1; more < 5_000; more++) refused(Arrays.copyOf(coded, coded.length + more));
    }

    @Test
    void refuses_another_check_sum() {
        byte[] coded = parse(CODED);
        coded[coded.length - 1]++;
        refused(coded);
    }

    @Test
    void answers_any_bytes_with_a_refusal_or_a_bounded_result() {
        var random = new Random(7);
        byte[] coded = parse(CODED);
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
    @ValueSource(ints = {1, 8_191, 8_192, 8_193, 131_072, 1_000_000})
    void undoes_bytes_of_any_length(int length) throws Exception {
        byte[] noise = new byte[length];
        new Random(length).nextBytes(noise);

        assertThat(undo(encoded(noise, "-3"))).isEqualTo(noise);
    }

    @Test
    void a_bomb_is_refused() throws Exception {
        byte[] bomb = encoded(new byte[10_000_000], "-3");

        assertThat(bomb).hasSizeLessThan(1_000);
        assertThatThrownBy(() -> undo(bomb)).isInstanceOf(BodyTooLargeException.class);
    }

    @Test
    void a_window_larger_than_8_MiB_is_refused() throws Exception {
        assertThat(undo(encoded(HELLO, "--ultra", "--zstd=wlog=23"))).isEqualTo(HELLO);
        refused(encoded(HELLO, "--ultra", "--zstd=wlog=24"));
    }

    private static byte[] parse(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private byte[] undo(byte[] coded) {
        return codings.undo(List.of("zstd"), coded, MOST, UpstreamWaiter.NOBODY);
    }

    private void refused(byte[] coded) {
        assertThatThrownBy(() -> undo(coded))
                .as("%d bytes", coded.length)
                .isInstanceOf(BodyRefusedException.class)
                .hasMessageStartingWith("no zstd: it is broken or cut off");
    }

    /// By the tool, from a pipe, so that the frame does not say how much it is.
    private byte[] encoded(byte[] plain, String... options) throws IOException, InterruptedException {
        Path from = Files.write(folder.resolve("plain"), plain);
        Path to = folder.resolve("coded");
        var command = new ArrayList<>(List.of("zstd", "-q", "-c"));
        command.addAll(List.of(options));
        Process zstd =
                started(new ProcessBuilder(command).redirectInput(from.toFile()).redirectOutput(to.toFile()));
        assertThat(zstd.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(zstd.exitValue()).isZero();
        return Files.readAllBytes(to);
    }

    private static Process started(ProcessBuilder zstd) {
        try {
            return zstd.start();
        } catch (IOException e) {
            return Assumptions.abort("zstd is not here: " + e.getMessage());
        }
    }
}
