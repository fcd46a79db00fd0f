package gateway.key;

import gateway.http.Allowance;
import gateway.http.Consumer;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A caller's key without its secret: what it opens, until when and how often.
///
/// @param id `key_` and a sortable unique part
/// @param apis what it opens, by API id; empty opens nothing
public record ApiKey(
        String id,
        String name,
        boolean enabled,
        Optional<Instant> expires,
        Map<String, ApiGrant> apis,
        Optional<Allowance> rateLimit,
        Optional<Allowance> quota,
        List<String> tags,
        Map<String, String> metadata)
        implements Consumer {
    public ApiKey {
        apis = Collections.unmodifiableMap(new LinkedHashMap<>(apis));
        tags = List.copyOf(tags);
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }

    public boolean expired(Instant now) {
        return expires.isPresent() && !now.isBefore(expires.get());
    }

    public Optional<ApiGrant> grant(String api) {
        return Optional.ofNullable(apis.get(api));
    }

    public ApiKey withId(String other) {
        return new ApiKey(other, name, enabled, expires, apis, rateLimit, quota, tags, metadata);
    }
}
