package gateway.http;

/// Where the canonical form of a request path is decided (see the engine's tests for the table of attacks).
public final class CanonicalPath {
    private CanonicalPath() {}
}
