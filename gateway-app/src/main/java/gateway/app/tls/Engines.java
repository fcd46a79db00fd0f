package gateway.app.tls;

import javax.net.ssl.SSLEngine;

/// Makes the engines of a TLS listener, all of one configuration: a reload makes new ones.
sealed interface Engines permits JdkEngines, NativeEngines {
    /// How long a client may resume a session; BoringSSL renews those of TLS 1.3 for longer.
    int SESSION_SECONDS = 3600;

    /// For one connection of a client. Whoever uses it gives it back by [#release].
    SSLEngine engine();

    /// Gives back what an engine holds outside of the heap; it is not used any more afterwards.
    static void release(SSLEngine engine) {
        if (engine instanceof io.netty.util.ReferenceCounted counted) counted.release();
    }
}
