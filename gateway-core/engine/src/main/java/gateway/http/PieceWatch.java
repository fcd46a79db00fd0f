package gateway.http;

import java.nio.ByteBuffer;

/// Sees the content of one message pass, piece by piece and without holding it up. Told once how it ends: by
/// [#complete] or by [#broken], and nothing after that.
///
/// Called by one thread at a time, mostly the IO thread, so it must not block, nor compute for long: a piece is what
/// a buffer of the IO thread takes. One that throws is told of no more pieces, but of a broken end; the message goes
/// on.
public interface PieceWatch {
    PieceWatch NONE = new PieceWatch() {
        @Override
        public void piece(ByteBuffer piece) {}

        @Override
        public void complete() {}

        @Override
        public void broken() {}
    };

    /// @param piece read-only, never empty, and good until this returns: what is kept is copied
    void piece(ByteBuffer piece);

    /// All of it has passed. Whether the other side took it is told by the [Outcome].
    void complete();

    /// The rest does not come: its sender broke off, its receiver went away, or something else went in its place.
    void broken();
}
