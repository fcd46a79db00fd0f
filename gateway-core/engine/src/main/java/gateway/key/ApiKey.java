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
/// @param plan id of the plan that says what the key does not
/// @param apis what it opens, by API id; none, and none of a plan either: nothing
/// @param credentials that its holder may prove to be it by, beside its secret
public record ApiKey(
        String id,
        String name,
        boolean enabled,
        Optional<Instant> expires,
        Optional<String> plan,
        Map<String, ApiGrant> apis,
        Optional<Allowance> rateLimit,
        Optional<Allowance> quota,
        List<String> tags,
        Map<String, String> metadata,
        List<KeyCredential> credentials)
        implements Consumer {
    public ApiKey {
        apis = Collections.unmodifiableMap(new LinkedHashMap<>(apis));
        tags = List.copyOf(tags);
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
        credentials = List.copyOf(credentials);
    }

    /// One that is proved by its secret alone.
    public ApiKey(
            String id,
            String name,
            boolean enabled,
            Optional<Instant> expires,
            Optional<String> plan,
            Map<String, ApiGrant> apis,
            Optional<Allowance> rateLimit,
            Optional<Allowance> quota,
            List<String> tags,
            Map<String, String> metadata) {
        this(id, name, enabled, expires, plan, apis, rateLimit, quota, tags, metadata, List.of());
    }

    /// One that says everything itself.
    public ApiKey(
            String id,
            String name,
            boolean enabled,
            Optional<Instant> expires,
            Map<String, ApiGrant> apis,
            Optional<Allowance> rateLimit,
            Optional<Allowance> quota,
            List<String> tags,
            Map<String, String> metadata) {
        this(id, name, enabled, expires, Optional.empty(), apis, rateLimit, quota, tags, metadata);
    }

    public boolean expired(Instant now) {
        return expires.isPresent() && !now.isBefore(expires.get());
    }

    public Optional<ApiGrant> grant(String api) {
        return Optional.ofNullable(apis.get(api));
    }

    public ApiKey withId(String other) {
        return new ApiKey(other, name, enabled, expires, plan, apis, rateLimit, quota, tags, metadata, credentials);
    }

    public ApiKey withCredentials(List<KeyCredential> others) {
        return new ApiKey(id, name, enabled, expires, plan, apis, rateLimit, quota, tags, metadata, others);
    }
}
