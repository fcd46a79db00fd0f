package gateway.component;

import com.hazelcast.core.HazelcastException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// How long one request waits for members, however many questions it has: a second. Hazelcast itself waits for one that
/// does not answer until it is left out.
final class Patience {
    private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long end = System.nanoTime() + NANOS;

    private Patience() {}

    static Patience begin() {
        return new Patience();
    }

    /// A member that is stopping refuses at once.
    static <T extends @Nullable Object> CompletionStage<T> asked(Supplier<CompletionStage<T>> question) {
        try {
            return question.get();
        } catch (HazelcastException | IllegalStateException e) {
            throw new MemberSlowException(e);
        }
    }

    <T extends @Nullable Object> T await(CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture().get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MemberSlowException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new MemberSlowException(e);
        }
    }
}
