package gateway.key;

import gateway.http.Allowance;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// What keys that name it open, and how often, where they do not say so themselves.
///
/// @param apis opened beside those that a key opens
public record Plan(
        String id, String name, Optional<Allowance> rateLimit, Optional<Allowance> quota, Map<String, ApiGrant> apis) {
    public Plan {
        apis = Collections.unmodifiableMap(new LinkedHashMap<>(apis));
    }

    public Optional<ApiGrant> grant(String api) {
        return Optional.ofNullable(apis.get(api));
    }
}
