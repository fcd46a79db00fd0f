package gateway.app.admin;

import gateway.http.Response;
import gateway.json.Json;
import gateway.service.KeptParts;
import gateway.service.PublishedKeys;
import java.nio.charset.StandardCharsets;

/// The keys by which others verify what the gateway signs: `/.well-known/jwks.json`, for everybody.
final class PublishedKeysPage {
    private static final String TYPE = "application/jwk-set+json";

    private PublishedKeysPage() {}

    static Response of(KeptParts parts) {
        var set = Json.mapper().createObjectNode();
        var keys = set.putArray("keys");
        parts.inUse(PublishedKeys.class).forEach(each -> each.keys().forEach(keys::add));
        return Response.of(200, TYPE, Json.compact(set).getBytes(StandardCharsets.UTF_8));
    }
}
