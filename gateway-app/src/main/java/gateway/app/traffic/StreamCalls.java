package gateway.app.traffic;

import co.elastic.clients.elasticsearch._types.PluginStats;
import co.elastic.clients.elasticsearch.cluster.ElasticsearchClusterAsyncClient;
import co.elastic.clients.elasticsearch.cluster.HealthResponse;
import co.elastic.clients.elasticsearch.indices.ElasticsearchIndicesAsyncClient;
import co.elastic.clients.elasticsearch.indices.PutIndexTemplateRequest;
import co.elastic.clients.elasticsearch.nodes.ElasticsearchNodesAsyncClient;
import co.elastic.clients.elasticsearch.nodes.NodesInfoResponse;
import co.elastic.clients.elasticsearch.nodes.info.NodesInfoMetric;
import co.elastic.clients.transport.ElasticsearchTransport;
import co.elastic.clients.transport.TransportException;
import java.io.StringReader;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// What is asked about a data stream and its cluster, rarely: by Elasticsearch's typed client, whose classes are loaded
/// with the first of these calls. Answers arrive on the cluster's thread.
final class StreamCalls {
    private static final ClusterReply DONE = new ClusterReply.Answered(200, new byte[0]);

    private final ElasticsearchTransport transport;

    private StreamCalls(ElasticsearchTransport transport) {
        this.transport = transport;
    }

    static StreamCalls over(Cluster cluster) {
        return new StreamCalls(TypedCalls.over(cluster));
    }

    /// Which modules the cluster has, as one of its nodes tells: the answer of all grows with them.
    ///
    /// @param found takes their names
    /// @param otherwise takes any other answer
    void modules(Consumer<Set<String>> found, Consumer<ClusterReply> otherwise) {
        var nodes = new ElasticsearchNodesAsyncClient(transport);
        var one = nodes.info(request -> request.nodeId("_local").metric(NodesInfoMetric.Plugins));
        tell(one, info -> found.accept(names(info)), otherwise);
    }

    /// How the cluster says it is.
    ///
    /// @param told takes what it says
    /// @param otherwise takes any other answer
    void health(Consumer<HealthResponse> told, Consumer<ClusterReply> otherwise) {
        tell(new ElasticsearchClusterAsyncClient(transport).health(), told, otherwise);
    }

    /// @param json of the template, as it stands in the documents
    void putTemplate(String name, String json, Consumer<ClusterReply> answer) {
        var mapper = transport.jsonpMapper();
        try (var parser = mapper.jsonProvider().createParser(new StringReader(json))) {
            var asked = new PutIndexTemplateRequest.Builder()
                    .withJson(parser, mapper)
                    .name(name);
            tell(indices().putIndexTemplate(asked.build()), told -> answer.accept(DONE), answer);
        }
    }

    /// @param retention as Elasticsearch writes times
    void putRetention(String dataStream, String retention, Consumer<ClusterReply> answer) {
        var done = indices()
                .putDataLifecycle(request -> request.name(dataStream).dataRetention(time -> time.time(retention)));
        tell(done, told -> answer.accept(DONE), answer);
    }

    private ElasticsearchIndicesAsyncClient indices() {
        return new ElasticsearchIndicesAsyncClient(transport);
    }

    private static Set<String> names(NodesInfoResponse info) {
        return info.nodes().values().stream()
                .flatMap(node -> node.modules().stream())
                .map(PluginStats::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    /// What fails in `found` is told as well: a future keeps it to itself.
    private static <T> void tell(CompletableFuture<T> call, Consumer<T> found, Consumer<ClusterReply> otherwise) {
        var _ = call.thenAccept(found).whenComplete((done, failure) -> {
            if (failure != null) otherwise.accept(reply(failure));
        });
    }

    /// What the server has said, whatever the client made of it.
    private static ClusterReply reply(Throwable failure) {
        return switch (failure) {
            case CompletionException wrapped when wrapped.getCause() != null -> reply(wrapped.getCause());
            case ClusterCallException failed -> failed.reply();
            case TransportException unread when unread.response() instanceof TypedAnswer(var answered) -> answered;
            default -> new ClusterReply.Unreachable(failure.toString());
        };
    }
}
