package gateway.service;

import java.util.List;
import tools.jackson.databind.JsonNode;

/// Public keys by which others verify what a policy signs, for the admin plane to show. One of [KeptParts].
public interface PublishedKeys {
    /// Each as a JWK (RFC 7517 §4).
    List<JsonNode> keys();
}
