package gateway.policies.identity;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.NamedCaller;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.NullNode;

final class IntrospectedTokensTest {
    private static final IntrospectionTimes TIMES =
            new IntrospectionTimes(Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ZERO, Duration.ZERO);
    private static final TokenDigest TOKEN = TokenDigest.ofUtf8("t");

    private final IntrospectedTokens tokens = IntrospectedTokens.create(TIMES, 10, InstantSource.system());
    private final AtomicInteger asked = new AtomicInteger();

    @Test
    void who_looked_before_another_was_answered_and_asks_after_it_makes_no_question_of_his_own() {
        assertThat(tokens.fresh(TOKEN)).isNull(); // as both saw it
        ask();

        assertThat(ask()).isInstanceOf(IntrospectedTokens.Answer.Active.class);

        assertThat(asked).hasValue(1);
    }

    private IntrospectedTokens.Answer ask() {
        return tokens.answer("server", TOKEN, at -> {
            asked.incrementAndGet();
            var subject = new TokenSubject(
                    new NamedCaller("a", List.of(), Map.of()), Optional.empty(), NullNode.getInstance());
            return tokens.active(subject, at, Long.MAX_VALUE, 1);
        });
    }
}
