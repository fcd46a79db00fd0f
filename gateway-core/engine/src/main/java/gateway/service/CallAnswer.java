package gateway.service;

import gateway.http.Body;
import gateway.http.Headers;
import java.nio.charset.StandardCharsets;

/// A server's whole answer to a call, as it came: content codings are not undone.
///
/// @param body held
public record CallAnswer(int status, Headers headers, Body body) {
    public byte[] bytes() {
        return body.bytes(Integer.MAX_VALUE);
    }

    /// The body as UTF-8.
    public String text() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }
}
