package gateway.app.traffic;

import co.elastic.clients.json.jackson.Jackson3JsonpMapper;
import co.elastic.clients.transport.DefaultTransportOptions;
import co.elastic.clients.transport.ElasticsearchTransport;
import co.elastic.clients.transport.ElasticsearchTransportBase;
import co.elastic.clients.transport.TransportOptions;
import co.elastic.clients.transport.http.TransportHttpClient;
import co.elastic.clients.transport.instrumentation.NoopInstrumentation;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// How Elasticsearch's typed client reaches a [Cluster]: what it asks is a call like those that carry records, with
/// their deadline, bounds and identity, and by whichever low-level client is in place.
final class TypedCalls implements TransportHttpClient {
    private final Cluster cluster;

    private TypedCalls(Cluster cluster) {
        this.cluster = cluster;
    }

    /// Without the client's own retries and spans.
    static ElasticsearchTransport over(Cluster cluster) {
        return new ElasticsearchTransportBase(
                new TypedCalls(cluster),
                DefaultTransportOptions.EMPTY,
                new Jackson3JsonpMapper(),
                NoopInstrumentation.INSTANCE) {};
    }

    /// A refusal fails with what was said: the client would read a 403 whose content looks like a result as one.
    ///
    /// The request's own fields stay behind: they ask for the form of the client's major version, which an
    /// Elasticsearch of the one before refuses.
    @Override
    public CompletableFuture<Response> performRequestAsync(
            String endpoint, @Nullable Node node, Request asked, TransportOptions options) {
        var answer = new CompletableFuture<Response>();
        cluster.call(asked.method(), asked.path(), asked.queryParams(), content(asked), reply -> {
            switch (reply) {
                case ClusterReply.Answered answered
                when answered.status() < 300 -> answer.complete(new TypedAnswer(answered));
                case ClusterReply.Answered refused -> answer.completeExceptionally(new ClusterCallException(refused));
                case ClusterReply.Unreachable unreachable ->
                    answer.completeExceptionally(new ClusterCallException(unreachable));
            }
        });
        return answer;
    }

    @Override
    public Response performRequest(String endpoint, @Nullable Node node, Request asked, TransportOptions options) {
        throw new UnsupportedOperationException("whoever asks here never waits");
    }

    /// The cluster is closed by those that ship.
    @Override
    public void close() {}

    private static byte[] content(Request asked) {
        Iterable<ByteBuffer> parts = asked.body();
        if (parts == null) return new byte[0];
        var content = new ByteArrayOutputStream();
        for (ByteBuffer part : parts) {
            byte[] octets = new byte[part.remaining()];
            part.duplicate().get(octets);
            content.writeBytes(octets);
        }
        return content.toByteArray();
    }
}
