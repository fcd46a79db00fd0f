package gateway.wire.tls;

import gateway.wire.io.SilentConnections;
import gateway.wire.memory.Holding;
import gateway.wire.memory.Purse;
import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/// What the TLS connections of one IO thread share: a few buffers, and the memory that what waits on the heap takes.
/// Used on that thread alone.
///
/// The connections that read or wrote last keep their buffers; a buffer that one more wants is taken from the one that
/// has had its for longest, whose bytes go to the heap. So those that are busy copy nothing, and those that stand still
/// hold what they have sent and no more. When the heap's share is spent, who has stood still for longest goes.
public final class TlsThreadResources {
    /// Backlogs that keep a buffer. A connection has one or two.
    static final int MOST_LENT = 16;

    /// Kept bytes for which it is worth to break a connection off.
    static final int WORTH_TAKING = 512;

    private static final int MOST_VICTIMS = 32; // at a time

    private final ByteBufferPool buffers;
    private final Purse records;
    private final Purse engines;
    private final ArrayDeque<Backlog> lent = new ArrayDeque<>(MOST_LENT + 1); // the eldest first
    private final SequencedSet<Backlog> kept = new LinkedHashSet<>(); // of clients; the eldest first
    private final Handshakes handshakes;

    /// @param buffers of [TlsConnection#BUFFER_BYTES] each
    /// @param records of the heap, for what waits
    /// @param engines of what clients' engines take
    /// @param silent whom handshakes with clients join
    public TlsThreadResources(ByteBufferPool buffers, Purse records, Purse engines, SilentConnections silent) {
        this.handshakes = new Handshakes(silent);
        this.buffers = buffers;
        this.records = records;
        this.engines = engines;
    }

    Holding recordsHolding() {
        return new Holding(records);
    }

    Holding enginesHolding() {
        return new Holding(engines);
    }

    Handshakes handshakes() {
        return handshakes;
    }

    /// A buffer for `backlog`, until it gives it back or another needs it.
    PooledByteBuffer lend(Backlog backlog) {
        if (lent.size() >= MOST_LENT) takeBack();
        lent.addLast(backlog);
        return buffers.allocate();
    }

    private void takeBack() {
        for (Backlog eldest : lent) {
            if (eldest.isInUse()) continue;
            lent.remove(eldest);
            if (!eldest.keep()) eldest.owner().giveUp();
            return;
        }
    }

    /// `backlog` has given its buffer back.
    void returned(Backlog backlog) {
        lent.removeLastOccurrence(backlog);
    }

    /// Has `holding` hold `bytes` for `owner`, at the expense of connections that stand still if need be; false when
    /// that does not help. A connection to an upstream is not refused: many requests may share it.
    boolean hold(Holding holding, int bytes, TlsRecords owner) {
        if (holding.hold(bytes)) return true;
        for (int i = 0; i < MOST_VICTIMS; i++) {
            Backlog victim = eldestKept(owner);
            if (victim == null) break;
            victim.owner().giveUp();
            if (holding.hold(bytes)) return true;
        }
        if (owner.isClients()) return false;
        holding.holdAnyway(bytes);
        return true;
    }

    @SuppressWarnings("ReferenceEquality") // which connection it is
    private @Nullable Backlog eldestKept(TlsRecords than) {
        for (Backlog each : kept) if (each.owner() != than) return each;
        return null;
    }

    /// `backlog` lies on the heap from now on.
    void kept(Backlog backlog, int bytes) {
        if (bytes >= WORTH_TAKING && backlog.owner().isClients()) kept.addLast(backlog);
    }

    /// `backlog` does not lie on the heap any more.
    void moved(Backlog backlog) {
        kept.remove(backlog);
    }
}
