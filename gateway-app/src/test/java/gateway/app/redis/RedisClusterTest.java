package gateway.app.redis;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.key.KeyStore;
import gateway.key.KeyStoreContract;
import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.DependencyException;
import gateway.service.LimitStore;
import gateway.service.LimitStoreContract;
import gateway.service.ManualClock;
import gateway.service.Rule.RollingPeriod;
import gateway.service.ShortTermName;
import gateway.service.ShortTermUse;
import gateway.service.ShortTermValue;
import gateway.service.SlotStore;
import gateway.service.SlotStoreContract;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestClassOrder;

/// A cluster of three masters and a replica of the first, on this machine.
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
final class RedisClusterTest {
    private static final List<RedisProcess> NODES = new ArrayList<>();

    @BeforeAll
    static void start() {
        for (int i = 0; i < 4; i++) NODES.add(RedisProcess.clusterNode());
        for (int i = 0; i < 3; i++) giveSlots(NODES.get(i), i);
        for (var node : NODES.subList(1, 3)) NODES.getFirst().cli("CLUSTER", "MEET", "127.0.0.1", "" + node.port());
        for (var node : NODES) until(() -> node == NODES.get(3) || healthy(node));
        NODES.getFirst().cli("CLUSTER", "MEET", "127.0.0.1", "" + NODES.get(3).port());
        until(() -> healthy(NODES.get(3)));
        NODES.get(3).cli("CLUSTER", "REPLICATE", NODES.getFirst().cli("CLUSTER", "MYID"));
        until(() -> NODES.get(3).cli("INFO", "replication").contains("master_link_status:up"));
    }

    /// A third of the 16,384 hash slots.
    private static void giveSlots(RedisProcess node, int third) {
        var command = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
        for (int slot = third * 5_462; slot < Math.min(16_384, (third + 1) * 5_462); slot++) command.add("" + slot);
        node.cli("CLUSTER", "SET-CONFIG-EPOCH", "" + (third + 1));
        node.cli(command.toArray(String[]::new));
    }

    @AfterAll
    static void stop() {
        NODES.forEach(RedisProcess::close);
        NODES.clear();
    }

    @Nested
    @Order(1)
    final class Limits implements LimitStoreContract {
        private final ManualClock clock = ManualClock.create();
        private LimitStores stores;

        @BeforeEach
        void open() {
            stores = LimitStores.at(uri(), clock);
        }

        @AfterEach
        void close() {
            stores.close();
        }

        @Override
        public LimitStore store() {
            return stores.limits();
        }

        @Override
        public ManualClock clock() {
            return clock;
        }
    }

    @Nested
    @Order(2)
    final class Keys implements KeyStoreContract {
        /// Each test has keys of its own: what the last one wrote may be told to nodes of the cluster after they were
        /// emptied for the next.
        private static final AtomicInteger OPENED = new AtomicInteger();

        private RedisStores stores;

        @BeforeEach
        void open() {
            var settings = RedisSettings.of(uri())
                    .withNamespace("keys" + OPENED.incrementAndGet())
                    .withDeadline(Duration.ofSeconds(2));
            stores = RedisStores.open(settings, InstantSource.system());
        }

        @AfterEach
        void close() {
            stores.close();
        }

        @Override
        public KeyStore store() {
            return stores.keys();
        }
    }

    @Nested
    @Order(3)
    final class ShortTermValues {
        @Test
        void values_lie_on_all_nodes_and_are_found() {
            var value = new ShortTermValue("text", Duration.ofMinutes(1));
            var settings = RedisSettings.of(uri()).withDeadline(Duration.ofSeconds(2));
            try (var stores = RedisStores.open(settings, InstantSource.system())) {
                for (int i = 0; i < 50; i++) {
                    var name = ShortTermName.of(ShortTermUse.REPLAY, "orders/jwt", "jti-" + i);
                    assertThat(stores.shortTerm().putIfAbsent(name, value)).isTrue();
                    assertThat(stores.shortTerm().putIfAbsent(name, value)).isFalse();
                    assertThat(stores.shortTerm().get(name)).contains("text");
                }
            }

            for (var node : NODES.subList(0, 3))
                assertThat(node.cli("KEYS", "gw:short:*")).isNotEmpty();
        }
    }

    @Nested
    @Order(4)
    final class Slots implements SlotStoreContract {
        private RedisStores stores;

        @BeforeEach
        void open() {
            stores = RedisStores.open(
                    RedisSettings.of(uri()).withDeadline(Duration.ofSeconds(2)), InstantSource.system());
        }

        @AfterEach
        void close() {
            stores.close();
        }

        @Override
        public SlotStore store() {
            return stores.slots();
        }
    }

    @Nested
    @Order(5)
    final class Entries {
        @Test
        void what_one_node_forgets_the_others_are_told() {
            var settings = RedisSettings.of(uri()).withDeadline(Duration.ofSeconds(2));
            List<String> told = new CopyOnWriteArrayList<>();
            try (var one = RedisStores.open(settings, InstantSource.system());
                    var other = RedisStores.open(settings, InstantSource.system())) {
                other.entries().watch(told::add, () -> told.add("missed"));

                for (int i = 0; i < 50; i++) one.entries().forget("group " + i);

                until(() -> told.size() == 50);
                assertThat(told).doesNotContain("missed").doesNotHaveDuplicates();
            }
        }
    }

    @Nested
    @Order(6)
    final class Failover {
        @Test
        void counting_goes_on_when_a_replica_takes_over_from_a_dead_master() {
            try (var node = RedisStores.open(RedisSettings.of(uri()), InstantSource.system())) {
                until(() -> subjectsThatCount(node) == 20);

                NODES.getFirst().kill();

                until(() -> subjectsThatCount(node) == 20);
                assertThat(NODES.get(3).cli("ROLE")).startsWith("master");
            }
        }
    }

    private static int subjectsThatCount(RedisStores stores) {
        int counting = 0;
        for (int i = 0; i < 20; i++) {
            var rule = new RollingPeriod(1_000_000, 3_600_000_000_000L);
            try {
                stores.limits().acquire(List.of(new Charge("rate:a", "key_" + i, rule, Counting.EXACT, false)));
                counting++;
            } catch (DependencyException e) {
                // its part of the cluster is away
            }
        }
        return counting;
    }

    private static boolean healthy(RedisProcess node) {
        return node.cli("CLUSTER", "INFO").contains("cluster_state:ok");
    }

    private static String uri() {
        return "redis-cluster://127.0.0.1:" + NODES.get(1).port() + ",127.0.0.1:"
                + NODES.get(2).port();
    }
}
