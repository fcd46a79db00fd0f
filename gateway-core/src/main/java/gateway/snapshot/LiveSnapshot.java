package gateway.snapshot;

import gateway.service.Upstream;

/// The snapshot that serves now: one volatile reference, read once by each request, replaced at once.
public final class LiveSnapshot {
    private volatile Snapshot current = Snapshot.EMPTY;

    public Snapshot current() {
        return current;
    }

    public void replace(Snapshot snapshot) {
        current = snapshot;
        for (CompiledApi api : snapshot.apis().values()) api.upstreams().forEach(Upstream::served);
    }
}
