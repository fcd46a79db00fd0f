package gateway.policies.identity;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.policy.FakeServices;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LdapAnswersTest {
    private static final TokenDigest DIGEST = TokenDigest.ofUtf8("5:aliceright");

    private final FakeServices services = new FakeServices();
    private final AtomicInteger asked = new AtomicInteger();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);

    @Test
    void who_comes_while_another_is_asked_takes_that_answer_where_it_may_be_remembered() throws Exception {
        assertThat(later(Duration.ofMinutes(1))).isInstanceOf(LdapAnswer.Right.class);
        assertThat(asked).hasValue(1);
    }

    @Test
    void and_is_asked_about_again_where_it_may_not() throws Exception {
        assertThat(later(Duration.ZERO)).isEqualTo(new LdapAnswer.Wrong("locked meanwhile"));
        assertThat(asked).hasValue(2);
    }

    /// What one is told who has come while a question is under way.
    private LdapAnswer later(Duration cacheFor) throws Exception {
        var answers = new LdapAnswers(cacheFor, services.workers(), services.clock());
        var found = new ConcurrentLinkedQueue<LdapAnswer>();
        Thread first = Thread.startVirtualThread(() -> answers.ask(DIGEST, this::answer));
        begun.await();
        Thread second = Thread.startVirtualThread(() -> found.add(answers.ask(DIGEST, this::answer)));
        while (second.getState() != Thread.State.WAITING) Thread.onSpinWait();

        over.countDown();
        first.join();
        second.join();
        return found.remove();
    }

    private LdapAnswer answer() {
        if (asked.incrementAndGet() > 1) return new LdapAnswer.Wrong("locked meanwhile");
        begun.countDown();
        try {
            over.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return LdapAnswer.Right.of("alice", "uid=alice", List.of());
    }
}
