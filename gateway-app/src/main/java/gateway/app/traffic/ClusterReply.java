package gateway.app.traffic;

import java.nio.charset.StandardCharsets;

/// What came of a request to Elasticsearch.
sealed interface ClusterReply {
    /// @param body empty when there was none
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Answered(int status, byte[] body) implements ClusterReply {}

    record Unreachable(String reason) implements ClusterReply {}

    /// In words, short.
    default String text() {
        return switch (this) {
            case Answered answered -> {
                String body = new String(answered.body(), StandardCharsets.UTF_8);
                yield "HTTP " + answered.status() + " " + (body.length() > 300 ? body.substring(0, 300) + "…" : body);
            }
            case Unreachable unreachable -> unreachable.reason();
        };
    }
}
