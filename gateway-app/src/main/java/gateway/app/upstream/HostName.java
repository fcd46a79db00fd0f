package gateway.app.upstream;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// One host's addresses as last heard. They are used on while they are asked for again, and go on being used when no
/// answer comes.
final class HostName {
    private static final long USE_NANOS = 60_000_000_000L; // how seldom its use is noted: threads share the field

    private final String host;
    private final NameLookup lookup;
    private final LongSupplier ticks;
    private final AtomicReference<@Nullable CompletableFuture<List<InetAddress>>> underWay = new AtomicReference<>();
    private volatile Answer last = Answer.NONE;
    private volatile long usedAt;

    /// @param at when it came, or was last found to be all there is
    private record Answer(List<InetAddress> addresses, long at) {
        private static final Answer NONE = new Answer(List.of(), 0);
    }

    /// @param ticks nanoseconds from anywhere
    HostName(String host, NameLookup lookup, LongSupplier ticks) {
        this.host = host;
        this.lookup = lookup;
        this.ticks = ticks;
        this.usedAt = ticks.getAsLong();
    }

    /// The addresses at hand; null when there are none, or they are so old that it is better to wait for others. The
    /// same list as long as nothing changes.
    ///
    /// @param refresh age in nanoseconds at which they are asked for again
    @Nullable
    List<InetAddress> known(long refresh) {
        Answer answer = last;
        long now = ticks.getAsLong();
        if (now - usedAt > USE_NANOS) usedAt = now;
        if (answer.addresses.isEmpty()) return null;
        long age = now - answer.at;
        if (age < refresh) return answer.addresses;
        CompletableFuture<List<InetAddress>> asked = ask();
        if (asked.isDone() || age < 2 * refresh) return last.addresses;
        return null;
    }

    /// Asks, or joins who asks already. The result is empty only when there never was an answer.
    CompletableFuture<List<InetAddress>> ask() {
        usedAt = ticks.getAsLong();
        var mine = new CompletableFuture<List<InetAddress>>();
        CompletableFuture<List<InetAddress>> others = underWay.compareAndExchange(null, mine);
        if (others != null) return others;
        OffRequestThreads.start("resolve-" + host, () -> answer(mine));
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
