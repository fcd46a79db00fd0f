package gateway.policies.cache;

import gateway.http.Response;
import gateway.policy.Followup;

/// A request that the cache is not asked about.
record PassingBy() implements Followup {
    @Override
    public Response onResponse(Response response) {
        if (response.reason().isEmpty()) response.headers().add(CacheStatus.FIELD, CacheStatus.BYPASS);
        return response;
    }
}
