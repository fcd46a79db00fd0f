package gateway.policies.cryptography;

import gateway.json.InvalidConfigException;
import gateway.service.Calls;
import gateway.service.DependencyException;
import gateway.service.ServerCalls;
import java.net.URI;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/// Fetches a key set, and before it the metadata that says where it lies.
final class KeyFetch {
    private final KeyOrigin.Server origin;
    private final MetadataFetch fetch;
    private final ServerCalls server;
    private final Duration timeout;

    /// @param server of the origin's target
    /// @param timeout for all of a fetch
    KeyFetch(KeyOrigin.Server origin, Calls calls, ServerCalls server, Duration timeout) {
        this.origin = origin;
        this.fetch = new MetadataFetch(origin, calls, server);
        this.server = server;
        this.timeout = timeout;
    }

    /// @throws DependencyException when they cannot be had
    KeySet keys() {
        return JwkReader.read(set());
    }

    /// A key set as it was told, whatever keys are in it.
    ///
    /// @throws DependencyException when it cannot be had
    JsonNode set() {
        JsonNode told = told();
        try {
            JwkReader.keys(told);
            return told;
        } catch (InvalidConfigException e) {
            throw fetch.unusable(
                    "its key set cannot be used: " + e.problems().getFirst().message());
        }
    }

    private JsonNode told() {
        long end = System.nanoTime() + timeout.toNanos();
        if (!origin.discovered()) return fetch.json(server, origin.url(), "key set", end);
        URI place = fetch.place(fetch.metadata(end), "jwks_uri", "key set that may be fetched");
        return fetch.json(fetch.holder(place), place, "key set", end);
    }
}
