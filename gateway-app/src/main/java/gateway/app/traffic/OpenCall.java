package gateway.app.traffic;

import java.util.function.Consumer;

/// A request to Elasticsearch that is not answered yet.
final class OpenCall {
    private final ClusterClient client;
    private final Consumer<ClusterReply> answer;
    private final long deadlineNanos;

    OpenCall(ClusterClient client, Consumer<ClusterReply> answer, long deadlineNanos) {
        this.client = client;
        this.answer = answer;
        this.deadlineNanos = deadlineNanos;
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
}
