package gateway.policies.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Body;
import gateway.http.Headers;
import gateway.service.EntryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

final class AnswerFrameTest {
    private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");
    private static final KeepRules RULES = new KeepRules(Duration.ZERO, true, Set.of(200), 1 << 20, "Cache-Tag");

    private static CachedAnswer answer(byte[] content, Instant received) {
        return answer(content, received, "application/problem+json");
    }

    private static CachedAnswer answer(byte[] content, Instant received, String type) {
        List<String> lines = List.of("Cache-Control", "max-age=60", "X", "", "Content-Type", type);
        Headers fields = Headers.create();
        fields.add("Cache-Control", "max-age=60");
        return new CachedAnswer(
                200,
                lines,
                Body.of(content),
                RULES.terms(fields, 200, received),
                new AnswerAge(Duration.ofSeconds(3), received),
                new VaryFields(List.of("A"), List.of("=b,")),
                new AnswerOrigin("orders", "a", "/o/a", "/a", "x=1", "http://u", Set.of("t")),
                new LongAdder());
    }

    @Test
    void what_is_written_is_read_again() {
        byte[] content = "y".repeat(10_000).getBytes(UTF_8);

        AnswerFrame.Read read = AnswerFrame.read(
                        AnswerFrame.write(answer(content, NOW), 7).orElseThrow(), RULES, NOW)
                .orElseThrow();

        assertThat(read.purge()).isEqualTo(7);
        assertThat(read.answer().body().content()).isEqualTo(content);
        assertThat(read.answer().lines())
                .containsExactly("Cache-Control", "max-age=60", "X", "", "Content-Type", "application/problem+json");
        assertThat(read.answer().vary()).isEqualTo(new VaryFields(List.of("A"), List.of("=b,")));
        assertThat(read.answer().origin()).isEqualTo(answer(content, NOW).origin());
        assertThat(read.answer().freshFor(NOW.plusSeconds(7))).isEqualTo(Duration.ofSeconds(50));
    }

    @Test
    void no_damage_is_an_answer_or_an_error() {
        byte[] frame = AnswerFrame.write(answer("y".repeat(5_000).getBytes(UTF_8), NOW), 7)
                .orElseThrow();
        for (int length = 0; length < frame.length; length++)
            assertThat(AnswerFrame.read(Arrays.copyOf(frame, length), RULES, NOW))
                    .isEmpty();
        var dice = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = frame.clone();
            damaged[dice.nextInt(frame.length)] = (byte) dice.nextInt();
            AnswerFrame.read(damaged, RULES, NOW)
                    .ifPresent(read ->
                            assertThat(read.answer().body().content().length).isLessThanOrEqualTo(1 << 20));
        }
    }

    @Test
    void an_answer_that_is_larger_than_the_policy_keeps_is_none() {
        byte[] frame = AnswerFrame.write(answer(new byte[100_000], NOW), 0).orElseThrow();
        var small = new KeepRules(Duration.ZERO, true, Set.of(200), 99_999, "Cache-Tag");

        assertThat(frame.length).isLessThan(2_000);
        assertThat(AnswerFrame.read(frame, small, NOW)).isEmpty();
    }

    @Test
    void types_that_do_not_shrink_go_as_they_are() {
        byte[] content = new byte[100_000];

        assertThat(AnswerFrame.write(answer(content, NOW, "image/png"), 0).orElseThrow())
                .hasSizeGreaterThan(100_000);
        assertThat(AnswerFrame.write(answer(content, NOW, "application/jsonic"), 0)
                        .orElseThrow())
                .hasSizeGreaterThan(100_000);
        assertThat(AnswerFrame.write(answer(content, NOW, "TEXT/html"), 0).orElseThrow())
                .hasSizeLessThan(2_000);
    }

    @Test
    void what_is_four_times_as_large_as_an_entry_is_not_deflated_whatever_it_would_take() {
        assertThat(AnswerFrame.write(answer(new byte[4 * EntryStore.MOST_BYTES], NOW), 0))
                .isPresent();
        assertThat(AnswerFrame.write(answer(new byte[4 * EntryStore.MOST_BYTES + 1], NOW), 0))
                .isEmpty();
    }

    @Test
    void what_does_not_shrink_enough_is_not_written() {
        byte[] noise = new byte[2 * EntryStore.MOST_BYTES];
        new Random(7).nextBytes(noise);

        assertThat(AnswerFrame.write(answer(noise, NOW), 0)).isEmpty();
    }

    @Test
    void clocks_may_differ_by_a_second() {
        byte[] frame = AnswerFrame.write(answer(new byte[0], NOW), 0).orElseThrow();

        assertThat(freshBy(frame, NOW.minusSeconds(1))).isTrue();
        assertThat(freshBy(frame, NOW.minusSeconds(2))).isFalse();
    }

    private static boolean freshBy(byte[] frame, Instant now) {
        return AnswerFrame.read(frame, RULES, now)
                .orElseThrow()
                .answer()
                .freshFor(now)
                .isPositive();
    }
}
