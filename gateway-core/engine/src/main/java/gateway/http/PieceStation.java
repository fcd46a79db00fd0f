package gateway.http;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The place of one policy on the way of one body: tells it of each piece, and of one end. Used by one thread at a
/// time.
public final class PieceStation {
    private static final Logger LOG = LoggerFactory.getLogger(PieceStation.class);

    private final String owner; // as definitions name it
    private final PieceWatch watch;
    private final PieceChange change;
    private final @Nullable PieceOutput output; // null: it watches
    private boolean ended;

    /// What is known about more to come behind a piece.
    enum After {
        /// It comes, as far as anybody knows.
        MORE,
        /// None is here now.
        PAUSE,
        /// This was all.
        END
    }

    private PieceStation(String owner, PieceWatch watch, PieceChange change, @Nullable PieceOutput output) {
        this.owner = owner;
        this.watch = watch;
        this.change = change;
        this.output = output;
    }

    /// @param owner the policy, as definitions name it
    public static PieceStation of(String owner, PieceWatch watch) {
        return new PieceStation(owner, watch, PieceChange.NONE, null);
    }

    /// @param owner the policy, as definitions name it
    /// @throws UpstreamException when there is no memory for what it makes
    public static PieceStation of(String owner, PieceChange change, BodyMemory memory) {
        return new PieceStation(owner, PieceWatch.NONE, change, new PieceOutput(memory, change.reserve()));
    }

    /// Whether other bytes go on than come.
    boolean changes() {
        return output != null;
    }

    /// Passes `piece`, which may be empty; answers what goes on, good until the next call.
    ///
    /// @throws PieceChangeException when what changes it breaks
    ByteBuffer pass(ByteBuffer piece, After after) {
        if (output != null) return changed(piece, after, output);
        if (!ended) watched(piece, after);
        return piece;
    }

    private void watched(ByteBuffer piece, After after) {
        try {
            if (piece.hasRemaining()) watch.piece(piece.asReadOnlyBuffer());
            if (after != After.END) return;
            ended = true;
            watch.complete();
        } catch (Exception | Error e) { // who only looks stops nobody
            LOG.warn("policy {}, which sees a body pass, breaks", owner, e);
            broken();
        }
    }

    private ByteBuffer changed(ByteBuffer piece, After after, PieceOutput to) {
        if (ended) throw new PieceChangeException(owner, new IllegalStateException("the body has ended"));
        to.clear();
        try {
            if (piece.hasRemaining()) {
                change.piece(piece, to);
                piece.position(piece.limit());
            }
            switch (after) {
                case MORE -> {}
                case PAUSE -> change.pause(to);
                case END -> {
                    change.complete(to);
                    ended = true;
                }
            }
        } catch (Exception | Error e) {
            broken();
            throw new PieceChangeException(owner, e);
        }
        return to.content();
    }

    /// Nothing more passes; nothing happens where the end has been told.
    public void broken() {
        if (ended) return;
        ended = true;
        try {
            if (output == null) watch.broken();
            else change.broken();
        } catch (Exception | Error e) { // nobody is left to be told
            LOG.warn("policy {}, on the way of a body, breaks at its end", owner, e);
        }
    }
}
