package gateway.wire.http1;

import gateway.http.Problem;
import gateway.wire.io.HttpDate;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.xnio.conduits.StreamSinkConduit;

/// What a refused connection is told: one whole HTTP response, the last on its connection.
final class RefusalAnswer {
    private final ByteBuffer bytes;

    private RefusalAnswer(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    static RefusalAnswer of(Refusal refusal, String requestId) {
        var problem = Problem.of(refusal.type(), refusal.status(), refusal.title(), refusal.detail());
        byte[] body = problem.toJson(requestId).getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 " + refusal.status() + " " + refusal.title() + "\r\nContent-Type: "
                + Problem.CONTENT_TYPE + "\r\nContent-Length: " + body.length
                + (refusal == Refusal.MEMORY ? "\r\nRetry-After: 1" : "")
                + "\r\nDate: " + HttpDate.now() + "\r\nConnection: close\r\nX-Request-Id: " + requestId + "\r\n\r\n";
        byte[] octets = head.getBytes(StandardCharsets.US_ASCII);
        return new RefusalAnswer(ByteBuffer.allocate(octets.length + body.length)
                .put(octets)
                .put(body)
                .flip());
    }

    /// Writes the answer and ends the sending side. An empty socket buffer takes it at once; a client that has not
    /// read what it was sent before goes without.
    void send(StreamSinkConduit sink) throws IOException {
        while (bytes.hasRemaining() && sink.write(bytes) > 0) {}
        sink.terminateWrites();
        sink.flush();
    }
}
