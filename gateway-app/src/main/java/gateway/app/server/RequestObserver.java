package gateway.app.server;

import gateway.http.Outcome;

/// Told of every request that has ended. Called on IO threads, so it must neither block nor be slow.
@FunctionalInterface
public interface RequestObserver {
    RequestObserver NONE = (api, outcome) -> {};

    /// @param api id of the API that served the request; `none` when no API did
    void ended(String api, Outcome outcome);
}
