package gateway.app.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The thread of the deadlines and the one that reads, each moved by hand.
final class CallDeadlinesTest {
    private static final long DEADLINE = 20;
    private static final long TICK = 2;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final CallDeadlines deadlines = new CallDeadlines(nanos(DEADLINE), () -> List.of(channel.eventLoop()));
    private long now;

    @BeforeEach
    void freeze() {
        channel.freezeTime();
    }

    @AfterEach
    void close() {
        deadlines.close();
        channel.close().syncUninterruptibly();
    }

    @Test
    void a_mute_server_is_told_soon_after_the_deadline() {
        var question = ask();

        pass(DEADLINE - TICK, true);
        assertThat(question.end).isEqualTo(End.NONE);

        pass(DEADLINE / 2, true);
        assertThat(question.end).isEqualTo(End.EXPIRED);
    }

    @Test
    void a_time_in_which_this_node_stood_still_is_not_the_servers() {
        pass(TICK, true);
        var question = ask();
        pass(TICK, true);

        standStill(80);
        pass(DEADLINE - 3 * TICK, true);
        assertThat(question.end).isEqualTo(End.NONE);

        pass(DEADLINE / 2, true);
        assertThat(question.end).isEqualTo(End.STARVED);
    }

    @Test
    void one_that_was_asked_well_after_it_says_of_the_server_what_others_do() {
        standStill(80);
        pass(80 + DEADLINE, true);
        var question = ask();

        pass(DEADLINE * 3 / 2, true);

        assertThat(question.end).isEqualTo(End.EXPIRED);
    }

    @Test
    void one_asked_while_what_piled_up_is_worked_off_says_nothing_of_it() {
        standStill(80);
        pass(80, true);
        var question = ask();

        pass(DEADLINE * 3 / 2, true);

        assertThat(question.end).isEqualTo(End.STARVED);
    }

    @Test
    void what_piled_up_in_a_very_long_standstill_is_worked_off_within_a_second() {
        standStill(60_000);
        pass(1_000 + DEADLINE, true);
        var question = ask();

        pass(DEADLINE * 3 / 2, true);

        assertThat(question.end).isEqualTo(End.EXPIRED);
    }

    @Test
    void several_short_standstills_are_as_one_that_is_longer() {
        pass(TICK, true);
        var question = ask();

        for (int i = 0; i < 3; i++) {
            standStill(4 * TICK);
            pass(DEADLINE / 4, true);
        }
        pass(DEADLINE, true);

        assertThat(question.end).isEqualTo(End.STARVED);
    }

    @Test
    void a_thread_that_wakes_late_from_its_sleep_stood_still_as_well() {
        var question = ask();
        now += 2 * DEADLINE;
        deadlines.woke(nanos(now));

        pass(DEADLINE, true);
        assertThat(question.end).isEqualTo(End.NONE);

        pass(DEADLINE / 2, true);
        assertThat(question.end).isEqualTo(End.STARVED);
    }

    @Test
    void nothing_ends_by_its_deadline_while_the_thread_that_reads_has_no_turn() {
        var question = ask();

        pass(5 * DEADLINE - TICK, false);
        assertThat(question.end).isEqualTo(End.NONE);

        pass(TICK, false);
        assertThat(question.end).isEqualTo(End.STARVED);
    }

    @Test
    void a_turn_is_over_only_when_the_server_had_a_chance_after_all_was_sent() {
        var question = ask();
        pass(DEADLINE + TICK, false);

        channel.runPendingTasks(); // the first half
        pass(TICK, false);
        assertThat(question.end).isEqualTo(End.NONE);

        turn();
        pass(TICK, false);
        assertThat(question.end).isEqualTo(End.EXPIRED);
    }

    @Test
    void a_long_standstill_alone_starves_nobody() {
        pass(TICK, true);
        var question = ask();

        standStill(60_000);
        pass(TICK, true);

        assertThat(question.end).isEqualTo(End.NONE);
    }

    @Test
    void one_after_the_other_does() {
        pass(TICK, true);
        var question = ask();

        for (int i = 0; i < 5; i++) standStill(100);

        assertThat(question.end).isEqualTo(End.STARVED);
    }

    @Test
    void more_of_them_than_are_known_count_as_the_latest() {
        for (int i = 0; i < 100; i++) standStill(100);
        var question = ask();
        standStill(100);
        pass(DEADLINE / 2, true);
        assertThat(question.end).isEqualTo(End.NONE);

        pass(DEADLINE, true);
        assertThat(question.end).isEqualTo(End.STARVED);
    }

    private Question ask() {
        var question = new Question(nanos(now));
        deadlines.add(question, false);
        return question;
    }

    private void pass(long millis, boolean turning) {
        for (long end = now + millis; now < end; ) {
            now += TICK;
            deadlines.look(nanos(now));
            if (turning) turn();
        }
    }

    private void standStill(long millis) {
        now += millis;
        deadlines.look(nanos(now));
    }

    private void turn() {
        channel.runPendingTasks();
        channel.advanceTimeBy(DEADLINE, TimeUnit.MILLISECONDS);
        channel.runPendingTasks();
    }

    private static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private enum End {
        NONE,
        EXPIRED,
        STARVED
    }

    private static final class Question implements CallDeadlines.Timed {
        private final long begun;
        private End end = End.NONE;

        Question(long begun) {
            this.begun = begun;
        }

        @Override
        public boolean ended() {
            return end != End.NONE;
        }

        @Override
        public long begun() {
            return begun;
        }

        @Override
        public long asked(long at) {
            return begun;
        }

        @Override
        public long patience() {
            return nanos(DEADLINE);
        }

        @Override
        public void expire(boolean starved) {
            end = starved ? End.STARVED : End.EXPIRED;
        }
    }
}
