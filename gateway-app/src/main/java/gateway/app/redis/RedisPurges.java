package gateway.app.redis;

import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.service.CachePurge;
import gateway.service.CachePurgeJson;
import gateway.service.DependencyException;
import gateway.service.PurgeLog;
import gateway.service.Purges;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/// Purges in Redis, each under the next number: the last thousand are there for whoever has not heard of them. A
/// message tells that there is one; as it can be lost, [#refresh] asks a few times a second. Each bears a mark of its
/// own: a Redis that has lost the last ones, as when a replica takes over, tells others under their numbers.
final class RedisPurges implements Purges {
    private static final Script TELL = Script.of("purge-tell");
    private static final Script CHANGES = Script.of("purge-changes");
    private static final long NOTHING_KNOWN = -1;
    private static final String UNKNOWN = "?";
    private static final int FIRST = 3; // of the purges in an answer

    private final RedisLink link;
    private final String prefix;
    private final PurgeLog log;
    private String heard; // what the last one was told as; another than any when that is not known
    private final ReentrantLock hearing = new ReentrantLock(); // one number after the other; nobody on a request's path

    private RedisPurges(RedisLink link, String namespace) {
        this.link = link;
        this.prefix = "{" + namespace + ":purges}:";
        this.heard = UNKNOWN;
        ScriptReply.Texts now = since(NOTHING_KNOWN);
        this.log = new PurgeLog(Long.parseLong(now.at(0)));
        this.heard = Objects.requireNonNull(now.at(1));
    }

    /// @throws DependencyException when Redis does not answer
    static RedisPurges open(RedisLink link, String namespace) {
        return new RedisPurges(link, namespace);
    }

    /// Where each is told by its number.
    String channel() {
        return prefix + "told";
    }

    @Override
    public PurgeLog log() {
        return log;
    }

    @Override
    public void tell(CachePurge purge) {
        tell(purge, mark());
        refresh();
    }

    private long tell(CachePurge purge, String mark) {
        Arguments arguments = keys().add(CachePurgeJson.write(purge))
                .add(channel())
                .add(PurgeLog.MOST)
                .add(mark);
        return link.askPatiently(TELL, arguments, new ScriptReply.Numbers()).at(0);
    }

    private static String mark() {
        return UUID.randomUUID().toString();
    }

    /// Hears of what has been told since the last time.
    ///
    /// @throws DependencyException when Redis does not answer
    void refresh() {
        hearing.lock();
        try {
            long known = log.number();
            ScriptReply.Texts answer = since(known);
            long number = Long.parseLong(answer.at(0));
            boolean isSame = "1".equals(answer.at(2));
            if (number == known && isSame) return;
            if (number - known > answer.size() - FIRST) { // more than are remembered
                heard = Objects.requireNonNull(answer.at(1));
                log.lost(number);
            } else if (number < known || !isSame) {
                purgeAnew(number);
            } else {
                heard = Objects.requireNonNull(answer.at(1));
                for (int i = FIRST; i < answer.size(); i++) log.add(purge(Objects.requireNonNull(answer.at(i))));
            }
        } finally {
            hearing.unlock();
        }
    }

    /// Nobody knows what Redis has forgotten, and shared answers bear numbers that have two meanings: everything is
    /// purged, here and on all nodes, as often as it takes until that is told.
    private void purgeAnew(long number) {
        heard = UNKNOWN;
        String mark = mark();
        try {
            long all = tell(CachePurge.ALL, mark);
            heard = all + "-" + mark;
            log.lost(all);
        } catch (DependencyException e) {
            log.lost(number);
            throw e;
        }
    }

    private ScriptReply.Texts since(long known) {
        return link.askPatiently(CHANGES, keys().add(known).add(heard), new ScriptReply.Texts());
    }

    /// What [CachePurgeJson] cannot read was told by a later version, or by somebody else: it may be about anything.
    private static CachePurge purge(String told) {
        try {
            ConfigNode node = ConfigNode.parse(told.substring(told.indexOf(' ') + 1));
            CachePurge purge = CachePurgeJson.read(node);
            return node.hasProblems() ? CachePurge.ALL : purge;
        } catch (InvalidConfigException e) {
            return CachePurge.ALL;
        }
    }

    private Arguments keys() {
        return Arguments.keys(prefix + "number", prefix + "last");
    }
}
