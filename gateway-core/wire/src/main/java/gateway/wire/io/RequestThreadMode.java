package gateway.wire.io;

/// What carries the virtual thread of a request.
public enum RequestThreadMode {
    /// The IO thread of its connection: no hand-over between kernel threads.
    IO,
    /// The JDK's scheduler.
    JDK
}
