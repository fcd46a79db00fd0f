package gateway.policies.message;

import gateway.http.PieceChange;
import gateway.http.PieceOutput;
import java.nio.ByteBuffer;
import java.util.OptionalLong;

/// Packs one content while it passes, and gives its room back however that ends.
final class PackedPieces implements PieceChange {
    private static final int FRAME = 1024; // what codings put around content that does not pack, and more

    private final Packing packing;
    private final Packer packer;
    private final OptionalLong length;
    private final PackingRoom room;
    private boolean ended;
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
        packer.add(piece, to);
        kept = true;
    }

    @Override
    public void pause(PieceOutput to) {
        if (length.isPresent() || !kept) return;
        kept = false;
        packer.flush(to);
    }

    @Override
    public void complete(PieceOutput to) {
        packer.finish(to);
        end();
    }

    @Override
    public void broken() {
        end();
    }

    private void end() {
        if (ended) return;
        ended = true;
        packer.close();
        room.giveBack(packing);
    }
}
