package gateway.wire.http1;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.xnio.StreamConnection;

/// Sets a guard on client connections that refuses whatever is not strict HTTP/1.0 or 1.1 before the HTTP parser
/// sees it: the parser mends or overlooks much, and once it has parsed, the evidence is gone.
///
/// A refused request is answered with a problem and `Connection: close`, after the answers of the requests before
/// it; its bytes reach neither parser nor upstream. When chunk framing breaks while its request is under way, reads
/// of its body fail with [MalformedRequestException].
///
/// A head reaches the parser when it has come whole, and with `/` for its target: the parser would make objects of the
/// target's parameters, 46 times their bytes, of which nobody makes use. What was asked for tells
/// [RequestGuard#target]. Until then its octets are held, as are those behind it; [HeadRoom] gives the memory.
///
/// The guard relies on this: while a request is under way, nothing reads past its end.
public final class StrictRequests {
    private final WireLimits limits;
    private final Supplier<String> requestIds;
    private final Consumer<Refusal> refused;

    /// @param requestIds makes the id that a request is answered with which nobody has given one
    /// @param refused told of each refusal, on the connection's IO thread
    public StrictRequests(WireLimits limits, Supplier<String> requestIds, Consumer<Refusal> refused) {
        this.limits = limits;
        this.requestIds = requestIds;
        this.refused = refused;
    }

    /// Guards `connection`; to be called before an HTTP listener takes it over.
    public RequestGuard guard(StreamConnection connection, HeadRoom room) {
        var sink = new BegunSinkConduit(connection.getSinkChannel().getConduit());
        connection.getSinkChannel().setConduit(sink);
        var source = connection.getSourceChannel().getConduit();
        var guard = new StrictSourceConduit(source, sink, connection, limits, this, room);
        connection.getSourceChannel().setConduit(guard);
        return guard;
    }

    /// The answer's bytes; counts the refusal.
    ///
    /// @param requestId of the request under way; null when there is none
    RefusalAnswer answer(Refusal refusal, @Nullable String requestId) {
        refused.accept(refusal);
        return RefusalAnswer.of(refusal, requestId == null ? requestIds.get() : requestId);
    }
}
