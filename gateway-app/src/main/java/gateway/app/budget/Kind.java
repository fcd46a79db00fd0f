package gateway.app.budget;

import java.util.Locale;

/// What memory is held for, and which part of the heap or of direct memory it may take. The parts of the heap sum to
/// three quarters: the rest is for what is compiled from definitions, and for what lives no longer than a turn.
public enum Kind {
    /// Heads of requests, from the first byte that waits for the next to the end of the request.
    HEADS(8),
    /// Open connections of clients, whatever they do. Apart from heads: those who only hold connections open must not
    /// take the place of requests, nor the other way round.
    CONNECTIONS(16),
    /// Bodies that are held whole: gathered for a policy, or an answer that waits for its client.
    BODIES(8),
    /// HTTP/2: content that nobody has read, frames that have not come or gone whole.
    FRAMES(16),
    /// TLS: records that have not come or gone whole.
    RECORDS(16),
    /// Records of the traffic log that wait to be encoded.
    QUEUE(16),
    /// Counters and leases of limits.
    COUNTERS(8),
    /// Keys at hand.
    KEYS(8),
    /// Direct memory: the buffers that sockets are read into and written from.
    BUFFERS(0);

    private final int heapParts; // one of so many; 0: of direct memory

    Kind(int heapParts) {
        this.heapParts = heapParts;
    }

    /// @param heap most bytes of the heap
    /// @param direct most bytes of direct memory, of which an eighth is left to the JDK and libraries
    long most(long heap, long direct) {
        return heapParts == 0 ? direct - direct / 8 : heap / heapParts;
    }

    /// As meters name it.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
