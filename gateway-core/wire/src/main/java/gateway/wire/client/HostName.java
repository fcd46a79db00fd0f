package gateway.wire.client;

import gateway.wire.io.OffRequestThreads;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// One host's addresses as last heard. They are used on while they are asked for again, and go on being used when no
/// answer comes, be it that nobody answers or that the answer takes its time.
final class HostName {
    private static final long USE_NANOS = 60_000_000_000L; // how seldom its use is noted: threads share the field
    private static final long PATIENCE_NANOS = 100_000_000; // for a new answer while there is an old one

    private final String host;
    private final NameLookup lookup;
    private final LongSupplier ticks;
    private final AtomicReference<@Nullable Lookup> underWay = new AtomicReference<>();
    private volatile Answer last = Answer.NONE;
    private volatile long usedAt;

    /// @param at when it came, or was last found to be all there is
    private record Answer(List<InetAddress> addresses, long at) {
        private static final Answer NONE = new Answer(List.of(), 0);
    }

    private record Lookup(CompletableFuture<List<InetAddress>> answer, long since) {}

    /// @param ticks nanoseconds from anywhere
    HostName(String host, NameLookup lookup, LongSupplier ticks) {
        this.host = host;
        this.lookup = lookup;
        this.ticks = ticks;
        this.usedAt = ticks.getAsLong();
    }

    /// The addresses at hand; null when there are none, or they are so old that it is better to wait a moment for
    /// others, see [#ask]. The same list as long as nothing changes.
    ///
    /// @param refresh age in nanoseconds at which they are asked for again
    @Nullable
    List<InetAddress> known(long refresh) {
        Answer answer = last;
        long now = ticks.getAsLong();
        if (now - usedAt > USE_NANOS) usedAt = now;
        long age = now - answer.at;
        if (answer.addresses.isEmpty()) {
            if (age >= refresh && !answer.equals(Answer.NONE)) lookup(answer); // nobody may wait for it any more
            return null;
        }
        if (age < refresh) return answer.addresses;
        Lookup lookup = lookup(answer);
        boolean wait = age - refresh >= refresh && !lookup.answer.isDone() && now - lookup.since < PATIENCE_NANOS;
        return wait ? null : last.addresses;
    }

    /// Asks, or joins who asks already. While there is an old answer, a new one is waited for 100 ms at most. The
    /// result is empty only when there never was an answer.
    CompletableFuture<List<InetAddress>> ask() {
        CompletableFuture<List<InetAddress>> answer = lookup(last).answer;
        List<InetAddress> known = last.addresses;
        if (known.isEmpty() || answer.isDone()) return answer;
        return answer.copy().completeOnTimeout(known, PATIENCE_NANOS, TimeUnit.NANOSECONDS);
    }

    /// As last heard, however old; empty when there never was an answer.
    List<InetAddress> last() {
        return last.addresses;
    }

    /// @param seen what is too old; when it is no longer the last answer, that one will do
    private Lookup lookup(Answer seen) {
        Lookup others = underWay.get();
        if (others != null) return others;
        usedAt = ticks.getAsLong();
        var mine = new Lookup(new CompletableFuture<>(), usedAt);
        others = underWay.compareAndExchange(null, mine);
        if (others != null) return others;
        if (!last.equals(seen)) { // it came between our looking at it and now
            underWay.set(null);
            mine.answer.complete(last.addresses);
            return mine;
        }
        OffRequestThreads.start("resolve-" + host, () -> answer(mine.answer));
        return mine;
    }

    /// Whether nobody has asked here since `moment`, give or take a minute.
    boolean isUnusedSince(long moment) {
        return usedAt - moment < 0;
    }

    /// Asks on this thread.
    List<InetAddress> lookUp() {
        List<InetAddress> found = lookup.ask(host);
        Answer before = last;
        boolean same = found.isEmpty() || found.equals(before.addresses);
        last = new Answer(same ? before.addresses : found, ticks.getAsLong());
        return last.addresses;
    }

    private void answer(CompletableFuture<List<InetAddress>> asked) {
        List<InetAddress> found = last.addresses;
        try {
            found = lookUp();
        } finally {
            underWay.set(null);
            asked.complete(found);
        }
    }
}
