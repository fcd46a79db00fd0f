package gateway.service;

import java.util.List;

/// Every administrative write, durable, appended only.
public interface AuditLog {
    void append(AuditEntry entry);

    /// Newest first, after skipping `offset`.
    List<AuditEntry> latest(int offset, int limit);
}
