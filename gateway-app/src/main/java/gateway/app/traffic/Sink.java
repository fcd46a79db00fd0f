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

    /// Records taken whose fate is open; none where a record's fate is known once it is taken.
    default long underWay() {
        return 0;
    }

    /// Records on disk that are sent later.
    default long spilled() {
        return 0;
    }

    /// Bytes that they take.
    default long spillBytes() {
        return 0;
    }

    TrafficState state();

    /// Settles everything that is still open: nothing is under way afterwards.
    void close();
}
