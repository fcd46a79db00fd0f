package gateway.app.redis;

import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import io.netty.util.concurrent.EventExecutor;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The connections in use, and new ones in their place when they stay silent.
///
/// Lettuce reconnects by itself, some 10 to 500 ms after a connection was lost. That it always does is not
/// taken on trust: when nothing was heard for three seconds, everything of Lettuce is made anew beside the
/// old, its threads too, and takes over once it is connected. Reasons in decision 0038.
final class CurrentConnections implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CurrentConnections.class);
    private static final long SILENCE_NANOS = 3_000_000_000L;
    private static final long LOOK_MILLIS = 500;
    private static final long PAUSE_NANOS = 5_000_000_000L; // between two attempts to replace
    private static final long LAST_WORDS_NANOS = 2_000_000_000L; // calls under way on the old connections

    private final Supplier<Connections> opening;
    private final ScheduledExecutorService watch;
    private volatile Connections current;
    private volatile @Nullable Listening listening;
    private @Nullable Connections former; // this and what follows belong to the watch
    private long replaced;
    private long attempted = System.nanoTime() - PAUSE_NANOS;

    private record Listening(List<String> channels, BiConsumer<String, String> listener) {}

    private CurrentConnections(Supplier<Connections> opening) {
        this.opening = opening;
        this.current = opening.get();
        this.watch = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("redis-line").factory());
    }

    /// @param opening makes connections that work, or throws
    /// @throws RedisException from `opening`
    static CurrentConnections open(Supplier<Connections> opening) {
        return new CurrentConnections(opening);
    }

    /// Begins to look whether to replace the connections.
    ///
    /// @param silent whether nothing was heard for the nanoseconds given
    /// @param renewed is called when new connections have taken over
    void watch(LongPredicate silent, Runnable renewed) {
        var _ = watch.scheduleWithFixedDelay(
                () -> look(silent, renewed), LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /// See [Connections#send].
    void send(Call call) {
        current.send(call);
    }

    /// See [Connections#listen]; goes on over connections that take over.
    void listen(List<String> channels, BiConsumer<String, String> listener) {
        current.listen(channels, listener);
        listening = new Listening(channels, listener);
    }

    /// See [Connections#ofEachServer].
    <T> List<T> ofEachServer(Function<RedisClusterCommands<String, String>, T> asked) {
        return current.ofEachServer(asked);
    }

    /// See [Connections#loops].
    Collection<EventExecutor> loops() {
        return current.loops();
    }

    /// See [Connections#renew].
    void renew() {
        current.renew();
    }

    private void look(LongPredicate silent, Runnable renewed) {
        long now = System.nanoTime();
        if (former != null && now - replaced > LAST_WORDS_NANOS) closeFormer();
        current.pingListener();
        if (now - attempted < PAUSE_NANOS) return;
        boolean mute = silent.test(SILENCE_NANOS);
        if (!mute && !current.deaf(now, SILENCE_NANOS)) return;
        try {
            replace();
            renewed.run();
            LOG.warn("redis is reached over new connections, {} had failed", mute ? "calls" : "messages");
        } catch (RuntimeException e) {
            LOG.debug("redis is still away", e); // the breaker has said so
        } finally {
            attempted = System.nanoTime();
        }
    }

    private void replace() {
        var fresh = opening.get();
        try {
            Listening heard = listening;
            if (heard != null) fresh.listen(heard.channels(), heard.listener());
        } catch (RuntimeException e) {
            fresh.close();
            throw e;
        }
        closeFormer();
        former = current;
        current = fresh;
        replaced = System.nanoTime();
    }

    private void closeFormer() {
        Connections old = former;
        former = null;
        if (old != null) old.close();
    }

    @Override
    public void close() {
        watch.shutdownNow();
        try {
            // replacing connections is interrupted; what it made or left behind is closed here
            if (!watch.awaitTermination(5, TimeUnit.SECONDS)) LOG.warn("redis-line does not end");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closeFormer();
        current.close();
    }
}
