package gateway.app.component;

import static gateway.Eventually.until;
import static gateway.app.cache.CountingUpstream.answer;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.cache.CachedGateway;
import gateway.app.cache.CountingUpstream;
import gateway.app.component.MemberProcess.MemberPlace;
import gateway.app.redis.RedisProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Three members of the cache component as processes, with relays between them: one is killed, stopped, frozen, cut
/// off.
@Tag("proofs")
@Timeout(600)
final class ComponentMembersTest {
    private static final int MEMBERS = 3;
    private static final int ENTRIES = 200;
    private static final String HOUR = "max-age=3600";

    @TempDir
    private Path data;

    private final List<MemberProcess> members = new ArrayList<>();
    private final List<MemberRelay> relays = new ArrayList<>();
    private List<MemberPlace> places;

    @BeforeEach
    void start() throws IOException {
        places = IntStream.range(0, MEMBERS).mapToObj(MemberPlace::of).toList();
        for (MemberPlace each : places) relays.add(new MemberRelay(each.relay(), each.own()));
        for (MemberPlace each : places) members.add(start(each));
        members.forEach(each -> each.awaitMembers(MEMBERS));
    }

    private MemberProcess start(MemberPlace place) throws IOException {
        String all = places.stream().map(MemberPlace::toString).collect(Collectors.joining(","));
        return MemberProcess.start(data.resolve(place.host()), place, all);
    }

    @AfterEach
    void stop() {
        members.forEach(MemberProcess::close);
        relays.forEach(MemberRelay::close);
    }

    @Test
    void what_one_member_has_taken_every_member_gives_and_forgets() {
        keep(members.get(0));

        for (MemberProcess each : members) assertThat(found(each)).isEqualTo(all());
        members.get(1).send("DELETE", "/cache/group-7");

        assertThat(members.get(2).get(path(7))).isEqualTo("status 404");
    }

    @Test
    void a_tag_is_forgotten_by_all_whoever_has_joined_or_left_since() throws Exception {
        for (int i = 0; i < ENTRIES; i++)
            assertThat(members.get(0)
                            .put(path(i), text(i), "Cache-Control", HOUR, "Cache-Tag", i % 2 == 0 ? "even" : "odd"))
                    .isEqualTo(204);
        members.get(2).kill();
        members.get(0).awaitMembers(2);

        for (int i = 0; i < ENTRIES; i++)
            assertThat(members.get(1).send("DELETE", group(i) + "?tag=odd").statusCode())
                    .isEqualTo(204);
        members.set(2, start(places.get(2)));
        members.forEach(each -> each.awaitMembers(MEMBERS));
        assertThat(members.get(1).terminate()).isZero();
        members.get(2).awaitMembers(2);

        Set<Integer> even = all().stream().filter(i -> i % 2 == 0).collect(Collectors.toSet());
        assertThat(found(members.get(0))).isEqualTo(even);
        assertThat(found(members.get(2))).isEqualTo(even);
    }

    @Test
    void every_member_tells_the_same_of_a_group() {
        members.get(0).put("/cache/counted/a", "four", "Cache-Control", HOUR);
        members.get(1).put("/cache/counted/b", "four", "Cache-Control", HOUR, "Cache-Tag", "red");
        for (MemberProcess each : members) each.get("/cache/counted/a");

        for (MemberProcess each : members)
            assertThat(each.get("/cache/counted")).isEqualTo("{\"size\":2,\"hits\":3,\"bytes\":8}");
    }

