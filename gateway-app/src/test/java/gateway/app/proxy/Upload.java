package gateway.app.proxy;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/// A client that sends content, on a thread of its own, for as long as somebody takes it.
final class Upload implements AutoCloseable {
    private final RawConnection client;
    private final long enough;
    private final CountDownLatch sentEnough = new CountDownLatch(1);

    private Upload(RawConnection client, long enough) {
        this.client = client;
        this.enough = enough;
    }

    /// Begins to send.
    ///
    /// @param enough bytes to send until [#awaitEnough] answers
    static Upload to(RawConnection client, long enough) {
        var upload = new Upload(client, enough);
        Thread.ofVirtual().start(upload::send);
        return upload;
    }

    private void send() {
        byte[] piece = new byte[64 * 1024];
        try {
            for (long sent = 0; ; sent += piece.length) {
                client.send(piece);
                if (sent >= enough) sentEnough.countDown();
            }
        } catch (IOException e) {
            sentEnough.countDown(); // nobody takes more
        }
    }

    /// Waits until more than the sockets hold has been sent, or sending has failed.
    void awaitEnough() throws InterruptedException {
        sentEnough.await();
    }

    @Override
    public void close() throws IOException {
        client.close(); // which ends the thread
    }
}
