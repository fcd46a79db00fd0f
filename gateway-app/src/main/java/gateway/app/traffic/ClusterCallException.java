package gateway.app.traffic;

import java.io.IOException;

/// A call to Elasticsearch that was refused or got no answer: what the typed client hands on in place of a result.
final class ClusterCallException extends IOException {
    private final transient ClusterReply reply;

    ClusterCallException(ClusterReply reply) {
        super(reply.text());
        this.reply = reply;
    }

    ClusterReply reply() {
        return reply;
    }
}
