package gateway.policies.cache;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Body;
import gateway.http.Headers;
import gateway.policy.FakeServices;
import gateway.service.CachePurge;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/// The bound on what a node keeps, and that its indexes hold what it holds.
final class LocalAnswersTest {
    private static final int MOST = 1 << 20;

    private final FakeServices services = new FakeServices();
    private final LocalAnswers answers = LocalAnswers.ofMost(MOST, services);

    @Test
    void a_thousand_times_what_fits_takes_no_more_than_the_bound() {
        for (int i = 0; i < 100_000; i++) keep("/" + i, new byte[10_000]);

        assertThat(answers.bytes()).isBetween(1L, (long) MOST);
        assertThat(answers.size()).isEqualTo(answers.entries().size()).isLessThan(110);
        assertThat(answers.held().get("orders").bytes()).isLessThanOrEqualTo(answers.bytes());
    }

    @Test
    void a_purge_leaves_nothing_in_the_indexes() {
        for (int i = 0; i < 50; i++) keep("/" + i, new byte[100]);
        answers.served();

        services.purges().tell(new CachePurge("", "", "/", "", false));

        assertThat(answers.size()).isZero();
        assertThat(answers.bytes()).isZero();
        answers.retired();
    }

    private void keep(String path, byte[] content) {
        var key = new CacheKey(path, "");
        var answer = new CachedAnswer(
                200,
                List.of(),
                Body.of(content),
                ReuseTerms.of(Headers.create(), services.clock().instant(), true, Duration.ofMinutes(1)),
                new AnswerAge(Duration.ZERO, services.clock().instant()),
                VaryFields.NONE,
                new AnswerOrigin("orders", "a", path, path, "", Set.of()),
                new LongAdder());
        answers.put(key, answer, answers.now(path));
    }
}
