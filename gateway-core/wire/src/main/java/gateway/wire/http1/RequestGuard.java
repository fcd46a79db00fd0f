package gateway.wire.http1;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.xnio.conduits.StreamSourceConduit;

/// What guards the requests of one connection, see [StrictRequests]. Used on its IO thread.
public sealed interface RequestGuard permits StrictSourceConduit {
    /// That of a connection whose requests are read through `conduit`.
    static RequestGuard of(StreamSourceConduit conduit) {
        return (StrictSourceConduit) conduit;
    }

    /// What the request under way asks for: the parser does not get to see it.
    SentTarget target();

    /// Whether octets have come which the reader does not have: content, the next request, or what was refused.
    boolean holdsMore();

    /// Octets of content that have come and the reader does not have; with the framing, where it is chunked.
    int contentHeld();

    /// Whether what has come is no HTTP.
    boolean refuses();

    /// Whether [#readAhead] may be asked: not once as much is kept as the largest head has, nor of what was refused.
    boolean readsAhead();

    /// Reads what has come while nobody wanted it, by way of `scratch`, and keeps it for the reader.
    ///
    /// @return how much; -1 when nothing more can be read: at the end, or when there is no room to keep it
    int readAhead(ByteBuffer scratch) throws IOException;

    /// A request is under way that has this id: what is told when its content breaks.
    void requestBegins(String id);

    /// The request under way has come to its end, whatever it was.
    void requestOver();
}
