package gateway.app;

/// Which scheduler carries the virtual thread of a request.
public enum RequestThreads {
    /// The request's own IO thread.
    IO,
    /// The JDK's.
    JDK
}
