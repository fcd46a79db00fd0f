package gateway.wire.client;

import gateway.app.steering.Upstreams;
import gateway.net.AllowedNetworks;
import gateway.service.KeptParts;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/// Names whose addresses a test decides; literals are themselves.
public final class FakeNames implements NameLookup {
    private final Map<String, List<InetAddress>> names = new ConcurrentHashMap<>();
    private final Set<String> silent = ConcurrentHashMap.newKeySet();
    private final CountDownLatch never = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();

    public void set(String host, String... literals) {
        names.put(host, Ips.of(literals));
    }

    /// From now on nobody answers who asks for this name, as when packets get lost.
    public void silence(String host) {
        silent.add(host);
    }

    /// Upstreams that go by these names.
    public Upstreams upstreams() {
        return upstreams(System::nanoTime);
    }

    /// Upstreams that go by these names and this time.
    public Upstreams upstreams(LongSupplier ticks) {
        return new Upstreams(AllowedNetworks.USUAL, new KeptParts(), this, ticks);
    }

    int asked() {
        return asked.get();
    }

    @Override
    public List<InetAddress> ask(String host) {
        asked.incrementAndGet();
        if (Resolver.isLiteral(host)) return Ips.of(host);
        if (silent.contains(host)) waitInVain();
        return names.getOrDefault(host, List.of());
    }

    private void waitInVain() {
        try {
            never.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
