package gateway.policies.cache;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Body;
import gateway.http.Headers;
import gateway.policy.FakeServices;
import gateway.service.CacheEntries;
import gateway.service.CachePurge;
import gateway.service.FakeEntryStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/// The bound on what a node keeps, and that its indexes hold what it holds.
final class LocalAnswersTest {
    private static final int MOST = 1 << 20;
    private static final int REMEMBERED = 1 << 12; // changes

    private final FakeServices services = new FakeServices();
    private final LocalAnswers answers = LocalAnswers.ofMost(MOST, services);

    @Test
    void a_thousand_times_what_fits_takes_no_more_than_the_bound() {
        for (int i = 0; i < 100_000; i++) keep("/" + i, "caller", new byte[10_000]);

        assertThat(answers.bytes()).isBetween(1L, (long) MOST);
        assertThat(answers.listed()).isEqualTo(answers.entries().size()).isLessThan(110);
        assertThat(answers.held().get("orders").bytes()).isLessThanOrEqualTo(answers.bytes());
    }

    @Test
    void a_purge_leaves_nothing_in_the_indexes() {
        for (int i = 0; i < 50; i++) keep("/" + i, i % 2 == 0 ? "" : "caller", new byte[100]);
        answers.served();

        services.purges().tell(new CachePurge("", "", "/", "", false));

        assertThat(answers.listed()).isZero();
        assertThat(answers.bytes()).isZero();
        answers.retired();
    }

    @Test
    void a_change_has_forgotten_what_is_for_all_and_what_is_for_callers_and_leaves_other_targets() {
        for (String path : List.of("/a", "/b")) {
            for (String part : List.of("", "caller", "another")) keep(path, part, new byte[100]);
        }

        answers.forget("/a");

        assertThat(answers.entries()).hasSize(3).allMatch(each -> each.path().equals("/b"));
        assertThat(answers.listed()).isEqualTo(2);
    }

    @Test
    void what_was_asked_for_before_a_change_of_its_target_is_not_kept_and_what_was_before_anothers_is() {
        LocalAnswers.Since before = answers.now();
        answers.forget("/a");
        LocalAnswers.Since after = answers.now();
        answers.forget("/c");

        put("/a", "", new byte[1], before);
        put("/b", "", new byte[1], before);
        assertThat(answers.entries()).extracting(CacheEntries.Entry::path).containsExactly("/b");

        put("/a", "", new byte[1], after);
        assertThat(answers.entries()).hasSize(2);
    }

    @Test
    void what_was_asked_for_before_changes_of_many_others_is_kept() {
        LocalAnswers.Since before = answers.now();
        for (int i = 0; i < REMEMBERED; i++) answers.forget("/other/" + i);

        for (int i = 0; i < 20; i++) put("/mine/" + i, "", new byte[1], before);
        put("/other/0", "", new byte[1], before);

        assertThat(answers.entries()).hasSize(20).allMatch(each -> each.path().startsWith("/mine/"));
    }

    @Test
    void what_was_asked_for_before_more_changes_than_are_remembered_is_kept_unless_it_may_have_changed() {
        LocalAnswers.Since before = answers.now();
        answers.forget("/changed");
        for (int i = 0; i < REMEMBERED; i++) answers.forget("/other/" + i);

        put("/changed", "", new byte[1], before);

        assertThat(answers.entries()).isEmpty();
    }

    @Test
    void a_node_that_has_missed_changes_forgets_everything_and_keeps_nothing_from_before() throws Exception {
        answers.served();
        keep("/a", "", new byte[1]);
        keep("/a", "caller", new byte[1]);
        LocalAnswers.Since before = answers.now();
        services.entries().cutOff();
        for (int i = 0; i <= FakeEntryStore.REMEMBERED; i++) services.entries().forget("/other/" + i);

        services.entries().join();

        assertThat(answers.entries()).isEmpty();
        assertThat(answers.listed()).isZero();
        put("/b", "", new byte[1], before);
        assertThat(answers.entries()).isEmpty();
        keep("/b", "", new byte[1]);
        assertThat(answers.entries()).hasSize(1);
        answers.retired();
    }

    private void keep(String path, String part, byte[] content) {
        put(path, part, content, answers.now());
    }

    private void put(String path, String part, byte[] content, LocalAnswers.Since since) {
        var answer = new CachedAnswer(
                200,
                List.of(),
                Body.of(content),
                ReuseTerms.of(Headers.create(), services.clock().instant(), true, Duration.ofMinutes(1)),
                new AnswerAge(Duration.ZERO, services.clock().instant()),
                VaryFields.NONE,
                new AnswerOrigin("orders", "a", path, path, "", "http://u", Set.of()),
                new LongAdder());
        answers.put(new CacheKey(path, part), answer, since);
    }
}
