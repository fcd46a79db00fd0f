package gateway.wire.client;

import gateway.wire.http2.Loss;

/// How often a request whose stream was lost is sent on another one.
final class Repeats {
    private static final int MOST = 5;

    private final boolean idempotent;
    private boolean proven;
    private int count;

    Repeats(String method) {
        this.idempotent = RequestSender.isIdempotent(method);
    }

    /// @param onProven whether the connection that it goes out on had been heard of before
    void sent(boolean onProven) {
        proven = onProven;
    }

    /// Whether a loss of this kind allows another.
    boolean allow(Loss.Kind kind) {
        return switch (kind) {
            case BROKEN -> count == 0 && proven && idempotent;
            case REFUSED -> count == 0;
            case MISSED -> count < MOST; // it costs the server nothing
            case MALFORMED -> false;
        };
    }

    void again() {
        count++;
    }
}
