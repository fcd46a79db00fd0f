package gateway.wire.tls;

import gateway.wire.memory.Holding;
import java.util.function.Function;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// The engine of a connection, from when it is needed: one of a client is kilobytes that no client gets for a few
/// bytes. What it takes is drawn from the budget of engines.
final class LateEngine {
    private final Function<String, SSLEngine> maker;
    private final @Nullable Holding holding;
    private @Nullable SSLEngine engine;

    /// @param maker takes the name that the client asks for
    /// @param holding null: what it takes is bounded otherwise
    LateEngine(Function<String, SSLEngine> maker, @Nullable Holding holding) {
        this.maker = maker;
        this.holding = holding;
    }

    boolean isMade() {
        return engine != null;
    }

    /// Makes it, with its hands about to be shaken, at the expense of the oldest of `others` if need be.
    ///
    /// @param serverName that the client asks for; empty when it asks for none
    /// @throws SSLException when the budget has no room for one more
    void make(String serverName, Handshakes others) throws SSLException {
        if (holding != null && !hasRoom(holding, others)) throw new SSLException("no memory for another engine");
        SSLEngine made = maker.apply(serverName);
        engine = made;
        made.beginHandshake();
    }

    private static boolean hasRoom(Holding holding, Handshakes others) {
        while (!holding.hold(Engines.SHAKING_BYTES)) if (!others.displaceEngine()) return false;
        return true;
    }

    SSLEngine get() {
        SSLEngine made = engine;
        if (made == null) throw new IllegalStateException("the hands are not shaken yet");
        return made;
    }

    /// The hands are shaken: what that took is free again.
    void established() {
        if (holding != null) holding.hold(Engines.ESTABLISHED_BYTES);
    }

    /// It is not used any more.
    void release() {
        if (engine != null) Engines.release(engine);
        if (holding != null) holding.release();
    }
}
