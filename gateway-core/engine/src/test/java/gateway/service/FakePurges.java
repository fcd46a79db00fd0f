package gateway.service;

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
}
