package gateway.app;

/// The process.
public final class Gateway {
    private Gateway() {}

    static Gateway start(Settings settings) {
        if (settings.ioThreads() > 0) throw new StartException("not yet: " + settings.node());
        return new Gateway();
    }

    void awaitStop() {}
}
