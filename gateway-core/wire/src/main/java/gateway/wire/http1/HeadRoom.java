package gateway.wire.http1;

/// Who gives a guarded connection the memory for what it holds, and is told what it waits for. Used on the connection's
/// IO thread.
public interface HeadRoom {
    /// The connection holds `bytes` of the heap from now on, more or fewer than before; false, and nothing changes,
    /// when more are not to be had.
    boolean hold(long bytes);

    /// The beginning of a head has come and its rest has not. Told again with each piece.
    void headBegun();

    /// A head has come whole: its request is under way.
    void headWhole();

    /// No request is under way any more.
    void requestOver();
}
