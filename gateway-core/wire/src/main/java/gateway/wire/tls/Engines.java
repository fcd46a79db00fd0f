package gateway.wire.tls;

import javax.net.ssl.SSLEngine;

/// Makes the engines of a TLS listener, all of one configuration: a reload makes new ones.
sealed interface Engines permits JdkEngines, NativeEngines {
    /// How long a client may resume a session; BoringSSL renews those of TLS 1.3 for longer.
    int SESSION_SECONDS = 3600;

    /// What a client's engine takes outside of the heap, or on it when it is the JDK's: while it shakes hands, and
    /// then. Measured in decision 131.
    int SHAKING_BYTES = 12 * 1024;

    int ESTABLISHED_BYTES = 8 * 1024;

    /// For one connection of a client. Whoever uses it gives it back by [#release].
    ///
    /// @param serverName that the client asks for, whatever that is: its peer's host, as [IdentityKeys] reads it
    SSLEngine engine(String serverName);

    /// Gives back what an engine holds outside of the heap; it is not used any more afterwards.
    static void release(SSLEngine engine) {
        if (engine instanceof io.netty.util.ReferenceCounted counted) counted.release();
    }
}
