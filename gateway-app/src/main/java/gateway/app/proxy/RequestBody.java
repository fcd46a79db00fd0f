package gateway.app.proxy;

import gateway.http.Body;
import gateway.http.BodyTooLargeException;
import gateway.http.UpstreamException;
import gateway.http.UpstreamException.Kind;
import gateway.wire.client.BodyGathering;
import io.undertow.connector.PooledByteBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import org.xnio.channels.StreamSourceChannel;

/// A request body that streams from the client until a policy wants its bytes.
final class RequestBody implements Body, BodyGathering.Source {
    private final ClientRequest client;
    private final RequestContent content;

    RequestBody(ClientRequest client, RequestContent content) {
        this.client = client;
        this.content = content;
    }

    @Override
    public OptionalLong length() {
        Body held = content.held();
        if (held != null) return held.length();
        long length = content.length();
        return length < 0 ? OptionalLong.empty() : OptionalLong.of(length);
    }

    @Override
    public byte[] bytes(long max) {
        Body held = content.held();
        if (held != null) return held.bytes(max);
        long most = Math.min(max, content.limit());
        if (content.length() > most) throw new BodyTooLargeException(most);
        byte[] bytes = new BodyGathering(this, client, content.length(), most).await();
        content.hold(Body.of(bytes));
        return bytes;
    }

    @Override
    public boolean moveTo(BodyGathering to) throws IOException {
        content.awaitsNot();
        client.sendContinue();
        StreamSourceChannel source = content.channel();
        if (readAll(source, to)) {
            source.suspendReads();
            return true;
        }
        source.getReadSetter().set(_ -> to.run());
        client.progress().onEnd(() -> fail(to, brokenOff()));
        source.resumeReads();
        content.awaits(
                () -> fail(to, new UpstreamException(Kind.CLIENT_SLOW, "the request did not come whole in time")));
        return false;
    }

    private boolean readAll(StreamSourceChannel source, BodyGathering to) throws IOException {
        PooledByteBuffer pooled = client.ioThread().buffers().allocate();
        try {
            ByteBuffer buffer = pooled.getBuffer();
            to.add(content.early());
            while (true) {
                int count = source.read(buffer.clear());
                if (count <= 0) return count < 0 || to.size() == content.length(); // the end of a stream may come later
                content.received(buffer, 0, count);
                add(buffer.flip(), source, to);
            }
        } finally {
            pooled.close();
        }
    }

    private void add(ByteBuffer piece, StreamSourceChannel source, BodyGathering to) {
        try {
            to.add(piece);
        } catch (BodyTooLargeException e) {
            source.suspendReads();
            content.putBack(to.with(piece));
            throw e;
        }
    }

    private void fail(BodyGathering gathering, RuntimeException why) {
        content.awaitsNot();
        gathering.fail(why);
    }

    @Override
    public RuntimeException brokenOff() {
        return new UpstreamException(Kind.CLIENT_GONE, "the client went away");
    }
}
