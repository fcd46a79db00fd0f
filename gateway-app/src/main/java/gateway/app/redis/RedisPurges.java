package gateway.app.redis;

import gateway.json.ConfigNode;
import gateway.service.CachePurge;
import gateway.service.CachePurgeJson;
import gateway.service.DependencyException;
import gateway.service.PurgeLog;
import gateway.service.Purges;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/// Purges in Redis, each under the next number: the last thousand are there for whoever has not heard of them. A
/// message tells that there is one; as it can be lost, [#refresh] asks a few times a second.
final class RedisPurges implements Purges {
    private static final Script TELL = Script.of("purge-tell");
    private static final Script CHANGES = Script.of("purge-changes");
    private static final long NOTHING_KNOWN = -1;

    private final RedisLink link;
    private final String prefix;
    private final PurgeLog log;
    private final ReentrantLock hearing = new ReentrantLock(); // one number after the other; nobody on a request's path

    private RedisPurges(RedisLink link, String namespace) {
        this.link = link;
        this.prefix = "{" + namespace + ":purges}:";
        this.log = new PurgeLog(Long.parseLong(since(NOTHING_KNOWN).at(0)));
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
        Arguments arguments =
                keys().add(CachePurgeJson.write(purge)).add(channel()).add(PurgeLog.MOST);
        link.askPatiently(TELL, arguments, new ScriptReply.Numbers());
        refresh();
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
            if (number == known) return;
            if (number < known || number - known != answer.size() - 1) { // forgotten there, or too many
                log.lost(number);
                return;
            }
            for (int i = 1; i < answer.size(); i++) log.add(purge(Objects.requireNonNull(answer.at(i))));
        } finally {
            hearing.unlock();
        }
    }

    private ScriptReply.Texts since(long known) {
        return link.askPatiently(CHANGES, keys().add(known), new ScriptReply.Texts());
    }

    /// What [CachePurgeJson] cannot read was told by a later version: it may be about anything.
    private static CachePurge purge(String told) {
        ConfigNode node = ConfigNode.parse(told.substring(told.indexOf(' ') + 1));
        CachePurge purge = CachePurgeJson.read(node);
        return node.hasProblems() ? CachePurge.ALL : purge;
    }

    private Arguments keys() {
        return Arguments.keys(prefix + "number", prefix + "last");
    }
}
