package gateway.wire.http2;

import gateway.wire.io.ConnectionResources;
import gateway.wire.memory.Budget;
import gateway.wire.memory.Holding;
import gateway.wire.memory.Kind;
import gateway.wire.memory.Purse;
import gateway.wire.memory.Share;
import java.util.function.LongSupplier;

/// What one connection may hold on the heap: so much of the budgets of heads and of frames, and no more than they have
/// left. Of heads it is less the fewer are left, so that those that ask for much are refused and others are not.
final class Http2Memory {
    private final ConnectionResources ioThread;
    private final Purse heads;
    private final Purse frames;
    private final Share headShare;
    private final Share partShare;
    private final Share frameShare = new Share(Http2Limits.CONNECTION_BYTES);
    private final Holding own;

    /// @param limits whose largest head finds room in the share, however small the heap is
    Http2Memory(ConnectionResources ioThread, Http2Limits limits) {
        this.ioThread = ioThread;
        this.heads = ioThread.purse(Kind.HEADS);
        this.frames = ioThread.purse(Kind.FRAMES);
        Budget all = heads.budget();
        LongSupplier most = () -> Http2Limits.shareOfHeads(all.most(), all.untilCrowded(), limits.head());
        this.headShare = new Share(Http2Limits.LEAST_HEADS, most);
        this.partShare = new Share(Http2Limits.LEAST_HEADS, most);
        this.own = heads();
    }

    /// For the head of a request.
    Holding heads() {
        return new Holding(heads, headShare);
    }

    /// For one that has not come whole, and the table of what has come. What does not fit here ends the connection, so
    /// that it does not depend on how much its streams hold.
    Holding partOfHead() {
        return new Holding(heads, partShare);
    }

    /// For content that nobody has read, and frames that have not come or gone whole.
    Holding frames() {
        return new Holding(frames, frameShare);
    }

    /// Takes what a connection needs when nothing happens on it; false when that is not left.
    boolean begin() {
        return own.hold(Http2Limits.IDLE_BYTES);
    }

    void end() {
        own.release();
    }

    boolean isCrowded() {
        return ioThread.memory().isCrowded();
    }
}
