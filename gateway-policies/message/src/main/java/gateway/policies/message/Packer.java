package gateway.policies.message;

import gateway.http.PieceOutput;
import java.nio.ByteBuffer;

/// Packs one content by one coding. Holds memory of the system until it is closed.
interface Packer extends AutoCloseable {
    /// Takes all of `piece`, which stays where it is in it, and hands on what it has made.
    void add(ByteBuffer piece, PieceOutput to);

    /// Hands on all that is made of what has come.
    void flush(PieceOutput to);

    /// Hands on what is left, and the end.
    void finish(PieceOutput to);

    @Override
    void close();
}
