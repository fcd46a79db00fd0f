package gateway.app.memory;

import gateway.service.CachePurge;
import gateway.service.PurgeLog;
import gateway.service.Purges;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// Purges of the only node there is.
public final class MemoryPurges implements Purges {
    private final PurgeLog log = new PurgeLog(0);
    private final ReentrantLock telling = new ReentrantLock();

    @Override
    public PurgeLog log() {
        return log;
    }

    @Override
    public void tell(CachePurge purge) {
        telling.lock();
        try {
            log.add(purge);
        } finally {
            telling.unlock();
        }
    }

    @Override
    public void tellInTime(List<CachePurge> purges) {
        purges.forEach(this::tell);
    }
}
