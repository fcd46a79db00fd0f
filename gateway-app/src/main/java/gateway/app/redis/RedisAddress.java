package gateway.app.redis;

import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Where Redis is: one server, the master that Sentinels name, or the seeds of a cluster.
///
/// @param seeds one but for a cluster
record RedisAddress(boolean cluster, List<RedisURI> seeds) {
    RedisAddress {
        seeds = List.copyOf(seeds);
    }

    /// @param patience for connecting and for Lettuce's own commands
    /// @throws IllegalArgumentException when `uri` has none of the forms of [RedisSettings#uri]; never names
    ///     the password
    static RedisAddress parse(String uri, Duration patience) {
        int end = uri.indexOf("://");
        String scheme = end < 0 ? "" : uri.substring(0, end);
        String rest = end < 0 ? "" : uri.substring(end + 3);
        var address = switch (scheme) {
            case "redis", "rediss" -> new RedisAddress(false, List.of(single(scheme, rest)));
            case "redis-sentinel", "rediss-sentinel" -> new RedisAddress(false, List.of(sentinel(scheme, rest)));
            case "redis-cluster" -> new RedisAddress(true, nodes("redis", rest));
            case "rediss-cluster" -> new RedisAddress(true, nodes("rediss", rest));
            default ->
                throw new IllegalArgumentException(
                        "expected redis://, rediss://, redis-sentinel://, rediss-sentinel://, redis-cluster:// or"
                                + " rediss-cluster://, got \"" + scheme + "\"");
        };
        address.seeds.forEach(seed -> seed.setTimeout(patience));
        return address;
    }

    private static RedisURI single(String scheme, String rest) {
        String hosts = rest.substring(rest.lastIndexOf('@') + 1);
        if (hosts.contains(",")) {
            throw new IllegalArgumentException(
                    "expected one host, got several; use redis-sentinel:// or redis-cluster:// for those");
        }
        return created(scheme + "://" + rest);
    }

    private static RedisURI sentinel(String scheme, String rest) {
        if (rest.indexOf('#') < 0) throw new IllegalArgumentException("expected #master at the end, got none");
        return created(scheme + "://" + rest);
    }

    private static List<RedisURI> nodes(String scheme, String rest) {
        int at = rest.lastIndexOf('@') + 1;
        String user = rest.substring(0, at);
        var nodes = new ArrayList<RedisURI>();
        for (String host : rest.substring(at).split(",", -1)) nodes.add(created(scheme + "://" + user + host));
        return nodes;
    }

    private static RedisURI created(String uri) {
        try {
            return RedisURI.create(uri);
        } catch (IllegalArgumentException e) {
            // the message may quote the URI with its password
            throw new IllegalArgumentException(
                    "expected [user:password@]host[:port] after " + uri.substring(0, uri.indexOf(':')) + "://");
        }
    }

    /// For messages: without password.
    @Override
    public String toString() {
        return (cluster ? "cluster " : "")
                + String.join(", ", seeds.stream().map(RedisAddress::shown).toList());
    }

    /// Without the patience, which stands in a seed as its timeout.
    private static String shown(RedisURI seed) {
        return seed.toString().replaceFirst("timeout=[^&]*&?", "").replaceFirst("[?&]$", "");
    }
}
