package gateway.wire.tls;

import gateway.wire.memory.Holding;
import io.undertow.connector.PooledByteBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.xnio.conduits.StreamSinkConduit;
import org.xnio.conduits.StreamSourceConduit;

/// Bytes of one TLS connection that wait: to be decrypted, to be read or to be sent. They lie in a buffer of the IO
/// thread as long as that has one for them, else on the heap in their size.
final class Backlog {
    private static final byte[] NOTHING = {};

    private final TlsThreadResources ioThread;
    private final TlsRecords owner;
    private final Holding holding;
    private @Nullable PooledByteBuffer lent; // ready to read
    private byte[] kept = NOTHING; // stays while bytes come one by one, so that it need not be made each time
    private int count; // of what lies there
    private boolean inUse;

    Backlog(TlsThreadResources ioThread, TlsRecords owner) {
        this.ioThread = ioThread;
        this.owner = owner;
        this.holding = ioThread.recordsHolding();
    }

    TlsRecords owner() {
        return owner;
    }

    boolean isEmpty() {
        return lent == null && count == 0;
    }

    /// Whether somebody works on its buffer, which must not be taken from him.
    boolean isInUse() {
        return inUse;
    }

    /// Until it is set free again.
    void use(boolean now) {
        inUse = now;
    }

    /// All of it, ready to read, to be followed by [#settle]; valid until another backlog's is asked for.
    ByteBuffer bytes() {
        PooledByteBuffer here = lent;
        if (here != null) return here.getBuffer();
        here = ioThread.lend(this);
        lent = here;
        if (count > 0) ioThread.moved(this);
        ByteBuffer bytes = here.getBuffer().put(kept, 0, count).flip();
        count = 0;
        return bytes;
    }

    /// Gives the buffer back when nothing is left in it.
    void settle() {
        if (lent != null && !lent.getBuffer().hasRemaining()) free();
    }

    /// Drops all.
    void free() {
        PooledByteBuffer here = lent;
        lent = null;
        if (here != null) {
            ioThread.returned(this);
            here.close();
        }
        if (count > 0) ioThread.moved(this);
        count = 0;
        kept = NOTHING;
        holding.release();
    }

    /// Goes to the heap, for the IO thread wants the buffer; false when the heap has no room.
    boolean keep() {
        PooledByteBuffer here = lent;
        if (here == null) return true;
        ByteBuffer bytes = here.getBuffer();
        int needed = bytes.remaining();
        if (needed > kept.length && !grow(needed)) return false;
        bytes.get(kept, 0, needed);
        count = needed;
        lent = null;
        here.close();
        ioThread.kept(this, kept.length);
        return true;
    }

    /// As much as is needed at first, with some to spare when that happens again.
    private boolean grow(int needed) {
        int room = Math.max(needed, kept.length + kept.length / 2);
        if (!ioThread.hold(holding, room, owner)) return false;
        kept = new byte[room];
        return true;
    }

    /// Reads once more behind what is here: so many bytes, 0 when none are there, -1 at the end.
    @SuppressWarnings("ReferenceEquality") // whether it is still ours
    int receive(StreamSourceConduit from) throws IOException {
        ByteBuffer bytes = bytes().compact();
        PooledByteBuffer here = lent;
        inUse = true;
        try {
            return from.read(bytes);
        } finally {
            inUse = false;
            if (lent == here) { // reading the end of a socket that was written to its end closes the connection
                bytes.flip();
                settle();
            }
        }
    }

    /// Sends what is here; answers whether nothing is left.
    @SuppressWarnings("ReferenceEquality") // whether it is still ours
    boolean send(StreamSinkConduit to) throws IOException {
        if (isEmpty()) return true;
        ByteBuffer bytes = bytes();
        PooledByteBuffer here = lent;
        inUse = true;
        try {
            while (bytes.hasRemaining()) {
                if (to.write(bytes) == 0) return false;
            }
            return true;
        } finally {
            inUse = false;
            if (lent == here) settle();
        }
    }

    /// Whether there is no room for more bytes, in a buffer that another has asked for since.
    boolean isFull() {
        return lent != null && lent.getBuffer().remaining() == lent.getBuffer().capacity();
    }
}
