package gateway.app.admin;

/// How the store is, for the readiness answer.
///
/// @param kind `memory` or `redis`
/// @param available whether it is asked now
/// @param keysGoOn whether keys at hand are taken while it is away
public record StoreState(String kind, boolean available, boolean keysGoOn) {
    /// The store inside this process, which is never away.
    public static final StoreState EMBEDDED = new StoreState("memory", true, true);
}
