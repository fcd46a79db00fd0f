package gateway.app.redis;

import gateway.service.AuditLog;
import gateway.service.AuditLogContract;

final class RedisAuditLogTest extends RedisFixture implements AuditLogContract {
    @Override
    public AuditLog log() {
        return stores().audit();
    }
}
