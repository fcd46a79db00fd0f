package gateway.service;

/// One of [KeptParts] and how many hold it. Told of their use like any [Served]; a value that is [Served] itself
/// hears of the first and the last one.
public final class KeptPart<T> implements Served {
    private final KeptParts parts;
    private final Record key;
    private final T value;
    private int holders; // guarded by the lock of `parts`

    KeptPart(KeptParts parts, Record key, T value) {
        this.parts = parts;
        this.key = key;
        this.value = value;
    }

    public T value() {
        return value;
    }

    Record key() {
        return key;
    }

    boolean isHeld() {
        return holders > 0;
    }

    /// Whether it is the first.
    boolean gainsHolder() {
        return holders++ == 0;
    }

    /// Whether it was the last.
    boolean losesHolder() {
        if (holders == 0) throw new IllegalStateException(key + " is retired more often than served");
        return --holders == 0;
    }

    @Override
    public void served() {
        if (parts.hold(this) && value instanceof Served served) served.served();
    }

    @Override
    public void retired() {
        if (parts.letGo(this) && value instanceof Served served) served.retired();
    }
}
