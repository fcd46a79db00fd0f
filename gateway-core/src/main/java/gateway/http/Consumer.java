package gateway.http;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Who calls, once a policy has found out: an API key, a user with a password, later the subject of a token.
public interface Consumer {
    /// Unique over all ways to authenticate; goes to counters and the traffic log.
    String id();

    String name();

    /// Stands in for the numbers of the API's `rate-limit` policies.
    Optional<Allowance> rateLimit();

    /// Stands in for the numbers of the API's `quota` policies.
    Optional<Allowance> quota();

    List<String> tags();

    Map<String, String> metadata();
}
