package gateway.app.traffic;

import co.elastic.clients.transport.http.TransportHttpClient.Node;
import co.elastic.clients.transport.http.TransportHttpClient.Response;
import co.elastic.clients.util.BinaryData;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a [Cluster] has answered, as the typed client reads it.
///
/// Fields of the head are not kept. The client asks for the one that names the product, and would take no answer of an
/// Elasticsearch behind a proxy that drops it, to which records are shipped all the same.
record TypedAnswer(ClusterReply.Answered reply) implements Response {
    private static final Node SOME = new Node(URI.create("http://any"));
    private static final String PRODUCT = "X-Elastic-Product";

    /// Which one it was is the low-level client's to know.
    @Override
    public Node node() {
        return SOME;
    }

    @Override
    public int statusCode() {
        return reply.status();
    }

    @Override
    public @Nullable String header(String name) {
        return name.equalsIgnoreCase(PRODUCT) ? "Elasticsearch" : null;
    }

    @Override
    public List<String> headers(String name) {
        String value = header(name);
        return value == null ? List.of() : List.of(value);
    }

    /// Whatever it is: what is no JSON fails to be read.
    @Override
    public BinaryData body() {
        return BinaryData.of(reply.body(), "application/json");
    }

    @Override
    public ClusterReply.Answered originalResponse() {
        return reply;
    }

    @Override
    public void close() {}
}
