package gateway.http;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Who calls, once a policy has found out: an API key, a user with a password, later the subject of a token.
public interface Consumer {
    /// Unique over all ways to authenticate; goes to counters and the traffic log.
    String id();

    String name();

    /// Stands in for the numbers of the API's `rate-limit` policies; empty: it does not.
    default Optional<Allowance> rateLimit() {
        return Optional.empty();
    }

    /// Stands in for the numbers of the API's `quota` policies; empty: it does not.
    default Optional<Allowance> quota() {
        return Optional.empty();
    }

    List<String> tags();

    Map<String, String> metadata();
}
