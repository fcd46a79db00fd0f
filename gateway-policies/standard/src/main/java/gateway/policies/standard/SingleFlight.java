package gateway.policies.standard;

import gateway.service.DependencyException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Questions under way, each asked once however many want to know: the others wait for the one who asks.
public final class SingleFlight<K, A> {
    private final ConcurrentHashMap<K, CompletableFuture<A>> underWay = new ConcurrentHashMap<>();

    /// Asks, or waits for the answer to whoever asks already.
    ///
    /// @param server who is asked
    /// @param patience nanoseconds that others wait
    /// @throws DependencyException when there is no answer in time
    public A ask(String server, K key, long patience, Supplier<A> question) {
        var own = new CompletableFuture<A>();
        CompletableFuture<A> other = underWay.putIfAbsent(key, own);
        return other == null ? answered(key, own, question) : awaited(server, other, patience);
    }

    /// Asks, unless somebody does already: then empty, at once.
    public Optional<A> askUnlessAsked(K key, Supplier<A> question) {
        var own = new CompletableFuture<A>();
        return underWay.putIfAbsent(key, own) == null ? Optional.of(answered(key, own, question)) : Optional.empty();
    }

    private A answered(K key, CompletableFuture<A> own, Supplier<A> question) {
        try {
            A answer = question.get();
            underWay.remove(key, own); // first: who is told and asks again gets another answer
            own.complete(answer);
            return answer;
        } catch (Throwable e) {
            underWay.remove(key, own);
            own.completeExceptionally(e);
            throw e;
        }
    }

    private A awaited(String server, CompletableFuture<A> other, long patience) {
        try {
            return other.get(patience, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw busy(server);
        } catch (TimeoutException e) {
            throw busy(server);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failed ? failed : new IllegalStateException(e.getCause());
        }
    }

    private static DependencyException busy(String server) {
        return new DependencyException(server, "busy", "who asks already gets no answer", null);
    }
}
