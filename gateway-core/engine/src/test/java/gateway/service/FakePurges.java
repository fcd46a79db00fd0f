package gateway.service;

import java.util.List;

/// Purges of a node that is alone.
public final class FakePurges implements Purges {
    private final PurgeLog log = new PurgeLog(0);

    @Override
    public PurgeLog log() {
        return log;
    }

    @Override
    public void tell(CachePurge purge) {
        log.add(purge);
    }

    @Override
    public void tellInTime(List<CachePurge> purges) {
        purges.forEach(this::tell);
    }
}
