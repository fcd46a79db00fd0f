package gateway.service;

/// A write was refused since nodes of an older version are present, which would not understand it.
public final class OlderNodesException extends RuntimeException {
    public OlderNodesException(String message) {
        super(message, null, false, false);
    }
}
