package gateway.app.redis;

import gateway.service.DependencyException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Whether Redis may drop what it holds once its memory is full: a counter that goes begins afresh and lets its limit
/// pass again, a replay id that goes lets a token pass again, and nobody is told.
final class Eviction {
    private static final Logger LOG = LoggerFactory.getLogger(Eviction.class);
    private static final String POLICY = "maxmemory_policy:";
    private static final String LIMIT = "maxmemory:";

    private final RedisLink link;
    private volatile String policy = ""; // empty: it evicts nothing, or nobody knows

    Eviction(RedisLink link) {
        this.link = link;
    }

    /// The policy by which it may; empty when it may not, and while that cannot be told.
    Optional<String> policy() {
        return Optional.of(policy).filter(text -> !text.isEmpty());
    }

    /// Asks again; says so once when the answer is another.
    void look() {
        try {
            tell(evicting(link.memory()));
        } catch (DependencyException e) {
            LOG.debug("eviction", e); // away, which others say, or not allowed to ask
        }
    }

    private void tell(String now) {
        if (now.equals(policy)) return;
        policy = now;
        if (now.isEmpty()) LOG.info("redis evicts nothing any more");
        else
            LOG.warn(
                    "redis may drop counters, replay ids and keys when its memory is full: maxmemory-policy is {}, set it to noeviction",
                    now);
    }

    /// The policy of the first server that has a bound on its memory and drops what lies past it.
    static String evicting(List<String> memoryOfServers) {
        return memoryOfServers.stream()
                .filter(memory -> !field(memory, LIMIT).equals("0"))
                .map(memory -> field(memory, POLICY))
                .filter(each -> !each.isEmpty() && !each.equals("noeviction"))
                .findFirst()
                .orElse("");
    }

    private static String field(String memory, String name) {
        return memory.lines()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).strip())
                .findFirst()
                .orElse("");
    }
}
