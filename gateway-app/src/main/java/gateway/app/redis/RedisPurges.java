package gateway.app.redis;

import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.service.CachePurge;
import gateway.service.CachePurgeJson;
import gateway.service.DependencyException;
import gateway.service.PurgeLog;
import gateway.service.Purges;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Purges in Redis, each under the next number, see [ToldTexts].
final class RedisPurges implements Purges, ToldTexts.Hearer {
    private static final Logger LOG = LoggerFactory.getLogger(RedisPurges.class);
    private static final int MOST_OWED = 20; // each is a look at all that is kept

    private final ToldTexts told;
    private final PurgeLog log;
    private final Set<CachePurge> owed = ConcurrentHashMap.newKeySet(); // which Redis has not been told

    private RedisPurges(RedisLink link, String namespace) {
        this.told = ToldTexts.open(link, "{" + namespace + ":purges}:", PurgeLog.MOST);
        this.log = new PurgeLog(told.number());
    }

    /// @throws DependencyException when Redis does not answer
    static RedisPurges open(RedisLink link, String namespace) {
        return new RedisPurges(link, namespace);
    }

    /// Where each is told by its number.
    String channel() {
        return told.channel();
    }

    @Override
    public PurgeLog log() {
        return log;
    }

    @Override
    public void tell(CachePurge purge) {
        told.tell(CachePurgeJson.write(purge));
        hear();
    }

    @Override
    public void tellInTime(List<CachePurge> purges) {
        owed.addAll(purges);
        try {
            refresh();
        } catch (DependencyException e) {
            LOG.debug("owed", e);
        }
    }

    /// Tells what could not be told before, and hears of what was told since the last time.
    ///
    /// @throws DependencyException when Redis does not answer
    void refresh() {
        payDebts();
        hear();
    }

    private void payDebts() {
        List<CachePurge> debts = List.copyOf(owed);
        owed.removeAll(debts);
        try {
            List<CachePurge> purges = debts.size() > MOST_OWED ? List.of(CachePurge.ALL) : debts;
            for (CachePurge each : purges) told.tell(CachePurgeJson.write(each));
        } catch (DependencyException e) {
            owed.addAll(debts);
            throw e;
        }
    }

    private void hear() {
        told.hear(this);
    }

    @Override
    public void heard(String text, boolean mine) {
        log.add(purge(text));
    }

    @Override
    public void missed(long number) {
        log.lost(number);
    }

    /// Shared answers bear numbers that have two meanings: everything is purged.
    @Override
    public void lost() {
        told.tell(CachePurgeJson.write(CachePurge.ALL));
    }

    /// What [CachePurgeJson] cannot read was told by a later version, or by somebody else: it may be about anything.
    private static CachePurge purge(String text) {
        try {
            ConfigNode node = ConfigNode.parse(text);
            CachePurge purge = CachePurgeJson.read(node);
            return node.hasProblems() ? CachePurge.ALL : purge;
        } catch (InvalidConfigException e) {
            return CachePurge.ALL;
        }
    }
}
