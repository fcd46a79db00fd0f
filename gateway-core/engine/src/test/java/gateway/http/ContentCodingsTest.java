package gateway.http;

import static gateway.http.Gzip.gzip;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ContentCodingsTest {
    private static final long MOST = 1 << 20;
    private static final byte[] HELLO = "hello, hello, hello".getBytes(UTF_8);

    private final ContentCodings codings = ContentCodings.ENGINE;

    private byte[] undo(String coding, byte[] coded) {
        return codings.undo(List.of(coding), coded, MOST, UpstreamWaiter.NOBODY);
    }

    private static byte[] deflate(byte[] plain, boolean bare) {
        var coded = new ByteArrayOutputStream();
        var deflater = new Deflater(9, bare);
        try (OutputStream to = new DeflaterOutputStream(coded, deflater)) {
            to.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            deflater.end();
        }
        return coded.toByteArray();
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    @Test
    void undoes_gzip_with_all_its_members_and_deflate_with_and_without_frame() {
        assertThat(undo("gzip", gzip(HELLO))).isEqualTo(HELLO);
        assertThat(undo("X-GZIP", joined(gzip(HELLO), gzip(HELLO)))).isEqualTo(joined(HELLO, HELLO));
        assertThat(undo("deflate", deflate(HELLO, false))).isEqualTo(HELLO);
        assertThat(undo("deflate", deflate(HELLO, true))).isEqualTo(HELLO);
    }

    @Test
    void undoes_several_in_turn_the_last_one_first() {
        byte[] coded = gzip(deflate(HELLO, false));

        assertThat(undo("deflate, identity, gzip", coded)).isEqualTo(HELLO);
        assertThat(codings.undo(List.of("deflate", "gzip"), coded, MOST, UpstreamWaiter.NOBODY))
                .isEqualTo(HELLO);
        assertThatThrownBy(() -> undo("gzip, gzip, gzip, gzip", coded))
                .isInstanceOf(BodyRefusedException.class)
                .hasMessage("packed by more than 3 codings");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "xy", "no gzip, and long enough for a header"})
    void what_stands_behind_the_end_is_called_so(String more) {
        assertThatThrownBy(() -> undo("gzip", joined(gzip(HELLO), more.getBytes(UTF_8))))
                .hasMessageContaining("something stands behind its end");
        assertThatThrownBy(() -> undo("gzip", joined(gzip(HELLO), Arrays.copyOf(gzip(HELLO), 2))))
                .hasMessageContaining("cut off");
        assertThatThrownBy(() -> undo("gzip", Arrays.copyOf(gzip(HELLO), 5))).hasMessageContaining("cut off");
        assertThatThrownBy(() -> undo("gzip", more.getBytes(UTF_8))).hasMessageContaining("does not begin as gzip");
    }

    @Test
    void leaves_what_is_not_packed_as_it_is() {
        assertThat(undo("identity", HELLO)).isSameAs(HELLO);
        assertThat(codings.undo(List.of(), HELLO, MOST, UpstreamWaiter.NOBODY)).isSameAs(HELLO);
        assertThat(undo("gzip", new byte[0])).isEmpty();
    }

    @Test
    void refuses_a_coding_that_it_does_not_know_and_says_which_it_does() {
        assertThatThrownBy(() -> undo("br", HELLO)).isInstanceOfSatisfying(BodyRefusedException.class, e -> {
            assertThat(e.kind().status()).isEqualTo(415);
            assertThat(e.accepted()).isEqualTo("gzip, deflate");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate"})
    void refuses_what_is_cut_off_anywhere(String coding) {
        byte[] coded = coding.equals("gzip") ? gzip(HELLO) : deflate(HELLO, false);

        for (int length = 1; length < coded.length; length++) {
            byte[] cut = Arrays.copyOf(coded, length);
            assertThatThrownBy(() -> undo(coding, cut)).as("%d bytes", length).isInstanceOf(BodyRefusedException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate"})
    void refuses_what_stands_behind_the_end(String coding) {
        byte[] coded = coding.equals("gzip") ? gzip(HELLO) : deflate(HELLO, false);

        assertThatThrownBy(() -> undo(coding, joined(coded, "{\"a\": 1}, and more".getBytes(UTF_8))))
                .isInstanceOf(BodyRefusedException.class)
                .hasMessage("no " + coding + ": something stands behind its end");
    }

    @Test
    void refuses_what_grows_past_its_bound_or_to_200_times_its_size() {
        byte[] bomb = gzip(new byte[64 << 20]);

        assertThatThrownBy(() -> codings.undo(List.of("gzip"), bomb, Long.MAX_VALUE, UpstreamWaiter.NOBODY))
                .isInstanceOfSatisfying(
                        BodyTooLargeException.class, e -> assertThat(e.limit()).isEqualTo(200L * bomb.length));
        assertThatThrownBy(() -> codings.undo(List.of("gzip"), gzip(HELLO), 18, UpstreamWaiter.NOBODY))
                .isInstanceOf(BodyTooLargeException.class);
        assertThat(undo("gzip", gzip(new byte[64 * 1024]))).hasSize(64 * 1024);
    }

    @Test
    void takes_memory_before_it_grows() {
        byte[] plain = new byte[200_000];
        new Random(1).nextBytes(plain);
        byte[] coded = gzip(plain);
        var taken = new AtomicLong();

        byte[] undone = codings.undo(List.of("gzip"), coded, MOST, waiter(taken, Long.MAX_VALUE));

        assertThat(undone).isEqualTo(plain);
        assertThat(taken.get()).isBetween(200_000L, 400_000L);
        assertThatThrownBy(() -> codings.undo(List.of("gzip"), coded, MOST, waiter(new AtomicLong(), 50_000)))
                .isInstanceOf(UpstreamException.class);
    }

    private static UpstreamWaiter waiter(AtomicLong taken, long most) {
        return new UpstreamWaiter() {
            @Override
            public String upstream() {
                return "";
            }

            @Override
            public void hold(long bytes) {
                if (taken.addAndGet(bytes) > most) throw new UpstreamException(FailureReason.NO_ROOM, "full");
            }
        };
    }

    @Test
    void leaves_of_what_a_client_takes_what_can_be_undone() {
        assertThat(codings.understood(List.of("gzip;q=0.5, br, zstd", "deflate")))
                .isEqualTo("gzip;q=0.5, deflate");
        assertThat(codings.understood(List.of("br, *"))).isEqualTo("identity");
        assertThat(codings.understood(List.of())).isEqualTo("identity");
    }

    @Property(tries = 2_000)
    void broken_bytes_are_refused_or_undone_within_the_bound(@ForAll long seed) {
        var random = new Random(seed);
        byte[] plain = new byte[random.nextInt(2_000)];
        for (int i = 0; i < plain.length; i++) plain[i] = (byte) (random.nextInt(4) * 31);
        boolean gzip = random.nextBoolean();
        byte[] coded = gzip ? gzip(plain) : deflate(plain, random.nextBoolean());
        for (int i = random.nextInt(4); i > 0; i--) coded[random.nextInt(coded.length)] ^= (byte) random.nextInt(256);

        try {
            byte[] undone = codings.undo(List.of(gzip ? "gzip" : "deflate"), coded, 4_000, UpstreamWaiter.NOBODY);
            assertThat(undone.length).isLessThanOrEqualTo(4_000);
        } catch (BodyRefusedException | BodyTooLargeException e) {
            assertThat(e.getMessage()).isNotEmpty();
        }
    }
}
