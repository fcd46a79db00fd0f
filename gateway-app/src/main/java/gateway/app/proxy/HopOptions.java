package gateway.app.proxy;

/// What a request's `Connection` asks of this hop.
///
/// @param close the connection is to end after the answer
/// @param webSocket the connection is to become a WebSocket
record HopOptions(boolean close, boolean webSocket) {
    static final HopOptions NONE = new HopOptions(false, false);
    private static final HopOptions CLOSE = new HopOptions(true, false);
    private static final HopOptions WEB_SOCKET = new HopOptions(false, true);
    private static final HopOptions BOTH = new HopOptions(true, true);

    static HopOptions of(boolean close, boolean webSocket) {
        if (!webSocket) return close ? CLOSE : NONE;
        return close ? BOTH : WEB_SOCKET;
    }
}
