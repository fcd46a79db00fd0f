package gateway.service;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Administrative writes in memory.
public final class FakeAuditLog implements AuditLog {
    private final List<AuditEntry> entries = new CopyOnWriteArrayList<>();

    @Override
    public void append(AuditEntry entry) {
        entries.add(entry);
    }

    @Override
    public List<AuditEntry> latest(int offset, int limit) {
        return entries.reversed().stream().skip(offset).limit(limit).toList();
    }
}
