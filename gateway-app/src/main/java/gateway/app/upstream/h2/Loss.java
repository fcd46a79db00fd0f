package gateway.app.upstream.h2;

/// Why a stream has ended before its end.
///
/// @param unprocessed whether the server surely did nothing about the request, so that it may be sent again
/// @param malformed whether the server broke the protocol
public record Loss(boolean unprocessed, boolean malformed, String message) {
    static Loss broken(String message) {
        return new Loss(false, false, message);
    }

    static Loss malformed(String what) {
        return new Loss(false, true, "the upstream's answer is not valid HTTP/2: " + what);
    }

    static Loss refused(String message) {
        return new Loss(true, false, message);
    }
}
