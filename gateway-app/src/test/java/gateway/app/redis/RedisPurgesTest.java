package gateway.app.redis;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.service.CachePurge;
import gateway.service.DependencyException;
import gateway.service.PurgeLog;
import gateway.service.Purges;
import gateway.service.PurgesContract;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

final class RedisPurgesTest extends RedisFixture implements PurgesContract {
    @Override
    public Purges purges() {
        return stores().purges();
    }

    @Test
    void other_nodes_hear_of_each_in_the_same_order() {
        try (var other = RedisStores.open(settings(), InstantSource.system())) {
            List<CachePurge> heard = new CopyOnWriteArrayList<>();
            other.purges().log().watch(heard::add);

            purges().tell(OF_TAG);
            purges().tell(OF_PREFIX);

            until(() -> heard.size() == 2);
            assertThat(heard).containsExactly(OF_TAG, OF_PREFIX);
            assertThat(other.purges().log().number()).isEqualTo(purges().log().number());
        }
    }

    @Test
    void a_lost_message_is_made_up_for() {
        try (var other = RedisStores.open(settings(), InstantSource.system())) {
            List<CachePurge> heard = new CopyOnWriteArrayList<>();
            other.purges().log().watch(heard::add);
            long number = purges().log().number();

            redis().cli(
                            "ZADD",
                            "{gw:purges}:last",
                            "" + (number + 1),
                            (number + 1) + " {\"tag\":\"tag-7\",\"soft\":true}");
            redis().cli("INCR", "{gw:purges}:number"); // the last, as nobody looks for it before

            until(() -> !heard.isEmpty());
            assertThat(heard).containsExactly(OF_TAG);
        }
    }

    @Test
    void a_redis_that_has_forgotten_them_has_everything_purged() {
        purges().tell(OF_TAG);
        List<CachePurge> heard = new CopyOnWriteArrayList<>();
        purges().log().watch(heard::add);

        redis().cli("FLUSHALL");

        until(() -> !heard.isEmpty());
        assertThat(heard).containsExactly(CachePurge.ALL);
        purges().tell(OF_TAG);
        assertThat(heard).containsExactly(CachePurge.ALL, OF_TAG);
    }

    @Test
    void a_number_that_is_told_anew_has_everything_purged_on_all_nodes() {
        purges().tell(OF_TAG);
        long number = purges().log().number();
        List<CachePurge> heard = new CopyOnWriteArrayList<>();
        purges().log().watch(heard::add);

        redis().cli(
                        "EVAL",
                        "redis.call('DEL', KEYS[1]) return redis.call('ZADD', KEYS[1], ARGV[1], ARGV[1] .. ARGV[2])",
                        "1",
                        "{gw:purges}:last",
                        "" + number,
                        "-another {\"path\":\"/a\",\"soft\":false}");

        until(() -> !heard.isEmpty());
        assertThat(heard).containsExactly(CachePurge.ALL);
        assertThat(purges().log().number()).isEqualTo(number + 1);
        assertThat(purges().log().covers(number, "orders", "/b", "/b", Set.of()))
                .isTrue();
        purges().tell(OF_TAG);
        assertThat(heard).containsExactly(CachePurge.ALL, OF_TAG);
    }

    @Test
    void what_is_no_json_is_about_everything_and_those_behind_it_are_heard() {
        List<CachePurge> heard = new CopyOnWriteArrayList<>();
        purges().log().watch(heard::add);
        long next = purges().log().number() + 1;

        redis().cli("ZADD", "{gw:purges}:last", "" + next, next + " {");
        redis().cli("INCR", "{gw:purges}:number");

        until(() -> !heard.isEmpty());
        purges().tell(OF_TAG);
        assertThat(heard).containsExactly(CachePurge.ALL, OF_TAG);
    }

    @Test
    void what_cannot_be_told_while_redis_is_away_is_told_in_time() {
        List<CachePurge> heard = new CopyOnWriteArrayList<>();
        purges().log().watch(heard::add);
        redis().cli("CONFIG", "SET", "maxmemory", "1");
        purges().tellInTime(List.of(OF_TAG));
        assertThat(heard).isEmpty();

        redis().cli("CONFIG", "SET", "maxmemory", "0");

        until(() -> !heard.isEmpty());
        assertThat(heard).containsExactly(OF_TAG);
    }

    @Test
    void of_many_that_cannot_be_told_one_of_everything_is_made() {
        List<CachePurge> heard = new CopyOnWriteArrayList<>();
        purges().log().watch(heard::add);
        redis().cli("CONFIG", "SET", "maxmemory", "1");
        for (int i = 0; i < 50; i++) purges().tellInTime(List.of(new CachePurge("api-" + i, "", "", "", false)));

        redis().cli("CONFIG", "SET", "maxmemory", "0");

        until(() -> !heard.isEmpty());
        assertThat(heard).containsExactly(CachePurge.ALL);
    }

    @Test
    void no_more_than_a_thousand_stay_in_redis() {
        for (int i = 0; i < PurgeLog.MOST + 5; i++) purges().tell(OF_TAG);

        assertThat(redis().cli("ZCARD", "{gw:purges}:last").strip()).isEqualTo("" + PurgeLog.MOST);
    }

    @Test
    void a_purge_that_cannot_be_told_is_an_outage() {
        redis().cli("CONFIG", "SET", "maxmemory", "1");

        assertThatThrownBy(() -> purges().tell(OF_TAG)).isInstanceOf(DependencyException.class);

        redis().cli("CONFIG", "SET", "maxmemory", "0");
    }
}
