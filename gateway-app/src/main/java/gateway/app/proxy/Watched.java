package gateway.app.proxy;

/// A client whose going away can be noticed.
interface Watched {
    /// Notices from now on when the client goes away. Used on the IO thread.
    void watch();
}
