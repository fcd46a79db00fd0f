package gateway.http;

import java.io.IOException;
import java.util.List;

/// A way to pack content (`Content-Encoding`, RFC 9110 §8.4.1) that the gateway can undo. Others than the
/// engine's own are found by [java.util.ServiceLoader]. Used by many threads at once.
public interface ContentCoding {
    /// As they stand in `Content-Encoding`, lower case; the usual one first.
    List<String> names();

    /// Whether it can be undone here, where that depends on more than its name: on a native library, which is loaded
    /// by the first question.
    default boolean isAvailable() {
        return true;
    }

    /// Whether much may be made of `coded` before the first piece of it comes out and is counted: a few bytes may cost
    /// as much as a large body then. By a look at how it begins.
    default boolean runsAhead(byte[] coded) {
        return false;
    }

    /// Adds what `coded` was made of to `plain`, piece by piece: the next piece is made only once there is room
    /// for the last one. What is left over behind the end is an error too: others might read it.
    ///
    /// @throws IOException when `coded` is broken or cut off, saying what is wrong with it
    void undo(byte[] coded, PlainBytes plain) throws IOException;
}
