package gateway.app.upstream;

import java.io.IOException;

/// What an upstream sent is not HTTP/1.1 that may be passed on.
final class MalformedResponseException extends IOException {
    MalformedResponseException(String message) {
        super(message);
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
