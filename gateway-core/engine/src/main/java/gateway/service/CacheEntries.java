package gateway.service;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The answers that this node keeps, for operators to look at and to purge. One of [KeptParts].
public interface CacheEntries {
    /// All there are, in no order.
    List<Entry> entries();

    /// How many there are and what they take, by the ids of their APIs.
    Map<String, Held> held();

    /// What is kept of one API.
    record Held(long entries, long bytes) {
        public Held and(Held more) {
            return new Held(entries + more.entries, bytes + more.bytes);
        }
    }

    /// Purges here alone.
    ///
    /// @return how many answers it was about
    int purge(CachePurge purge);

    /// One answer.
    ///
    /// @param api the id of its API
    /// @param host it was asked for at
    /// @param path that was asked for, with the names of the parameters: their values may be secrets
    /// @param bytes that it takes of the memory for answers
    /// @param hits how often it was given
    /// @param received when it came, or was last found to hold
    /// @param fresh how long it is fresh still; negative when it is stale
    record Entry(
            String api,
            String host,
            String path,
            int status,
            long bytes,
            long hits,
            Instant received,
            Duration fresh,
            Set<String> tags) {
        public Entry {
            tags = Set.copyOf(tags);
        }
    }
}
