package gateway.http;

import java.nio.ByteBuffer;

/// Makes other content of the content of one message, piece by piece while it passes. How much it becomes nobody
/// knows before its end. Called like a [PieceWatch], with one end; but what one throws breaks the message off.
public interface PieceChange {
    PieceChange NONE = new PieceChange() {
        @Override
        public void piece(ByteBuffer piece, PieceOutput to) {
            to.add(piece);
        }

        @Override
        public void complete(PieceOutput to) {}

        @Override
        public void broken() {}
    };

    /// Bytes that one piece becomes at most, as a rule: for so much there is memory before anything is changed.
    default int reserve() {
        return 4 * 1024;
    }

    /// Takes all of `piece`; hands on to `to` what may go on now, which may be nothing.
    ///
    /// @param piece not to be written, and good until this returns: what is kept is copied
    void piece(ByteBuffer piece, PieceOutput to);

    /// Nothing more is here for now: what was kept back so that it packs better may go on, as somebody may wait for it.
    default void pause(PieceOutput to) {}

    /// All of it has passed: what is left goes on.
    void complete(PieceOutput to);

    /// The rest does not come, or is not wanted.
    void broken();
}
