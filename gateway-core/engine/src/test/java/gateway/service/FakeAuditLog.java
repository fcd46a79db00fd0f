package gateway.service;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Administrative writes in memory.
public final class FakeAuditLog implements AuditLog {
    private final List<AuditEntry> entries = new CopyOnWriteArrayList<>();

    private volatile boolean away;

    /// From now on every call fails as a store out of reach does, until [#comeBack].
    public void goAway() {
        away = true;
    }

    public void comeBack() {
        away = false;
    }

    @Override
    public void append(AuditEntry entry) {
        requireHere();
        entries.add(entry);
    }

    @Override
    public List<AuditEntry> latest(int offset, int limit) {
        requireHere();
        return entries.reversed().stream().skip(offset).limit(limit).toList();
    }

    private void requireHere() {
        if (away) throw new DependencyException("fake", "away");
    }
}
