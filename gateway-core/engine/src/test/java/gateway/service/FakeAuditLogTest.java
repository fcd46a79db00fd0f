package gateway.service;

final class FakeAuditLogTest implements AuditLogContract {
    private final FakeAuditLog log = new FakeAuditLog();

    @Override
    public AuditLog log() {
        return log;
    }
}
