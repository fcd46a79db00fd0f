package gateway.wire.http2;

import java.util.Collection;

/// The windows of one connection (RFC 9113 §5.2, §6.9): how much content the peer takes, on all streams together
/// and on one that is opened, and how much may come from the peer before it has been read.
public final class Windows {
    /// In bytes, of each stream and of a connection until something else is said (RFC 9113 §6.9.2).
    public static final int INITIAL = 64 * 1024 - 1;

    private final int most;
    private int initial = INITIAL;
    private long left = INITIAL;
    private int received; // and not credited
    private int consumed; // and not credited

    /// The window that the peer has for one open stream.
    public interface Stream {
        /// `by` bytes more are taken, or fewer; answers whether the window is one that may be.
        boolean widen(long by);
    }

    /// @param most bytes that may come from the peer before they have been read; it has to be told of them
    public Windows(int most) {
        this.most = most;
    }

    /// Whether a window may be that wide (RFC 9113 §6.9.1). One that is overdrawn may be (§6.9.2).
    public static boolean mayBe(long window) {
        return window <= Integer.MAX_VALUE;
    }

    /// Bytes of content that the peer takes on a stream that is opened now.
    public int initial() {
        return initial;
    }

    /// The peer says with how many bytes streams begin, and changes the windows of the open ones by the difference
    /// (RFC 9113 §6.9.2). Answers whether each is one that may be.
    public boolean initial(int bytes, Collection<? extends Stream> open) {
        long wider = (long) bytes - initial;
        initial = bytes;
        boolean fits = true;
        for (Stream stream : open) fits &= stream.widen(wider);
        return fits;
    }

    /// Bytes of content that the peer takes now, on all streams together.
    public long left() {
        return left;
    }

    /// The peer takes `by` bytes more; answers whether the window is one that may be.
    public boolean widen(int by) {
        left += by;
        return mayBe(left);
    }

    /// `bytes` of content are on their way to the peer.
    public void sent(int bytes) {
        left -= bytes;
    }

    /// Content has come that takes `bytes`, padding included; answers whether the peer might send it.
    public boolean received(int bytes) {
        received += bytes;
        return received <= most;
    }

    /// What was received has been read, or is not wanted. Answers how many bytes the peer is to be allowed anew:
    /// mostly 0, since a quarter of the window is allowed at a time.
    public int consumed(int bytes) {
        consumed += bytes;
        if (consumed < most / 4) return 0;
        int credit = consumed;
        received -= credit;
        consumed = 0;
        return credit;
    }
}
