package gateway.app.server;

import gateway.http.Outcome;

/// Told of every request that has ended. Called on IO threads, so it must neither block nor be slow.
@FunctionalInterface
public interface RequestObserver {
    /// Stands for the API's id where no API served the request.
    String NO_API = "none";

    RequestObserver NONE = (api, outcome) -> {};

    /// @param api id of the API that served the request; [#NO_API] when none did
    void ended(String api, Outcome outcome);
}
