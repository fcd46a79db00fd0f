package gateway.snapshot;

/// The snapshot that serves now: one volatile reference, read once by each request, replaced at once.
public final class LiveSnapshot {
    private volatile Snapshot current = Snapshot.EMPTY;

    public Snapshot current() {
        return current;
    }

    public void replace(Snapshot snapshot) {
        current = snapshot;
        for (CompiledApi api : snapshot.apis().values())
            api.route()
                    .ifPresent(route -> route.leading()
                            .forEach(each -> each.pipeline().upstream().served()));
    }
}
