package gateway.app.memory;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.ManualClock;
import gateway.service.Permit;
import gateway.service.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class QuotaJournalTest {
    private static final Rule DAY =
            new Rule.RollingPeriod(100, Duration.ofDays(1).toNanos());

    @TempDir
    private Path folder;

    private final ManualClock clock = ManualClock.create();
    private CounterTable counters;
    private MemoryLimitStore store;
    private QuotaJournal journal;

    @BeforeEach
    void open() {
        counters = new CounterTable(1_000_000);
        store = new MemoryLimitStore(clock::nanos, counters);
        journal = QuotaJournal.open(folder, counters, clock.nanos());
    }

    @AfterEach
    void close() throws IOException {
        journal.close();
    }

    private void crash() throws IOException {
        journal.close();
        open();
    }

    private void flush() {
        journal.flush(store.unwritten(), clock.nanos());
    }

    @Test
    void a_journal_of_more_counters_than_there_is_room_for_is_read_all_the_same() throws IOException {
        for (int i = 0; i < 500; i++)
            store.acquire(List.of(new Charge("quota:" + i, "key_1", DAY, Counting.EXACT, true)));
        flush();
        journal.close();
        var few = new CounterTable(100);

        journal = QuotaJournal.open(folder, few, clock.nanos());

        assertThat(few.size()).isEqualTo(100);
    }

    @Test
    void durable_counts_of_every_rule_outlive_a_crash() throws IOException {
        long day = Duration.ofDays(1).toNanos();
        for (Rule rule : List.of(
                new Rule.TokenBucket(100, day, 100),
                new Rule.SlidingWindow(100, day),
                new Rule.FixedWindow(100, day),
                DAY,
                new Rule.CalendarPeriod(100, Rule.CalendarUnit.MONTH, ZoneId.of("Europe/Berlin")))) {
            var charge = charge("quota " + rule + " \\ \n ä", rule, true);
            spend(charge, 3);
            flush();
            crash();

            assertThat(left(charge)).as(rule.toString()).isEqualTo(97);
        }
    }

    @Test
    void what_was_not_flushed_is_lost_and_no_more() throws IOException {
        var charge = charge("quota", DAY, true);
        spend(charge, 3);
        flush();
        spend(charge, 2);

        crash();

        assertThat(left(charge)).isEqualTo(97);
    }

    @Test
    void rates_are_not_written() throws IOException {
        long size = Files.size(folder.resolve("quotas.journal"));
        spend(charge("rate", DAY, false), 3);
        flush();

        assertThat(folder.resolve("quotas.journal")).hasSize(size);
        crash();
        assertThat(left(charge("rate", DAY, false))).isEqualTo(100);
    }

    @Test
    void counts_whose_period_is_over_are_not_restored() throws IOException {
        spend(charge("quota", DAY, true), 3);
        flush();
        clock.advance(Duration.ofDays(1));

        crash();

        assertThat(counters.size()).isZero();
    }

    @Test
    void a_counter_that_rests_is_not_written_again() throws IOException {
        spend(charge("quota", DAY, true), 3);
        flush();
        long size = Files.size(folder.resolve("quotas.journal"));

        flush();

        assertThat(folder.resolve("quotas.journal")).hasSize(size);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("quotas.journal"))))
                .isEqualTo("rw-------");
    }

    @Test
    void a_journal_cut_at_any_byte_gives_the_last_whole_count() throws IOException {
        var charge = charge("quota", DAY, true);
        spend(charge, 3);
        flush();
        long first = Files.size(folder.resolve("quotas.journal"));
        spend(charge, 1);
        flush();
        byte[] whole = Files.readAllBytes(folder.resolve("quotas.journal"));

        for (int cut = (int) first; cut <= whole.length; cut++) {
            journal.close();
            Files.write(folder.resolve("quotas.journal"), Arrays.copyOf(whole, cut));
            open();

            assertThat(left(charge)).isEqualTo(cut >= whole.length - 1 ? 96 : 97);
        }
    }

    @Test
    void the_journal_stays_short() throws IOException {
        var rule = new Rule.RollingPeriod(1_000_000, Duration.ofDays(1).toNanos());
        var charges = IntStream.range(0, 200)
                .mapToObj(i -> charge("quota" + i, rule, true))
                .toList();
        for (int i = 0; i < 60; i++) {
            for (var charge : charges) spend(charge, 1);
            flush();
        }

        try (var lines = Files.lines(folder.resolve("quotas.journal"))) {
            assertThat(lines).hasSizeLessThan(10_000);
        }
        crash();
        assertThat(charges).allMatch(charge -> left(charge) == 1_000_000 - 60);
    }

    @Test
    void counts_that_could_not_be_written_are_written_later() throws IOException {
        var charge = charge("quota", DAY, true);
        spend(charge, 3);
        journal.close();

        flush();

        assertThat(store.unwritten()).hasSize(1);
        journal = QuotaJournal.open(folder, new CounterTable(10), clock.nanos());
        flush();
        crash();
        assertThat(left(charge)).isEqualTo(97);
    }

    private void spend(Charge charge, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(store.acquire(List.of(charge)).getFirst()).isInstanceOf(Permit.Granted.class);
        }
    }

    private long left(Charge charge) {
        return store.peek(List.of(charge)).getFirst().remaining();
    }

    private static Charge charge(String counter, Rule rule, boolean durable) {
        return new Charge(counter, "key_1", rule, Counting.LEASED, durable);
    }
}
