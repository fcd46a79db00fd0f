package gateway.policies.message.graphql;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import gateway.http.Exchange;
import gateway.service.TextDigest;
import gateway.service.Workers;
import java.util.Optional;

/// Shapes of documents that were found good, by the digest of their text; clients send the same few over and over. Why
/// others were refused is remembered apart from them, so that a flood of these pushes none out.
final class QueryShapes {
    /// Of policies that read alike they are shared.
    record Id(QueryBounds bounds, Optional<CostRule> cost) {}

    private static final long MOST_WEIGHT = 50_000; // some megabytes
    private static final int MOST_REFUSED = 1_000;
    private static final int OVERHEAD = 5; // of an entry, in weights of lists
    private static final int SMALL = 256; // characters that the request's own thread parses

    private final DocumentReader reader;
    private final Cache<String, QueryShape> shapes;
    private final Cache<String, QueryRefusedException> refused;

    QueryShapes(Id id) {
        this.reader = new DocumentReader(id.bounds(), id.cost());
        this.shapes = Caffeine.newBuilder()
                .maximumWeight(MOST_WEIGHT)
                .weigher((String _, QueryShape shape) ->
                        OVERHEAD + shape.names().size() + shape.weight().size())
                .executor(Runnable::run)
                .build();
        this.refused = Caffeine.newBuilder()
                .maximumSize(MOST_REFUSED)
                .executor(Runnable::run)
                .build();
    }

    /// Of a text that clients did not send.
    QueryShape read(String text) {
        return reader.read(text);
    }

    /// @param exchange whose document it is, read on a worker of its API where it is large
    /// @throws QueryRefusedException when it is no document that may be executed, or exceeds a bound
    QueryShape of(String text, Workers workers, Exchange exchange) {
        reader.checkLength(text);
        String digest = TextDigest.of(text);
        QueryShape known = shapes.getIfPresent(digest);
        if (known != null) return known;
        QueryRefusedException before = refused.getIfPresent(digest);
        if (before != null) throw before; // it has no stack of its own
        try {
            QueryShape shape =
                    text.length() <= SMALL ? reader.read(text) : workers.call(exchange.api(), () -> reader.read(text));
            if (!exchange.isSupposed()) shapes.put(digest, shape);
            return shape;
        } catch (QueryRefusedException e) {
            if (!exchange.isSupposed()) refused.put(digest, e);
            throw e;
        }
    }
}
