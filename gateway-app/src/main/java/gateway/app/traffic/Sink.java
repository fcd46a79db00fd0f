package gateway.app.traffic;

/// Where batches end. Every method but [#state] and [#underWay] is called by the shipper's thread.
interface Sink {
    /// Called first, before any batch.
    default void open() {}

    /// Takes `batch` over, or answers false when there is no room just now. An urgent batch is always taken: stored
    /// elsewhere or dropped, but counted.
    boolean take(Batch batch, boolean urgent, long nowNanos);

    /// Does what is due.
    ///
    /// @return whether there was anything
    boolean turn(long nowNanos);

    /// Records taken whose fate is open.
    long underWay();

    long spilled();

    long spillBytes();

    TrafficState state();

    /// Settles everything that is still open: nothing is under way afterwards.
    void close();
}
