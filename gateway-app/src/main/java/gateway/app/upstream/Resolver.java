package gateway.app.upstream;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Names of upstream hosts, resolved off the IO threads and remembered for a while. IP literals never wait.
final class Resolver {
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final long ttlNanos;

    /// @param addresses in the system's order; empty when the name is unknown
    private record Answer(List<InetAddress> addresses, long staleAt) {}

    Resolver(long ttlNanos) {
        this.ttlNanos = ttlNanos;
    }

    /// The addresses of `host` when they are at hand; null when they have to be asked for.
    @Nullable
    List<InetAddress> known(String host) {
        Answer answer = answers.get(host);
        if (answer != null && answer.staleAt - System.nanoTime() > 0) return answer.addresses;
        if (!isLiteral(host)) return null;
        return lookUp(host);
    }

    /// Asks on a virtual thread of the JDK's scheduler and hands the answer, empty when unknown, to `then` there.
    void resolve(String host, Consumer<List<InetAddress>> then) {
        Thread.ofVirtual().name("resolve-" + host).start(() -> then.accept(lookUp(host)));
    }

    private List<InetAddress> lookUp(String host) {
        List<InetAddress> addresses = ask(host);
        if (!addresses.isEmpty()) answers.put(host, new Answer(addresses, System.nanoTime() + ttlNanos));
        return addresses;
    }

    private static List<InetAddress> ask(String host) {
        try {
            return List.of(InetAddress.getAllByName(host));
        } catch (UnknownHostException e) {
            return List.of();
        }
    }

    private static boolean isLiteral(String host) {
        if (host.indexOf(':') >= 0) return true;
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            if (c != '.' && (c < '0' || c > '9')) return false;
        }
        return true;
    }
}
