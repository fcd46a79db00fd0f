package gateway.app.proxy;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.xnio.conduits.AbstractStreamSinkConduit;
import org.xnio.conduits.StreamSinkConduit;

/// Writes to a client. A head and the small body behind it leave in one buffer and one system call. Also where
/// the exchange finds its connection again, and where interim responses (1xx) get past Undertow.
final class ClientSink extends AbstractStreamSinkConduit<StreamSinkConduit> {
    private static final int WORTH_COPYING = 4 * 1024;

    private final Http1Connection connection;
    private final java.util.ArrayDeque<ByteBuffer> interim = new java.util.ArrayDeque<>(0);

    ClientSink(StreamSinkConduit next, Http1Connection connection) {
        super(next);
        this.connection = connection;
        connection.writesTo(this);
    }

    Http1Connection connection() {
        return connection;
    }

    /// Sends an interim response ahead of anything else; what the socket does not take now goes before the next write.
    void sendInterim(ByteBuffer head) throws IOException {
        interim.add(head);
        interimIsOut();
    }

    private boolean interimIsOut() throws IOException {
        while (!interim.isEmpty()) {
            ByteBuffer head = interim.peek();
            while (head.hasRemaining()) {
                if (next.write(head) == 0) return false;
            }
            interim.poll();
        }
        return true;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return interimIsOut() ? next.write(source) : 0;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        if (!interimIsOut()) return 0;
        if (length != 2) return next.write(sources, offset, length);
        ByteBuffer head = sources[offset];
        ByteBuffer body = sources[offset + 1];
        if (body.remaining() > WORTH_COPYING
                || body.remaining() > head.capacity() - head.limit()
                || head.isReadOnly()) {
            return next.write(sources, offset, length);
        }
        return writeTogether(head, body);
    }

    /// Copies `body` behind `head`, writes both, and sets the positions as a gathering write would have.
    private int writeTogether(ByteBuffer head, ByteBuffer body) throws IOException {
        int headEnd = head.limit();
        int bodyBegin = body.position();
        head.limit(headEnd + body.remaining());
        head.put(headEnd, body, bodyBegin, body.remaining());
        try {
            return next.write(head);
        } finally {
            body.position(bodyBegin + Math.max(0, head.position() - headEnd));
            head.position(Math.min(head.position(), headEnd)).limit(headEnd);
        }
    }

    @Override
    public int writeFinal(ByteBuffer source) throws IOException {
        return interimIsOut() ? next.writeFinal(source) : 0;
    }

    @Override
    public long writeFinal(ByteBuffer[] sources, int offset, int length) throws IOException {
        return interimIsOut() ? next.writeFinal(sources, offset, length) : 0;
    }
}
