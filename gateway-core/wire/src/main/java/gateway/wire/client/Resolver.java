package gateway.wire.client;

import gateway.net.AllowedNetworks;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Names of upstream hosts, resolved off the IO threads and remembered for a while. IP literals never wait. Names
/// that nobody has asked for in a day are forgotten. Addresses
/// that the gateway may not call are never answered, whatever a name resolves to at the moment: connections go only to
/// what this has answered.
public final class Resolver {
    private static final Logger LOG = LoggerFactory.getLogger(Resolver.class);

    private static final long UNUSED_NANOS = Duration.ofDays(1).toNanos(); // the last good answer is kept so long
    private static final long SWEEP_NANOS = Duration.ofMinutes(10).toNanos();

    private final Map<String, HostName> names = new ConcurrentHashMap<>();
    private final Map<String, Boolean> refused = new ConcurrentHashMap<>();
    private final AllowedNetworks networks;
    private final NameLookup lookup;
    private final LongSupplier ticks;
    private final AtomicInteger turns = new AtomicInteger();
    private final AtomicLong sweptAt;

    /// @param ticks nanoseconds from anywhere
    public Resolver(AllowedNetworks networks, NameLookup lookup, LongSupplier ticks) {
        this.networks = networks;
        this.lookup = lookup;
        this.ticks = ticks;
        this.sweptAt = new AtomicLong(ticks.getAsLong());
    }

    /// The addresses of `host` when they are at hand; null when they have to be asked for, by [#resolve] or [#await].
    ///
    /// @param refresh age in nanoseconds at which they are asked for again
    @Nullable
    public List<InetAddress> known(String host, long refresh) {
        HostName name = name(host);
        List<InetAddress> known = name.known(isLiteral(host) ? Long.MAX_VALUE : refresh);
        return known == null && isLiteral(host) ? name.lookUp() : known;
    }

    /// Asks on a virtual thread of the JDK's scheduler and hands the answer, the last good one when there is none, to
    /// `then` off the IO threads. Empty when there never was one.
    void resolve(String host, Consumer<List<InetAddress>> then) {
        var _ = name(host).ask().thenAccept(then);
    }

    /// The same for a request thread, which blocks for at most `nanos`.
    public List<InetAddress> await(String host, long nanos) {
        HostName name = name(host);
        try {
            return name.ask().get(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return name.last();
        } catch (ExecutionException | TimeoutException e) {
            return name.last();
        }
    }

    /// Whether `host` has only addresses that may not be called.
    boolean refuses(String host) {
        return refused.containsKey(host);
    }

    /// Where among several addresses the next connection begins.
    int turn() {
        return turns.getAndIncrement();
    }

    /// How many addresses at the front are of the family that the system prefers: these are used in turn, the rest only
    /// when none of them answers.
    static int preferred(List<InetAddress> addresses) {
        int count = 0;
        while (count < addresses.size()
                && addresses.get(count).getClass() == addresses.getFirst().getClass()) count++;
        return count;
    }

    private HostName name(String host) {
        HostName name = names.get(host);
        return name != null ? name : noted(host);
    }

    /// Each new name is also the occasion to forget old ones, now and then, so that no timer is needed.
    private HostName noted(String host) {
        long now = ticks.getAsLong();
        long before = sweptAt.get();
        if (now - before > SWEEP_NANOS && sweptAt.compareAndSet(before, now)) forgetUnused(now);
        return names.computeIfAbsent(host, h -> new HostName(h, this::askAllowed, ticks));
    }

    private void forgetUnused(long now) {
        names.values().removeIf(name -> name.isUnusedSince(now - UNUSED_NANOS));
        refused.keySet().retainAll(names.keySet());
    }

    /// Names that are remembered now.
    int size() {
        return names.size();
    }

    /// The addresses that may be called, those of the first one's family first.
    private List<InetAddress> askAllowed(String host) {
        List<InetAddress> found = lookup.ask(host);
        if (found.isEmpty()) return found;
        List<InetAddress> allowed = found.stream().filter(networks::allows).toList();
        if (!allowed.isEmpty()) {
            refused.remove(host);
        } else if (refused.put(host, true) == null) {
            LOG.warn("upstream {} is not called: {} may not be", host, found);
        }
        return byFamily(allowed);
    }

    private static List<InetAddress> byFamily(List<InetAddress> addresses) {
        if (addresses.size() < 2) return addresses;
        var sorted = new ArrayList<InetAddress>(addresses.size());
        Class<?> first = addresses.getFirst().getClass();
        for (InetAddress each : addresses) if (each.getClass() == first) sorted.add(each);
        for (InetAddress each : addresses) if (each.getClass() != first) sorted.add(each);
        return List.copyOf(sorted);
    }

    public static boolean isLiteral(String host) {
        if (host.indexOf(':') >= 0) return true;
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            if (c != '.' && (c < '0' || c > '9')) return false;
        }
        return true;
    }
}
