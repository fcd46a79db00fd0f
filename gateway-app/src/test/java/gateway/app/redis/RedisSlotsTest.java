package gateway.app.redis;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.service.DependencyException;
import gateway.service.SlotStore;
import gateway.service.SlotStoreContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Two nodes that share their slots in one Redis, in whose time nobody has to wait for the end of a lease.
final class RedisSlotsTest implements SlotStoreContract {
    private static final String COUNTER = "orders/concurrency-limit";
    private static final String KEY = "gw:{key_1}:slots:" + COUNTER;
    private static final String SOONER = """
            local slots = redis.call('ZRANGE', KEYS[1], 0, -1)
            for _, slot in ipairs(slots) do redis.call('ZINCRBY', KEYS[1], -ARGV[1], slot) end
            """;

    private static RedisProcess redis;

    private final List<RedisLink> links = new ArrayList<>();
    private RedisSlots first;
    private RedisSlots second;

    @BeforeAll
    static void start() {
        redis = RedisProcess.start();
    }

    @AfterAll
    static void stop() {
        if (redis != null) redis.close();
    }

    @BeforeEach
    void open() {
        redis.cli("FLUSHALL");
        first = node(Duration.ofSeconds(2));
        second = node(Duration.ofSeconds(2));
    }

    private RedisSlots node(Duration deadline) {
        var link = RedisLink.open(RedisSettings.of(redis.uri()).withDeadline(deadline));
        links.add(link);
        return new RedisSlots(link, "gw");
    }

    @AfterEach
    void close() {
        links.forEach(RedisLink::close);
    }

    @Override
    public SlotStore store() {
        return first;
    }

    @Test
    void nodes_together_never_have_more_than_there_are() throws Exception {
        var now = new AtomicInteger();
        var most = new AtomicInteger();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Void>> calls = new ArrayList<>();
            calls.addAll(Collections.nCopies(4, taking(first, now, most)));
            calls.addAll(Collections.nCopies(4, taking(second, now, most)));
            for (Future<Void> each : threads.invokeAll(calls)) each.get();
        }

        assertThat(most.get()).isBetween(1, 3);
        assertThat(first.size() + second.size()).isZero();
        until(() -> taken() == 0);
    }

    private static Callable<Void> taking(RedisSlots slots, AtomicInteger now, AtomicInteger most) {
        return () -> {
            for (int i = 0; i < 100; i++) {
                Optional<SlotStore.Slot> slot = slots.take(COUNTER, "key_1", 3);
                if (slot.isEmpty()) continue;
                most.accumulateAndGet(now.incrementAndGet(), Math::max);
                now.decrementAndGet();
                slot.get().give();
            }
            return null;
        };
    }

    @Test
    void slots_of_a_node_that_is_gone_come_back_when_their_leases_end() {
        assertThat(first.take(COUNTER, "key_1", 2)).isPresent();
        assertThat(first.take(COUNTER, "key_1", 2)).isPresent();
        links.getFirst().close();
        assertThat(second.take(COUNTER, "key_1", 2)).isEmpty();

        letPass(RedisSlots.LEASE);

        assertThat(second.take(COUNTER, "key_1", 2)).isPresent();
        assertThat(taken()).isOne();
    }

    @Test
    void a_request_that_takes_longer_than_a_lease_keeps_its_slot() {
        SlotStore.Slot slot = first.take(COUNTER, "key_1", 1).orElseThrow();
        for (int i = 0; i < 4; i++) {
            first.renew();
            until(() -> left() > RedisSlots.LEASE.toMillis() / 2);
            letPass(Duration.ofSeconds(RedisSlots.RENEW_SECONDS));
        }
        assertThat(second.take(COUNTER, "key_1", 1)).isEmpty();

        slot.give();

        until(() -> taken() == 0);
        first.renew();
        assertThat(second.take(COUNTER, "key_1", 1)).isPresent();
    }

    @Test
    void a_redis_that_has_lost_everything_learns_of_the_slots_again() {
        assertThat(first.take(COUNTER, "key_1", 1)).isPresent();
        first.renew();
        redis.cli("FLUSHALL");

        first.renew();

        until(() -> taken() == 1);
        assertThat(second.take(COUNTER, "key_1", 1)).isEmpty();
    }

    @Test
    void a_caller_without_slots_leaves_nothing_in_redis() {
        first.take(COUNTER, "key_1", 1).orElseThrow().give();

        until(() -> redis.cli("KEYS", "*").isEmpty());

        assertThat(first.take(COUNTER, "key_1", 1)).isPresent();
        assertThat(Long.parseLong(redis.cli("PTTL", KEY))).isBetween(1L, RedisSlots.LEASE.toMillis());
    }

    @Test
    void a_slot_that_redis_gives_too_late_goes_back() {
        RedisSlots hasty = node(Duration.ofMillis(20));
        until(() -> takes(hasty));
        redis.cli("CLIENT", "PAUSE", "300", "ALL");

        assertThatThrownBy(() -> hasty.take(COUNTER, "key_1", 1)).isInstanceOf(DependencyException.class);

        until(() -> taken() == 0);
        assertThat(second.take(COUNTER, "key_1", 1)).isPresent();
    }

    /// Takes one slot and gives it back, once Redis knows the scripts and this node has loaded its code.
    private static boolean takes(RedisSlots slots) {
        try {
            slots.take(COUNTER, "key_2", 1).ifPresent(SlotStore.Slot::give);
            return true;
        } catch (DependencyException e) {
            return false;
        }
    }

    private static int taken() {
        return Integer.parseInt(redis.cli("ZCARD", KEY));
    }

    /// Milliseconds until the first lease ends.
    private static long left() {
        String end = redis.cli("ZRANGE", KEY, "0", "0", "WITHSCORES")
                .lines()
                .toList()
                .getLast();
        return Long.parseLong(end) - System.currentTimeMillis();
    }

    private static void letPass(Duration time) {
        redis.cli("EVAL", SOONER, "1", KEY, "" + time.toMillis());
    }
}
