package gateway.app.server.h2;

import gateway.app.budget.Budget;
import gateway.app.budget.Holding;
import gateway.app.budget.Kind;
import gateway.app.budget.Purse;
import gateway.app.budget.Share;
import gateway.app.upstream.Lane;
import java.util.function.LongSupplier;

/// What one connection may hold on the heap: so much of the budgets of heads and of frames, and no more than they have
/// left. Of heads it is less the fewer are left, so that those that ask for much are refused and others are not.
final class Http2Memory {
    private final Lane lane;
    private final Purse heads;
    private final Purse frames;
    private final Share headShare;
    private final Share partShare;
    private final Share frameShare = new Share(Http2Limits.CONNECTION_BYTES);
    private final Holding own;

    /// @param limits whose largest head finds room in the share, however small the heap is
    Http2Memory(Lane lane, Http2Limits limits) {
        this.lane = lane;
        this.heads = lane.purse(Kind.HEADS);
        this.frames = lane.purse(Kind.FRAMES);
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
        return lane.memory().isCrowded();
    }
}
