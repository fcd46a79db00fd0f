package gateway.snapshot;

import java.util.Map;

/// The snapshot that serves now: one volatile reference, read once by each request, replaced at once.
public final class LiveSnapshot {
    private volatile Snapshot current = Snapshot.EMPTY;

    public Snapshot current() {
        return current;
    }

    /// Called by one thread at a time.
    public void replace(Snapshot snapshot) {
        Snapshot before = current;
        current = snapshot;
        snapshot.apis().forEach((id, api) -> {
            if (!has(before.apis(), id, api)) api.served();
        });
        before.apis().forEach((id, api) -> {
            if (!has(snapshot.apis(), id, api)) api.retired();
        });
    }

    @SuppressWarnings("ReferenceEquality") // one compiled anew has upstreams of its own, though it may be equal
    private static boolean has(Map<String, CompiledApi> apis, String id, CompiledApi api) {
        return apis.get(id) == api;
    }
}
