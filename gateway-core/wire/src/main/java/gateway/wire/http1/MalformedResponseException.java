package gateway.wire.http1;

import java.io.IOException;

/// What an upstream sent is not HTTP/1.1 that may be passed on.
public final class MalformedResponseException extends IOException {
    public MalformedResponseException(String message) {
        super(message);
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
