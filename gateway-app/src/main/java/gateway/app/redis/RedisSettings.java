package gateway.app.redis;

import gateway.key.Pepper;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// How to reach Redis and what to expect of it.
///
/// @param uri `redis://`, `rediss://` (TLS), `redis-sentinel://`, `rediss-sentinel://`, `redis-cluster://`
///     or `rediss-cluster://`, then `[user:password@]host[:port]` (several nodes with commas for Sentinel
///     and Cluster), `[/database]` and, for Sentinel, `#master`
/// @param namespace stands before every key and channel, so that installations can share a Redis
/// @param certificates PEM file of the authorities to trust for TLS; empty: those Java trusts
/// @param deadline for anything a request waits for
/// @param patience for what administrators and background tasks wait for
/// @param keyStaleness how long keys at hand go on working while Redis is away
/// @param pepper of the secrets' hashes; empty: made once and kept in Redis
/// @param room for what this node holds itself
public record RedisSettings(
        String uri,
        String namespace,
        Optional<Path> certificates,
        Duration deadline,
        Duration patience,
        Duration keyStaleness,
        Optional<Pepper> pepper,
        RedisRoom room) {

    /// The defaults for `uri`.
    public static RedisSettings of(String uri) {
        return new RedisSettings(
                uri,
                "gw",
                Optional.empty(),
                Duration.ofMillis(20),
                Duration.ofSeconds(2),
                Duration.ofMinutes(5),
                Optional.empty(),
                RedisRoom.USUAL);
    }

    public RedisSettings withCertificates(Path file) {
        return new RedisSettings(uri, namespace, Optional.of(file), deadline, patience, keyStaleness, pepper, room);
    }

    public RedisSettings withNamespace(String other) {
        return new RedisSettings(uri, other, certificates, deadline, patience, keyStaleness, pepper, room);
    }

    public RedisSettings withDeadline(Duration other) {
        return new RedisSettings(uri, namespace, certificates, other, patience, keyStaleness, pepper, room);
    }

    public RedisSettings withPepper(Pepper other) {
        return new RedisSettings(
                uri, namespace, certificates, deadline, patience, keyStaleness, Optional.of(other), room);
    }

    public RedisSettings withKeyStaleness(Duration other) {
        return new RedisSettings(uri, namespace, certificates, deadline, patience, other, pepper, room);
    }

    public RedisSettings withRoom(RedisRoom other) {
        return new RedisSettings(uri, namespace, certificates, deadline, patience, keyStaleness, pepper, other);
    }

    /// Without the location, which may name a password, and without the pepper.
    @Override
    public String toString() {
        return "RedisSettings[" + namespace + ", " + deadline + "]";
    }
}
