package gateway.app.traffic;

import co.elastic.clients.transport.rest5_client.low_level.Cancellable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A request to Elasticsearch that is not answered yet.
final class OpenCall {
    private final ClusterClient client;
    private final Consumer<ClusterReply> answer;
    private final long deadlineNanos;
    private volatile @Nullable Cancellable request;

    OpenCall(ClusterClient client, Consumer<ClusterReply> answer, long deadlineNanos) {
        this.client = client;
        this.answer = answer;
        this.deadlineNanos = deadlineNanos;
    }

    void sent(Cancellable sent) {
        request = sent;
    }

    Consumer<ClusterReply> answer() {
        return answer;
    }

    boolean isOf(ClusterClient other) {
        return client == other;
    }

    boolean isOver(long nowNanos) {
        return nowNanos - deadlineNanos >= 0;
    }

    /// Its connection is closed, so that the server's bytes end too.
    void cancel() {
        Cancellable sent = request;
        if (sent != null) sent.cancel();
    }
}