    /// While it is frozen, and not left out yet, each request that needs it is refused in time: first writes of a group
    /// and those of entries, reads, and what is forgotten and counted.
    @Test
    void nobody_waits_longer_than_a_second_for_a_member_that_is_frozen() {
        keep(members.get(0));
        var answers = new ConcurrentLinkedQueue<Integer>();
        var slowest = new AtomicLong();

        members.get(2).freeze();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < ENTRIES; i++) {
                int number = i;
                callers.execute(() -> {
                    for (String[] each : requests(number)) {
                        long begun = System.nanoTime();
                        answers.add(members.get(0)
                                .send(each[0], each[1], "X-TTL", "60", "Cache-Control", HOUR, "Cache-Tag", "new")
                                .statusCode());
                        slowest.accumulateAndGet(System.nanoTime() - begun, Math::max);
                    }
                });
            }
        }

        assertThat(Duration.ofNanos(slowest.get())).isLessThan(Duration.ofMillis(1_500));
        assertThat(answers).hasSize(ENTRIES * 6).contains(503).containsOnly(200, 204, 503);
    }

    private static List<String[]> requests(int number) {
        return List.of(
                new String[] {"PUT", "/cache/first-" + number + "/key"},
                new String[] {"PUT", path(number)},
                new String[] {"GET", path(number)},
                new String[] {"DELETE", group(number) + "?tag=new"},
                new String[] {"GET", group(number)},
                new String[] {"DELETE", path(number)});
    }

    @Test
    void no_entry_is_lost_with_a_member_that_is_killed() throws Exception {
        keep(members.get(0));

        members.get(2).kill();

        members.get(0).awaitMembers(2);
        assertThat(found(members.get(0))).isEqualTo(all());
        assertThat(found(members.get(1))).isEqualTo(all());
        assertThat(members.get(1).put(path(1), "new", "Cache-Control", HOUR)).isEqualTo(204);
    }

    @Test
    void what_was_taken_while_a_member_was_being_killed_is_there() throws Exception {
        Set<Integer> taken = new HashSet<>();

        for (int i = 0; i < ENTRIES; i++) {
            if (i == ENTRIES / 4) members.get(2).kill();
            if (members.get(0).put(path(i), text(i), "Cache-Control", HOUR) == 204) taken.add(i);
        }

        members.get(0).awaitMembers(2);
        assertThat(taken).hasSizeGreaterThan(ENTRIES / 2);
        assertThat(found(members.get(1))).containsAll(taken);
    }

    @Test
    void members_that_stop_one_after_the_other_hand_over_what_they_have() throws Exception {
        keep(members.get(0));

        assertThat(members.get(0).terminate()).isZero();
        members.get(1).awaitMembers(2);
        assertThat(members.get(1).terminate()).isZero();
        members.get(2).awaitMembers(1);

        assertThat(found(members.get(2))).isEqualTo(all());
    }

    @Test
    void a_frozen_member_is_left_out_and_comes_back() throws Exception {
        keep(members.get(0));

        members.get(2).freeze();
        members.get(0).awaitMembers(2);
        assertThat(found(members.get(0))).isEqualTo(all());
        assertThat(members.get(0).put(path(3), "new", "Cache-Control", HOUR)).isEqualTo(204);
        members.get(2).thaw();

        members.forEach(each -> each.awaitMembers(MEMBERS));
        until(() -> members.get(2).get(path(3)).equals("new"));
    }

    @Test
    void halves_of_a_split_serve_on_and_the_later_write_stays() throws Exception {
        keep(members.get(0));

        cutOff(2);
        members.get(0).awaitMembers(2);
        members.get(2).awaitMembers(1);
        assertThat(found(members.get(0))).isEqualTo(all());
        assertThat(members.get(2).put(path(5), "earlier", "Cache-Control", HOUR))
                .isEqualTo(204);
        assertThat(members.get(0).put(path(5), "later", "Cache-Control", HOUR)).isEqualTo(204);
        relays.forEach(MemberRelay::mend);

        members.forEach(each -> each.awaitMembers(MEMBERS));
        until(() -> members.stream().allMatch(each -> each.get(path(5)).equals("later")));
    }

    /// Two gateways on them, all the while.
    @Test
    void gateways_answer_whatever_becomes_of_members_and_nothing_that_is_too_old() throws Exception {
        var upstream = CountingUpstream.start(number -> answer("Cache-Control: max-age=2", "" + System.nanoTime()));
        try (upstream;
                var redis = RedisProcess.start();
                var first = gateway("first", redis);
                var second = gateway("second", redis)) {
            first.admin()
                    .call(
                            "POST",
                            "/apis",
                            CachedGateway.definition("orders", "/", ", \"shared\": \"store\"", upstream.port()));
            until(() -> second.get("/ready").contains(" 200 "));

            goesOn(first, second);
            members.get(2).freeze();
            goesOn(first, second);
            members.get(2).thaw();
            cutOff(1);
            goesOn(first, second);
            members.get(0).kill();
            goesOn(first, second);
            members.get(1).kill();
            members.get(2).kill();
            goesOn(first, second);
        }
    }

    /// Each answer is one that was made no longer ago than it may be kept, with a second for rounding and the way.
    private static void goesOn(CachedGateway... gateways) throws IOException {
        long bound = 3_500_000_000L;
        for (int i = 0; i < 100; i++) {
            for (CachedGateway each : gateways) {
                long asked = System.nanoTime();
                String given = each.get("/item-" + i % 10);
                assertThat(given).startsWith("HTTP/1.1 200");
                long made = Long.parseLong(
                        given.substring(given.indexOf("\r\n\r\n")).strip());
                assertThat(asked - made).isLessThan(bound);
            }
        }
    }

    private CachedGateway gateway(String node, RedisProcess redis) {
        String urls = members.stream()
                .map(each -> "http://127.0.0.1:" + each.address().getPort())
                .collect(Collectors.joining(","));
        return CachedGateway.start(
                data.resolve(node),
                Map.of(
                        "GATEWAY_STORE",
                        redis.uri(),
                        "GATEWAY_NODE",
                        node,
                        "GATEWAY_CACHE_COMPONENT",
                        urls,
                        "GATEWAY_CACHE_COMPONENT_TOKEN",
                        OwnComponent.TOKEN));
    }

    /// Neither calls this member any other, nor any other this one.
    private void cutOff(int one) throws IOException {
        for (int i = 0; i < MEMBERS; i++) {
            if (i == one) continue;
            relays.get(one).cut(InetAddress.getByName(places.get(i).host()));
            relays.get(i).cut(InetAddress.getByName(places.get(one).host()));
        }
    }

    private static void keep(MemberProcess member) {
        for (int i = 0; i < ENTRIES; i++)
            assertThat(member.put(path(i), text(i), "Cache-Control", HOUR)).isEqualTo(204);
    }

    private static Set<Integer> found(MemberProcess member) {
        return IntStream.range(0, ENTRIES)
                .filter(i -> member.get(path(i)).equals(text(i)))
                .boxed()
                .collect(Collectors.toSet());
    }

    private static Set<Integer> all() {
        return IntStream.range(0, ENTRIES).boxed().collect(Collectors.toSet());
    }

    private static String path(int number) {
        return group(number) + "/key";
    }

    private static String group(int number) {
        return "/cache/group-" + number;
    }

    private static String text(int number) {
        return "text " + number;
    }
}
