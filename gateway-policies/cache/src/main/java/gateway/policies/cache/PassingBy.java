package gateway.policies.cache;

import gateway.http.Response;
import gateway.policy.Followup;

/// A request that the cache is not asked about.
///
/// @param tags the field that no client sees
record PassingBy(String tags) implements Followup {
    @Override
    public Response onResponse(Response response) {
        response.headers().remove(tags);
        if (response.reason().isEmpty()) response.headers().add(CacheStatus.FIELD, CacheStatus.BYPASS);
        return response;
    }
}
