package gateway.app.server.wire;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.xnio.StreamConnection;
import org.xnio.conduits.StreamSourceConduit;

/// Sets a guard on client connections that refuses whatever is not strict HTTP/1.0 or 1.1 before the HTTP parser
/// sees it: the parser mends or overlooks much, and once it has parsed, the evidence is gone.
///
/// A refused request is answered with a problem and `Connection: close`, after the answers of the requests before
/// it; its bytes reach neither parser nor upstream. When chunk framing breaks while its request is under way, reads
/// of its body fail with [MalformedRequestException].
///
/// The guard relies on this: while a request is under way, nothing reads past its end.
public final class StrictRequests {
    private final WireLimits limits;
    private final Supplier<String> requestIds;
    private final Consumer<Refusal> refused;

    /// @param requestIds makes the id that a refused request is answered with
    /// @param refused told of each refusal, on the connection's IO thread
    public StrictRequests(WireLimits limits, Supplier<String> requestIds, Consumer<Refusal> refused) {
        this.limits = limits;
        this.requestIds = requestIds;
        this.refused = refused;
    }

    /// Guards `connection`; to be called before an HTTP listener takes it over.
    public void guard(StreamConnection connection) {
        var sink = new BegunSinkConduit(connection.getSinkChannel().getConduit());
        connection.getSinkChannel().setConduit(sink);
        var source = connection.getSourceChannel().getConduit();
        connection.getSourceChannel().setConduit(new StrictSourceConduit(source, sink, connection, limits, this));
    }

    /// Whether a guard that reads through `conduit` keeps bytes from its reader.
    public static boolean refuses(StreamSourceConduit conduit) {
        return conduit instanceof StrictSourceConduit strict && strict.refuses();
    }

    /// The answer's bytes; counts the refusal.
    RefusalAnswer answer(Refusal refusal) {
        refused.accept(refusal);
        return RefusalAnswer.of(refusal, requestIds.get());
    }
}
