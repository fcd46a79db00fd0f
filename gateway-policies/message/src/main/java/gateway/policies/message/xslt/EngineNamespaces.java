package gateway.policies.message.xslt;

import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import net.sf.saxon.om.NamespaceUri;

/// The namespaces that Saxon remembers for the whole process: one object for each, compared by identity and never
/// forgotten. Those that messages alone name are forgotten here while no message that names them is transformed; those
/// of stylesheets and of Saxon itself stay, since they are held elsewhere too.
final class EngineNamespaces {
    static final EngineNamespaces ALL = new EngineNamespaces(remembered());

    private static final int SWEEPS_APART = 1_024; // new ones; until then a message that comes again meets them

    private final Map<?, ?> remembered; // by their text
    private final ConcurrentMap<String, MessageNamespace> ofMessages = new ConcurrentHashMap<>();
    private final AtomicLong met = new AtomicLong();
    private final ReadWriteLock compiling = new ReentrantReadWriteLock();

    private EngineNamespaces(Map<?, ?> remembered) {
        this.remembered = remembered;
    }

    /// One that messages name and nothing else does.
    static final class MessageNamespace {
        private final AtomicInteger users = new AtomicInteger();

        void leave() {
            users.decrementAndGet();
        }
    }

    private static Map<?, ?> remembered() {
        try {
            var place = MethodHandles.privateLookupIn(NamespaceUri.class, MethodHandles.lookup())
                    .findStaticVarHandle(NamespaceUri.class, "stringToNamespaceUri", ConcurrentHashMap.class);
            return (ConcurrentHashMap<?, ?>) place.get();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Saxon remembers namespaces elsewhere", e);
        }
    }

    /// That a message names one, told before Saxon is.
    ///
    /// @param uri without blanks around it
    /// @return to be left once the message is transformed; empty: it stays in any case
    Optional<MessageNamespace> enter(String uri) {
        long before = met.get();
        MessageNamespace entered = ofMessages.compute(uri, (_, there) -> {
            if (there == null && remembered.containsKey(uri)) return null;
            if (there == null) met.incrementAndGet();
            MessageNamespace namespace = there == null ? new MessageNamespace() : there;
            namespace.users.incrementAndGet();
            return namespace;
        });
        if (before / SWEEPS_APART != met.get() / SWEEPS_APART) sweep();
        return Optional.ofNullable(entered);
    }

    /// Forgets those that no message is using: within the map, so that none is entered meanwhile. Not while a
    /// stylesheet is made, which may have met one of them.
    private void sweep() {
        if (!compiling.writeLock().tryLock()) return;
        try {
            for (String each : ofMessages.keySet()) {
                ofMessages.computeIfPresent(each, (uri, namespace) -> {
                    if (namespace.users.get() > 0) return namespace;
                    remembered.remove(uri);
                    return null;
                });
            }
        } finally {
            compiling.writeLock().unlock();
        }
    }

    /// Makes a stylesheet, whose namespaces stay from now on: with them those that messages use just now.
    <T> T lasting(Supplier<T> stylesheet) {
        sweep();
        compiling.readLock().lock();
        try {
            return stylesheet.get();
        } finally {
            ofMessages.clear();
            compiling.readLock().unlock();
        }
    }

    /// The number of those that were new in messages.
    long met() {
        return met.get();
    }

    int size() {
        return remembered.size();
    }
}
