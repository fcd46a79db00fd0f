package gateway.service;

import gateway.http.Body;
import gateway.http.HeaderText;
import gateway.http.Headers;

/// A request of the gateway's own.
///
/// @param path below the target's base path, percent-encoded, with its query if it has one; begins with `/`
/// @param headers those that frame a message or end at a hop are the client's to write and left out
/// @param body held; empty where there is none
public record CallRequest(String method, String path, Headers headers, Body body) {
    /// @throws IllegalArgumentException when the method is no token, or the path is not in visible ASCII
    public CallRequest {
        HeaderText.requireToken(method);
        if (!isPath(path)) throw new IllegalArgumentException("not a path");
    }

    public static CallRequest get(String path) {
        return new CallRequest("GET", path, Headers.create(), Body.EMPTY);
    }

    public static CallRequest post(String path, String contentType, byte[] content) {
        return new CallRequest("POST", path, Headers.create(), Body.of(content)).with("Content-Type", contentType);
    }

    /// This request with one more header set.
    public CallRequest with(String name, String value) {
        headers.set(name, value);
        return this;
    }

    /// Whatever a policy has put together, nothing of it can end the line.
    private static boolean isPath(String path) {
        if (!path.startsWith("/")) return false;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c <= ' ' || c > '~' || c == '#') return false;
        }
        return true;
    }
}
