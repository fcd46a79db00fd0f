package gateway.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class PaceTest {
    private final AtomicLong now = new AtomicLong();
    private final Pace pace = new Pace(Duration.ofSeconds(1), now::get);

    @Test
    void the_first_line_of_a_kind_passes_and_its_repetitions_are_counted() {
        assertThat(pace.enter("a")).isZero();
        assertThat(pace.enter("a")).isEqualTo(Pace.SUPPRESSED);
        assertThat(pace.enter("a")).isEqualTo(Pace.SUPPRESSED);
        assertThat(pace.enter("b")).isZero();

        now.addAndGet(1_000_000_000);

        assertThat(pace.enter("a")).isEqualTo(2);
        assertThat(pace.enter("a")).isEqualTo(Pace.SUPPRESSED);
    }

    @Test
    void kinds_without_end_share_one_pace_and_no_memory() {
        long passed = 0;
        for (int i = 0; i < 10_000; i++) {
            if (pace.enter("kind " + i) != Pace.SUPPRESSED) passed++;
        }

        assertThat(passed).isEqualTo(257);
    }

    @Test
    void kinds_that_come_no_more_make_room_and_what_was_held_back_of_them_is_told() {
        for (int i = 0; i < 256; i++) pace.enter("kind " + i);
        pace.enter("kind 7");
        pace.enter("kind 256");
        pace.enter("kind 257");
        now.addAndGet(Duration.ofSeconds(59).toNanos());
        pace.enter("kind 0");
        now.addAndGet(Duration.ofSeconds(1).toNanos());

        assertThat(pace.enter("a")).isZero();
        assertThat(pace.enter("b")).isZero();
        assertThat(pace.enter("kind 0")).isZero(); // of its own still, a second after its last
        for (int i = 3; i < 256; i++) pace.enter("later " + i);

        assertThat(pace.enter("one too many")).isEqualTo(2); // of kinds 7 and 257
    }

    @Test
    void long_names_of_kinds_are_cut() {
        String beginning = "k".repeat(512);

        assertThat(pace.enter(beginning + "a")).isZero();
        assertThat(pace.enter(beginning + "b")).isEqualTo(Pace.SUPPRESSED);
    }

    @Test
    void what_a_library_repeats_is_held_back_and_what_the_gateway_says_is_not() {
        var context = new LoggerContext();
        var lines = new ListAppender<ILoggingEvent>();
        lines.addFilter(new LibraryPace(pace));
        lines.start();
        context.getLogger("ROOT").addAppender(lines);

        for (int i = 0; i < 5; i++) context.getLogger("io.undertow.request").warn("request {} broke", i);
        for (int i = 0; i < 5; i++) context.getLogger("gateway.app.Gateway").warn("left out: {}", i);
        now.addAndGet(1_000_000_000);
        context.getLogger("io.undertow.request").warn("request {} broke", 5);

        assertThat(lines.list).hasSize(7);
        assertThat(lines.list.getLast().getKeyValuePairs())
                .map(pair -> List.of(pair.key, pair.value))
                .containsExactly(List.of("suppressed", 4L));
    }
}
