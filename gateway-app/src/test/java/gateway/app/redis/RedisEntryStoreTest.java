package gateway.app.redis;

import static gateway.Eventually.until;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.service.CachePurge;
import gateway.service.DependencyException;
import gateway.service.EntryName;
import gateway.service.EntryStore;
import gateway.service.EntryStoreContract;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RedisEntryStoreTest extends RedisFixture implements EntryStoreContract {
    private static final String SLOTS = "gw:{key_1}:slots:orders/limit";
    private static final String SOONER = """
            for _, key in ipairs(redis.call('KEYS', 'gw:entry:*')) do
              local left = redis.call('PTTL', key) - tonumber(ARGV[1])
              if left > 0 then redis.call('PEXPIRE', key, left) else redis.call('DEL', key) end
            end
            """;

    private TcpProxy relay;
    private RedisStores beside;

    @Override
    public EntryStore store() {
        return stores().entries();
    }

    @AfterEach
    void closeOther() throws IOException {
        if (beside != null) beside.close();
        if (relay != null) relay.close();
        beside = null;
        relay = null;
    }

    @Override
    public EntryStore other() {
        if (beside == null) {
            keepUntilFound("text"); // so there is known to be room for what is forgotten
            relay = TcpProxy.to(redis().port());
            var settings = RedisSettings.of("redis://127.0.0.1:" + relay.port()).withDeadline(Duration.ofSeconds(2));
            beside = RedisStores.open(settings, InstantSource.system());
        }
        return beside.entries();
    }

    @Override
    public void cutOff() {
        relay.swallow();
    }

    @Override
    public void letArrive(String group) {
        until(() -> redis().cli("ZREVRANGE", "{gw:entries}:last", "0", "0")
                .stripTrailing()
                .endsWith(' ' + group));
    }

    @Override
    public void join() {
        relay.pass();
    }

    @Override
    public int remembered() {
        return RedisEntryStore.REMEMBERED_GROUPS;
    }

    @Override
    public void letPass(Duration time) {
        redis().cli("EVAL", SOONER, "0", "" + time.toMillis());
    }

    @Test
    void what_one_node_keeps_the_others_find_and_what_it_forgets_they_are_told() {
        try (var other = RedisStores.open(settings(), InstantSource.system())) {
            List<String> told = new CopyOnWriteArrayList<>();
            List<String> here = new CopyOnWriteArrayList<>();
            other.entries().watch(told::add, () -> told.add("missed"));
            store().watch(here::add, () -> here.add("missed"));
            keepUntilFound("text");
            assertThat(other.entries().find(NAME).entry()).contains("text".getBytes(UTF_8));

            store().forget("group");

            until(() -> !told.isEmpty());
            assertThat(told).containsExactly("group");
            assertThat(other.entries().find(NAME).entry()).isEmpty();
            assertThat(here).isEmpty();
        }
    }

    @Test
    void who_keeps_entries_of_his_own_is_told_on_the_thread_that_hears_of_purges() {
        try (var other = RedisStores.open(settings(), InstantSource.system())) {
            List<String> threads = new CopyOnWriteArrayList<>();
            other.entries().watch(_ -> threads.add(Thread.currentThread().getName()), () -> {});

            store().forget("group");

            until(() -> !threads.isEmpty());
            assertThat(threads).containsExactly("redis-purges");
        }
    }

    @Test
    void who_takes_long_over_what_is_forgotten_lets_no_lease_of_a_slot_end() throws Exception {
        var begun = new CountDownLatch(1);
        var over = new CountDownLatch(1);
        try (var other = RedisStores.open(settings(), InstantSource.system())) {
            other.entries()
                    .watch(
                            _ -> {
                                begun.countDown();
                                hold(over);
                            },
                            () -> {});
            store().forget("group");
            begun.await();
            assertThat(other.slots().take("orders/limit", "key_1", 1)).isPresent();

            redis().cli("DEL", SLOTS);

            until(() -> redis().cli("EXISTS", SLOTS).strip().equals("1"));
        } finally {
            over.countDown();
        }
    }

    @Test
    void a_message_that_is_lost_is_made_up_for_within_two_seconds() {
        try (var other = RedisStores.open(settings(), InstantSource.system())) {
            List<String> told = new CopyOnWriteArrayList<>();
            other.entries().watch(told::add, () -> told.add("missed"));
            redis().cli("CLIENT", "KILL", "TYPE", "pubsub");

            store().forget("group");
            long forgotten = System.nanoTime();

            until(() -> !told.isEmpty());
            assertThat(Duration.ofNanos(System.nanoTime() - forgotten)).isLessThan(Duration.ofSeconds(2));
            assertThat(told).containsExactly("group");
        }
    }

    @Test
    void a_redis_that_has_lost_what_was_forgotten_has_everything_purged() {
        hasEverythingPurged(() -> redis().cli("FLUSHALL"));
    }

    @Test
    void another_change_under_a_number_that_was_heard_has_everything_purged() {
        hasEverythingPurged(() -> redis().cli(
                        "EVAL",
                        "redis.call('DEL', KEYS[1]) return redis.call('ZADD', KEYS[1], ARGV[1], ARGV[1] .. ARGV[2])",
                        "1",
                        "{gw:entries}:last",
                        redis().cli("GET", "{gw:entries}:number").strip(),
                        "-another another"));
    }

    private void hasEverythingPurged(Runnable loss) {
        try (var node = RedisStores.open(settings(), InstantSource.system())) {
            List<String> told = new CopyOnWriteArrayList<>();
            List<CachePurge> purged = new CopyOnWriteArrayList<>();
            node.entries().watch(told::add, () -> told.add("missed"));
            node.purges().log().watch(purged::add);
            store().forget("group");
            until(() -> told.contains("group"));
            assertThat(purged).isEmpty();

            loss.run();

            until(() -> told.contains("missed"));
            assertThat(purged).contains(CachePurge.ALL);
        }
    }

    @Test
    void no_more_groups_than_are_remembered_stay_in_redis() {
        keepUntilFound("text");
        for (int i = 0; i < remembered() + 5; i++) store().forget("group " + i);

        letArrive("group " + (remembered() + 4));

        assertThat(redis().cli("ZCARD", "{gw:entries}:last").strip()).isEqualTo("" + remembered());
    }

    @Test
    void the_state_of_a_group_goes_with_its_last_entry_and_a_shorter_one_takes_no_longer_with_it() {
        keepUntilFound("text");
        var shorter = new EntryName("group", "shorter");
        until(() -> {
            store().keep(shorter, store().find(shorter).state(), "b".getBytes(UTF_8), Duration.ofMinutes(1));
            return store().find(shorter).entry().isPresent();
        });
        letPass(Duration.ofMinutes(2));
        assertThat(store().find(shorter).entry()).isEmpty();
        assertThat(store().find(NAME).entry()).contains("text".getBytes(UTF_8));

        letPass(Duration.ofMinutes(59));

        assertThat(redis().cli("KEYS", "gw:entry:*").strip()).isEmpty();
    }

    @Test
    void half_of_a_surrogate_pair_is_no_question_mark_in_a_name() {
        var question = new EntryName("group", "name?");
        until(() -> {
            store().keep(question, store().find(question).state(), "text".getBytes(UTF_8), HOUR);
            return store().find(question).entry().isPresent();
        });

        assertThat(store().find(new EntryName("group", "name\ud800")).entry()).isEmpty();
    }

    @Test
    void only_hashes_of_names_are_keys() {
        keepUntilFound("text");

        assertThat(redis().cli("KEYS", "gw:entry:*")).doesNotContain("group").doesNotContain("name");
    }

    @Test
    void nothing_is_kept_in_the_half_of_redis_that_is_for_counters() {
        redis().cli("CONFIG", "SET", "maxmemory", "1000000"); // it takes more than half of it when it is empty
        try (var other = RedisStores.open(settings(), InstantSource.system())) {
            var behind = new EntryName("behind", "name");
            until(() -> other.entries().find(behind).entry().isEmpty());

            other.entries().keep(NAME, other.entries().find(NAME).state(), new byte[1000], HOUR);

            assertThat(redis().cli("KEYS", "gw:entry:*").strip()).isEmpty();
        } finally {
            redis().cli("CONFIG", "SET", "maxmemory", "0");
        }
    }

    @Test
    void where_redis_has_no_room_to_remember_what_is_forgotten_everything_is_purged() {
        redis().cli("CONFIG", "SET", "maxmemory", Long.toString(memory() * 13 / 10)); // three quarters are taken
        try (var other = RedisStores.open(settings(), InstantSource.system())) {
            List<CachePurge> told = new CopyOnWriteArrayList<>();
            stores().purges().log().watch(told::add);

            until(() -> {
                for (int i = 0; i < 700; i++) other.entries().forget("group " + i);
                return told.contains(CachePurge.ALL);
            });
        } finally {
            redis().cli("CONFIG", "SET", "maxmemory", "0");
        }
    }

    @Test
    void what_could_not_be_forgotten_while_redis_was_away_is_forgotten_before_it_is_found_again() {
        keepUntilFound("old");
        redis().kill();
        until(() -> isAway());

        store().forget("group");
        redis().restart();

        until(() -> !isAway());
        assertThat(store().find(NAME).entry()).isEmpty();
        until(() -> {
            store().keep(NAME, store().find(NAME).state(), "new".getBytes(UTF_8), HOUR);
            return store().find(NAME).entry().isPresent();
        });
        assertThat(store().find(NAME).entry()).contains("new".getBytes(UTF_8));
    }

    @Test
    void an_outage_is_told_by_find_alone() {
        redis().kill();
        until(() -> isAway());

        assertThatThrownBy(() -> store().find(new EntryName("other", "name"))).isInstanceOf(DependencyException.class);
        store().keep(NAME, "", "text".getBytes(UTF_8), HOUR);
        store().forget("group");

        redis().restart();
        until(() -> !isAway());
    }

    private boolean isAway() {
        try {
            store().find(new EntryName("any", "name"));
            return false;
        } catch (DependencyException e) {
            return true;
        }
    }

    private void keepUntilFound(String text) {
        until(() -> {
            store().keep(NAME, store().find(NAME).state(), text.getBytes(UTF_8), HOUR);
            return store().find(NAME).entry().isPresent();
        });
    }

    /// Bytes that Redis takes.
    private long memory() {
        return redis().cli("INFO", "memory")
                .lines()
                .filter(line -> line.startsWith("used_memory:"))
                .mapToLong(line ->
                        Long.parseLong(line.substring("used_memory:".length()).strip()))
                .findFirst()
                .orElseThrow();
    }

    private static void hold(CountDownLatch until) {
        try {
            until.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
