package gateway.app.admin;

import gateway.http.Body;
import gateway.http.Headers;

/// One request on the admin plane, held whole.
///
/// @param path as sent, without query, still percent-encoded
/// @param query as sent, without `?`; empty text when there is none
public record AdminRequest(String requestId, String method, String path, String query, Headers headers, Body body) {
    public AdminRequest withBody(Body other) {
        return new AdminRequest(requestId, method, path, query, headers, other);
    }
}
