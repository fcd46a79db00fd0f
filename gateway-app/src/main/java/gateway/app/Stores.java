package gateway.app;

import gateway.key.KeyStore;
import gateway.service.AuditLog;
import gateway.service.DefinitionStore;
import gateway.service.LimitStore;

/// The stores of this process, whichever they are.
///
/// @param localLimits this node's own counters, for policies that go on without the shared ones
/// @param giveBack returns what this node has leased of shared counters
record Stores(
        DefinitionStore definitions,
        KeyStore keys,
        LimitStore limits,
        LimitStore localLimits,
        AuditLog audit,
        Runnable giveBack) {}
