package gateway.app.admin;

import java.util.Optional;

/// How the store is, for the readiness answer.
///
/// @param kind `memory` or `redis`
/// @param available whether it is asked now
/// @param keysGoOn whether keys at hand are taken while it is away
/// @param evictionPolicy by which it may drop what it holds; empty when it may not, or that cannot be told
public record StoreState(String kind, boolean available, boolean keysGoOn, Optional<String> evictionPolicy) {
    /// The store inside this process, which is never away.
    public static final StoreState EMBEDDED = new StoreState("memory", true, true, Optional.empty());
}
