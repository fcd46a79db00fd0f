package gateway.wire.memory;

import java.util.Locale;

/// What memory is held for, and which part of the heap or of direct memory it may take. The parts of the heap sum to
/// less than three quarters: the rest is for what is compiled from definitions, and for what lives no longer than a
/// turn. Beside heap and direct memory lies what libraries take from the system themselves.
public enum Kind {
    /// Heads of requests, from the first byte that waits for the next to the end of the request.
    HEADS(8, true),
    /// Open connections of clients, whatever they do. Apart from heads: those who only hold connections open must not
    /// take the place of requests, nor the other way round.
    CONNECTIONS(16, true),
    /// Bodies that are held whole: gathered for a policy, or an answer that waits for its client.
    BODIES(8, true),
    /// HTTP/2: content that nobody has read, frames that have not come or gone whole. WebSockets: what the other end
    /// does not take.
    FRAMES(16, true),
    /// TLS: records that have not come or gone whole; new ones displace those that have stood still for longest.
    RECORDS(16, false),
    /// Records of the traffic log that wait to be encoded; one that does not fit is dropped and counted.
    QUEUE(16, false),
    /// Bodies captured for the traffic log; one that does not fit is left out of its record.
    CAPTURES(32, false),
    /// Counters and leases of limits; new ones displace those that protect least.
    COUNTERS(8, false),
    /// Keys at hand; new ones displace those used least.
    KEYS(16, false),
    /// Short-term values of the embedded store: replay ids, which go at their end alone, sessions and bans.
    SHORT_TERM(64, false),
    /// Direct memory: the buffers that sockets are read into and written from.
    BUFFERS(0, true),
    /// TLS: the engines of clients, which lie outside of both, where the entry point leaves half as much as for direct
    /// memory. Those of the JDK lie on the heap, take less, and are counted alike. New ones displace
    /// those of handshakes that have waited for longest.
    ENGINES(0, false);

    private final int heapParts; // one of so many; 0: not of the heap
    private final boolean presses;

    Kind(int heapParts, boolean presses) {
        this.heapParts = heapParts;
        this.presses = presses;
    }

    /// @param heap most bytes of the heap
    /// @param direct most bytes of direct memory, of which an eighth is left to the JDK and libraries
    public long most(long heap, long direct) {
        return switch (this) {
            case BUFFERS -> direct - direct / 8;
            case ENGINES -> direct / 2;
            case CONNECTIONS -> Math.min(heap / heapParts, direct / 4); // at three quarters of it all have engines
            default -> heap / heapParts;
        };
    }

    /// Whether the gateway sheds load when there is much of it. What makes room for itself may well be full for long.
    boolean presses() {
        return presses;
    }

    /// Whether newcomers are turned away when there is much of it: who has sent nothing yet takes none of what is full
    /// of bodies, and a request that does is told so.
    boolean turnsAway() {
        return presses && this != BODIES;
    }

    /// As meters name it.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
