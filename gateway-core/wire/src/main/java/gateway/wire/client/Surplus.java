package gateway.wire.client;

import gateway.wire.http1.ResponseHead;

/// How likely more than the answer comes on a connection, a moment behind it.
enum Surplus {
    /// The answer ended where its length or its last chunk says.
    UNLIKELY,
    /// The answer has no content by its kind alone.
    POSSIBLE,
    /// The answer told of content that one of its kind never has.
    LIKELY;

    /// Behind an answer without content.
    static Surplus behind(ResponseHead head) {
        if (head.chunked() || head.contentLength() > 0) return LIKELY;
        boolean byKind = head.contentLength() < 0 || head.status() == 204 || head.status() == 205;
        return byKind ? POSSIBLE : UNLIKELY;
    }
}
