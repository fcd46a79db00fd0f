package gateway.wire.client;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.steering.Ticks;
import gateway.net.AllowedNetworks;
import gateway.net.IpRange;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class ResolverTest {
    private static final Duration AGE = Duration.ofSeconds(30);
    private static final long REFRESH = AGE.toNanos();
    private static final long PATIENCE = Duration.ofSeconds(20).toNanos();

    private final Ticks ticks = new Ticks();
    private final FakeNames names = new FakeNames();
    private final Resolver resolver = new Resolver(AllowedNetworks.USUAL, names, ticks);

    @Test
    void a_literal_is_known_without_waiting() {
        assertThat(resolver.known("10.0.0.1", REFRESH)).isEqualTo(Ips.of("10.0.0.1"));
        assertThat(resolver.known("::1", REFRESH)).isEqualTo(Ips.of("::1"));
    }

    @Test
    void a_name_has_to_be_asked_for_once() {
        names.set("orders", "10.0.0.1", "10.0.0.2");

        assertThat(resolver.known("orders", REFRESH)).isNull();
        assertThat(resolver.await("orders", PATIENCE)).isEqualTo(Ips.of("10.0.0.1", "10.0.0.2"));
        assertThat(resolver.known("orders", REFRESH)).isEqualTo(Ips.of("10.0.0.1", "10.0.0.2"));
        assertThat(names.asked()).isEqualTo(1);
    }

    @Test
    void old_addresses_are_used_on_while_others_are_asked_for() {
        var moved = new CountDownLatch(1);
        var first = new AtomicBoolean(true);
        var slow = new Resolver(
                AllowedNetworks.USUAL,
                host -> first.getAndSet(false) ? Ips.of("10.0.0.1") : after(moved, "10.0.0.9"),
                ticks);
        slow.await("orders", PATIENCE);
        ticks.pass(AGE);

        assertThat(slow.known("orders", REFRESH)).isEqualTo(Ips.of("10.0.0.1"));

        moved.countDown();
        until(() -> Ips.of("10.0.0.9").equals(slow.known("orders", REFRESH)));
    }

    @Test
    void the_last_good_answer_is_used_on_while_nobody_says_anything() {
        names.set("orders", "10.0.0.1");
        List<InetAddress> good = resolver.await("orders", PATIENCE);
        names.silence("orders");
        ticks.pass(AGE.multipliedBy(10));

        List<InetAddress> atFirst = resolver.known("orders", REFRESH);
        var resolved = new CompletableFuture<List<InetAddress>>();
        resolver.resolve("orders", resolved::complete);

        assertThat(atFirst).isNull(); // an old answer is worth waiting a moment for a new one, but no longer
        assertThat(resolved.join()).isSameAs(good);
        assertThat(resolver.await("orders", 1)).isSameAs(good);
        ticks.pass(Duration.ofMillis(100));
        assertThat(resolver.known("orders", REFRESH)).isSameAs(good);
        ticks.pass(Duration.ofHours(1));
        assertThat(resolver.known("orders", REFRESH)).isSameAs(good);
        assertThat(resolver.await("orders", PATIENCE)).isSameAs(good);
    }

    @Test
    void a_name_that_was_unknown_is_asked_for_again_though_nobody_waits() {
        assertThat(resolver.await("orders", PATIENCE)).isEmpty();
        names.set("orders", "10.0.0.1");
        assertThat(resolver.known("orders", REFRESH)).isNull();
        assertThat(names.asked()).isEqualTo(1);

        ticks.pass(AGE);

        until(() -> resolver.known("orders", REFRESH) != null);
        assertThat(names.asked()).isEqualTo(2);
    }

    @Test
    void the_last_good_answer_is_kept_when_nobody_answers() {
        names.set("orders", "10.0.0.1");
        List<InetAddress> first = resolver.await("orders", PATIENCE);
        names.set("orders");
        ticks.pass(AGE.multipliedBy(10));

        assertThat(resolver.await("orders", PATIENCE)).isSameAs(first);
        until(() -> resolver.known("orders", REFRESH) != null);
        assertThat(resolver.known("orders", REFRESH)).isSameAs(first);
    }

    @Test
    void a_name_that_never_was_known_has_no_addresses() {
        assertThat(resolver.await("nowhere", PATIENCE)).isEmpty();
        assertThat(resolver.refuses("nowhere")).isFalse();
    }

    @Test
    void the_same_list_stands_for_the_same_addresses() {
        names.set("orders", "10.0.0.1");
        List<InetAddress> first = resolver.await("orders", PATIENCE);
        ticks.pass(AGE);

        assertThat(resolver.await("orders", PATIENCE)).isSameAs(first);
        until(() -> names.asked() >= 2);
        assertThat(resolver.known("orders", REFRESH)).isSameAs(first);
        assertThat(names.asked()).isEqualTo(2);
    }

    @Test
    void addresses_that_may_not_be_called_are_left_out() {
        names.set("orders", "169.254.169.254", "10.0.0.1");
        names.set("metadata", "169.254.169.254", "fe80::1");

        assertThat(resolver.await("orders", PATIENCE)).isEqualTo(Ips.of("10.0.0.1"));
        assertThat(resolver.await("metadata", PATIENCE)).isEmpty();
        assertThat(resolver.refuses("orders")).isFalse();
        assertThat(resolver.refuses("metadata")).isTrue();
        assertThat(resolver.known("169.254.169.254", REFRESH)).isNullOrEmpty();
    }

    @Test
    void a_name_that_is_pointed_elsewhere_later_is_not_followed_there() {
        names.set("rebound", "203.0.113.7");
        resolver.await("rebound", PATIENCE);
        names.set("rebound", "169.254.169.254");
        ticks.pass(AGE);

        assertThat(resolver.await("rebound", PATIENCE)).isEqualTo(Ips.of("203.0.113.7"));
    }

    @Test
    void listed_networks_are_all_that_is_answered() {
        var few = new Resolver(AllowedNetworks.of(List.of(new IpRange(4, 0, 10L << 24, 8))), names, ticks);
        names.set("mixed", "127.0.0.1", "10.0.0.1", "::1");

        assertThat(few.await("mixed", PATIENCE)).isEqualTo(Ips.of("10.0.0.1"));
    }

    @Test
    void the_preferred_family_stands_first() {
        names.set("both", "::1", "10.0.0.1", "::2");

        List<InetAddress> found = resolver.await("both", PATIENCE);

        assertThat(found).isEqualTo(Ips.of("::1", "::2", "10.0.0.1"));
        assertThat(Resolver.preferred(found)).isEqualTo(2);
    }

    @Test
    void names_that_nobody_uses_any_more_are_forgotten() {
        for (int i = 0; i < 1_000; i++) resolver.known("10.1.0." + i % 250, REFRESH);
        resolver.known("10.0.0.1", REFRESH);
        ticks.pass(Duration.ofHours(23));
        resolver.known("10.0.0.1", REFRESH);
        ticks.pass(Duration.ofHours(2));
        resolver.known("10.0.0.2", REFRESH);

        assertThat(resolver.size()).isEqualTo(2);
    }

    private static List<InetAddress> after(CountDownLatch latch, String literal) {
        try {
            latch.await();
            return Ips.of(literal);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
