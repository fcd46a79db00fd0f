package gateway.wire.io;

/// The virtual thread of a connection's present request; there is one at a time. What touches channels is handed to
/// [#onIoThread]: Undertow takes a virtual thread for a stranger even when its IO thread carries it.
public sealed interface RequestThread permits CarriedThread, ScheduledThread {
    void start(Runnable body);

    /// Runs `work` on the connection's IO thread, soon. Called from any thread.
    void onIoThread(Runnable work);
}
