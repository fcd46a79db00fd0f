package gateway.policies.message;

import gateway.http.PieceChange;
import gateway.http.PieceOutput;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;

/// Packs one content while it passes, and gives its room back however that ends.
final class PackedPieces implements PieceChange {
    private static final int FRAME = 1024; // what codings put around content that does not pack, and more

    /// Native encoders stand neither two threads nor a use after their end: whoever ends one that packs leaves its
    /// release to the thread that does.
    private enum Use {
        IDLE,
        PACKS,
        ENDS,
        ENDED
    }

    private final Packing packing;
    private final Packer packer;
    private final OptionalLong length;
    private final PackingRoom room;
    private final AtomicReference<Use> use = new AtomicReference<>(Use.IDLE);
    private boolean kept; // something has come that has not been flushed

    /// @param length of the content; where it is not known, all that has come goes on when no more is here: somebody
    ///     may wait for it
    /// @param room where it has its place
    PackedPieces(Packing packing, Packer packer, OptionalLong length, PackingRoom room) {
        this.packing = packing;
        this.packer = packer;
        this.length = length;
        this.room = room;
    }

    @Override
    public int reserve() {
        return (int) Math.min(packing.mostOfPiece(), length.orElse(Integer.MAX_VALUE) + FRAME);
    }

    @Override
    public void piece(ByteBuffer piece, PieceOutput to) {
        enter();
        try {
            packer.add(piece, to);
            kept = true;
        } finally {
            leave();
        }
    }

    @Override
    public void pause(PieceOutput to) {
        if (length.isPresent() || !kept) return;
        enter();
        try {
            kept = false;
            packer.flush(to);
        } finally {
            leave();
        }
    }

    @Override
    public void complete(PieceOutput to) {
        enter();
        try {
            packer.finish(to);
        } finally {
            leave();
        }
        broken();
    }

    /// The end of a connection may be told on another thread than the one that packs.
    @Override
    public void broken() {
        while (true) {
            if (use.compareAndSet(Use.IDLE, Use.ENDED)) {
                release();
                return;
            }
            if (use.compareAndSet(Use.PACKS, Use.ENDS)) return;
            if (use.get() == Use.ENDS || use.get() == Use.ENDED) return;
        }
    }

    private void enter() {
        if (!use.compareAndSet(Use.IDLE, Use.PACKS)) throw new IllegalStateException("the exchange is over");
    }

    private void leave() {
        if (use.compareAndSet(Use.PACKS, Use.IDLE)) return;
        use.set(Use.ENDED);
        release();
    }

    private void release() {
        packer.close();
        room.giveBack(packing);
    }
}
