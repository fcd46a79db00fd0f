package gateway.wire.http2;

import gateway.wire.io.ConnectionResources;
import gateway.wire.memory.Holding;
import gateway.wire.memory.Kind;
import gateway.wire.memory.Purse;
import gateway.wire.memory.Share;

/// What one connection may hold on the heap: so much of the budgets of heads and of frames, and no more than they have
/// left.
final class Http2Memory {
    private final ConnectionResources ioThread;
    private final Purse heads;
    private final Purse frames;
    private final Share headShare;
    private final Share frameShare = new Share(Http2Limits.CONNECTION_BYTES);
    private final Holding own;

    /// @param limits whose largest head finds room in the share, however small the heap is
    Http2Memory(ConnectionResources ioThread, Http2Limits limits) {
        this.ioThread = ioThread;
        this.heads = ioThread.purse(Kind.HEADS);
        this.frames = ioThread.purse(Kind.FRAMES);
        this.headShare = new Share(Http2Limits.shareOfHeads(heads.budget().most(), limits.head()));
        this.own = heads();
    }

    /// For the head of a request, or part of one.
    Holding heads() {
        return new Holding(heads, headShare);
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
