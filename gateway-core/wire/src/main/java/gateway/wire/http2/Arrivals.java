package gateway.wire.http2;

import java.util.ArrayList;

/// The streams of one connection that the present read of its socket has brought something for.
final class Arrivals {
    private final ArrayList<Http2Stream> streams = new ArrayList<>(0);

    /// To be called once for each stream until [#handOn].
    void add(Http2Stream stream) {
        streams.add(stream);
    }

    /// The read is over: readers that wait take what they want, from where it lies, and the rest is kept.
    ///
    /// @param goOn whether the connection does
    void handOn(boolean goOn) {
        for (int i = 0; i < streams.size(); i++) {
            Http2Stream stream = streams.get(i);
            if (!stream.source().handOn(goOn)) stream.reset(ErrorCode.ENHANCE_YOUR_CALM);
        }
        streams.clear();
    }
}
