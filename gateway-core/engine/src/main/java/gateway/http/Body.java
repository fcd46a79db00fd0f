package gateway.http;

import java.util.OptionalLong;

/// The content of a message. A body streams past the gateway unless a policy asks for its bytes; then it is held.
public interface Body {
    HeldBody EMPTY = new HeldBody(new byte[0]);

    static HeldBody of(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new HeldBody(bytes);
    }

    /// Bytes to come, when known beforehand (`Content-Length`); unknown for chunked content.
    OptionalLong length();

    /// All bytes, held from now on; may block until they have arrived. Repeated calls answer the same bytes.
    ///
    /// @throws BodyTooLargeException when more than `max` bytes come
    byte[] bytes(long max);
}
