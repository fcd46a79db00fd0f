package gateway.app.proxy;

import gateway.wire.io.HttpTransaction;
import io.undertow.connector.PooledByteBuffer;
import java.io.IOException;
import java.time.Duration;
import org.xnio.channels.StreamSourceChannel;

/// The rest of a request body that was answered before it had all come. A small rest is read away, so that the
/// connection can be used again; a large one ends the connection, with lingering, lest the reset take the
/// answer with it. One that comes too slowly ends it outright: its client has had the answer for seconds.
final class UnreadBody {
    /// Most bytes of a body whose rest is read away.
    static final long MOST = 256 * 1024;

    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final RequestRun run;
    private final HttpTransaction transaction;
    private final ClientRequest request;
    private final RequestContent content;
    private final WaitTimeout patience;
    private long discarded;

    UnreadBody(RequestRun run, ClientRequest request, RequestContent content) {
        this.run = run;
        this.transaction = request.transaction();
        this.content = content;
        this.request = request;
        this.patience = new WaitTimeout(request.connection(), LONGEST, run::close);
    }

    void discard() {
        if (!transaction.isPersistent() || content.length() > MOST) {
            linger();
            return;
        }
        request.progress().onEnd(patience::end);
        patience.begin();
        readAway(content.channel());
    }

    private void readAway(StreamSourceChannel source) {
        PooledByteBuffer pooled = request.ioThread().buffers().allocate();
        try {
            while (true) {
                int count = source.read(pooled.getBuffer().clear());
                if (count < 0) {
                    patience.end();
                    return;
                }
                if (count == 0) {
                    source.getReadSetter().set(this::readAway);
                    source.resumeReads();
                    return;
                }
                content.received(pooled.getBuffer(), 0, count);
                discarded += count;
                if (discarded > MOST) {
                    linger();
                    return;
                }
            }
        } catch (IOException e) {
            run.close();
        } finally {
            pooled.close();
        }
    }

    private void linger() {
        patience.end();
        transaction.leaveUnread();
    }
}
