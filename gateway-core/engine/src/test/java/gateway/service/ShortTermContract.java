package gateway.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// What every [ShortTerm] does.
public interface ShortTermContract {
    ShortTerm store();

    /// Makes all ends come nearer.
    void letPass(Duration time);

    @Test
    default void a_value_is_new_once() {
        var name = named("jti");

        assertThat(store().putIfAbsent(name, minute("first"))).isTrue();
        assertThat(store().putIfAbsent(name, minute("second"))).isFalse();
        assertThat(store().get(name)).contains("first");
    }

    @Test
    default void a_value_is_there_until_its_end_and_new_again_after() {
        var name = named("jti");
        store().putIfAbsent(name, minute("first"));

        letPass(Duration.ofSeconds(30));
        assertThat(store().putIfAbsent(name, minute("second"))).isFalse();
        letPass(Duration.ofSeconds(31));

        assertThat(store().get(name)).isEmpty();
        assertThat(store().putIfAbsent(name, minute("third"))).isTrue();
        assertThat(store().get(name)).contains("third");
    }

    @Test
    default void a_value_takes_the_place_of_another_with_its_own_end() {
        var name = named("session");
        store().put(name, minute("first"));

        store().put(name, new ShortTermValue("second", Duration.ofMinutes(3)));
        letPass(Duration.ofMinutes(2));

        assertThat(store().get(name)).contains("second");
        letPass(Duration.ofMinutes(2));
        assertThat(store().get(name)).isEmpty();
    }

    @Test
    default void what_is_removed_is_gone() {
        var name = named("session");
        store().put(name, minute("text"));

        assertThat(store().remove(name)).isTrue();
        assertThat(store().get(name)).isEmpty();
        assertThat(store().remove(name)).isFalse();
        assertThat(store().putIfAbsent(name, minute("other"))).isTrue();
    }

    @Test
    default void what_has_ended_is_not_there_to_be_removed() {
        var name = named("session");
        store().put(name, minute("text"));

        letPass(Duration.ofMinutes(2));

        assertThat(store().remove(name)).isFalse();
    }

    @Test
    default void uses_and_places_are_apart() {
        String name = UUID.randomUUID().toString();
        var replay = ShortTermName.of(ShortTermUse.REPLAY, "orders/jwt", name);
        store().put(replay, minute("here"));

        assertThat(store().get(ShortTermName.of(ShortTermUse.BAN, "orders/jwt", name)))
                .isEmpty();
        assertThat(store().get(ShortTermName.of(ShortTermUse.REPLAY, "orders/jwt-2", name)))
                .isEmpty();
        assertThat(store().get(ShortTermName.of(ShortTermUse.REPLAY, "orders/jw", "t" + name)))
                .isEmpty();
        assertThat(store().get(ShortTermName.of(ShortTermUse.REPLAY, "orders/jwt", name)))
                .contains("here");
    }

    @Test
    default void names_and_texts_may_hold_anything() {
        var name = named("}{\r\n\0 ü€\uD83D\uDE00".repeat(2_000));
        String text = "{\"a\":\"\r\n\0 ü€\uD83D\uDE00\"}";

        store().put(name, minute(text));

        assertThat(store().get(name)).contains(text);
    }

    @Test
    default void a_text_may_be_empty() {
        var name = named("jti");

        assertThat(store().putIfAbsent(name, minute(""))).isTrue();
        assertThat(store().get(name)).contains("");
        assertThat(store().putIfAbsent(name, minute(""))).isFalse();
    }

    @Test
    default void a_text_of_16_KiB_is_kept_and_a_longer_one_is_no_value() {
        var name = named("session");
        String longest = "€".repeat(ShortTermValue.MOST_BYTES / 3) + "x";

        store().put(name, minute(longest));

        assertThat(store().get(name)).contains(longest);
        assertThat(ShortTermValue.fits(longest + "x")).isFalse();
        assertThatThrownBy(() -> minute(longest + "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("16384 bytes");
    }

    @Test
    default void what_would_be_over_at_once_is_kept_for_a_moment_and_what_would_never_be_is_no_value() {
        assertThat(store().putIfAbsent(named("jti"), new ShortTermValue("", Duration.ofSeconds(-5))))
                .isTrue();
        assertThatThrownBy(() -> new ShortTermValue("", Duration.ofDays(367)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT8784H");
    }

    @Test
    default void of_many_threads_one_alone_is_told_that_it_was_new() throws Exception {
        int threads = 8;
        int names = 100;
        String run = UUID.randomUUID().toString();
        var start = new CountDownLatch(1);
        try (var pool = Executors.newFixedThreadPool(threads)) {
            var counts = new ArrayList<Future<Integer>>();
            for (int i = 0; i < threads; i++) {
                counts.add(pool.submit(() -> {
                    start.await();
                    int fresh = 0;
                    for (int n = 0; n < names; n++) {
                        var name = ShortTermName.of(ShortTermUse.REPLAY, run, "jti-" + n);
                        if (store().putIfAbsent(name, minute(""))) fresh++;
                    }
                    return fresh;
                }));
            }
            start.countDown();
            assertThat(sum(counts)).isEqualTo(names);
        }
    }

    private static int sum(List<Future<Integer>> counts) throws Exception {
        int sum = 0;
        for (var count : counts) sum += count.get();
        return sum;
    }

    private static ShortTermName named(String name) {
        return ShortTermName.of(ShortTermUse.REPLAY, UUID.randomUUID().toString(), name);
    }

    private static ShortTermValue minute(String text) {
        return new ShortTermValue(text, Duration.ofMinutes(1));
    }
}
