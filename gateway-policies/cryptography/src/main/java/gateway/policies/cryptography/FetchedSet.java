package gateway.policies.cryptography;

import gateway.service.Refresher;
import gateway.service.Served;
import java.time.Duration;
import java.time.InstantSource;
import tools.jackson.databind.JsonNode;

/// A key set as its server tells it, unread.
public final class FetchedSet implements Served {
    /// Of equal origin and times it is shared by all policies.
    record Id(KeyOrigin.Server origin, Duration timeout) {}

    private final Fetched<JsonNode> fetched;

    private FetchedSet(Fetched<JsonNode> fetched) {
        this.fetched = fetched;
    }

    static FetchedSet create(Id id, KeyFetch fetch, Refresher refresher, InstantSource clock) {
        return new FetchedSet(Fetched.create(id.origin(), "key set", id.timeout(), fetch::set, refresher, clock));
    }

    /// The one at hand, the same object until another one was fetched; waits for it when there is none yet.
    ///
    /// @throws gateway.service.DependencyException when none can be had
    public JsonNode current() {
        return fetched.current();
    }

    @Override
    public void served() {
        fetched.served();
    }

    @Override
    public void retired() {
        fetched.retired();
    }
}
