package gateway.app.proxy;

/// A client whose going away can be noticed.
interface Watched {
    /// Notices from now on when the client goes away. Used on the IO thread.
    void watch();

    /// Notices at once if it has gone away meanwhile, though nobody has watched: once its request is here, whole. Used
    /// on the IO thread.
    void look();
}
