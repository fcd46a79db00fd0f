package gateway.app.budget;

import java.util.Locale;

/// What memory is held for, and which part of the heap or of direct memory it may take. The parts of the heap sum to
/// eleven sixteenths: the rest is for what is compiled from definitions, and for what lives no longer than a turn.
/// Beside both lies what libraries take from the system themselves.
public enum Kind {
    /// Heads of requests, from the first byte that waits for the next to the end of the request.
    HEADS(8),
    /// Bodies that are held whole: gathered for a policy, or an answer that waits for its client.
    BODIES(8),
    /// HTTP/2: content that nobody has read, frames that have not come or gone whole. WebSockets: what the other end
    /// does not take.
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
    BUFFERS(0),
    /// TLS: the engines of clients, which lie outside of both, where the entry point leaves half as much as for direct
    /// memory. Those of the JDK lie on the heap, take less, and are counted alike.
    ENGINES(0);

    private final int heapParts; // one of so many; 0: not of the heap

    Kind(int heapParts) {
        this.heapParts = heapParts;
    }

    /// @param heap most bytes of the heap
    /// @param direct most bytes of direct memory, of which an eighth is left to the JDK and libraries
    long most(long heap, long direct) {
        if (heapParts > 0) return heap / heapParts;
        return this == ENGINES ? direct / 2 : direct - direct / 8;
    }

    /// As meters name it.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
